import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import type { Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'

/** Days of money that make the buyer look (money 4.2). */
const FEW = 3
const AVERAGE = 7
/** Of a module that may not be there. */
const ACCOUNTS: string = 'srm.supplierAccount'

/** A prepaid account whose money does not last. */
interface ShortAccount {
  id: string
  title: string
  accountKind: string
  buyerId: string | null
  daysLeft: string | null
  /** It lasted longer when it was counted before. */
  crossed: boolean
}

/** Writes what each account at a supplier cost a day in the last 7 days and how many days its money lasts; tells the prepaid ones with less than 3 (money 4.2). */
export async function countDays(tx: Executor, today: Day, { dry = false } = {}): Promise<ShortAccount[]> {
  if (!(await thereIs(tx, ACCOUNTS))) return []
  const accounts = sql.raw(tableOf(ACCOUNTS))
  const { rows } = await tx.query<ShortAccount>(
    sql`with cost as (
        select account_id, -sum(signed_amount) / ${AVERAGE} as per_day from fin_ledger_entry
        where account_kind = 'supplier' and type = 'cost' and biz_date >= ${today}::date - ${AVERAGE}::int and biz_date < ${today}::date group by account_id),
      fresh as (
        select a.id, round(c.per_day, 6) as per_day, case when c.per_day > 0 then greatest(0, least(9999, round(a.balance / c.per_day, 1))) end as days_left
        from ${accounts} a left join cost c on c.account_id = a.id where a.deleted_at is null),
      written as (
        update ${accounts} a set cost_per_day = f.per_day, days_left = f.days_left from fresh f
        where f.id = a.id and not ${dry} and (a.days_left is distinct from f.days_left or a.cost_per_day is distinct from f.per_day) returning a.id)
      select a.id, concat_ws(' ', a.code, a.name) as title, a.kind as "accountKind", a.buyer_id as "buyerId", f.days_left::text as "daysLeft", coalesce(a.days_left >= ${FEW}, true) as crossed
      from fresh f join ${accounts} a on a.id = f.id where a.pay_mode = 'prepaid' and a.status = 'active' and f.days_left < ${FEW} order by f.days_left`,
  )
  return rows
}
