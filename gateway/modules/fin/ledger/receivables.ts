import { sql } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'

/** An entity of a module that may not be there. */
const SALE = 'srm.deviceSale'

/**
 * How far sales of equipment are paid: what came in on a customer's account for equipment pays the oldest delivery first, and what is
 * over stands with the last one (dictionary `salePayStatus`). Kept with the orders of the accounts that were posted to.
 */
export async function settleSales(tx: Executor, accountIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from fin_customer_account where product = 'device' and id = any(${sql.param([...accountIds])}::text[])`,
  )
  if (rows.length === 0) return
  await tx.query(
    sql`with owed as (
        select s.id, a.id as account, greatest(coalesce(s.shipped_amount, 0), 0) as amount,
          sum(greatest(coalesce(s.shipped_amount, 0), 0)) over own as reached, sum(greatest(coalesce(s.shipped_amount, 0), 0)) over (partition by a.id) as total,
          row_number() over (partition by a.id order by s.shipped_at desc nulls first, s.id desc) as last
        from fin_customer_account a join ${sql.raw(tableOf(SALE))} s on s.customer_id = a.customer_id and s.currency = a.currency and s.deleted_at is null and s.shipped_amount > 0
        where a.id = any(${sql.param(rows.map(({ id }) => id))}::text[])
        window own as (partition by a.id order by s.shipped_at nulls last, s.id)),
      paid as (
        select o.id, o.amount, case when o.last = 1 and o.total + b.balance > o.total then o.amount + b.balance
          else greatest(0, least(o.amount, o.total + b.balance - (o.reached - o.amount))) end as came
        from owed o join fin_account_balance b on b.id = 'customer:' || o.account)
      update ${sql.raw(tableOf(SALE))} s set paid_amount = p.came,
        pay_status = case when p.came > p.amount then 'over' when p.came = p.amount and p.amount > 0 then 'paid' when p.came > 0 then 'part' else 'unpaid' end
      from paid p where p.id = s.id`,
  )
}
