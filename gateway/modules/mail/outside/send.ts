import type { ModuleOutsideVerb } from '../../module'
import { openedParts } from '../parts'
import { orderMail, sendingOf } from '../send/order'

const LOOK_EVERY = 300

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * `mail.send`: a mail of another module, from a mailbox of the team (`from`: its address, else the first one of the system). Done when it was sent, not when it waits;
 * however often it is asked, it is one mail. Answers when it was sent, and to whom.
 */
export const outside: ModuleOutsideVerb = async ({ engine, with: order, key, signal }) => {
  const parts = openedParts(engine)
  const { from, to, cc, subject, html } = order
  await orderMail(parts, key, { from: text(from), to: text(to), cc: text(cc), subject: text(subject), html: text(html) })
  for (;;) {
    const { state, sentAt, lastError } = await sendingOf(parts.database, key)
    if (state === 'sent') return { sentAt, sentTo: text(to).slice(0, 300) }
    if (state === 'failed' || state === 'cancelled') throw new Error(lastError ?? state)
    if (signal.aborted) throw new Error('it is still on its way')
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY))
  }
}
