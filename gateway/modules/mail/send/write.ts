import { buffer } from 'node:stream/consumers'
import { answerRecipients, asciiAddress, isMailAddress, type MailAddress, openVariables } from '../../../../src/headless/mail'
import { refusal, type Entities } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import { hangFiles, releaseFiles } from '../../../platform/files'
import { ServiceError, type RequestContext, type Text } from '../../../platform/http'
import { accountsOf, localAccounts, mayWrite, type OwnAccount } from '../accounts'
import { logMail } from '../log'
import type { MailParts } from '../parts'
import { wholeMessages, type WholeMessage } from '../messages'
import { type ComposedFile, freeze } from '../../../platform/mail'
import { SENDING_LINE } from './outgoing'

type Optional = 'signatureId' | 'sourceMessageId' | 'draftId' | 'timingTime'

/** What is asked to be sent; `attachments` are ids of uploads. */
export interface WrittenMail
  extends
    Record<'accountId' | 'subject' | 'content' | 'kind', string>,
    Record<'to' | 'cc' | 'bcc', MailAddress[]>,
    Partial<Record<Optional, string | null>> {
  attachments: string[]
  wantsReceipt?: boolean
}

/** Seconds in which a mail can be taken back. */
const UNDO_SECONDS = 10
const MINUTE = 60_000
const YEAR = 366 * 86_400_000
/** Bytes of a mail. */
const LARGEST = 31_457_280
const MOST_RECIPIENTS = 500

const WRONG_ADDRESS: Text = { zh: '输入邮箱格式有误，请更正', en: 'The e-mail address is not valid: please correct it.' }
const problem = (context: RequestContext, field: string, message: Text): ServiceError =>
  refusal('validationFailed', context.locale, [{ field, message }])

/** The mailbox that the caller sends from. @throws ServiceError 10170036 when he has none at all */
export async function senderOf(
  parts: Pick<MailParts, 'database'>,
  { user }: RequestContext,
  accountId: string,
): Promise<OwnAccount> {
  const own = await accountsOf(parts.database, user.staffId)
  if (own.length === 0) throw new ServiceError('emailMissing')
  const account = own.find(({ id }) => id === accountId)
  if (!account) throw new ServiceError('notFound')
  if (!mayWrite(account))
    throw new ServiceError('noPermission', {
      message: { zh: '您在此邮箱中只能查看。', en: 'You may only read in this mailbox.' },
    })
  if (account.state !== 'active' && account.state !== 'failing')
    throw new ServiceError('transitionRefused', {
      message: { zh: '该邮箱未启用，不能发送。', en: 'This mailbox does not work: nothing can be sent from it.' },
    })
  return account
}

/** @throws ServiceError with the places of all addresses that are wrong, e.g. `to[2]` (R274), and of those that nobody can reach from here */
export async function requireAddresses(
  parts: Pick<MailParts, 'database'>,
  context: RequestContext,
  account: Pick<OwnAccount, 'transport'>,
  { to, cc, bcc }: Pick<WrittenMail, 'to' | 'cc' | 'bcc'>,
): Promise<void> {
  const all = Object.entries({ to, cc, bcc }).flatMap(([name, list]) =>
    list.map(({ email }, index) => ({ field: `${name}[${index}]`, email })),
  )
  if (all.length === 0) throw problem(context, 'to', { zh: '请填写收件人。', en: 'Say to whom it goes.' })
  if (all.length > MOST_RECIPIENTS)
    throw problem(context, 'to', { zh: `收件人最多 ${MOST_RECIPIENTS} 个。`, en: `At most ${MOST_RECIPIENTS} recipients.` })
  const refuse = (wrong: typeof all, message: (email: string) => Text): void => {
    const problems = wrong.map(({ field, email }) => ({ field, message: message(email) }))
    if (problems.length > 0) throw refusal('validationFailed', context.locale, problems)
  }
  refuse(
    all.filter(({ email }) => !isMailAddress(email)),
    () => WRONG_ADDRESS,
  )
  if (account.transport !== 'local') return
  const emails = all.map(({ email }) => email)
  const here = new Set((await localAccounts(parts.database, emails)).map(({ address }) => address))
  refuse(
    all.filter(({ email }) => !here.has(asciiAddress(email))),
    (email) => ({
      zh: `${email} 未连接：本邮箱只能发给本系统的邮箱。`,
      en: `${email} is not connected: this mailbox reaches mailboxes of the portal only.`,
    }),
  )
}

/** The files of a mail with their bytes; a picture that its text shows stands in it. */
async function filesOf(parts: Pick<MailParts, 'files'>, context: RequestContext, ids: readonly string[], html: string) {
  const files: (ComposedFile & { id: string; size: number })[] = []
  for (const id of ids) {
    const { file, content } = await parts.files.read(context, id)
    const bytes = { size: Number(file.size), content: await buffer(content) }
    files.push({ id, name: file.name, type: file.mimeType, ...bytes, ...(html.includes(`cid:${id}"`) ? { contentId: id } : {}) })
  }
  return files
}

/** The moment of a timed mail. @throws ServiceError for a time that is no time to send at */
export function requireDue(context: RequestContext, timingTime: string): Date {
  const due = new Date(timingTime)
  const ahead = due.getTime() - context.now.getTime()
  if (ahead >= MINUTE && ahead <= YEAR) return due
  throw problem(context, 'timingTime', {
    zh: '定时时间至少在 1 分钟后，最多一年内。',
    en: 'A timed mail is at least a minute and at most a year ahead.',
  })
}

