import { simpleParser, type Attachment, type EmailAddress, type AddressObject, type ParsedMail } from 'mailparser'
import { fileTypeFromBuffer } from 'file-type'
import type { MailAddress } from '../../../src/headless/mail'
import { guessCharset, relabelled, withPlainHeaders } from './charset'
import { isPacked, unpacked } from './tnef'
import { plainText } from './words'

/** A file in a mail; its bytes stay in the raw message. */
export interface MailAttachment {
  name: string
  size: number
  /** By its content where that tells it, else as the mail says. */
  type: string
  contentId: string | null
  /** It stands in the text (a pasted picture). */
  inline: boolean
  /** Its place in the raw message. */
  index: number
  /** An archive that opens with a password only: nothing could look into it. */
  isEncrypted: boolean
  /** A mail that hangs on this one (message/rfc822), opened one level. */
  letter?: NestedMail
}

/** A mail that hangs on another one, as it is shown; its files lie in it by their places. */
export interface NestedMail {
  subject: string
  sender: MailAddress
  /** ISO moment of its Date. */
  at: string | null
  /** At most 20,000 characters. */
  text: string
  files: Pick<MailAttachment, 'name' | 'size' | 'type' | 'index'>[]
}

/** A mail as it was read. */
export interface ReadMail {
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  subject: string
  sender: MailAddress
  replyTo: MailAddress[]
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
  date: Date | null
  text: string
  html: string | null
  attachments: MailAttachment[]
  listPost: string | null
  /** Where its writer would like to hear that it was read (RFC 8098). */
  receiptTo: string | null
  autoSubmitted: boolean
  /** No program answers it (RFC 3834): one wrote it, it went to a list, or it says so. */
  forbidsReply: boolean
  /** The charset that was guessed; null where the mail says it. */
  charsetGuessed: string | null
  /** `Authentication-Results` as they came, the newest first. */
  authentication: string[]
  /** What a spam filter on the way said: `X-Spam-Flag`, `X-Spam-Status`. */
  spamFlag: boolean
}

const OPTIONS = {
  ignoreEmbedded: true,
  skipImageLinks: true,
  keepCidLinks: true,
  skipTextToHtml: true,
  skipHtmlToText: true,
  // a mail is as long as it is taken at all: what is in it breaks nothing
  maxHeadSize: 52_428_800,
  maxChildNodes: 1_000_000,
} as const
const NESTED_TEXT = 20_000
/** Files of a mail that are named; whoever hangs more on it is read in the message itself. */
const MOST_FILES = 500
const REPLACED = '\ufffd'

/** Names of charsets that a mail in another one may bear: they are what programs write that do not know. */
const UNKNOWING = new Set(['us-ascii', 'ascii', 'utf-8', 'utf8', 'unknown-8bit', 'x-unknown', 'default'])

/**
 * Reads a raw message: its headers, texts and what hangs on it.
 * @param chosen the charset that a reader chose for texts whose own one is wrong
 */
export const readMail = (raw: Buffer, chosen?: string): Promise<ReadMail> => read(raw, chosen, true)

async function read(raw: Buffer, chosen: string | undefined, isOpened: boolean): Promise<ReadMail> {
  const plain = withPlainHeaders(raw)
  const { mail, guessed } = await parsed(plain.raw, chosen)
  const { headers } = mail
  const listHeader = headers.get('list')
  const post =
    typeof listHeader === 'object' && 'post' in listHeader ? (listHeader.post as { mail?: string } | undefined)?.mail : undefined
  const [sender] = people(mail.from)
  const packed = opened(mail.attachments)
  const html = typeof mail.html === 'string' ? mail.html : null
  const auto = textOf(headers.get('auto-submitted')).toLowerCase()
  const autoSubmitted = (auto !== '' && auto !== 'no') || /^(?:bulk|junk|list)$/iu.test(textOf(headers.get('precedence')))
  const isSuppressed = /\b(?:all|oof|autoreply)\b/iu.test(textOf(headers.get('x-auto-response-suppress')))
  const isOfNobody = headers.has('return-path') && !/@/u.test(rawLine(mail, 'return-path'))
  return {
    messageId: mail.messageId ?? null,
    inReplyTo: mail.inReplyTo?.trim().split(/\s+/u)[0] ?? null,
    references: [mail.references ?? []].flat(),
    subject: (mail.subject ?? '').replace(/\s+/gu, ' ').trim(),
    sender: sender ?? { email: '' },
    replyTo: people(mail.replyTo),
    to: people(mail.to),
    cc: people(mail.cc),
    bcc: people(mail.bcc),
    date: mail.date && headers.has('date') ? mail.date : null,
    text: mail.text || plainText(html ?? '') || packed.text,
    html,
    attachments: await Promise.all(packed.files.map((attachment, index) => described(attachment, index, isOpened))),
    listPost: post ?? null,
    receiptTo: people(headers.get('disposition-notification-to') as AddressObject | undefined)[0]?.email ?? null,
    autoSubmitted,
    forbidsReply: autoSubmitted || isSuppressed || isOfNobody || headers.has('list'),
    charsetGuessed: guessed ?? plain.guessed,
    authentication: [headers.get('authentication-results') ?? []].flat().map(textOf),
    spamFlag: /^yes/iu.test(textOf(headers.get('x-spam-flag'))) || /^yes/iu.test(textOf(headers.get('x-spam-status'))),
  }
}

