import { allFields } from './entity/fields'
import type { EntityDocument, EntityField } from './generated/entity'
import type { Cell, Column, ListBody, ListPage } from './generated/page'

/** The order in which a row is read; what has no worth comes last, so that a new field stands at the end. */
export const READING = ['title', 'who', 'amount', 'state', 'when', 'compact'] as const

/** Names of the fields that carry a mark, ownership included; retired ones are left out. */
export const marked = (entity: EntityDocument, mark: 'x-list' | 'x-filter'): { name: string; field: EntityField }[] =>
  shownFields(entity).filter(({ field }) => field[mark] === true)

const shownFields = (entity: EntityDocument) =>
  allFields(entity).filter(({ field }) => !field['x-retired'] && !field['x-internal'])

/** Fields that have the same value in every row: a condition of the list or of its row view says so, by itself. */
export const fixedIn = (entity: EntityDocument, list: ListBody | ListPage): string[] => {
  const view = (entity['x-views'] ?? []).find(({ id }) => id === list.view)
  return [...(list.where ?? []), ...(view?.where ?? [])].flatMap(({ field, operator = 'eq' }) =>
    operator === 'eq' && field !== undefined ? [field] : [],
  )
}

/**
 * The columns of a list that names none: the fields that are worth one, in the order of their worth, then the others with `x-list`, and
 * where the list differs (`cells`) what it says.
 * @param lead what the column of the title says beside its field; a list with it has that column in any case
 */
export function columnsOf(entity: EntityDocument, list: ListBody | ListPage, lead?: Omit<Column, 'field'>): Column[] {
  const fixed = new Set(fixedIn(entity, list))
  const worth = entity['x-worth'] ?? {}
  const placed = READING.flatMap((word) => worth[word] ?? [])
  const place = (name: string): number => (placed.includes(name) ? placed.indexOf(name) : placed.length)
  const isOwn = (name: string): number => Number(lead === undefined || Object.hasOwn(entity.properties, name))
  const cells = list.cells ?? {}
  // where nothing has a worth, what is listed is what the list is made of, and no rest
  const keeps = entity['x-worth'] === undefined
  const follows = (name: string, field: EntityField): boolean =>
    field['x-list'] === true && (keeps || name in cells || (list.rest !== false && field['x-rest'] !== false))
  const shown = shownFields(entity).filter(({ name }) => !fixed.has(name))
  const further = new Set(
    shown.filter(({ name, field }) => !placed.includes(name) && follows(name, field)).map(({ name }) => name),
  )
  const names = shown
    .map(({ name }) => name)
    .filter((name) => further.has(name) || placed.includes(name))
    .sort((a, b) => place(a) - place(b) || isOwn(b) - isOwn(a))
  const titled = names.find((name) => worth.title?.includes(name)) ?? entity.titleField
  const columns = names.map((field): Column => ({ field, ...(worth.compact?.includes(field) ? { hidden: true } : {}) }))
  const first = lead === undefined ? [] : [{ field: titled, ...lead }]
  const others = lead === undefined ? columns : columns.filter(({ field }) => field !== titled)
  const last = [...further].filter((name) => !(name in cells))
  return withCells([...first, ...others], { cells, last: new Set(last) }, entity)
}

interface Differing {
  cells: NonNullable<ListBody['cells']>
  /** Columns that follow whatever the list names. */
  last: ReadonlySet<string>
}

function withCells(columns: readonly Column[], { cells, last }: Differing, entity: EntityDocument): Column[] {
  const placed = Object.entries(cells).reduce<Column[]>(
    (all, [key, cell]) => {
      if (cell === false) return all
      const at = all.findIndex((column) => keyOf(column) === key)
      const column = said(at < 0 ? newColumn(key, cell, entity) : all[at]!, cell)
      if (cell.after === undefined && at >= 0) return all.with(at, column)
      const others = all.filter((_, index) => index !== at)
      const behind = others.findIndex((other) => keyOf(other) === cell.after)
      const following = others.findIndex((other) => last.has(keyOf(other) ?? ''))
      if (cell.after === '') return [column, ...others]
      return others.toSpliced(behind >= 0 ? behind + 1 : following >= 0 ? following : others.length, 0, column)
    },
    [...columns],
  )
  // last, so that others may stand behind what is left out
  return placed.filter((column) => cells[keyOf(column) ?? ''] !== false)
}

function said({ pin, open, ...column }: Column, { after: _after, ...cell }: Cell): Column {
  const { pin: stands = pin, open: opens = open, ...rest } = cell
  return { ...column, ...rest, ...(stands ? { pin: stands } : {}), ...(opens ? { open: opens } : {}) }
}

const keyOf = ({ id, field }: Column): string | undefined => id ?? field

/** A key that is no field is the id of the column. */
const newColumn = (key: string, { field }: Cell, entity: EntityDocument): Column =>
  field === undefined && (key.includes('.') || allFields(entity).some(({ name }) => name === key)) ? { field: key } : { id: key }
