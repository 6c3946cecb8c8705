import { segmentsOf } from '../../../src/schema/sms/segments'
import type { EntityRecord, EntityService, SaveHook } from '../../entities'
import { amountOf, isBillable, type MessageOutcome } from './rating/messages'
import { chargeBothSides, ratedRecords } from './records/rated'
import { moment, recordsBy, text, valuesOf } from './records/sides'

/** Queues by the batch of their messages. */
type Queues = ReadonlyMap<string, EntityRecord>

const queuesOf = async (hooks: readonly SaveHook[]): Promise<Queues> =>
  hooks[0] ? recordsBy(hooks[0], 'biz.apiQueue', 'batchId', valuesOf(hooks, 'batchId')) : new Map()

/** Rates a record of a message when it comes in: segments, days, price and cost (quotes-traffic 5.3, 5.4, 7.1). */
const rated = ratedRecords<Queues>({
  moment: 'submittedAt',
  key: 'msgId',
  route: ['channelId', 'biz.channel'],
  read: queuesOf,
  rate(row) {
    const { record, more } = row
    if (text(record.accountId) === '') return
    Object.assign(record, segmentsOf(text(record.content)))
    const [sent, received] = [moment(record.sentAt), moment(record.dlrAt)]
    record.latency = received >= sent ? Math.round((received - sent) / 1000) : null
    record.queueId = more.get(text(record.batchId))?.id ?? null
    const destination = {
      product: record.product === 'otpSms' ? ('otpSms' as const) : ('sms' as const),
      ...{ country: text(record.country), mccmnc: text(record.mccmnc), routeClass: text(record.routeClass) },
    }
    const outcome: MessageOutcome = {
      ...{ status: text(record.status), sent: !Number.isNaN(sent) },
      ...{ late: record.late === true, verified: record.otpVerified === true },
    }
    chargeBothSides(row, [destination, destination], {
      refused: outcome.status === 'rejected',
      charge: ({ price, billingMode = 'sent' }) => {
        const billable = isBillable(billingMode, outcome)
        return { billable, amount: amountOf(price, Number(record.segments), billable) }
      },
    })
  },
})

/** Records of messages. */
export const smsRecordService: EntityService = rated
