import { sql } from 'drizzle-orm'
import type { Executor } from '../../../../platform/database'
import { stageOf, type TellProgress } from '../../../../platform/jobs'
import { changeOf, trackOf } from '../../rules/accountTrack'
import { addDays, dayOf, type Day } from '../../rules/companyDay'
import { tableOf, thereIs } from '../../../../entities'

const CUSTOMER_ACCOUNT = sql.raw(tableOf('fin.customerAccount'))
const ACCOUNT_DAY = sql.raw(tableOf('fin.accountDay'))

interface AccountRow {
  id: string
  before: string | null
  firstTest: Day | null
  firstTraffic: Day | null
  lastTraffic: Day | null
  volume7: string
  volume30: string
  volumeBefore30: string
  profit30: string | null
}
/** Accounts that one statement writes. */
const BATCH = 1_000
const STAGE = { zh: '更新账号', en: 'Writing accounts' }

/**
 * Nightly job: writes the figures and the state of every account from its days of traffic (fin.accountDay); whole days in the
 * company's zone up to yesterday. Answers how many accounts there are and whose state changed; running it twice changes nothing
 * more.
 */
export async function refreshAccountTracks(
  db: Executor,
  { now, timeZone, dry = false, tell = () => {} }: { now: Date; timeZone: string; dry?: boolean; tell?: TellProgress },
): Promise<{ accounts: number; changed: number }> {
  if (!(await thereIs(db, 'fin.customerAccount'))) return { accounts: 0, changed: 0 }
  const today = dayOf(now, timeZone)
  const day = (value: string) => sql`to_char(${sql.raw(value)} at time zone ${timeZone}, 'YYYY-MM-DD')`
  const within = (days: number, until = 0) =>
    sql`filter (where not d.test and d.day >= ${addDays(today, -days)}::date and d.day < ${addDays(today, -until)}::date)`
  const { rows } = await db.query<AccountRow>(sql`select a.id, a.track as before, ${day('a.first_test_at')} as "firstTest",
      ${day('a.first_traffic_at')} as "firstTraffic", ${day('a.last_traffic_at')} as "lastTraffic",
      coalesce(sum(d.volume) ${within(7)}, 0)::text as volume7, coalesce(sum(d.volume) ${within(30)}, 0)::text as volume30,
      coalesce(sum(d.volume) ${within(60, 30)}, 0)::text as "volumeBefore30", (sum(d.revenue - d.cost) ${within(30)})::text as profit30
    from ${CUSTOMER_ACCOUNT} a left join ${ACCOUNT_DAY} d on d.account_id = a.id and d.deleted_at is null and d.day >= ${addDays(today, -60)}::date
    where a.deleted_at is null group by a.id order by a.id`)
  const values = rows.map((row) => {
    const [volume30, volumeBefore30] = [Number(row.volume30), Number(row.volumeBefore30)]
    const track = trackOf({ ...row, volume30, volumeBefore30 }, today)
    return { ...row, track, changePct: changeOf(volume30, volumeBefore30) }
  })
  const changed = values.filter(({ before, track }) => before !== track).length
  if (dry) return { accounts: rows.length, changed }
  const told = stageOf(tell, STAGE, values.length)
  for (let start = 0; start < values.length; start += BATCH) {
    const some = values.slice(start, start + BATCH)
    await db.query(sql`update ${CUSTOMER_ACCOUNT} a set volume7 = v.volume7, volume30 = v.volume30, volume_before30 = v."volumeBefore30",
        change_pct = v."changePct", profit30 = v.profit30, track = v.track
      from jsonb_to_recordset(${JSON.stringify(some)}::jsonb)
        as v(id text, volume7 bigint, volume30 bigint, "volumeBefore30" bigint, "changePct" numeric, profit30 numeric, track text)
      where a.id = v.id`)
    told(some.length)
  }
  return { accounts: rows.length, changed }
}
