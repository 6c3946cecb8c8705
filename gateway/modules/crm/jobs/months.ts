import type { Executor } from '../../../platform/database'
import type { Day } from '../rules/companyDay'
import type { MonthFigure } from '../rules/months'
import { tableOf, thereIs } from '../../../entities'

export interface MonthRow extends MonthFigure {
  customerId: string
  product: string
  messages: number
}

/** Finance keeps them; without it nobody has any. */
const MONTH = 'fin.customerMonth'

const FIGURES = `select customer_id as "customerId", month::text as month, product, revenue::text as revenue, profit::text as profit,
  coalesce(overdue_days, 0) as "overdueDays", coalesce(messages, 0) as messages
  from ${tableOf(MONTH)} where deleted_at is null and month >= $1::date`

const numbersOf = (row: MonthRow): MonthRow => ({
  ...row,
  overdueDays: Number(row.overdueDays),
  messages: Number(row.messages),
})

/** Monthly figures of some customers since a month. */
export async function monthsOf(db: Executor, since: Day, ids: readonly string[]): Promise<ReadonlyMap<string, MonthRow[]>> {
  if (!(await thereIs(db, MONTH))) return new Map()
  const { rows } = await db.query<MonthRow>(`${FIGURES} and customer_id = any($2::text[]) order by customer_id, month`, [
    since,
    ids,
  ])
  const found = new Map<string, MonthRow[]>()
  for (const row of rows) {
    const known = found.get(row.customerId)
    if (known) known.push(numbersOf(row))
    else found.set(row.customerId, [numbersOf(row)])
  }
  return found
}

/** Monthly figures of customers since a month, in batches of customers, each customer whole. */
export async function* monthsSince(db: Executor, since: Day): AsyncGenerator<ReadonlyMap<string, readonly MonthRow[]>> {
  if (!(await thereIs(db, MONTH))) return
  let group = new Map<string, MonthRow[]>()
  for await (const rows of db.stream<MonthRow>(`${FIGURES} order by customer_id, month`, [since], { batchSize: 5_000 })) {
    for (const row of rows) {
      if (group.size >= 1_000 && !group.has(row.customerId)) {
        yield group
        group = new Map()
      }
      group.set(row.customerId, [...(group.get(row.customerId) ?? []), numbersOf(row)])
    }
  }
  if (group.size > 0) yield group
}
