import type { EntityService } from '../../../entities'
import { logMail } from '../log'
import type { Queue } from '../../../platform/queue'
import { lockOutgoing, SENDING_LINE } from '../send/outgoing'
import { releaseFiles } from '../../../platform/files'

/** What its sender may do with a mail that is on its way: take it back while it waits, say what became of a doubtful one. */
export const outgoingService = (queue: () => Queue): EntityService => ({
  guard: ({ transition, before, context, now }) => {
    if (transition.id !== 'cancel') return null
    const isLate = before.state === 'undo' && new Date(String(before.undoUntil)) < now
    if (isLate) return { zh: '邮件已在发送途中，不能撤销。', en: 'It is already on its way.' }
    if (before.staffId !== context.user.staffId && context.kind === 'staff')
      return { zh: '只有发件人可以撤销。', en: 'Only its sender may take it back.' }
    return null
  },
  afterEffect: async ({ transition, record, tx, entities, now }) => {
    const id = String(record.id)
    if (transition.id === 'cancel') {
      const mail = await lockOutgoing(tx, id)
      if (!mail || mail.staffId === null) return
      const { accountId, staffId, to, cc, bcc, subject, bodyHtml, signatureId, kind, sourceMessageId, wantsReceipt } = mail
      const files = await releaseFiles(tx, 'mail.outgoing', id)
      await entities.save('mail.draft', {
        ...{ accountId, staffId, to, cc, bcc, subject, bodyHtml, signatureId, kind, sourceMessageId, wantsReceipt, revision: 1 },
        attachments: (mail.attachments ?? []).filter((file) => files.has(file.id)),
      })
      return
    }
    if (transition.id === 'sendAgain') {
      const anew = 'update mail_outgoing set due_at = $2, lease_by = null, lease_until = null, attempts = 0 where id = $1'
      await tx.query(anew, [id, now.toISOString()])
      await queue().send(tx, SENDING_LINE, [{ key: `${id}/${now.getTime()}` }])
    }
    if (transition.id === 'arrived') {
      const mail = await lockOutgoing(tx, id)
      if (!mail) return
      const { accountId, staffId, subject } = mail
      await tx.query('update mail_outgoing set sent_at = coalesce(sent_at, $2) where id = $1', [id, now.toISOString()])
      await logMail(tx, [{ accountId, action: 'sent', staffId, subject, result: 'arrived' }], now)
    }
  },
})
