import type { EntityService } from '../../../entities'
import { closeTodos } from '../../../todos'

/** Who answers a mail of a shared mailbox: the second one hears of the first before he begins. */
export const followService: EntityService<'mail.message'> = {
  guard: ({ transition, before, context, now }) => {
    const { readingById, readingUntil } = before
    const isOther = typeof readingById === 'string' && readingById !== context.user.staffId
    const isStill = typeof readingUntil === 'string' && new Date(readingUntil) > now
    if (transition.id !== 'read' || !isOther || !isStill) return null
    const since = new Date(new Date(readingUntil).getTime() - 300_000).toISOString().slice(11, 16)
    return { zh: `同事自 ${since} (UTC) 起正在处理。`, en: `Somebody else is answering since ${since} (UTC).` }
  },
  afterEffect: async ({ transition, record, tx, now }) => {
    if (transition.id === 'close' || transition.id === 'assign')
      await closeTodos(tx, { entity: 'mail.message', ids: [record.id] }, { as: 'done', now })
  },
}
