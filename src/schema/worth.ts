import { READING } from './columns'
import { allFields } from './entity/fields'
import { fieldKind, formatOf } from './formats'
import type { EntityDocument } from './generated/entity'
import type { Column, ListBody, ListPage } from './generated/page'

/** Words that have a place in the first screen; what is compact has none. */
const FIRST = READING.filter((word) => word !== 'compact')
/** Widths that stand in the first screen beside the selection and the row actions, with room for titles that are wider than their cells. */
const FIRST_SCREEN = 740

/**
 * The columns in the order of what their fields are worth: title, who, amount, state, when, then the others as they stand. One column of
 * each comes first whatever there is; of the further ones those that still fit into the first screen stand beside it, the rest behind.
 * Equal when asked again. A list that says why it has an order of its own keeps it.
 */
export function inOrderOfWorth(entity: EntityDocument, list: ListBody | ListPage, columns: readonly Column[]): Column[] {
  const worth = entity['x-worth']
  if (!worth || list.columnOrder !== undefined) return [...columns]
  const own = columns.filter(({ field, value, hidden }) => field !== undefined && value === undefined && !hidden)
  const groups = FIRST.map((word) => (worth[word] ?? []).flatMap((name) => own.filter(({ field }) => field === name)))
  const widthOf = widthsOf(entity)
  let room = FIRST_SCREEN - groups.reduce((sum, [first]) => sum + (first ? widthOf(first) : 0), 0)
  const isBeside = (column: Column): boolean => {
    if (room < widthOf(column)) return false
    room -= widthOf(column)
    return true
  }
  const first = groups.flatMap((group) => group.filter((column, index) => index === 0 || isBeside(column)))
  const placed = [...first, ...groups.flat().filter((column) => !first.includes(column))]
  return [...placed, ...columns.filter((column) => !placed.includes(column))]
}

function widthsOf(entity: EntityDocument): (column: Column) => number {
  const fields = new Map(allFields(entity).map(({ name, field }) => [name, field]))
  return ({ field: name = '', width }) => {
    const field = fields.get(name)
    return width ?? field?.['x-width'] ?? (field ? formatOf(fieldKind(field)).width : 0)
  }
}
