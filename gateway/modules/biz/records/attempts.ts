import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, SaveHook } from '../../../entities'
import { accountDay } from '../../fin'
import { dayLocks, type DayLock } from '../lock/lock'
import { amountOf, isBillable } from '../rating/messages'
import type { RatedDestination } from '../rating/rates'
import { batchService } from './batch'
import { findRate, groupedBy, moment, NOBODY, readSide, recordsBy, text, valuesOf, type Side } from './sides'

interface Known {
  /** Messages that were tried, by their id. */
  messages: ReadonlyMap<string, EntityRecord>
  /** Ids of the tries that are there; those of the batch join them. */
  taken: Map<string, unknown>
  suppliers: Side
  locks: ReadonlyMap<string, DayLock>
}

async function read(hooks: readonly SaveHook[]): Promise<Known> {
  const [first] = hooks
  if (!first) return { messages: new Map(), taken: new Map(), suppliers: NOBODY, locks: new Map() }
  const channels = await recordsBy(first, 'biz.channel', 'id', valuesOf(hooks, 'channelId'))
  for (const { record } of hooks) record.supplierAccountId ??= channels.get(text(record.channelId))?.supplierAccountId ?? null
  const keys = ['srm.supplierAccount', 'qm.supplierRate', 'supplierAccountId'] as const
  const messages = await recordsBy(first, 'biz.smsRecord', 'msgId', valuesOf(hooks, 'msgId'))
  const tries = [...(await attemptsOf(first, valuesOf(hooks, 'msgId'))).values()].flat()
  return {
    messages,
    taken: new Map(tries.map((one) => [tryOf(one), one.id])),
    locks: await dayLocks(
      first.tx,
      [...messages.values()].map(({ accountId }) => text(accountId)),
    ),
    suppliers: await readSide(first, keys, valuesOf(hooks, 'supplierAccountId')),
  }
}

/** A message and which of its tries. */
const tryOf = ({ msgId, attemptNo }: EntityRecord): string => `${text(msgId)} ${Number(attemptNo)}`

/** What a try of a message costs at the rates of the channel that was tried (quotes-traffic 5.4). */
function fill({ record, tx, fail }: SaveHook, { messages, suppliers, locks, taken }: Known): void {
  const message = messages.get(text(record.msgId))
  if (!message) {
    fail({ field: 'msgId', message: { zh: '没有此消息的发送记录。', en: 'There is no record of this message.' } })
    return
  }
  if (taken.has(tryOf(record)) && taken.get(tryOf(record)) !== record.id) {
    fail({
      field: 'attemptNo',
      message: {
        zh: '该次尝试已有记录，不会重复计费。',
        en: 'This try of the message is there already; it is not charged again.',
      },
    })
    return
  }
  taken.set(tryOf(record), record.id)
  if (text(message.billDay) !== '' && text(message.billDay) <= (locks.get(text(message.accountId))?.through ?? '')) {
    fail({
      field: 'msgId',
      message: {
        zh: '消息的记账日已锁账，成本不再变动。',
        en: 'The day of this message is locked: its cost does not change any more.',
      },
    })
    return
  }
  const supplier = suppliers.accounts.get(text(record.supplierAccountId))
  const at = moment(message.submittedAt)
  const destination: RatedDestination = {
    product: message.product === 'otpSms' ? 'otpSms' : 'sms',
    ...{ country: text(message.country), mccmnc: text(message.mccmnc), routeClass: text(message.routeClass) },
  }
  const found = findRate(suppliers, text(record.supplierAccountId), destination, at, text(record.channelId))
  const rate = 'rate' in found ? found.rate : null
  const charged = isBillable(rate?.billingMode ?? 'sent', {
    ...{ status: text(record.status), sent: record.status !== 'rejected', verified: message.otpVerified === true },
  })
  record.segments ??= message.segments ?? 1
  Object.assign(record, {
    ...{
      product: destination.product,
      customerId: message.customerId ?? null,
      accountId: message.accountId,
      billDay: message.billDay ?? null,
    },
    ...{ submittedAt: message.submittedAt, testFlag: message.testFlag === true, supplierId: supplier?.supplierId ?? null },
    ...{ cost: rate?.price ?? null, costRateId: rate?.id ?? null, costCurrency: text(supplier?.currency) || null },
    ...{ costDay: supplier ? accountDay(supplier, new Date(at), tx.companyTimeZone) : null },
    ...{ costBillable: rate !== null && charged },
    // without a cost rate it has no cost, which is not a cost of 0
    costAmount: rate ? amountOf(rate.price, Number(record.segments), charged) : supplier && charged ? null : '0',
  })
}

/**
 * A message that has tries leaves its cost to them (quotes-traffic 2.4): each is charged to its own supplier account, in its currency and on its day. The message
 * shows the route of its last try, and what its tries cost together where that is one sum.
 */
async function written(hooks: readonly SaveHook[]): Promise<void> {
  const [first] = hooks
  if (!first) return
  const msgIds = valuesOf(hooks, 'msgId')
  const messages = await recordsBy(first, 'biz.smsRecord', 'msgId', msgIds)
  const tries = await attemptsOf(first, msgIds)
  const changes = new Map<string, EntityRecord>()
  for (const [msgId, own] of tries) {
    const message = messages.get(msgId)
    const last = own.at(-1)
    if (!message || !last) continue
    const route = Object.fromEntries(OF_LAST.map((field) => [field, last[field] ?? null]))
    changes.set(text(message.id), { ...route, attempts: own.length, costByAttempts: true, costAmount: costOf(own) })
  }
  await first.entities.changeMany('biz.smsRecord', changes)
}

/** What a message shows of its last try. */
const OF_LAST = [
  'channelId',
  'supplierAccountId',
  'supplierId',
  'cost',
  'costCurrency',
  'costRateId',
  'costBillable',
  'costDay',
] as const

/** Tries by their message, the last one last. */
export async function attemptsOf(
  { entities }: Pick<SaveHook, 'entities'>,
  msgIds: readonly string[],
): Promise<ReadonlyMap<string, readonly EntityRecord[]>> {
  if (msgIds.length === 0) return new Map()
  const tries = await entities.list('biz.smsAttempt', {
    where: [{ field: 'msgId', operator: 'in', value: [...msgIds] }],
    sort: [{ field: 'attemptNo', order: 'asc' }],
    limit: 100_000,
  })
  return groupedBy(tries, ({ msgId }) => text(msgId))
}

/** What tries cost together; null where they are paid in different currencies, or one has no cost rate. */
export function costOf(tries: readonly EntityRecord[]): string | null {
  const paid = tries.filter(({ costAmount }) => costAmount === null || !new Exact(text(costAmount) || '0').isZero())
  if (paid.some(({ costAmount }) => costAmount === null)) return null
  if (new Set(paid.map(({ costCurrency }) => costCurrency)).size > 1) return null
  return exactText(paid.reduce((sum, { costAmount }) => sum.plus(text(costAmount)), new Exact(0)))
}

export const smsAttemptService = batchService<Known>({ read, fill, written })
