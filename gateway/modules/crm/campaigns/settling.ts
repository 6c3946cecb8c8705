import type { EntityService } from '../../../entities'
import { senderOf } from './sender'
import { arrived, lockRecipient, note } from './noting'
import { isSigned, unsubscribedBy } from './addresses'
import { unsubscribe } from './unsubscribing'

/** What became of the mails of campaigns: the hook on mail that is on its way (`mail.outgoing`). */
export const outgoingHook: EntityService = {
  async afterEffect({ transition, record, tx, entities, now }) {
    if (record.kind !== 'campaign' || !['sent', 'fail', 'doubt', 'arrived'].includes(transition.id)) return
    const recipient = await lockRecipient(tx, 'outgoing_id', String(record.id))
    if (!recipient || recipient.status !== 'waiting') return
    const at = now.toISOString()
    const sender = await senderOf(tx, String(record.accountId), null)
    if (transition.id !== 'fail') {
      // the portal's own delivery is known at once; of a server nothing more is known than that it took the mail
      const isThere = sender?.transport === 'local'
      const changes = { sentAt: at, status: isThere ? 'delivered' : 'sent', ...(isThere ? { deliveredAt: at } : {}) }
      return note(entities, recipient, now, changes, ...(isThere ? [{ kind: 'delivered' as const }] : []))
    }
    if (sender?.state === 'unbound')
      return note(entities, recipient, now, { releasedAt: null, outgoingId: null, messageId: null })
    const reason = typeof record.lastError === 'string' ? record.lastError.slice(0, 400) : null
    const isHard = Array.isArray(record.refused) && record.refused.length > 0
    const changes = { status: 'bounced', bouncedAt: at, bounceReason: reason, hardBounce: isHard }
    await note(entities, recipient, now, changes, { kind: 'bounced', note: reason })
    if (isHard && recipient.contactId !== null) {
      const contact = await entities.find('crm.contact', recipient.contactId)
      if (contact)
        await entities.changeMany('crm.contact', new Map([[contact.id, { bounceCount: (contact.bounceCount ?? 0) + 1 }]]))
    }
  },
}

/** What comes back: the hook on messages (`mail.message`) that answer a campaign's mail, were returned, or were called spam. */
export const messageHook: EntityService = {
  async afterEffect({ transition, record, values, tx, entities, now }) {
    if (transition.id === 'returned') {
      const recipient = await lockRecipient(tx, 'message_id', String(record.messageId))
      if (!recipient || recipient.bouncedAt !== null) return
      const reason = typeof values.bounceReason === 'string' ? values.bounceReason : null
      const changes = {
        status: 'bounced',
        bouncedAt: now.toISOString(),
        bounceReason: reason,
        hardBounce: true,
        deliveredAt: null,
      }
      return note(entities, recipient, now, changes, { kind: 'bounced', note: reason })
    }
    if (transition.id === 'complained') {
      const recipient = await lockRecipient(tx, 'message_id', String(record.messageId))
      if (recipient) await unsubscribe({ entities, tx, now }, recipient, { kind: 'complained', note: 'ARF' })
      return
    }
    if (transition.id !== 'arrived') return
    const wish = unsubscribedBy(String(record.subject ?? ''))
    if (wish) {
      const recipient = await lockRecipient(tx, 'id', wish.recipientId)
      const campaign = recipient && (await entities.find('crm.mailCampaign', recipient.campaignId))
      if (recipient && isSigned(campaign?.secret ?? '', 'unsubscribe', recipient.id, null, wish.signature))
        await unsubscribe({ entities, tx, now }, recipient, { kind: 'unsubscribed', note: 'mail' })
      return
    }
    if (typeof record.inReplyTo !== 'string' || record.autoSubmitted === true) return
    const recipient = await lockRecipient(tx, 'message_id', record.inReplyTo)
    if (!recipient || recipient.repliedAt !== null || recipient.bouncedAt !== null) return
    return note(entities, recipient, now, { repliedAt: now.toISOString(), ...arrived(recipient, now) }, { kind: 'replied' })
  },
}
