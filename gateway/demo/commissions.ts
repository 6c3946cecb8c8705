import { sql } from 'drizzle-orm'
import { dayOf, monthStart, refreshCommissions } from '../modules/crm'
import type { Executor } from '../platform/database'

/** Months of commission that the world keeps. */
const HISTORY = 12

/** Commission of the agents over the last year, counted as the nightly job counts it; all but the last months was withdrawn. */
export async function fillCommissions(tx: Executor, { now, timeZone }: { now: Date; timeZone: string }): Promise<void> {
  const today = dayOf(now, timeZone)
  await refreshCommissions(tx, { now, today, timeZone, from: monthStart(today, HISTORY) })
  await tx.query(
    sql`update biz_commission set status = 'paid', withdrawn = earned where status = 'locked' and month < ${monthStart(today, 2)}::date`,
  )
  await tx.query(
    sql`update biz_commission set status = 'requested' where status = 'locked' and month = ${monthStart(today, 2)}::date`,
  )
}
