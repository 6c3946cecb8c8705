import { addressLine, forwardSubject, quotedHtml, replySubject, type QuotedMail } from '../../../src/headless/mail'
import { ServiceError, type Locale, type Text } from '../../platform/http'
import type { OwnAccount } from './accounts'
import { fetchBody, readAgain } from './imap/body'
import { wholeMessages, type WholeMessage } from './messages'
import { cleanHtml, HTML_VERSION } from '../../platform/mail'
import type { MailParts } from './parts'
import { answerTo } from './send/write'

/** A message with its body, wherever that lies still. @throws ServiceError 10010004 where it is not the reader's */
export async function openedMessage(
  parts: MailParts,
  accounts: readonly OwnAccount[],
  id: string,
  charset?: string,
): Promise<WholeMessage> {
  const { database } = parts
  const read = async (): Promise<WholeMessage> => (await wholeMessages(database, accounts, [id]))[0]!
  const message = await read()
  const at = new Date(message.receiveTime)
  if (message.bodyState === 'headers' && message.uid !== null) {
    const { accountId, path, uid } = message
    if (!(await fetchBody(parts, { id, accountId, path, uid, at })))
      throw new ServiceError('unavailable', {
        message: { zh: '正文暂时无法从邮件服务器取得。', en: 'The body cannot be had from the mail server right now.' },
      })
    return read()
  }
  if (message.rawHash === null) return message
  if (charset !== undefined || (message.htmlVersion < HTML_VERSION && message.htmlBody !== null)) {
    await readAgain(database, { id, at }, await parts.raw.read(message.rawHash), message.rawHash, charset)
    return read()
  }
  return message
}

const escaped = (text: string): string => text.replace(/&/gu, '&amp;').replace(/</gu, '&lt;').replace(/>/gu, '&gt;')

/** What a message shows: its HTML, else its text. */
export const contentOf = ({ htmlBody, textBody }: Pick<WholeMessage, 'htmlBody' | 'textBody'>): string =>
  htmlBody ?? `<div style="white-space:pre-wrap">${escaped(textBody ?? '')}</div>`

/** A message as it is quoted or passed on (R151). */
export function quotedOf(message: WholeMessage): QuotedMail {
  const sender = { email: message.senderEmail, ...(message.senderName === null ? {} : { name: message.senderName }) }
  return {
    receiveTime: new Date(message.receiveTime).toISOString(),
    subject: message.subject,
    senderStr: addressLine([sender]),
    ccEmailStr: addressLine(message.ccEmailList),
    receiverEmailStr: addressLine(message.receiverEmailList),
    content: contentOf(message),
  }
}

/** What an answer begins with: whom it goes to, its subject, the quote. */
export function answersOf(message: WholeMessage, own: readonly string[], locale: Locale) {
  return {
    reply: answerTo(message, false, own),
    replyAll: answerTo(message, true, own),
    listPost: message.listPost,
    replySubject: replySubject(message.subject, locale),
    forwardSubject: forwardSubject(message.subject, locale),
    quoteHtml: quotedHtml(quotedOf(message), locale),
  }
}

/** Whether a message holds pictures that wait for trust. */
export const hasRemoteImages = ({ htmlBody }: Pick<WholeMessage, 'htmlBody'>): boolean =>
  htmlBody?.includes(' data-src=') ?? false

const ORIGINS = {
  unknown: { zh: '未验证来源。', en: 'The origin was not verified.' },
  local: { zh: '来自本系统的邮箱。', en: 'It comes from a mailbox of the portal.' },
  pass: { zh: '来源已验证：确由发件域名发出。', en: 'The origin is verified: it was sent by the domain that it names.' },
  fail: { zh: '来源不符：发件域名未认可此邮件，请小心。', en: 'The domain that it names does not own up to it: be careful.' },
  part: { zh: '来源部分验证。', en: 'The origin is verified in part.' },
  none: { zh: '来源无法验证。', en: 'The origin cannot be verified.' },
} as const satisfies Record<string, Text>

/** Whence a mail came, in one plain sentence. */
export function originOf(results: Record<string, unknown> | null): Text {
  if (results === null) return ORIGINS.unknown
  const { local, dmarc, spf, dkim } = results
  if (local === true) return ORIGINS.local
  if (dmarc === 'pass' || dmarc === 'fail') return ORIGINS[dmarc]
  return spf === 'pass' || JSON.stringify(dkim ?? '').includes('pass') ? ORIGINS.part : ORIGINS.none
}

/** The words of a person as clean HTML. */
export const cleanWords = (html: string): string => cleanHtml(html).html
