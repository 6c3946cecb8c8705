import { tableOf, thereIs, type EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { revenueOf90Days } from '../rules/classA'
import { monthStart, type MonthFigure } from '../rules/months'
import type { Day } from '../rules/companyDay'

/** What customers that have dealt brought in the last 90 days (USD): whether one in the sea is worth claiming. Others have none. */
export async function describeFormerRevenue(records: readonly EntityRecord[], db: Executor, today: Day): Promise<void> {
  const dealt = records.filter(({ firstDealAt }) => firstDealAt)
  for (const record of records) record.revenue90 = null
  if (dealt.length === 0 || !(await thereIs(db, 'fin.customerMonth'))) return
  const { rows } = await db.query<MonthFigure & { customerId: string }>(
    `select customer_id as "customerId", month::text as month, revenue::text as revenue, profit::text as profit, 0 as "overdueDays"
     from ${tableOf('fin.customerMonth')} where customer_id = any($1::text[]) and month >= $2::date and deleted_at is null`,
    [dealt.map(({ id }) => String(id)), monthStart(today, 3)],
  )
  const months = new Map<string, MonthFigure[]>()
  for (const row of rows) months.set(row.customerId, [...(months.get(row.customerId) ?? []), row])
  for (const record of dealt) record.revenue90 = revenueOf90Days(months.get(String(record.id)) ?? [], today)
}
