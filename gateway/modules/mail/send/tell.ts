import type { Transaction } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { notify } from '../../../todos'
import type { Outgoing } from './outgoing'

/** What a sender is told of his mail. */
interface Told {
  /** Tells two notices of one mail apart. */
  id: string
  title: Text
  text: Text
  /** Something is to be done. */
  todo: boolean
}

/** Tells the sender of a mail what became of it; its subject stands behind each title, for whoever may read it. */
export async function tellSender(tx: Transaction, mail: Outgoing, told: readonly Told[], now: Date): Promise<void> {
  const { staffId } = mail
  if (staffId === null) return
  const about = {
    staffId,
    type: '2',
    kind: 'mail',
    subject: { entity: 'mail.outgoing', id: mail.id },
    link: '/message/email/sent',
  }
  const subject = mail.subject ?? ''
  await notify(
    tx,
    told.map(({ id, title, text, todo }) => ({
      ...{ ...about, todo, text, plain: { title }, key: `mail/${mail.id}/${id}` },
      title: { zh: `${title.zh}：${subject}`, en: `${title.en}: ${subject}` },
    })),
    now,
  )
}
