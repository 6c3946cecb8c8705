import { sql } from 'drizzle-orm'
import { tableOf, type EntityService } from '../../../entities'
import { DAY_LOCKS } from '../lock/guards'
import { moment, text } from './sides'

/** States in which messages of a queue still wait. */
const OPEN = ['waiting', 'running', 'paused']

/** How long the oldest message of a queue waits, while one looks; messages of locked days are not cancelled any more. */
export const apiQueueService: EntityService<'biz.apiQueue'> = {
  computeFields(records, { now }) {
    for (const record of records) {
      const waits = Number(record.waiting) > 0 && OPEN.includes(text(record.status))
      record.oldestSec = waits ? Math.max(0, Math.floor((now.getTime() - moment(record.enqueuedAt)) / 1000)) : null
    }
  },
  async guard({ transition, before, tx }) {
    if (transition.id !== 'cancelWaiting') return null
    const { rows } = await tx.query<{ locked: number }>(
      sql`select count(*)::int as locked from ${sql.raw(tableOf('biz.smsRecord'))} r join ${sql.raw(DAY_LOCKS)} k on k.account_id = r.account_id
        where r.queue_id = ${text(before.id)} and r.status in ('accepted', 'queued') and r.bill_day <= k.through and r.deleted_at is null`,
    )
    const locked = rows[0]?.locked ?? 0
    if (locked === 0) return null
    return {
      zh: `${locked} 条等待的消息所在记账日已锁账，不能再取消。`,
      en: `The days of ${locked} waiting messages are locked: they cannot be cancelled any more.`,
    }
  },
}
