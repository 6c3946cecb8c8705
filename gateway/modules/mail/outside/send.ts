import { FinalRefusal, type TableAsked } from '../../../entities'
import type { PaperAsked } from '../../../papers'
import { ServiceError } from '../../../platform/http'
import type { ModuleOutsideVerb } from '../../module'
import { openedParts } from '../parts'
import { orderMail, sendingOf } from '../send/order'

const LOOK_EVERY = 300

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * `mail.send`: a mail of another module, from the own mailbox of `staffId`, else from one of the team (`from`: its address, else the first one of the system); `table`
 * goes along as a workbook, `paper` (its name, `recordId`, `language`) as PDF. Done when it was sent, not when it waits; however often it is asked, it is one mail. Answers when it was sent, to whom, from where, and
 * its copy in Sent.
 */
export const outside: ModuleOutsideVerb = async ({ engine, with: order, key, signal }) => {
  const parts = openedParts(engine)
  const { from, staffId, to, cc, subject, html, table, paper } = order
  await orderMail(parts, key, {
    ...{ from: text(from), staffId: text(staffId) || null, to: text(to), cc: text(cc), subject: text(subject), html: text(html) },
    ...(table ? { table: table as TableAsked } : {}),
    ...(paper ? { paper: paper as PaperAsked } : {}),
  }).catch((error: unknown) => {
    // a wrong address stays wrong, as does one that nobody reaches from here; whoever reads of it may read either language
    if (!(error instanceof ServiceError) || error.reason !== 'validationFailed') throw error
    throw new FinalRefusal(`${error.text.zh} ${error.text.en}`)
  })
  for (;;) {
    const { state, sentAt, lastError, address, copy } = await sendingOf(parts.database, key)
    if (state === 'sent') return { sentAt, sentTo: text(to).slice(0, 300), mailFrom: address, mailboxMessageId: copy }
    if (state === 'failed' || state === 'cancelled') throw new FinalRefusal(lastError ?? state)
    if (signal.aborted) throw new Error('it is still on its way')
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY))
  }
}
