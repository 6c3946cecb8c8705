import { quotedHtml, replySubject, addressLine, type MailAddress } from '../../../../src/headless/mail'
import type { Locale } from '../../../platform/http'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A file that hangs on a letter. */
export interface DemoFile {
  name: string
  type: string
  content: Buffer
}

/** With whom of the company's business a letter was exchanged. */
export interface DemoParty {
  customerId?: string
  supplierId?: string
  contactId?: string
}

/** A letter of the demo world, before it lies in mailboxes. */
export interface Letter {
  at: number
  from: MailAddress
  to: MailAddress[]
  cc?: MailAddress[]
  subject: string
  html: string
  /** Of the quote below; what one's own words are is in `html`. */
  quote?: string
  answers?: Letter
  files?: readonly DemoFile[]
  party?: DemoParty
  /** Who of the company wrote it, where the mailbox is no person's. */
  writtenBy?: string
  /** It lies in the spam folder, for this reason. */
  junk?: string
  warnings?: readonly string[]
  auth?: Record<string, unknown> | null
  /** Nobody has read it. */
  unread?: boolean
  /** The bytes as they came, where they are not made of the rest. */
  raw?: Buffer
}

/** What one side says in a conversation: hours after what was said before. */
export interface Turn {
  by: 'us' | 'them'
  after: number
  html: string
  files?: readonly DemoFile[]
}

interface Talk {
  us: MailAddress
  them: MailAddress
  cc?: MailAddress[]
  subject: string
  locale: Locale
  start: number
  turns: readonly Turn[]
  party?: DemoParty
  writtenBy?: string
}

/** Lines as paragraphs. */
export const paragraphs = (...lines: readonly string[]): string => lines.map((line) => `<p>${line}</p>`).join('')

/** A conversation as letters, each with what it answers; what would be later than now has not been written. */
export function talk({ us, them, cc, subject, locale, start, turns, party, writtenBy }: Talk, now: number): Letter[] {
  const letters: Letter[] = []
  let at = start
  for (const { by, after, html, files } of turns) {
    const before = letters.at(-1)
    at += after * HOUR
    if (at >= now) return letters
    const [from, to] = by === 'us' ? [us, them] : [them, us]
    letters.push({
      ...{ at, from, to: [to], html },
      ...(cc ? { cc } : {}),
      subject: before ? replySubject(subject, locale) : subject,
      ...(before ? { answers: before, quote: quoteOf(before, locale) } : {}),
      ...(files ? { files } : {}),
      ...(party ? { party } : {}),
      ...(by === 'us' && writtenBy !== undefined ? { writtenBy } : {}),
    })
  }
  return letters
}

const quoteOf = ({ at, subject, from, to, cc = [], html }: Letter, locale: Locale): string =>
  quotedHtml(
    {
      ...{ receiveTime: new Date(at).toISOString(), subject, content: html },
      ...{ senderStr: addressLine([from]), receiverEmailStr: addressLine(to), ccEmailStr: addressLine(cc) },
    },
    locale,
  )
