import type { SaveHook } from '../../../entities'
import { aiCallChargeOf, callChargeOf } from '../rating/calls'
import type { PricedRate, RatedDestination } from '../rating/rates'
import { countryOfNumber, digitsOf } from './numbers'
import { chargeBothSides, ratedRecords } from './rated'
import { moment, text } from './sides'

/** Rates a call when it comes in: seconds, price and cost of its longest prefix (quotes-traffic 5.2, 5.5). */
export const callRecordService = ratedRecords({
  moment: 'startAt',
  key: 'callId',
  route: ['landingGatewayId', 'biz.gateway'],
  rate(row) {
    const { hook, record } = row
    measure(hook)
    if (text(record.accountId) === '') return
    const answered = text(record.answerAt) !== ''
    const duration = answered ? Number(record.durationMs) : 0
    const product = record.product === 'aiVoice' || record.product === 'otpVoice' ? record.product : 'voice'
    const charge = (rate: PricedRate) => {
      const { billSec, amount } = (product === 'aiVoice' ? aiCallChargeOf : callChargeOf)(duration, rate)
      const free = rate.billingMode === 'verified' && record.otpVerified !== true
      return { billSec: free ? 0 : billSec, amount: free ? '0' : amount, billable: billSec > 0 && !free }
    }
    const destination: RatedDestination = {
      ...{ product, number: digitsOf(text(record.callee)) },
      ...{ routeClass: text(record.routeClass), aiModel: text(record.aiModel) },
    }
    // a call that was not answered has nothing to be priced
    const { price, cost } = chargeBothSides(row, [destination, destination], { refused: !answered, charge })
    Object.assign(record, {
      ...{ prefix: price?.prefix || null, destination: price?.destination || cost?.destination || null },
      setupFee: product === 'aiVoice' ? null : (price?.setupFee ?? null),
      billSec: price && record.testFlag !== true ? charge(price).billSec : 0,
      costBillSec: cost ? charge(cost).billSec : 0,
    })
  },
})

/** Duration, ringing and country, as far as the call tells them by its moments and its number. */
function measure({ record, fail }: SaveHook): void {
  const [start, ring, answer, end] = [record.startAt, record.ringAt, record.answerAt, record.endAt].map(moment) as [
    number,
    number,
    number,
    number,
  ]
  if (answer < start || end < answer || end < start)
    fail({
      field: 'endAt',
      message: { zh: '开始、接通、结束时间的先后不对。', en: 'A call begins, is answered and ends, in this order.' },
    })
  if (Number.isNaN(answer)) record.durationMs = 0
  else record.durationMs ??= Math.max(0, end - answer) || 0
  const heard = Number.isNaN(ring) ? answer : ring
  if (heard >= start) record.pddMs ??= heard - start
  record.country ??= countryOfNumber(text(record.callee))
}
