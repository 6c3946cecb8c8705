import type { DetailModel, FieldItemModel, SectionModel, Source } from '../../schema/model'
import type { CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { BlockBoundary, WidgetOutlet } from '../widget'
import { Item } from './Item'
import { detailTexts } from './texts'

interface SectionsProps {
  sections: readonly SectionModel[]
  model: DetailModel
  record: Row
  context: CellContext
  canEdit: boolean
  /** Items that are folded away now. */
  folded?: ReadonlySet<FieldItemModel>
  onEdit(form: string, title: string): void
  onSaved(): void
}

/** A condition that fails shows the part: what cannot be decided is not hidden. */
export const isVisible = (
  part: { visible(scope: CellContext['scope']): boolean; source: Source },
  context: CellContext,
): boolean => {
  try {
    return part.visible(context.scope)
  } catch (error) {
    context.host.report(error, { where: part.source.where, at: part.source.at })
    return true
  }
}

/** Sections as description lists, or as the widget that stands for one. */
export const Sections = ({ sections, model, record, context, canEdit, folded, onEdit, onSaved }: SectionsProps) => {
  const texts = detailTexts[context.host.locale]
  return sections
    .filter((section) => isVisible(section, context))
    .map((section) => {
      const { edit, widget } = section
      const visible = section.items.filter((item) => isVisible(item, context))
      const items = folded ? visible.filter((item) => !folded.has(item)) : visible
      // a section without anything to read stands where it can be filled in
      if (items.length === 0 && visible.length > 0 && !(edit !== undefined && canEdit)) return null
      return (
        <section key={section.id} className="sb-section" aria-labelledby={`${model.id}-${section.id}`}>
          <header>
            <h2 id={`${model.id}-${section.id}`}>{section.title}</h2>
            {edit !== undefined && canEdit && (
              <button
                type="button"
                className="sb-link"
                aria-label={texts.editSection(section.title)}
                onClick={() => onEdit(edit, section.title)}
              >
                {texts.edit}
              </button>
            )}
          </header>
          <BlockBoundary source={section.source} resetKey={record}>
            {widget ? (
              <WidgetOutlet name={widget.name} props={widget.props} values={context.scope} source={section.source} />
            ) : (
              <dl className="sb-items" style={{ ['--sb-columns' as string]: section.columns }}>
                {items.map((item) => (
                  <Item
                    key={item.id}
                    item={item}
                    model={model}
                    record={record}
                    context={context}
                    canEdit={canEdit}
                    columns={section.columns}
                    named={items.length === 1 && item.title === section.title}
                    onSaved={onSaved}
                  />
                ))}
              </dl>
            )}
          </BlockBoundary>
        </section>
      )
    })
}
