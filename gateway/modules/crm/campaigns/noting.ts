import { tableOf, type Entities, type EntityRecord } from '../../../entities'
import { newId, type Transaction } from '../../../platform/database'

/** A recipient as events are noted at him. */
export interface Noted extends Record<'id' | 'campaignId' | 'email' | 'status', string> {
  contactId: string | null
  language: string | null
  sentAt: string | null
  deliveredAt: string | null
  openedAt: string | null
  clickedAt: string | null
  repliedAt: string | null
  bouncedAt: string | null
  unsubscribedAt: string | null
  resubscribedAt: string | null
}

/** What happened to the mail of a recipient (dictionary `mailEventKind`). */
export interface Happened {
  kind: 'delivered' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'unsubscribed' | 'complained'
  note?: string | null
  linkId?: string | null
  isFirst?: boolean
  ip?: string | null
  agent?: string | null
}

const COLUMNS = `id, campaign_id as "campaignId", email, status, contact_id as "contactId", language, sent_at as "sentAt", delivered_at as "deliveredAt", opened_at as "openedAt", clicked_at as "clickedAt",
  replied_at as "repliedAt", bounced_at as "bouncedAt", unsubscribed_at as "unsubscribedAt", resubscribed_at as "resubscribedAt"`

/** A recipient, held until the transaction ends, by his id, the mail on its way or its Message-ID. */
export async function lockRecipient(
  tx: Transaction,
  by: 'id' | 'outgoing_id' | 'message_id',
  value: string,
): Promise<Noted | null> {
  const { rows } = await tx.query<Noted>(
    `select ${COLUMNS} from ${tableOf('crm.mailRecipient')} where ${by} = $1 and deleted_at is null limit 1 for update`,
    [value],
  )
  return rows[0] ?? null
}

/** Writes down what happened at a recipient, and what changes of him by it. */
export async function note(
  entities: Entities,
  recipient: Noted,
  now: Date,
  changes: EntityRecord,
  ...events: readonly Happened[]
): Promise<void> {
  const at = now.toISOString()
  await entities.changeMany('crm.mailRecipient', new Map([[recipient.id, changes]]), { keepTime: true })
  await entities.insertMany(
    'crm.mailEvent',
    events.map((event) => ({
      ...{ id: newId(), campaignId: recipient.campaignId, recipientId: recipient.id, at, isFirst: false, linkId: null },
      ...{ note: null, ip: null, agent: null, ...event, createdAt: at, createdBy: '', version: 1 },
    })),
  )
}

/** Whoever acts on a mail has got it: nobody waits for its bounce any more. */
export const arrived = ({ deliveredAt }: Noted, now: Date): EntityRecord =>
  deliveredAt === null ? { deliveredAt: now.toISOString(), status: 'delivered' } : {}
