import type { EntityRecord, EntityService, SaveHook } from '../../../entities'
import { amountOf } from '../rating/messages'
import { freeReasonOf, isWaBillable, windowEnd, type WaWindow } from '../rating/whatsapp'
import { batchService } from './batch'
import { countryOfNumber } from './numbers'
import { chargeBothSides, ratedRecords } from './rated'
import { groupedBy, moment, recordsBy, text, valuesOf } from './sides'

/** Sessions by business number and user, the newest first. */
type Sessions = ReadonlyMap<string, readonly EntityRecord[]>
const pairOf = (business: unknown, user: unknown): string => `${text(business)} ${text(user)}`

async function sessionsOf(hooks: readonly SaveHook[]): Promise<Sessions> {
  const users = valuesOf(hooks, 'toNumber')
  if (!hooks[0] || users.length === 0) return new Map()
  const found = await hooks[0].entities.list('biz.waSession', {
    where: [{ field: 'userNumber', operator: 'in', value: users }],
    sort: [{ field: 'openedAt', order: 'desc' }],
    limit: 100_000,
  })
  return groupedBy(found, ({ wabaNumber, userNumber }) => pairOf(wabaNumber, userNumber))
}

const windowOf = (session: EntityRecord): WaWindow => ({
  openedBy: text(session.openedBy) as WaWindow['openedBy'],
  openedAt: moment(session.openedAt),
  lastInAt: session.lastInAt ? moment(session.lastInAt) : null,
})

/** Rates a WhatsApp message when it comes in: its session, why it is free, its category and price (quotes-traffic 5.7). */
export const waRecordService = ratedRecords<Sessions>({
  moment: 'submittedAt',
  key: 'waId',
  read: sessionsOf,
  rate(row) {
    const { record, at, more } = row
    record.country ??= countryOfNumber(text(record.toNumber))
    const sessions = more.get(pairOf(record.wabaNumber, record.toNumber)) ?? []
    const session = sessions.find((one) => moment(one.openedAt) <= at && at < windowEnd(windowOf(one)))
    record.sessionId = session?.id ?? null
    record.origin ??= session?.openedBy ?? 'business'
    const freeReason = freeReasonOf(text(record.category), at, session ? windowOf(session) : null)
    const free = freeReason !== null
    const status = text(record.status)
    const destination = {
      product: 'whatsapp' as const,
      ...{ country: text(record.country), waCategory: text(record.category) },
      businessCountry: countryOfNumber(text(record.wabaNumber)) ?? '',
    }
    const { price } = chargeBothSides(row, [destination, destination], {
      refused: free || !isWaBillable(status, null),
      charge: ({ price: unit }) => {
        const billable = isWaBillable(status, freeReason)
        return { billable, amount: amountOf(unit, 1, billable) }
      },
    })
    if (price?.rateKey.includes('|authenticationInternational')) record.category = 'authenticationInternational'
    Object.assign(record, { free, freeReason })
  },
})

/** A session belongs to the customer of its account; its user's number tells the country. What is left of it runs off while one looks. */
export const waSessionService: EntityService<'biz.waSession'> = {
  ...batchService({
    read: async (hooks) =>
      hooks[0] ? recordsBy(hooks[0], 'fin.customerAccount', 'id', valuesOf(hooks, 'accountId')) : new Map<string, EntityRecord>(),
    fill: ({ record }, accounts) => {
      const account = accounts.get(text(record.accountId))
      record.customerId = account?.customerId ?? null
      record.currency = account?.currency ?? null
      record.country ??= countryOfNumber(text(record.userNumber))
    },
  }),
  computeFields(records, { now }) {
    for (const record of records) {
      const left = moment(record.expiresAt) - now.getTime()
      record.minutesLeft = left > 0 ? Math.ceil(left / 60_000) : null
    }
  },
}
