import { tableFile, type TableAsked } from '../../../entities'
import type { PaperAsked } from '../../../papers'
import { parseAddresses, type MailAddress } from '../../../../src/headless/mail'
import type { Executor, Transaction } from '../../../platform/database'
import { ServiceError, systemContext } from '../../../platform/http'
import { freeze } from '../../../platform/mail'
import { accountsOf, findAccount, mayWrite, type Account } from '../accounts'
import { logMail } from '../log'
import type { MailParts } from '../parts'
import { SENDING_LINE } from './outgoing'
import { requireAddresses } from './write'

/** A mail that another module wants sent. */
interface OrderedMail {
  /** Address of a mailbox of the team or the system; empty: the first of the system, else of the team. */
  from: string
  /** Whose own mailbox it goes from, where he has one that works. */
  staffId: string | null
  /** This mailbox, whoever it is of. */
  accountId?: string
  to: string
  cc: string
  subject: string
  html: string
  /** Rows that go along as a workbook. */
  table?: TableAsked
  /** The paper of a record that goes along as PDF. */
  paper?: PaperAsked
  /** The mail that it answers by itself: nobody is told when it does not arrive (RFC 3834). */
  answers?: { messageId: string; references: readonly string[] }
}

/** How far a mail is; `copy` is the message in Sent. */
interface Sending extends Record<'sentAt' | 'lastError' | 'copy', string | null> {
  state: string
  address: string
}

/** How far a mail is. @throws ServiceError where there is none */
export async function sendingOf(db: Executor, id: string): Promise<Sending> {
  const { rows } = await db.query<Sending>(
    `select o.state, o.sent_at as "sentAt", o.last_error as "lastError", a.address, m.id as copy from mail_outgoing o join mail_account a on a.id = o.account_id
     left join mail_message m on m.account_id = o.account_id and m.message_id = o.message_id and m.direction = 'out' and m.deleted_at is null where o.id = $1 limit 1`,
    [id],
  )
  if (!rows[0]) throw new ServiceError('notFound')
  return rows[0]
}

/**
 * Takes a mail of another module on its way, at once and without a way back; the same key is the same mail.
 * @throws ServiceError for a wrong address, or where no mailbox can send it
 */
export async function orderMail(parts: MailParts, key: string, order: OrderedMail): Promise<void> {
  const { engine, database, papers } = parts
  const now = parts.now()
  const { rowCount } = await database.query('select 1 from mail_outgoing where id = $1', [key])
  if (rowCount > 0) return
  const named = order.accountId === undefined ? null : await findAccount(database, order.accountId)
  const account = named ?? (await mailboxFor(database, order))
  const [to, cc] = [parseAddresses(order.to), parseAddresses(order.cc)]
  await requireAddresses(parts, systemContext({ now }), account, { to, cc, bcc: [] })
  const from = { email: account.address, name: account.displayName }
  const { subject, html, table, paper, staffId, answers } = order
  const attachments = [
    ...(table ? [await tableFile(engine, table, now)] : []),
    ...(paper ? [await papers.make(systemContext({ now }), paper)] : []),
  ]
  const { raw, messageId } = await freeze({
    ...{ from, to, cc, subject, html, attachments, date: now },
    ...(answers
      ? { inReplyTo: answers.messageId, references: [...answers.references, answers.messageId] }
      : { inReplyTo: null, references: [] }),
    ...(answers || account.kind !== 'personal'
      ? { headers: { 'Auto-Submitted': answers ? 'auto-replied' : 'auto-generated' } }
      : {}),
  })
  await engine.transaction(systemContext({ now }), (_entities, tx) =>
    queueMail(parts, tx, { key, account, to, cc, subject, html, raw, messageId, staffId, returnPath: null }, now),
  )
}

/** A mail that was written by a program, with its bytes. */
interface Programmed extends Record<'key' | 'subject' | 'html' | 'messageId', string> {
  account: Account
  to: MailAddress[]
  cc: MailAddress[]
  raw: Buffer
  /** Who hears what becomes of it, where it goes from his own mailbox. */
  staffId: string | null
  /** Null: the mailbox itself; empty: nobody hears of it when it comes back. */
  returnPath: string | null
}

/** Takes a mail on its way that cannot be taken back, in the caller's transaction. */
export async function queueMail(parts: MailParts, tx: Transaction, mail: Programmed, now: Date): Promise<void> {
  const { account, key, raw, html, staffId, ...row } = mail
  const rawHash = await parts.raw.keep(raw)
  await parts.engine.entities(tx, systemContext({ now })).insertMany('mail.outgoing', [
    {
      ...{ ...row, id: key, accountId: account.id, staffId: account.kind === 'personal' ? staffId : null, bcc: [] },
      ...{ bodyHtml: html, attachments: [], kind: 'new', rawHash, size: raw.length, attempts: 0, dueAt: now.toISOString() },
      ...{ undoUntil: null, state: 'queued', createdAt: now.toISOString(), createdBy: '', version: 1 },
    },
  ])
  await parts.queue.send(tx, SENDING_LINE, [{ key }])
  const peer = row.to.map(({ email }) => email).join(', ')
  await logMail(tx, [{ accountId: account.id, action: 'queued', subject: row.subject, peer }], now)
}

/** The mailbox that a mail of a module goes from. @throws ServiceError where there is none */
async function mailboxFor(db: Executor, { from: address, staffId }: Pick<OrderedMail, 'from' | 'staffId'>): Promise<Account> {
  const own = staffId === null ? [] : await accountsOf(db, staffId)
  const works = own.find((one) => one.kind === 'personal' && mayWrite(one) && ['active', 'failing'].includes(one.state))
  if (works) return works
  const { rows } = await db.query<{ id: string }>(
    `select id from mail_account where kind <> 'personal' and state in ('active', 'failing') and deleted_at is null and ($1 = '' or address = lower($1))
     order by kind = 'system' desc, created_at, id limit 1`,
    [address],
  )
  const account = rows[0] && (await findAccount(db, rows[0].id))
  if (account) return account
  throw new ServiceError('unavailable', {
    message: { zh: '没有可用于发送的系统邮箱或共享邮箱。', en: 'There is no mailbox of the system or a team to send it from.' },
  })
}
