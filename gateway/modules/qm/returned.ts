import { tableOf, type EntityService } from '../../entities'

/** Quotes whose mail came back: the hook on messages (`mail.message`) that a server returned. */
export const messageHook: EntityService = {
  async afterEffect({ transition, record, values, tx, entities }) {
    if (transition.id !== 'returned') return
    const { rows } = await tx.query<{ id: string }>(
      `select id from ${tableOf('qm.quoteMail')} where mailbox_message_id = $1 and status = 'sent' and deleted_at is null`,
      [record.id],
    )
    const bounceReason = typeof values.bounceReason === 'string' ? values.bounceReason.slice(0, 300) : ''
    for (const { id } of rows) await entities.transition('qm.quoteMail', id, 'bounce', { bounceReason })
  },
}
