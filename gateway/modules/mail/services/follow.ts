import type { EntityService } from '../../../entities'
import { closeTodos } from '../../../todos'
import type { MailParts } from '../parts'
import { answerWish } from '../send/receipt'

/** Who answers a mail of a shared mailbox: the second one hears of the first before he begins. Whether its writer hears that it was read. */
export const followService = (parts: () => MailParts): EntityService<'mail.message'> => ({
  guard: ({ transition, before, context, now }) => {
    if (transition.id === 'receipt' || transition.id === 'withoutReceipt')
      return before.receiptState === 'asked'
        ? null
        : { zh: '这封邮件没有等待回执。', en: 'This mail does not wait for a read receipt.' }
    const { readingById, readingUntil } = before
    const isOther = typeof readingById === 'string' && readingById !== context.user.staffId
    const isStill = typeof readingUntil === 'string' && new Date(readingUntil) > now
    if (transition.id !== 'read' || !isOther || !isStill) return null
    const since = new Date(new Date(readingUntil).getTime() - 300_000).toISOString().slice(11, 16)
    return { zh: `同事自 ${since} (UTC) 起正在处理。`, en: `Somebody else is answering since ${since} (UTC).` }
  },
  afterEffect: async (hook) => {
    const { transition, record, tx, now } = hook
    if (transition.id === 'close' || transition.id === 'assign')
      await closeTodos(tx, { entity: 'mail.message', ids: [record.id] }, { as: 'done', now })
    if (transition.id === 'receipt' || transition.id === 'withoutReceipt')
      await answerWish(parts(), hook, transition.id === 'receipt')
  },
})
