import { MASK } from '../../../src/schema/entity'
import type { JobReport } from './types'

/** A report as its reader may see it: field rules hold for its cells as for rows. Counts stay. */
export function maskedReport({ cells, ...report }: JobReport, readable: (field: string) => boolean): JobReport {
  const columns = report.columns.map(({ id, kind, of = kind === 'customer' ? ['crm.customer.name'] : [] }) => ({ id, of }))
  const closedIn = (row: number): [string, string][] =>
    columns.flatMap(({ id, of }) => ((cells?.[row]?.[id] ?? of).every(readable) ? [] : [[id, MASK] as [string, string]]))
  return { ...report, rows: report.rows.map((row, index) => ({ ...row, ...Object.fromEntries(closedIn(index)) })) }
}
