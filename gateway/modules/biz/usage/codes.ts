import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import type { Executor, SqlStep } from '../../../platform/database'

/** Where the sends of a channel of codes stand, by which column they are found, and the moment of their table of a day. */
export const SENDS = {
  sms: { entity: 'biz.smsRecord', field: 'msgId', column: 'msg_id', at: 'submitted_at' },
  voice: { entity: 'biz.callRecord', field: 'callId', column: 'call_id', at: 'start_at' },
  whatsapp: { entity: 'biz.waRecord', field: 'waId', column: 'wa_id', at: 'submitted_at' },
} as const

/**
 * One-time codes whose send came in after them leave price and cost to it (quotes-traffic 2.5): what was posted of the code itself is given
 * back with the next batch. A send lies within a day of its code. `since`: codes from then on are looked at; all, without it.
 */
export async function leaveToSends(db: Executor, since?: Date): Promise<void> {
  const codes = sql.raw(tableOf('biz.otpRecord'))
  for (const [channel, { entity, column, at }] of Object.entries(SENDS)) {
    if (!(await thereIs(db, 'biz.otpRecord')) || !(await thereIs(db, entity))) continue
    const moment = sql.raw(`s.${at}`)
    await db.query(
      sql`update ${codes} o set charged_by_send = true where o.channel = ${channel} and o.msg_id is not null and not coalesce(o.charged_by_send, false)
          and ${since ? sql`o.requested_at >= ${since.toISOString()}::timestamptz` : sql`true`}
          and exists (select 1 from ${sql.raw(tableOf(entity))} s where ${sql.raw(`s.${column}`)} = o.msg_id and s.deleted_at is null
            and ${moment} >= o.requested_at - interval '1 day' and ${moment} <= o.requested_at + interval '1 day')`,
    )
  }
}

/** Codes that were rated before they said who charges them. */
export const codesOfSends: SqlStep = { id: '2026-12-biz-codes-of-sends', run: (tx) => leaveToSends(tx) }
