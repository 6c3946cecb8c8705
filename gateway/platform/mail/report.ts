import MimeNode from 'nodemailer/lib/mime-node'
import { nanoid } from 'nanoid'
import { asciiAddress, domainOf, type MailAddress } from '../../../src/headless/mail'
import type { FrozenMessage } from './compose'
import type { ReadMail } from './read'

/** A mail in which a program reports (RFC 6522), as text whose fields are looked for. */
interface Report {
  /** `delivery-status`, `disposition-notification`, `feedback-report`; null for a mail that is no report. */
  type: string | null
  /** Behind the head, as far as a report stands in it; what comes last is the mail that it is about. */
  body: string
}

/** Bytes of a mail that a report stands in. */
const LOOKED_AT = 262_144

/** What of a mail may be a report. */
export function reportIn(raw: Buffer): Report {
  const text = raw.subarray(0, LOOKED_AT).toString('latin1')
  const head = text.slice(0, Math.max(0, text.search(/\r?\n\r?\n/u))).slice(0, 65_536)
  const [, type = null] = /^content-type:\s*multipart\/report[\s\S]*?report-type\s*=\s*"?([\w-]+)/imu.exec(head) ?? []
  return { type: type?.toLowerCase() ?? null, body: text.slice(head.length) }
}

/** The values of a field, without the kind of address or name before them. */
export const fieldsOf = (text: string, name: string): string[] =>
  all(text, new RegExp(`^${name}:[ \\t]*(?:[\\w-]+;[ \\t]*)?(.+)$`, 'gimu'))

/** The Message-IDs that stand in a report. */
export const messageIdsIn = (text: string): string[] => all(text, /^(?:original-)?message-id:\s*(<[^>\s]+>)/gimu)

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, value = '']) => value.trim())

/** That a mail was shown to whom it went to. */
interface Receipt {
  messageId: string
  reader: string
}

/** What a read receipt says (RFC 8098); null for a mail that is none, or says that the mail was not shown. */
export function readReceipt(mail: Pick<ReadMail, 'sender'>, raw: Buffer): Receipt | null {
  const { type, body } = reportIn(raw)
  if (type !== 'disposition-notification') return null
  const isShown = /^disposition:[^;\r\n]*;[ \t]*displayed\b/imu.test(body)
  const [messageId] = all(body, /^original-message-id:\s*(<[^>\s]+>)/gimu)
  if (!isShown || messageId === undefined) return null
  return { messageId, reader: (fieldsOf(body, 'Final-Recipient')[0] ?? mail.sender.email).replace(/^<|>$/gu, '').toLowerCase() }
}

/** That a recipient called a mail spam at his provider. */
interface Complaint {
  /** One of them is that of the mail. */
  messageIds: string[]
}

/** What a complaint says (ARF, RFC 5965); null for a mail that is none, or that calls nothing spam. */
export function readComplaint(raw: Buffer): Complaint | null {
  const { type, body } = reportIn(raw)
  if (type !== 'feedback-report' || !/^(?:abuse|fraud|opt-out)/iu.test(fieldsOf(body, 'Feedback-Type')[0] ?? '')) return null
  return { messageIds: [...new Set(messageIdsIn(body))] }
}

/** A read receipt that somebody agreed to send. */
interface ReceiptWritten {
  from: MailAddress
  to: string
  /** Of the mail that was read. */
  about: { messageId: string; references: readonly string[] }
  subject: string
  text: string
  date: Date
}

/** Makes the bytes of a read receipt: what people read, and what programs do (RFC 8098). */
export async function freezeReceipt({ from, to, about, subject, text, date }: ReceiptWritten): Promise<FrozenMessage> {
  const messageId = `<${nanoid(24)}@${domainOf(from.email)}>`
  const address = asciiAddress(from.email)
  const root = new MimeNode('multipart/report; report-type=disposition-notification', {
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  root.setHeader({
    ...{ from: { name: from.name ?? '', address }, to: asciiAddress(to), subject, date, 'message-id': messageId },
    ...{ 'in-reply-to': about.messageId, references: [...about.references, about.messageId].slice(-50).join(' ') },
    'auto-submitted': 'auto-replied',
  })
  root.createChild('text/plain; charset=utf-8').setContent(text)
  const fields = [
    `Final-Recipient: rfc822;${address}`,
    `Original-Message-ID: ${about.messageId}`,
    'Disposition: manual-action/MDN-sent-manually; displayed',
  ]
  root.createChild('message/disposition-notification').setContent(`${fields.join('\r\n')}\r\n`)
  return { messageId, raw: await root.build() }
}
