import { sql } from 'drizzle-orm'
import type { DemoPart, DemoStep, DemoWorld } from '../../../demo'
import { dayOf } from '../../../platform/calendar'
import { refreshCommissions } from '../jobs/commission/refresh'
import { monthStart } from '../rules/months'
import { refreshAccountTracks } from '../services/market/refreshTracks'
import { tableOf, thereIs } from '../../../entities'

const COMMISSION = sql.raw(tableOf('biz.commission'))

/** What the nightly job would say of the accounts; numbers of customers go on behind the last one. */
export const fillFigures: NonNullable<DemoPart['filled']> = async (world, entities, tx) => {
  await refreshAccountTracks(tx, { now: world.now, timeZone: world.timeZone })
  await entities.numbers('crm.customer', 'code', highestNumber(world))
}

/** The last customer number of this year: the counter goes on behind it. */
function highestNumber({ rows, now, timeZone }: DemoWorld): number {
  const prefix = `CU${dayOf(now, timeZone).slice(2, 4)}`
  const codes = (rows['crm.customer'] ?? []).map((customer) => String(customer.code))
  return Math.max(1, ...codes.filter((code) => code.startsWith(prefix)).map((code) => Number(code.slice(prefix.length))))
}

/** Months of commission that the world keeps. */
const HISTORY = 12

/** Commission of the agents over the last year, counted as the nightly job counts it from the months as the ledger has them; all but the last months was withdrawn. */
export const fillCommissions: DemoStep = async ({ now, timeZone }, { tx }) => {
  if (!(await thereIs(tx, 'biz.commission'))) return
  const today = dayOf(now, timeZone)
  await refreshCommissions(tx, { now, today, timeZone, from: monthStart(today, HISTORY) })
  await tx.query(
    sql`update ${COMMISSION} set status = 'paid', withdrawn = earned where status = 'locked' and month < ${monthStart(today, 2)}::date`,
  )
  await tx.query(
    sql`update ${COMMISSION} set status = 'requested' where status = 'locked' and month = ${monthStart(today, 2)}::date`,
  )
}
