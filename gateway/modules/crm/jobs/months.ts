import type { Executor } from '../../../platform/database'
import { addDays, type Day } from '../rules/companyDay'

/** First day of the month that lies `back` months before the month of a day. */
export function monthStart(day: Day, back = 0): Day {
  let start: Day = `${day.slice(0, 7)}-01`
  for (let step = 0; step < back; step += 1) start = `${addDays(start, -1).slice(0, 7)}-01`
  return start
}

export interface MonthRow {
  customerId: string
  month: Day
  product: string
  revenue: string
  profit: string
  overdueDays: number
  messages: number
}

/** Monthly figures of customers since a month, in batches of customers, each customer whole. */
export async function* monthsSince(db: Executor, since: Day): AsyncGenerator<ReadonlyMap<string, readonly MonthRow[]>> {
  let group = new Map<string, MonthRow[]>()
  for await (const rows of db.stream<MonthRow>(
    `select customer_id as "customerId", month::text as month, product, revenue::text as revenue, profit::text as profit,
       coalesce(overdue_days, 0) as "overdueDays", coalesce(messages, 0) as messages
     from fin_customer_month where deleted_at is null and month >= $1::date order by customer_id, month`,
    [since],
    { batchSize: 5_000 },
  )) {
    for (const row of rows) {
      if (group.size >= 1_000 && !group.has(row.customerId)) {
        yield group
        group = new Map()
      }
      group.set(row.customerId, [
        ...(group.get(row.customerId) ?? []),
        { ...row, overdueDays: Number(row.overdueDays), messages: Number(row.messages) },
      ])
    }
  }
  if (group.size > 0) yield group
}
