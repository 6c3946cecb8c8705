import { sql } from 'drizzle-orm'
import type { DemoWorld } from '../../../demo'
import { tableOf } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { refreshPromoterCommissions } from '../commissions'

/**
 * Commission of the demo company's star promoters over the last year, counted as the nightly job counts it. That of the month before the last is asked for by every other
 * promoter; the others, beginning with whoever earned most in it, withdrew theirs, as all did of months before: on the last days of a month the facts of days may go no
 * further back. It stands on those facts, so it is called when they are there.
 */
export async function fillPromoterCommissions({ now, timeZone }: DemoWorld, tx: Executor): Promise<void> {
  const today = dayOf(now, timeZone)
  const back = (months: number) => sql`(date_trunc('month', ${today}::date) - make_interval(months => ${months}::int))::date`
  const from = await tx.query<{ day: string }>(sql`select ${back(12)}::text as day`)
  await refreshPromoterCommissions(tx, { now, today, from: from.rows[0]?.day })
  const locked = sql.raw(`update ${tableOf('biz.commission')} set status = `)
  const ofPromoters = sql`where party_kind = 'promoter' and status = 'locked'`
  await tx.query(sql`${locked} 'requested' ${ofPromoters} and month = ${back(2)} and promoter_id in (
    select promoter_id from (
      select promoter_id, row_number() over (order by sum(earned) desc, promoter_id) as place from ${sql.raw(tableOf('biz.commission'))}
      ${ofPromoters} and month = ${back(2)} group by 1) earners
    where place % 2 = 0)`)
  await tx.query(sql`${locked} 'paid', withdrawn = earned ${ofPromoters} and month <= ${back(2)}`)
}
