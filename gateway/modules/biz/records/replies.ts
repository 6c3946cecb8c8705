import type { EntityRecord, SaveHook } from '../../../entities'
import { batchService } from './batch'
import { countryOfNumber } from './numbers'
import { groupedBy, moment, recordsBy, text, valuesOf } from './sides'

/** How long after a message a reply belongs to it. */
const LINKED = 72 * 3_600_000
/** What people write to get no more messages. */
const STOP = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'TD', 'T', '退订', '退', 'N']

/** The first word of a reply, in capitals. */
export const keywordOf = (content: string): string =>
  content
    .trim()
    .split(/[\s,.;:!?，。！]+/u)[0]
    ?.toUpperCase() ?? ''

/** Whether somebody asks for no more messages. */
export const isOptOut = (content: string): boolean => STOP.includes(keywordOf(content))

interface Known {
  /** Messages that the senders of the replies got, the newest first, by number. */
  sent: ReadonlyMap<string, readonly EntityRecord[]>
  apps: ReadonlyMap<string, EntityRecord>
}

async function read(hooks: readonly SaveHook[]): Promise<Known> {
  const [first] = hooks
  if (!first) return { sent: new Map(), apps: new Map() }
  const moments = hooks.map(({ record }) => moment(record.receivedAt)).filter((at) => !Number.isNaN(at))
  const numbers = valuesOf(hooks, 'fromNumber')
  const sent =
    moments.length === 0 || numbers.length === 0
      ? []
      : await first.entities.list('biz.smsRecord', {
          where: [
            { field: 'toNumber', operator: 'in', value: numbers },
            { field: 'submittedAt', operator: 'gte', value: new Date(Math.min(...moments) - LINKED).toISOString() },
          ],
          sort: [{ field: 'submittedAt', order: 'desc' }],
          limit: 100_000,
        })
  const apps = await recordsBy(first, 'biz.application', 'id', valuesOf(hooks, 'appId'))
  return { sent: groupedBy(sent, ({ toNumber }) => text(toNumber)), apps }
}

/** A reply belongs to the last message of 72 hours between the same two numbers, and says whether it ends them (quotes-traffic 2.5). */
export const smsMoService = batchService<Known>({
  read,
  fill({ record }, { sent, apps }) {
    const at = moment(record.receivedAt)
    const last = sent.get(text(record.fromNumber))?.find(({ submittedAt, senderId }) => {
      const before = at - moment(submittedAt)
      return senderId === record.toNumber && before >= 0 && before <= LINKED
    })
    record.appId ??= last?.appId ?? null
    record.customerId ??= last?.customerId ?? apps.get(text(record.appId))?.customerId ?? null
    Object.assign(record, {
      linkedMsgId: last?.msgId ?? null,
      country: record.country ?? countryOfNumber(text(record.fromNumber)),
      keyword: keywordOf(text(record.content)).slice(0, 20) || null,
      optOut: isOptOut(text(record.content)),
    })
  },
})
