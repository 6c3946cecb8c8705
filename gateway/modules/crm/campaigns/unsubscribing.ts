import { tableOf, type Entities } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import { arrived, note, type Happened, type Noted } from './noting'

interface Within {
  entities: Entities
  tx: Transaction
  now: Date
}

/** Whether somebody gets no campaigns at present. */
export const isUnsubscribed = ({ unsubscribedAt, resubscribedAt }: Noted): boolean =>
  unsubscribedAt !== null && (resubscribedAt === null || resubscribedAt < unsubscribedAt)

async function contactsWith(tx: Transaction, email: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from ${tableOf('crm.contact')} where lower(email) = $1 and deleted_at is null`,
    [email],
  )
  return rows.map(({ id }) => id)
}

/** Takes somebody out of all campaigns, whichever mail he had before him: his contacts, too. A second time changes nothing. */
export async function unsubscribe({ entities, tx, now }: Within, recipient: Noted, event: Happened): Promise<void> {
  const at = now.toISOString()
  const complained = event.kind === 'complained' ? { complainedAt: at } : {}
  if (isUnsubscribed(recipient) && event.kind !== 'complained') return
  await note(entities, recipient, now, { unsubscribedAt: at, ...complained, ...arrived(recipient, now) }, event)
  const ids = await contactsWith(tx, recipient.email)
  await entities.changeMany('crm.contact', new Map(ids.map((id) => [id, { unsubscribedAt: at }])))
}

/** Takes somebody in again, who asked for it himself. */
export async function resubscribe({ entities, tx, now }: Within, recipient: Noted): Promise<void> {
  const at = now.toISOString()
  const { rows } = await tx.query<{ id: string }>(
    `select id from ${tableOf('crm.mailRecipient')} where email = $1 and unsubscribed_at is not null and deleted_at is null`,
    [recipient.email],
  )
  await entities.changeMany('crm.mailRecipient', new Map(rows.map(({ id }) => [id, { resubscribedAt: at }])), { keepTime: true })
  const ids = await contactsWith(tx, recipient.email)
  await entities.changeMany('crm.contact', new Map(ids.map((id) => [id, { unsubscribedAt: null }])))
}
