import { setTimeout as wait } from 'node:timers/promises'
import type { EntityEngine } from '../../../entities'
import { systemContext } from '../../../platform/http'
import type { SmsReceipt } from '../connector'

/** Milliseconds: a receipt may come before the answer to its message is written down. */
const WAITS = [0, 200, 500, 1_000, 2_000, 4_000]

/** Writes receipts down with the test messages that they are of; those of other messages of the bind are not ours. */
export const receiptKeeper =
  (engine: EntityEngine) =>
  async ({ messageId, state, errorCode }: SmsReceipt): Promise<void> => {
    const now = new Date()
    for (const milliseconds of WAITS) {
      await wait(milliseconds, undefined, { ref: false })
      const kept = await engine.transaction(systemContext({ now }), async (entities) => {
        const [message] = await entities.list('ops.smsTest', {
          where: [{ field: 'messageId', operator: 'eq', value: messageId }],
          sort: [{ field: 'createdAt', order: 'desc' }],
          limit: 1,
        })
        if (!message) return false
        const sent = Date.parse(message.sentAt ?? '')
        const dlrSec = Number.isNaN(sent) ? null : Math.max(0, Math.round((now.getTime() - sent) / 1000))
        await entities.transition('ops.smsTest', message.id, 'receipt', {
          dlrState: state,
          dlrAt: now.toISOString(),
          dlrSec,
          errorCode,
        })
        return true
      })
      if (kept) return
    }
  }
