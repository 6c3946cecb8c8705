import { createHash } from 'node:crypto'
import { escapedText } from '../../../../src/headless/mail'
import { dayOf } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { autoReplySubject, mayReplyByItself, type ReadMail } from '../../../platform/mail'
import type { Line, Queue } from '../../../platform/queue'
import { findAccount, type Account } from '../accounts'
import type { MailParts } from '../parts'
import { orderMail } from '../send/order'

/** The line of replies while somebody is away; the key of a message is the id of the mail that came. */
export const ABSENCE_LINE = 'mail.absence'

/** Hours after which mail is not new any more: a first synchronisation answers nobody. */
const NEW = 24

interface Replied {
  accountId: string
  sender: string
  subject: string
  messageId: string
  references: readonly string[]
}

const isAway = ({ absentFrom, absentUntil, absentText, timeZone }: Account, now: Date): boolean => {
  const today = dayOf(now.toISOString(), timeZone ?? 'Asia/Shanghai') ?? ''
  return absentText !== null && absentFrom !== null && absentFrom <= today && today <= (absentUntil ?? absentFrom)
}

/** Has a mail answered while its receiver is away: one that is new, and that a program may answer. */
export async function replyWhileAway(
  db: Executor,
  queue: Queue,
  account: Account,
  { mail, at, id }: { mail: ReadMail; at: Date; id: string },
  now: Date,
): Promise<void> {
  const { sender, messageId, references, subject } = mail
  const isOld = at.getTime() < now.getTime() - NEW * 3_600_000
  if (account.kind !== 'personal' || isOld || messageId === null || !mayReplyByItself(mail, account.address)) return
  // whoever listens to a server knows the mailbox as it was when the connection began
  const present = await findAccount(db, account.id)
  if (!present || !isAway(present, now)) return
  const data: Replied = { accountId: account.id, sender: sender.email, subject, messageId, references }
  await queue.send(db, ABSENCE_LINE, [{ key: id, data }])
}

/** Replies while somebody is away, to every sender once an absence. */
export const absenceLine = (parts: MailParts): Line<Replied> => ({
  name: ABSENCE_LINE,
  retry: { limit: 10, delaySeconds: 60, backoff: true },
  handle: async ({ data: { accountId, sender, subject, messageId, references }, now }) => {
    const account = await findAccount(parts.database, accountId)
    if (!account || !isAway(account, now)) return {}
    const text = account.absentText ?? ''
    const whom = createHash('sha256').update(sender.toLowerCase()).digest('hex').slice(0, 12)
    await orderMail(parts, `away-${accountId}-${account.absentFrom}-${whom}`, {
      ...{ from: '', staffId: null, accountId, to: sender, cc: '' },
      subject: autoReplySubject(subject, text),
      html: text
        .split('\n')
        .map((line) => `<p>${escapedText(line)}</p>`)
        .join(''),
      answers: { messageId, references },
    }).catch((error: unknown) => {
      // whom the mailbox cannot reach at all gets none
      if (!(error instanceof ServiceError) || error.reason !== 'validationFailed') throw error
    })
    return { did: true }
  },
})
