import type { Line } from '../../../platform/queue'
import { findAccount } from '../accounts'
import { appendToSent } from '../imap/sentFolder'
import type { MailParts } from '../parts'
import { FILING_LINE, lockOutgoing } from './outgoing'

/** Files what was sent in the Sent folder of the server, as a step of its own that is tried again; once, whatever happens. */
export const filingLine = (parts: MailParts): Line<object> => ({
  name: FILING_LINE,
  concurrency: 4,
  retry: { limit: 20, delaySeconds: 60, backoff: true },
  handle: async ({ key: id }) => {
    const { database, raw } = parts
    const mail = await database.transaction((tx) => lockOutgoing(tx, id))
    const account = mail && (await findAccount(database, mail.accountId))
    if (!mail || account?.transport !== 'imapSmtp' || account.state === 'unbound') return {}
    await appendToSent(parts, account, mail.messageId, await raw.read(mail.rawHash))
    await database.query('update mail_outgoing set filed = true where id = $1', [id])
    return { did: true }
  },
})
