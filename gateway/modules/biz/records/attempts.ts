import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, SaveHook } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import { amountOf, isBillable } from '../rating/messages'
import { batchService } from './batch'
import { groupedBy, moment, NOBODY, readSide, recordsBy, text, valuesOf, type Side } from './sides'

interface Known {
  /** Messages that were tried, by their id. */
  messages: ReadonlyMap<string, EntityRecord>
  suppliers: Side
}

async function read(hooks: readonly SaveHook[]): Promise<Known> {
  const [first] = hooks
  if (!first) return { messages: new Map(), suppliers: NOBODY }
  const channels = await recordsBy(first, 'biz.channel', 'id', valuesOf(hooks, 'channelId'))
  for (const { record } of hooks) record.supplierAccountId ??= channels.get(text(record.channelId))?.supplierAccountId ?? null
  const keys = ['srm.supplierAccount', 'qm.supplierRate', 'supplierAccountId'] as const
  return {
    messages: await recordsBy(first, 'biz.smsRecord', 'msgId', valuesOf(hooks, 'msgId')),
    suppliers: await readSide(first, keys, valuesOf(hooks, 'supplierAccountId')),
  }
}

/** What a try of a message costs at the rates of the channel that was tried (quotes-traffic 5.4). */
function fill({ record, tx, fail }: SaveHook, { messages, suppliers }: Known): void {
  const message = messages.get(text(record.msgId))
  if (!message) {
    fail({ field: 'msgId', message: { zh: '没有此消息的发送记录。', en: 'There is no record of this message.' } })
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
    ...{ costBillable, costDay: supplier ? dayOf(new Date(at), text(supplier.timezone) || tx.companyTimeZone) : null },
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
