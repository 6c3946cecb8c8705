import type { TransitionHook } from '../../../entities'
import { freezeReceipt } from '../../../platform/mail'
import { accountsOf } from '../accounts'
import { sendUpstream } from '../imap/upstream'
import { wholeMessages } from '../messages'
import type { MailParts } from '../parts'
import { queueMail } from './order'
import { requireAddresses, senderOf } from './write'

/**
 * What the reader of a mail said to its wish for a receipt (RFC 8098): it goes to whoever wrote, or not at all. Other programs that read the mailbox do not ask again
 * (RFC 3503).
 * @throws ServiceError where the mailbox does not send, or not to there
 */
export async function answerWish(parts: MailParts, hook: TransitionHook<'mail.message'>, isSent: boolean): Promise<void> {
  const { context, tx, now, record } = hook
  const account = await senderOf(parts, context, record.accountId)
  const [message] = await wholeMessages(tx, await accountsOf(tx, context.user.staffId), [record.id])
  const { id, uid, path, messageId, references, receiptTo } = message!
  if (account.transport === 'imapSmtp') {
    const change = { accountId: account.id, path, messages: [{ id, uid, messageId }], add: ['$MDNSent'] }
    await sendUpstream(tx, parts.queue, [change])
  }
  if (!isSent || receiptTo === null) return
  const to = [{ email: receiptTo }]
  await requireAddresses(parts, context, account, { to, cc: [], bcc: [] })
  const isChinese = context.locale === 'zh'
  const subject = `${isChinese ? '已读：' : 'Read: '}${message!.subject}`
  const text = isChinese
    ? `您的邮件“${message!.subject}”已在收件人的屏幕上显示。这不表示内容已被阅读或理解。`
    : `Your mail "${message!.subject}" was shown on the recipient's screen. That does not say that it was read or understood.`
  const from = { email: account.address, name: account.displayName }
  const frozen = await freezeReceipt({ from, to: receiptTo, about: { messageId, references }, subject, text, date: now })
  const mail = { key: `read-${id}`, account, to, cc: [], subject, html: text, staffId: context.user.staffId, returnPath: '' }
  await queueMail(parts, tx, { ...mail, ...frozen }, now)
}
