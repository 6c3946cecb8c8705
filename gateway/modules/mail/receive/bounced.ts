import { tableOf } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import type { Bounce } from '../../../platform/mail'
import { systemContext } from '../../../platform/http'
import { notify } from '../../../todos'
import type { Account } from '../accounts'
import { logMail } from '../log'
import type { MailParts } from '../parts'

/** Marks the mail that came back, counts it at the contact, and tells who sent it. */
export async function noteBounce(
  { engine }: Pick<MailParts, 'engine'>,
  tx: Transaction,
  account: Account,
  bounce: Bounce,
  now: Date,
): Promise<void> {
  const { rows: paths } = await tx.query<{ messageId: string }>(
    'select message_id as "messageId" from mail_outgoing where account_id = $1 and return_path = any($2::text[])',
    [account.id, bounce.returnedTo],
  )
  const messageIds = [...bounce.messageIds, ...paths.map(({ messageId }) => messageId)]
  const { rows } = await tx.query<{ id: string; subject: string | null; staffId: string | null; kind: string | null }>(
    `select m.id, m.subject, o.staff_id as "staffId", o.kind from mail_message m left join mail_outgoing o on o.message_id = m.message_id and o.account_id = m.account_id and o.deleted_at is null
     where m.account_id = $1 and m.direction = 'out' and m.message_id = any($2::text[]) and m.deleted_at is null limit 1`,
    [account.id, messageIds],
  )
  const [sent] = rows
  if (!sent) return
  const peer = bounce.recipients[0] ?? null
  if (bounce.isFinal) {
    await tx.query('update mail_message set bounced = true, updated_at = $2 where id = $1', [sent.id, now.toISOString()])
    const entities = engine.entities(tx, systemContext({ now }))
    await entities.transition('mail.message', sent.id, 'returned', { bounceReason: bounce.reason.slice(0, 400) })
    if (entities.has('crm.contact')) {
      const { rows: contacts } = await tx.query<{ id: string; count: number }>(
        `select id, coalesce(bounce_count, 0)::int as count from ${tableOf('crm.contact')} where lower(email) = any($1::text[]) and deleted_at is null`,
        [bounce.recipients],
      )
      await entities.changeMany('crm.contact', new Map(contacts.map(({ id, count }) => [id, { bounceCount: count + 1 }])))
    }
  }
  await logMail(
    tx,
    [{ accountId: account.id, action: 'bounced', messageId: sent.id, peer, subject: sent.subject, result: bounce.reason }],
    now,
  )
  // of a campaign they are counted, not told one by one
  if (sent.kind === 'campaign') return
  const subject = sent.subject ?? ''
  const title = bounce.isFinal
    ? { zh: `邮件被退回：${subject}`, en: `Mail came back: ${subject}` }
    : { zh: `邮件尚未送达，服务器仍在尝试：${subject}`, en: `Mail is not delivered yet, the server still tries: ${subject}` }
  const staffId = sent.staffId ?? account.ownerId
  if (staffId === null) return
  await notify(
    tx,
    [
      {
        ...{ staffId, todo: false, type: '2', kind: 'mail', title },
        text: { zh: `${peer ?? ''} ${bounce.reason}`, en: `${peer ?? ''} ${bounce.reason}` },
        plain: { title: { zh: '一封邮件被退回', en: 'A mail came back' } },
        ...{ subject: { entity: 'mail.message', id: sent.id }, link: `/message/email/details?id=${sent.id}` },
        key: `mail/bounce/${sent.id}/${peer ?? ''}/${bounce.isFinal}`,
      },
    ],
    now,
  )
}