/** The files of a raw message, with their bytes. */
export async function attachmentsOf(raw: Buffer): Promise<Attachment[]> {
  const mail = await simpleParser(raw, { ...OPTIONS, checksumAlgo: false })
  return opened(mail.attachments).files
}

/** The files of a mail, those that Outlook packed into a winmail.dat in its place; and the text in it. */
function opened(attachments: readonly Attachment[]): { files: Attachment[]; text: string } {
  let text = ''
  const files = attachments.flatMap((attachment) => {
    const { contentType: type, filename: name, content } = attachment
    const packed = isPacked({ type, name }) ? unpacked(content) : null
    text ||= packed?.text ?? ''
    if (!packed || packed.files.length === 0) return packed && packed.text !== '' ? [] : [attachment]
    const plain = { ...attachment, cid: undefined, related: false, contentDisposition: 'attachment' }
    return packed.files.map((file) => ({
      ...{ ...plain, filename: file.name, contentType: file.type, content: file.content, size: file.content.length },
    })) as unknown as Attachment[]
  })
  return { files: files.slice(0, MOST_FILES), text }
}

/**
 * One of the files of a raw message, with its bytes; null where it has none at that place.
 * @param inside the place of a file in the mail that hangs there
 */
export async function attachmentOf(raw: Buffer, index: number, inside?: number): Promise<Attachment | null> {
  const found = (await attachmentsOf(raw))[index] ?? null
  if (inside === undefined || found === null) return found
  return isLetter(found) ? attachmentOf(found.content, inside) : null
}

const isLetter = ({ contentType }: Attachment): boolean => contentType === 'message/rfc822'

/** A mail that hangs on another one; what hangs on it in turn is only named. */
async function letterIn(content: Buffer): Promise<NestedMail> {
  const { subject, sender, date, text, attachments } = await read(content, undefined, false)
  const files = attachments.map(({ name, size, type, index }) => ({ name, size, type, index }))
  return { subject, sender, at: date?.toISOString() ?? null, text: text.replace(/\u0000/gu, '').slice(0, NESTED_TEXT), files }
}

async function parsed(raw: Buffer, chosen: string | undefined): Promise<{ mail: ParsedMail; guessed: string | null }> {
  if (chosen !== undefined)
    return {
      mail: await simpleParser(
        relabelled(raw, chosen, () => true),
        OPTIONS,
      ),
      guessed: null,
    }
  const mail = await simpleParser(raw, OPTIONS)
  const broken = `${mail.text ?? ''}${typeof mail.html === 'string' ? mail.html : ''}`.includes(REPLACED)
  if (!broken || raw.includes(Buffer.from(REPLACED))) return { mail, guessed: null }
  const likely = guessCharset(raw)
  const guessed = likely === null || likely === 'utf-8' ? 'gb18030' : likely
  return {
    mail: await simpleParser(
      relabelled(raw, guessed, (named) => UNKNOWING.has(named)),
      OPTIONS,
    ),
    guessed,
  }
}

const rawLine = ({ headerLines }: ParsedMail, name: string): string => headerLines.find(({ key }) => key === name)?.line ?? ''

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function people(header: AddressObject | AddressObject[] | undefined): MailAddress[] {
  const flat = (entries: readonly EmailAddress[]): MailAddress[] =>
    entries.flatMap(({ name, address, group }) => {
      if (group) return flat(group)
      if (!address) return []
      return [name === '' || name === address ? { email: address } : { email: address, name }]
    })
  return flat([header ?? []].flat().flatMap(({ value }) => value))
}

async function described(attachment: Attachment, index: number, isOpened: boolean): Promise<MailAttachment> {
  // what is broken has the type that the mail says
  const byContent = (await fileTypeFromBuffer(attachment.content.subarray(0, 8192)).catch(() => undefined))?.mime
  const inline = attachment.related === true || (attachment.contentDisposition === 'inline' && attachment.cid !== undefined)
  return {
    name: plainName(attachment.filename, attachment.contentType, index),
    size: attachment.size,
    type: byContent ?? attachment.contentType,
    contentId: attachment.cid ?? null,
    inline,
    index,
    isEncrypted: isLocked(attachment.content),
    ...(isOpened && isLetter(attachment) ? { letter: await letterIn(attachment.content) } : {}),
  }
}

/** Whether a ZIP says of its first file that it is encrypted. */
const isLocked = (content: Buffer): boolean =>
  content.length > 8 && content.readUInt32LE(0) === 0x04034b50 && (content.readUInt16LE(6) & 1) === 1

/** The last part of a name, without control and direction characters: no path leaves the mail. */
function plainName(given: string | undefined, type: string, index: number): string {
  const last = (given ?? '').split(/[/\\]/u).pop()!
  const clean = last
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
    .replace(/^\.+/u, '')
  if (clean !== '') return clean.slice(0, 200)
  return type === 'message/rfc822' ? `mail-${index + 1}.eml` : `file-${index + 1}`
}
