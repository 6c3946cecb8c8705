import type { Executor } from '../../../platform/database'
import { notify, push, type PersonEvent } from '../../../todos'
import type { Account } from '../accounts'

/** What is told of a new mail. */
export interface NewMail {
  id: string
  isSpam: boolean
  sender: string
  subject: string
  followStaffId: string | null
}

/** Browsers compare this word and translate it themselves (R230): it is the same in both languages. */
const NEW = '新邮件'
const SPAM = '垃圾邮件'
/** New mail of a minute beyond this is one push that says how many. */
const MOST = 20

/** Tells the members of a mailbox of new mail by pushes, and whoever has to answer one by a message and a to-do. */
export async function tellNewMail(db: Executor, account: Account, mails: readonly NewMail[], now: Date): Promise<void> {
  const [newest] = mails
  if (!newest) return
  if (account.pushEnabled) {
    const { rows } = await db.query<{ staffId: string }>(
      `select staff_id as "staffId" from mail_account_staff where account_id = $1 and deleted_at is null`,
      [account.id],
    )
    const { rows: recent } = await db.query<{ count: number }>(
      `select count(*)::int as count from mail_message where account_id = $1 and created_at > $2::timestamptz - interval '1 minute' and direction = 'in' and deleted_at is null`,
      [account.id, now.toISOString()],
    )
    const many = (recent[0]?.count ?? 0) > MOST
    const fill = [
      { key: '{emailboxType}', showFieldName: newest.isSpam ? SPAM : NEW },
      { key: '{sender}', showFieldName: newest.sender.slice(0, 200) },
      {
        key: '{subject}',
        showFieldName: (many ? `${newest.subject} (+${(recent[0]?.count ?? 1) - 1})` : newest.subject).slice(0, 300),
      },
    ]
    const event = { event: 'message', type: '2', msgId: newest.id, template: '{emailboxType} {sender}：{subject}', fill } as const
    await push(
      db,
      rows.map(({ staffId }): PersonEvent => ({ ...event, staffId })),
    )
  }
  await notify(
    db,
    mails.flatMap(({ id, followStaffId, sender, subject }) => {
      if (followStaffId === null) return []
      const title = { zh: `待回复：${subject || '（无主题）'}`, en: `To answer: ${subject || '(no subject)'}` }
      return [
        {
          ...{ staffId: followStaffId, type: '2', kind: 'mail', title, text: { zh: sender, en: sender } },
          ...{ plain: { title: { zh: '有邮件待回复', en: 'A mail has to be answered' } } },
          ...{ subject: { entity: 'mail.message', id }, link: `/message/email/details?id=${id}` },
          key: `mail/${id}/${followStaffId}`,
        },
      ]
    }),
    now,
  )
}
