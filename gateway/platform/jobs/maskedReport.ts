import { MASK } from '../../../src/schema/entity'
import type { JobReport } from './types'

/** A report as its reader may see it: field rules hold for its cells as for rows. Counts stay. */
export function maskedReport(report: JobReport, readable: (field: string) => boolean): JobReport {
  const closed = report.columns
    .filter(({ kind, of = kind === 'customer' ? ['crm.customer.name'] : [] }) => !of.every(readable))
    .map(({ id }) => [id, MASK] as const)
  if (closed.length === 0) return report
  return { ...report, rows: report.rows.map((row) => ({ ...row, ...Object.fromEntries(closed) })) }
}
