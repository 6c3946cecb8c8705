import type { Executor } from '../../../../platform/database'
import type { Day } from '../../rules/companyDay'
import { monthStart, type MonthFigure } from '../../rules/months'

/** Monthly figures of a customer, this month and the twelve before. */
export async function monthsOf(db: Executor, customerId: string, today: Day): Promise<MonthFigure[]> {
  const { rows } = await db.query<MonthFigure>(
    `select month::text as month, revenue::text as revenue, profit::text as profit, coalesce(overdue_days, 0) as "overdueDays"
     from fin_customer_month where customer_id = $1 and month >= $2::date and deleted_at is null order by month`,
    [customerId, monthStart(today, 12)],
  )
  return rows.map((row) => ({ ...row, overdueDays: Number(row.overdueDays) }))
}
