import { systemContext } from '../../../platform/http'
import type { Line } from '../../../platform/queue'
import { findAccount } from '../accounts'
import { wakeMessage } from '../changes'
import type { MailParts } from '../parts'
import { WAKING_LINE } from '../send/outgoing'
import { tellNewMail } from './tell'

/** Brings back into the inbox what was to be seen to later, unread and told of like new mail. */
export const wakingLine = ({ engine, queue }: MailParts): Line<object> => ({
  name: WAKING_LINE,
  concurrency: 2,
  retry: { limit: 1_000, delaySeconds: 30 },
  handle: async ({ key, now }) => {
    const [id = '', until = ''] = key.split('/')
    if (new Date(until) > now) return { again: new Date(until) }
    return engine.transaction(systemContext({ now }), async (_entities, tx) => {
      const woken = await wakeMessage(tx, queue, id, now)
      const account = woken && (await findAccount(tx, woken.accountId))
      if (!account) return {}
      const { sender, subject } = woken
      await tellNewMail(tx, account, [{ id, sender, subject, isSpam: false, followStaffId: null }], now)
      return { did: true }
    })
  },
})
