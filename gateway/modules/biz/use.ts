import { sql } from 'drizzle-orm'
import { tableOf, type Entities, type EntityRecord } from '../../entities'
import type { Executor } from '../../platform/database'
import { textOf } from './text'

const RECORD = sql.raw(tableOf('biz.smsRecord'))
const MANY = 100_000

/** Counts what applications sent in 7 days, and keeps their first and last use. Answers how many changed. */
export async function refreshUse(db: Executor, entities: Entities, now: Date): Promise<number> {
  const { rows } = await db.query<{ id: string; sent: string; first: Date | string; last: Date | string }>(
    sql`select app_id as id, count(*)::text as sent, min(submitted_at) as first, max(submitted_at) as last from ${RECORD}
      where app_id is not null and status <> 'rejected' and submitted_at > ${now.toISOString()}::timestamptz - interval '7 days'
        and submitted_at <= ${now.toISOString()}::timestamptz group by 1`,
  )
  const used = new Map(rows.map((row) => [row.id, row]))
  const apps = await entities.list('biz.application', { limit: MANY })
  const changes = apps.flatMap((app): [string, EntityRecord][] => {
    const id = textOf(app.id)
    const use = used.get(id)
    if (!use) return Number(app.send7d ?? 0) === 0 ? [] : [[id, { send7d: 0 }]]
    const [first, last] = [new Date(use.first).toISOString(), new Date(use.last).toISOString()]
    return [[id, { send7d: Number(use.sent), firstUseAt: app.firstUseAt ?? first, lastUseAt: last }]]
  })
  return entities.changeMany('biz.application', new Map(changes), { keepTime: true })
}
