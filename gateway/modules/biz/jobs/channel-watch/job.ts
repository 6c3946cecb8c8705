import { sql } from 'drizzle-orm'
import { tableOf } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { systemContext } from '../../../../platform/http'
import type { ModuleJob } from '../../../module'
import { readQuality } from '../../quality'

/** Seconds between looks, and minutes after which a channel with an alarm is looked at again. */
const [LOOK, AGAIN] = [60, 15]

/** Delivery of the last 24 hours of channels with an alarm: they become faulty below it, and online again above it. */
export const job: ModuleJob = ({ engine, database }) => ({
  name: 'biz.channelWatch',
  title: { zh: '通道告警', en: 'Alarm of channels' },
  description: {
    zh: '每 15 分钟核对设有告警线的通道近 24 小时的送达率，低于告警线转为故障，恢复后自动解除。绑定状态未接入。',
    en: 'Every 15 minutes the delivery of 24 hours of channels with an alarm: below it they become faulty, and recover by themselves. Binds are not connected.',
  },
  schedule: { every: 'seconds', seconds: LOOK },
  waiting: async (now) => (await due(database, now)).length > 0,
  run: async ({ now, dry }) => {
    const ids = new Set(await due(database, now))
    const watched = (await readQuality(database, now)).channels.filter(({ id }) => ids.has(id))
    let moved = 0
    if (!dry)
      await engine.transaction(systemContext({ now }), async (entities) => {
        for (const { id, status, delivery24h, sample24h } of watched) {
          const values = { id, deliveryRate24h: delivery24h, sample24h, watchedAt: now.toISOString() }
          const after = await entities.save('biz.channel', values)
          if (after.status !== status) moved += 1
        }
      })
    return {
      figures: [
        { id: 'watched', title: { zh: '核对的通道', en: 'Channels looked at' }, value: watched.length },
        { id: 'moved', title: { zh: '状态变化', en: 'States changed' }, value: moved },
      ],
      columns: [],
      rows: [],
      more: 0,
    }
  },
})

/** Channels with an alarm that nobody has looked at of late. */
async function due(db: Executor, now: Date): Promise<readonly string[]> {
  const before = new Date(now.getTime() - AGAIN * 60_000).toISOString()
  const { rows } = await db.query<{ id: string }>(
    sql`select id from ${sql.raw(tableOf('biz.channel'))} where status in ('online', 'faulty') and alarm_rate is not null and deleted_at is null
      and (watched_at is null or watched_at <= ${before}::timestamptz)`,
  )
  return rows.map(({ id }) => id)
}
