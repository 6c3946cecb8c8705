import type { ReadMail } from './read'
import { fieldsOf, messageIdsIn, reportIn } from './report'

/** What a returned mail says. */
export interface Bounce {
  /** Message-IDs that stand in it: one of them is that of the mail which came back. */
  messageIds: string[]
  /** Whom it did not reach. */
  recipients: string[]
  /** Where it came back to: mail with a return path of its own is known by it (VERP). */
  returnedTo: string[]
  /** For good (5.x.x), or the server still tries. */
  isFinal: boolean
  /** The server's words. */
  reason: string
}

const SENDERS = /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon|bounce[\w+=.-]*|no-?reply-bounce)@/iu
const SUBJECTS = [
  /undeliver(?:ed|able)/iu,
  /delivery (?:status notification|has failed|failure|failed)/iu,
  /returned mail/iu,
  /mail delivery (?:failed|failure|system)/iu,
  /failure notice/iu,
  /could not be delivered/iu,
  /delivery incomplete/iu,
  /message not delivered/iu,
  /退信|系统退信|邮件被退回|投递失败|无法送达|未送达/u,
  /unzustellbar/iu,
  /non remis|échec de la remise/iu,
  /no se pudo entregar/iu,
]

/** What a bounce says (RFC 3464, or in words of its own); null for a mail that is none. */
export function readBounce(mail: ReadMail, raw: Buffer): Bounce | null {
  const { type, body } = reportIn(raw)
  const isReport = type === 'delivery-status'
  const inWords = SENDERS.test(mail.sender.email) && SUBJECTS.some((subject) => subject.test(mail.subject))
  if (!isReport && !inWords) return null
  const action = fieldsOf(body, 'Action')[0]?.toLowerCase()
  if (action !== undefined && ['delivered', 'relayed', 'expanded'].includes(action)) return null
  const status = fieldsOf(body, 'Status')[0] ?? /\b[45]\.\d{1,3}\.\d{1,3}\b/u.exec(mail.text)?.[0] ?? ''
  const recipients = fieldsOf(body, '(?:Final|Original)-Recipient').map((address) => address.replace(/^<|>$/gu, '').toLowerCase())
  const named =
    recipients.length > 0
      ? recipients
      : (mail.text.slice(0, 4_000).match(/[\w.+=-]{1,64}@[\w-]+(?:\.[\w-]+)+/gu) ?? []).slice(0, 5)
  const ids = [...messageIdsIn(body), ...mail.references, ...(mail.inReplyTo ? [mail.inReplyTo] : [])]
  return {
    messageIds: [...new Set(ids)].filter((id) => id !== mail.messageId),
    recipients: [...new Set(named)],
    returnedTo: mail.to.map(({ email }) => email.toLowerCase()),
    isFinal: action === 'delayed' ? false : !status.startsWith('4'),
    reason: (fieldsOf(body, 'Diagnostic-Code')[0] ?? status) || mail.subject,
  }
}
