import { useCallback, useState } from 'react'
import type { DetailModel, FieldItemModel, SectionModel } from '../../schema/model'
import { readPath, type CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { usePrinting } from '../media'
import { isVisible } from './Sections'

/** So many fields without a value are no disorder: folding them away would only cost a click. */
const FEW = 4

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** An item that has nothing to say; what is typed in its place, and lines, which may be too many to come along, stand anyway. */
const isBlank = (item: FieldItemModel, record: Row, context: CellContext, canEdit: boolean): boolean => {
  if (item.field?.lines || (item.edit && canEdit)) return false
  try {
    return isEmpty(item.value ? item.value(context.scope) : readPath(record, item.path, context.refs))
  } catch {
    // its cell says what is wrong
    return false
  }
}

export interface Folding {
  /** Fields without a value that are, or would be, folded away; none where there are few. */
  folded: ReadonlySet<FieldItemModel>
  /** They are shown. */
  open: boolean
  toggle(): void
}

/** Which fields of a record are folded away; the person's choice is kept for the page. On paper, and while the page is designed, stands everything. */
export const useFolding = (model: DetailModel, record: Row, context: CellContext, canEdit: boolean): Folding => {
  const { host } = context
  const key = `detail.unfolded ${model.id}`
  const [chosen, setChosen] = useState(() => host.local.get(key) !== null)
  const printing = usePrinting()
  const blank = model.fold && !host.preview ? blankItems(model.sections, record, context, canEdit) : []
  const toggle = useCallback(() => {
    if (chosen) host.local.remove(key)
    else host.local.set(key, '1')
    setChosen(!chosen)
  }, [host, key, chosen])
  return { folded: new Set(blank.length < FEW ? [] : blank), open: chosen || printing, toggle }
}

const blankItems = (sections: readonly SectionModel[], record: Row, context: CellContext, canEdit: boolean): FieldItemModel[] =>
  sections
    .filter((section) => !section.widget && isVisible(section, context))
    .flatMap(({ items }) => items.filter((item) => isVisible(item, context) && isBlank(item, record, context, canEdit)))
