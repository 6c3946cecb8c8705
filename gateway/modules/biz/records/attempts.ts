import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, SaveHook } from '../../../entities'
import { accountDay } from '../../fin'
import { dayLocks, type DayLock } from '../lock/lock'
import { amountOf, isBillable } from '../rating/messages'
import { batchService } from './batch'
import { groupedBy, moment, NOBODY, readSide, recordsBy, text, valuesOf, type Side } from './sides'

interface Known {
  /** Messages that were tried, by their id. */
  messages: ReadonlyMap<string, EntityRecord>
  suppliers: Side
  locks: ReadonlyMap<string, DayLock>
}

async function read(hooks: readonly SaveHook[]): Promise<Known> {
  const [first] = hooks
  if (!first) return { messages: new Map(), suppliers: NOBODY, locks: new Map() }
  const channels = await recordsBy(first, 'biz.channel', 'id', valuesOf(hooks, 'channelId'))
  for (const { record } of hooks) record.supplierAccountId ??= channels.get(text(record.channelId))?.supplierAccountId ?? null
  const keys = ['srm.supplierAccount', 'qm.supplierRate', 'supplierAccountId'] as const
  const messages = await recordsBy(first, 'biz.smsRecord', 'msgId', valuesOf(hooks, 'msgId'))
  return {
    messages,
    locks: await dayLocks(first.tx, [...messages.values()].map(({ accountId }) => text(accountId))), // prettier-ignore
    suppliers: await readSide(first, keys, valuesOf(hooks, 'supplierAccountId')),
  }
}

/** What a try of a message costs at the rates of the channel that was tried (quotes-traffic 5.4). */
function fill({ record, tx, fail }: SaveHook, { messages, suppliers, locks }: Known): void {
  const message = messages.get(text(record.msgId))
  if (!message) {
    fail({ field: 'msgId', message: { zh: '没有此消息的发送记录。', en: 'There is no record of this message.' } })
    return
  }
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
  const found = suppliers.books.get(text(record.supplierAccountId))?.find(
    {
      product: message.product === 'otpSms' ? 'otpSms' : 'sms',
      ...{ country: text(message.country), mccmnc: text(message.mccmnc), routeClass: text(message.routeClass) },
    },
    at,
  )
  const rate = found && 'rate' in found ? found.rate : null
  const outcome = { status: text(record.status), sent: record.status !== 'rejected' }
  const costBillable = rate !== null && isBillable(rate.billingMode ?? 'sent', outcome)
  record.segments ??= message.segments ?? 1
  Object.assign(record, {
    ...{ customerId: message.customerId ?? null, supplierId: supplier?.supplierId ?? null },
    ...{ cost: rate?.price ?? null, costRateId: rate?.id ?? null, costCurrency: text(supplier?.currency) || null },
    ...{ costBillable, costDay: supplier ? accountDay(supplier, new Date(at), tx.companyTimeZone) : null },
    costAmount: rate ? amountOf(rate.price, Number(record.segments), costBillable) : '0',
  })
}

/** A message costs what all its tries cost, as far as they are paid in its currency. */
async function written(hooks: readonly SaveHook[]): Promise<void> {
  const [first] = hooks
  if (!first) return
  const msgIds = valuesOf(hooks, 'msgId')
  const messages = await recordsBy(first, 'biz.smsRecord', 'msgId', msgIds)
  const where = [{ field: 'msgId', operator: 'in' as const, value: msgIds }]
  const attempts = await first.entities.list('biz.smsAttempt', { where, limit: 100_000 })
  const changes = new Map<string, EntityRecord>()
  for (const [msgId, tries] of groupedBy(attempts, (one) => text(one.msgId))) {
    const message = messages.get(msgId)
    if (!message) continue
    const paid = tries.filter(({ costCurrency }) => costCurrency === message.costCurrency)
    const sum = paid.reduce((total, { costAmount }) => total.plus(text(costAmount) || '0'), new Exact(0))
    changes.set(text(message.id), { attempts: tries.length, ...(paid.length > 0 ? { costAmount: exactText(sum) } : {}) })
  }
  await first.entities.changeMany('biz.smsRecord', changes)
}

export const smsAttemptService = batchService<Known>({ read, fill, written })
