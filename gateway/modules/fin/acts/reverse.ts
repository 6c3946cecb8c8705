import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { newId } from '../../../platform/database'
import { CONSUMPTION } from '../bills/rules'
import { payBills, unallocate } from '../bills/paying'
import { noteBalance, rowsFall } from '../bills/refunds'
import { customerAccount, recordOf, type FinContext, type Given } from '../facts'
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
  await fin.entities.transitions(
    'fin.allocation',
    paid.map(({ id }) => id),
    'reverse',
  )
  const reversed = await reverse(fin, postingId, given.needed('reason'))
  await rowsFall(fin, postingId, given.needed('reason'))
  await balanceFalls(fin, postingId)
  await takeBack(fin, postingId, reversed.postingId)
  return null
}

/** Money of a time when its account was prepaid is taken from what a post-paid account has from before its bills: no row stands for it. */
async function balanceFalls(fin: FinContext, postingId: string): Promise<void> {
  const { rows } = await fin.tx.query<{ accountId: string; moved: string }>(
    sql`select e.account_id as "accountId", sum(e.signed_amount)::text as moved from fin_ledger_entry e join fin_customer_account a on a.id = e.account_id and a.pay_mode = 'postpaid'
      where e.posting_id = ${postingId} and e.account_kind = 'customer' and not (e.type = any(${sql.param([...CONSUMPTION])}::text[]))
        and not exists (select 1 from fin_bill_refund r where r.posting_id = e.posting_id and r.account_id = e.account_id and r.deleted_at is null)
      group by 1 having sum(e.signed_amount) <> 0 order by 1`,
  )
  for (const { accountId, moved } of rows)
    await noteBalance(fin, await customerAccount(fin, accountId), exactText(new Exact(0).minus(moved)))
}

/** `fin.unallocate`: an allocation is undone; `toBillId`: its money pays another bill of the account. By hand only in an open month. */
export async function undoAllocation(fin: FinContext, given: Given): Promise<null> {
  const allocation = await recordOf(fin, 'fin.allocation', given.needed('allocationId'), { zh: '核销', en: 'allocation' })
  const byHand = given.flag('byHand', false)
  const posting = allocation.postingId ? await fin.entities.find('fin.posting', allocation.postingId) : null
  if (byHand && posting) await openMonth(fin.tx, { companyEntityId: posting.companyEntityId ?? '', bizDate: posting.bizDate })
  const account = await unallocate(fin, allocation)
  const toBillId = given.text('toBillId')
  if (toBillId !== '')
    await payBills(fin, {
      account,
      amount: allocation.amount,
      postingId: posting ? posting.id : null,
      ...(allocation.collectionId ? { collectionId: allocation.collectionId } : {}),
      bizDate: (posting?.bizDate ?? allocation.at).slice(0, 10),
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
