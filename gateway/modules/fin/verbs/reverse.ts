import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { newId } from '../../../platform/database'
import { payBills, unallocate } from '../bills/books'
import { collectionsFall } from '../bills/collections'
import { recordOf, type FinContext, type Given } from '../facts'
import { openMonth, reverse } from '../ledger/post'

/**
 * `fin.reverse`: a document that was posted and should not have been (money 1.3, L9, H4). Its posting is mirrored, in a closed month on
 * the first open day; bills that its money paid are open again, and platforms that heard of it hear that it is taken back.
 */
export async function reverseDocument(fin: FinContext, given: Given): Promise<null> {
  const postingId = given.needed('postingId')
  const paid = await fin.entities.list('fin.allocation', {
    where: [
      { field: 'postingId', operator: 'eq', value: postingId },
      { field: 'status', operator: 'eq', value: 'live' },
    ],
  })
  await fin.entities.transitions('fin.allocation', paid.map(({ id }) => String(id)), 'reverse') // prettier-ignore
  const reversed = await reverse(fin, postingId, given.needed('reason'))
  await collectionsFall(fin, postingId)
  await takeBack(fin, postingId, reversed.postingId)
  return null
}

/** `fin.unallocate`: an allocation is undone; `toBillId`: its money pays another bill of the account. By hand only in an open month. */
export async function undoAllocation(fin: FinContext, given: Given): Promise<null> {
  const allocation = await recordOf(fin, 'fin.allocation', given.needed('allocationId'), { zh: '核销', en: 'allocation' })
  const byHand = given.flag('byHand', false)
  const posting = allocation.postingId ? await fin.entities.find('fin.posting', String(allocation.postingId)) : null
  if (byHand && posting)
    await openMonth(fin.tx, { companyEntityId: String(posting.companyEntityId), bizDate: String(posting.bizDate) })
  const account = await unallocate(fin, allocation)
  const toBillId = given.text('toBillId')
  if (toBillId !== '')
    await payBills(fin, {
      account,
      amount: String(allocation.amount),
      postingId: posting ? String(posting.id) : null,
      bizDate: String(posting?.bizDate ?? allocation.at).slice(0, 10),
      named: [toBillId],
      only: true,
    })
  return null
}

/** What each platform was or will be told is told again with the sign turned. */
async function takeBack(fin: FinContext, postingId: string, reversalId: string): Promise<void> {
  const { rows } = await fin.tx.query<EntityRecord>(
    sql`select target, source_type as "sourceType", customer_id as "customerId", account_id as "accountId", amount::text as amount, currency
      from fin_recharge_record where posting_id = ${postingId} and deleted_at is null order by id`,
  )
  if (rows.length === 0) return
  const codes = await fin.entities.numbers('fin.rechargeRecord', 'code', rows.length)
  await fin.entities.insertMany(
    'fin.rechargeRecord',
    rows.map((row, index) => ({
      ...row,
      id: newId(),
      code: codes[index],
      sourceId: reversalId,
      postingId: reversalId,
      amount: exactText(new Exact(0).minus(String(row.amount))),
      status: 'waiting',
      tries: 0,
      createdAt: fin.now.toISOString(),
      createdBy: fin.context.user.staffId,
    })),
  )
}
