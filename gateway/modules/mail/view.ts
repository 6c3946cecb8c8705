import { addressLine, forwardSubject, quotedHtml, replySubject, type QuotedMail } from '../../../src/headless/mail'
import { ServiceError, type Locale } from '../../platform/http'
import type { OwnAccount } from './accounts'
import { fetchBody, readAgain } from './imap/body'
import { wholeMessages, type WholeMessage } from './messages'
import { cleanHtml, contentOf, HTML_VERSION } from '../../platform/mail'
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

/** The words of a person as clean HTML. */
export const cleanWords = (html: string): string => cleanHtml(html).html
