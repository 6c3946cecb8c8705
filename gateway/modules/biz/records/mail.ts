import { amountOf } from '../rating/messages'
import { chargeBothSides, ratedRecords } from './rated'
import { text } from './sides'

/** States of a mail that the other server has taken. */
const TAKEN = ['delivered', 'opened', 'clicked', 'complained']

/** Whether a mail is charged: once the recipient's server accepted it (quotes-traffic 2.5, 5.5). */
export const isMailBillable = (status: string): boolean => TAKEN.includes(status)

/** Rates a mail when it comes in. */
export const mailRecordService = ratedRecords({
  moment: 'submittedAt',
  key: 'mailId',
  rate(row) {
    const { record } = row
    record.domain = text(record.toEmail).split('@').at(-1)?.toLowerCase() || null
    const billable = isMailBillable(text(record.status))
    chargeBothSides(row, [{ product: 'mail' }, { product: 'mail' }], {
      refused: !billable,
      charge: ({ price }) => ({ billable, amount: amountOf(price, 1, billable) }),
    })
  },
})
