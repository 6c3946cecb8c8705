import { Suspense, useMemo, useState } from 'react'
import type { DetailModel, FieldItemModel, Scope } from '../../schema/model'
import { fieldsForm } from '../../headless/form/fieldsForm'
import { compileCell, type CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { detailTexts } from './texts'
import { lazyPart } from '../part/lazyPart'

const FormView = lazyPart(async () => ({ default: (await import('../form')).FormView }))

const LinesTable = lazyPart(() => import('../lines/LinesTable'))

interface ItemProps {
  item: FieldItemModel
  model: DetailModel
  record: Row
  context: CellContext
  canEdit: boolean
  /** Of its section. */
  columns: number
  /** The heading above says its name already. */
  named: boolean
  onSaved(): void
}

/** One value with its label; a field that may be edited in place becomes a small form where it stands. */
export const Item = ({ item, model, record, context, canEdit, columns, named, onSaved }: ItemProps) => {
  const texts = detailTexts[context.host.locale]
  const [editing, setEditing] = useState(false)
  const render = useMemo(() => compileCell(item), [item])
  const { field } = item
  const editable = item.edit && canEdit && field !== undefined && !field.lines
  return (
    <div
      className={named ? 'sb-item sb-item-named' : 'sb-item'}
      style={
        // where less columns have room, what is as wide as all of them still is
        field?.lines || (item.span > 1 && item.span >= columns)
          ? { gridColumn: '1 / -1' }
          : item.span > 1
            ? { gridColumn: `span ${item.span}` }
            : undefined
      }
    >
      <dt className={named ? 'sb-hidden-text' : undefined}>{item.title}</dt>
      <dd className={field?.kind === 'text' ? 'sb-lines' : undefined}>
        {editing && field ? (
          <Suspense fallback={render(record, context)}>
            <InlineForm
              item={item}
              model={model}
              record={record}
              scope={context.scope}
              onDone={() => {
                setEditing(false)
                onSaved()
              }}
              onCancel={() => setEditing(false)}
            />
          </Suspense>
        ) : (
          <>
            {field?.lines ? (
              <Suspense fallback={null}>
                <LinesTable field={field} value={record[field.name]} context={context} />
              </Suspense>
            ) : (
              render(record, context)
            )}
            {editable && (
              <button
                type="button"
                className="sb-link sb-pencil"
                aria-label={texts.editField(item.title)}
                title={texts.editField(item.title)}
                onClick={() => setEditing(true)}
              >
                ✎
              </button>
            )}
          </>
        )}
      </dd>
    </div>
  )
}

interface InlineFormProps {
  item: FieldItemModel
  model: DetailModel
  record: Row
  scope: Scope
  onDone(): void
  onCancel(): void
}

const InlineForm = ({ item, model, record, scope, onDone, onCancel }: InlineFormProps) => {
  const { field } = item
  const texts = detailTexts[model.locale]
  const form = useMemo(
    () =>
      field &&
      fieldsForm({
        id: `${model.id}#${item.id}`,
        title: item.title,
        fields: [field],
        required: field.required ? [field.name] : [],
        initial: { [field.name]: record[field.name] },
        held: record,
        call: { method: 'POST', path: `${model.basePath}/save` },
        params: (values) => ({ id: record.id, version: record.version, [field.name]: values[field.name] ?? null }),
        submitLabel: texts.save,
        success: texts.saved,
        locale: model.locale,
        source: item.source,
      }),
    [field, item, model, record, texts],
  )
  if (!form) return null
  return (
    <div className="sb-item-form">
      <FormView model={form} scope={scope} onDone={onDone} onCancel={onCancel} />
    </div>
  )
}
