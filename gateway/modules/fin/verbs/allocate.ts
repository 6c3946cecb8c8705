import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { payBills } from '../bills/paying'
import { unallocatedOf } from '../bills/collections'
import { customerAccount, recordOf, todayOf, type FinContext, type Given } from '../facts'
import { oneByOne } from '../acts/documents'
import type { ModuleVerb } from '../../module'

/**
 * `fin.allocate`: settles a bill with what came in for its account and is on no bill: with `collectionId` of that receipt or note, else of
 * the oldest first; `amount`: no more than that. The rate of the day of the money decides what was won or lost by it.
 */
export const verb: ModuleVerb = oneByOne(allocated)

async function allocated(fin: FinContext, given: Given): Promise<null> {
  const bill = await recordOf(fin, 'fin.bill', given.needed('billId'), { zh: '账单', en: 'bill' })
  const collectionId = given.text('collectionId')
  const account = await customerAccount(fin, bill.accountId ?? '')
  const free = await unallocatedOf(fin, account.id)
  const rows = free.filter(({ id }) => collectionId === '' || id === collectionId)
  const most = least(
    rows.reduce((sum, row) => sum.plus(row.unallocated ?? '0'), new Exact(0)),
    bill.openAmount,
  )
  const asked = given.text('amount') === '' ? most : new Exact(given.positive('amount'))
  if (!asked.gt(0) || asked.gt(most)) throw tooMuch(bill, exactText(most), collectionId !== '' && rows.length === 0)
  let left = asked
  for (const row of rows) {
    const part = least(left, row.unallocated ?? '0')
    if (!part.gt(0)) break
    left = left.minus(part)
    await payBills(fin, {
      account,
      amount: exactText(part),
      postingId: row.postingId ? row.postingId : null,
      collectionId: row.id,
      bizDate: row.paidAt ?? todayOf(fin, account.record),
      postedOn: todayOf(fin, account.record),
      named: [bill.id],
      only: true,
    })
  }
  return null
}

const least = (one: Exact, other: string): Exact => (one.gt(other) ? new Exact(other) : one)

const tooMuch = (bill: RecordOf<'fin.bill'>, most: string, other: boolean): ServiceError =>
  new ServiceError('factsChanged', {
    message: other
      ? {
          zh: `账单 ${bill.code} 属于另一账户，请选择同一账户的账单。`,
          en: `The bill ${bill.code} is of another account. Choose one of the account that the money came for.`,
        }
      : {
          zh: `账单 ${bill.code} 现在最多可核销 ${most} ${bill.currency}（未核销的回款与账单未收金额中较小者）。`,
          en: `No more than ${most} ${bill.currency} can settle the bill ${bill.code} now: what is open on it, and what came in and is on no bill.`,
        },
    data: { field: 'amount', most },
  })
