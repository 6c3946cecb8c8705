import type { ColumnModel } from '../../schema/model'
import { showPlain } from '../cell'
import type { Host } from '../../headless/host'
import type { Refs, Row } from '../../headless/row'

/** What people call a row: the value of the column that opens it where the row has one, else the first that says something. */
export const rowTitle = (
  columns: readonly ColumnModel[],
  row: Row,
  host: Pick<Host, 'locale' | 'timeZone'>,
  refs: Refs,
): string => {
  for (const column of [columns.find(({ open }) => open), ...columns]) {
    const [name, further] = column?.path ?? []
    const value = name === undefined || further !== undefined ? undefined : row[name]
    if (!column || value === undefined || value === null) continue
    const shown = column.field ? showPlain(column.field, value, host, row, refs) : String(value)
    if (shown) return shown
  }
  return String(row.name ?? row.id ?? '')
}