/**
 * Takes a mail on its way: its bytes are frozen, it waits until it may not be taken back any more, or until its time. What stands in braces is asked for before.
 * @throws ServiceError for whatever is wrong with it, by field
 */
export async function writeMail(
  parts: MailParts,
  context: RequestContext,
  mail: WrittenMail,
  passedOn: readonly ComposedFile[] = [],
): Promise<{ outgoingId: string; undoUntil: string }> {
  const { engine, database, queue } = parts
  const { user, now } = context
  const account = await senderOf(parts, context, mail.accountId)
  await requireAddresses(parts, context, account, mail)
  const open = openVariables(mail.subject, mail.content)
  if (open.length > 0)
    throw problem(context, 'content', {
      zh: `请先填写：${open.join('、')}`,
      en: `These have to be filled in first: ${open.join(', ')}`,
    })
  const due = mail.timingTime ? requireDue(context, mail.timingTime) : null
  const undoUntil = new Date(now.getTime() + UNDO_SECONDS * 1000)
  const [source] = mail.sourceMessageId
    ? await wholeMessages(database, await accountsOf(database, user.staffId), [mail.sourceMessageId])
    : []
  const uploads = await filesOf(parts, context, mail.attachments, mail.content)
  const frozen = await freeze({
    from: { email: account.address, name: account.displayName },
    ...{ to: mail.to, cc: mail.cc, subject: mail.subject, html: mail.content },
    attachments: [...uploads, ...passedOn],
    ...{ date: due ?? now, wantsReceipt: mail.wantsReceipt ?? false },
    ...threadHeaders(mail.kind, source),
  })
  if (frozen.raw.length > LARGEST)
    throw problem(context, 'attachments', { zh: '邮件超过 30 MB。', en: 'The mail is larger than 30 MB.' })
  const rawHash = await parts.raw.keep(frozen.raw)
  return engine.transaction(context, async (entities, tx) => {
    const { id } = await entities.save('mail.outgoing', {
      ...{ accountId: account.id, staffId: user.staffId, to: [...mail.to], cc: [...mail.cc], bcc: [...mail.bcc] },
      ...{ subject: mail.subject, bodyHtml: mail.content, kind: mail.kind, wantsReceipt: mail.wantsReceipt ?? false },
      attachments: uploads.map(({ id: fileId, name, type, size }) => ({ id: fileId, name, type, size })),
      ...{ signatureId: mail.signatureId ?? null, sourceMessageId: mail.sourceMessageId ?? null },
      ...{ messageId: frozen.messageId, rawHash, size: frozen.raw.length, attempts: 0 },
      ...{ dueAt: (due ?? undoUntil).toISOString(), undoUntil: due ? null : undoUntil.toISOString() },
    })
    if (due) await entities.transition('mail.outgoing', id, 'schedule')
    if (mail.draftId) await dropDraft(tx, entities, user.staffId, mail.draftId)
    await hangFiles(tx, user.staffId, { entity: 'mail.outgoing', recordId: id }, mail.attachments)
    await queue.send(tx, SENDING_LINE, [{ key: id, at: due ?? undoUntil }])
    await useAddresses(tx, user.staffId, mail, now)
    const peer = mail.to.map(({ email }) => email).join(', ')
    await logMail(tx, [{ accountId: account.id, action: 'queued', staffId: user.staffId, subject: mail.subject, peer }], now)
    return { outgoingId: id, undoUntil: undoUntil.toISOString() }
  })
}

function threadHeaders(kind: string, source: WholeMessage | undefined): { inReplyTo: string | null; references: string[] } {
  if (!source || (kind !== 'reply' && kind !== 'replyAll')) return { inReplyTo: null, references: [] }
  return { inReplyTo: source.messageId, references: [...source.references, source.messageId] }
}

async function dropDraft(tx: Transaction, entities: Entities, staffId: string, id: string): Promise<void> {
  const own = 'select 1 from mail_draft where id = $1 and staff_id = $2 and deleted_at is null'
  if ((await tx.query(own, [id, staffId])).rowCount === 0) return
  await releaseFiles(tx, 'mail.draft', id)
  await entities.remove('mail.draft', id)
}

/** Addresses of the book that were written to come first the next time. */
const useAddresses = (tx: Transaction, staffId: string, { to, cc, bcc }: WrittenMail, now: Date) =>
  tx.query(
    `update mail_address_book set last_used_at = $3 where lower(email) = any($1::text[]) and (scope = 'company' or staff_id = $2) and deleted_at is null`,
    [[...to, ...cc, ...bcc].map(({ email }) => email.toLowerCase()), staffId, now.toISOString()],
  )

/** The recipients of an answer to a message of one's own mailboxes. */
export function answerTo(message: WholeMessage, all: boolean, own: readonly string[]) {
  const sender = { email: message.senderEmail, ...(message.senderName === null ? {} : { name: message.senderName }) }
  const { direction, replyToList: replyTo, receiverEmailList: to, ccEmailList: cc } = message
  return answerRecipients({ direction, sender, replyTo, to, cc }, all, own)
}
