import MailComposer from 'nodemailer/lib/mail-composer'
import { nanoid } from 'nanoid'
import { asciiAddress, domainOf, type MailAddress } from '../../../src/headless/mail'
import { cleanHtml } from './html'
import { plainText } from './words'

/** A file that goes along. */
export interface ComposedFile {
  name: string
  type: string
  content: Buffer
  /** Of a picture in the text. */
  contentId?: string
}

/** What is written, before it is a message. */
export interface Letter {
  from: MailAddress
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
  subject: string
  /** Written in the editor. */
  html: string
  attachments: readonly ComposedFile[]
  date: Date
  /** Of the mail that it answers. */
  inReplyTo: string | null
  references: readonly string[]
  headers?: Readonly<Record<string, string>>
  /** Whoever reads it is asked to say so (RFC 8098). */
  wantsReceipt?: boolean
}

/** The bytes of a message with its Message-ID: what is tried, however often, is always this. */
export interface FrozenMessage {
  messageId: string
  raw: Buffer
}

const withoutBreaks = (text: string): string => text.replace(/[\r\n\u0000]+/gu, ' ')

const addressed = ({ email, name }: MailAddress): { name: string; address: string } => ({
  name: withoutBreaks(name ?? ''),
  address: asciiAddress(email),
})

/** Makes the bytes of a message. Nobody who is copied blindly stands in them. */
export async function freeze(letter: Letter): Promise<FrozenMessage> {
  const messageId = `<${nanoid(24)}@${domainOf(letter.from.email)}>`
  // pictures from elsewhere waited for the writer's trust: whoever receives them decides anew
  const html = cleanHtml(letter.html).html.replace(/ data-src="/gu, ' src="')
  const raw = await new MailComposer({
    ...{ messageId, date: letter.date, from: addressed(letter.from), subject: withoutBreaks(letter.subject) },
    ...{ to: letter.to.map(addressed), cc: letter.cc.map(addressed) },
    ...{ html: `<!doctype html><html><body>${html}</body></html>`, text: plainText(html), textEncoding: 'base64' },
    ...(letter.inReplyTo === null ? {} : { inReplyTo: letter.inReplyTo }),
    references: letter.references.slice(-50),
    headers: {
      ...letter.headers,
      ...(letter.wantsReceipt ? { 'Disposition-Notification-To': `<${asciiAddress(letter.from.email)}>` } : {}),
    },
    attachments: letter.attachments.map(({ name, type, content, contentId }) => ({
      ...{ filename: withoutBreaks(name), contentType: type, content },
      ...(contentId === undefined
        ? { contentDisposition: 'attachment' as const }
        : { cid: contentId, contentDisposition: 'inline' as const }),
    })),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
    .compile()
    .build()
  return { messageId, raw }
}
