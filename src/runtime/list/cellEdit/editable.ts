import type { FieldKind } from '../../../schema/model'
import type { Row } from '../../../headless/row'
import type { DrawnColumn } from '../columns'

/** A cell that can be changed where it stands. */
export interface CellPlace {
  /** Key of its row. */
  row: string
  column: string
}

/** What is chosen, and not written: the choice is the whole input. */
const CHOSEN: ReadonlySet<FieldKind> = new Set([
  'dictionary',
  'ref',
  'boolean',
  'date',
  'dateTime',
  'country',
  'currency',
  'mccmnc',
])

export const isChosen = (kind: FieldKind): boolean => CHOSEN.has(kind)

/** Whether the viewer may change a cell of this row, as far as the browser knows: the gateway decides when it is saved. */
export const isEditable = ({ model }: DrawnColumn, row: Row): boolean =>
  model.edit === true && row.$write !== false && (row.$refused as { edit?: string } | undefined)?.edit === undefined

/** All cells of the page that can be changed, as one reads them. */
const editableCells = (rows: readonly Row[], columns: readonly DrawnColumn[], keyOf: (row: Row) => string): CellPlace[] =>
  rows.flatMap((row) =>
    columns.filter((column) => isEditable(column, row)).map(({ id }): CellPlace => ({ row: keyOf(row), column: id })),
  )

/** The cell before (-1) or behind (1) another one; undefined at the end of the page. */
export const cellBeside = (
  rows: readonly Row[],
  columns: readonly DrawnColumn[],
  keyOf: (row: Row) => string,
  { row, column }: CellPlace,
  step: 1 | -1,
): CellPlace | undefined => {
  const cells = editableCells(rows, columns, keyOf)
  const at = cells.findIndex((cell) => cell.row === row && cell.column === column)
  return at < 0 ? undefined : cells[at + step]
}
