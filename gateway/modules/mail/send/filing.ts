import { fileAsSent, filesItself } from '../../../platform/mail'
import type { Line } from '../../../platform/queue'
import { findAccount } from '../accounts'
import { overImap } from '../imap/connect'
import type { MailParts } from '../parts'
import { FILING_LINE } from './outgoing'

/** Mails that are filed over one connection. */
const MOST = 200

interface Unfiled {
  id: string
  messageId: string
  rawHash: string
}

/** Files what a mailbox has sent in the Sent folder of its server, as a step of its own that is tried again; each mail once, whatever happens. */
export const filingLine = (parts: MailParts): Line<object> => ({
  name: FILING_LINE,
  concurrency: 4,
  retry: { limit: 20, delaySeconds: 60, backoff: true },
  handle: async ({ key: accountId, now }) => {
    const { database, raw } = parts
    const account = await findAccount(database, accountId)
    if (account?.transport !== 'imapSmtp' || account.state === 'unbound') return {}
    const { rows } = await database.query<Unfiled>(
      `select id, message_id as "messageId", raw_hash as "rawHash" from mail_outgoing
       where account_id = $1 and state = 'sent' and (filed = false or filed is null) and deleted_at is null order by sent_at limit ${MOST}`,
      [accountId],
    )
    const filed = ({ id }: Unfiled) => database.query('update mail_outgoing set filed = true where id = $1', [id])
    if (filesItself(account.smtpHost)) await Promise.all(rows.map(filed))
    else if (rows.length > 0)
      await overImap(parts, database, account, (client) =>
        fileAsSent(client, rows, { bytes: ({ rawHash }) => raw.read(rawHash), filed }),
      )
    return rows.length < MOST ? { did: true } : { did: true, again: now }
  },
})
