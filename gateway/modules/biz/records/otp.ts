import type { EntityRecord, SaveHook } from '../../../entities'
import { amountOf, isBillable } from '../rating/messages'
import type { RatedDestination } from '../rating/rates'
import { countryOfNumber, digitsOf } from './numbers'
import { chargeBothSides, ratedRecords } from './rated'
import { SENDS } from '../usage/codes'
import { recordsBy, text, valuesOf } from './sides'

/** Records of what was sent, by channel and the id of the send. */
type Sends = Readonly<Record<string, ReadonlyMap<string, EntityRecord>>>
const MONEY = [
  'price',
  'rateId',
  'revenue',
  'billable',
  'cost',
  'costRateId',
  'costAmount',
  'costBillable',
  'costDay',
  'costCurrency',
  'supplierId',
] as const

async function sendsOf(hooks: readonly SaveHook[]): Promise<Sends> {
  const [first] = hooks
  if (!first) return {}
  const found: Record<string, ReadonlyMap<string, EntityRecord>> = {}
  for (const [channel, { entity, field }] of Object.entries(SENDS)) {
    const some = hooks.filter(({ record }) => record.channel === channel)
    found[channel] = await recordsBy(first, entity, field, valuesOf(some, 'msgId'))
  }
  return found
}

/** A one-time code costs what its send costs, which is charged for it; where its send has no record here it is rated and charged by itself. */
export const otpRecordService = ratedRecords<Sends>({
  moment: 'requestedAt',
  key: 'otpId',
  read: sendsOf,
  rate(row) {
    const { record, more } = row
    record.country ??= countryOfNumber(text(record.toNumber))
    const channel = text(record.channel)
    const send = more[channel]?.get(text(record.msgId))
    record.chargedBySend = send !== undefined
    if (send) {
      for (const field of MONEY) record[field] = send[field] ?? null
      return
    }
    const destination: RatedDestination = {
      product: channel === 'voice' ? 'otpVoice' : channel === 'whatsapp' ? 'whatsapp' : 'otpSms',
      ...{ country: text(record.country), mccmnc: text(record.mccmnc), waCategory: 'authentication' },
      number: digitsOf(text(record.toNumber)),
    }
    const failed = record.status === 'failed'
    const outcome = { status: failed ? 'failed' : 'delivered', sent: !failed, verified: record.status === 'verified' }
    chargeBothSides(row, [destination, destination], {
      refused: failed,
      charge: ({ price, billingMode = 'delivered' }) => {
        const billable = isBillable(billingMode, outcome)
        return { billable, amount: amountOf(price, 1, billable) }
      },
    })
  },
})
