import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { balanceOf, supplierAccount, todayOf, type FinContext, type Given } from '../facts'
import { post } from '../ledger/post'
import { supplierMove } from '../ledger/rules'
import { oneByOne } from '../acts/documents'
import type { ModuleVerb } from '../../module'

/**
 * `fin.moveBalance`: the whole balance of an account at a supplier goes to another account of the same currency (money 1.3 `supplierMove`):
 * D new · C old, mirrored when it is negative. Nothing is posted for a balance of 0. Nobody posts to the old account until it is over.
 * @throws ServiceError 10060058 in a closed month, 10060059 for a closed account
 */
export const verb: ModuleVerb = oneByOne(moved)

async function moved(fin: FinContext, given: Given): Promise<EntityRecord | null> {
  const from = await supplierAccount(fin, given.needed('fromAccountId'))
  const to = await supplierAccount(fin, given.needed('toAccountId'))
  const sourceId = given.needed('sourceId')
  await fin.tx.query(sql`select 1 from fin_account_balance where id = ${`supplier:${from.id}`} for update`)
  const balance = new Exact(await balanceOf(fin, from))
  if (balance.isZero()) return null
  const { postingId } = await post(fin, {
    type: 'supplierMove',
    bizDate: todayOf(fin),
    companyEntityId: from.companyEntityId,
    sourceType: 'supplierTransfer',
    sourceId,
    sourceCode: given.text('sourceCode') || null,
    idemKey: `supplierTransfer:${sourceId}:supplierMove`,
    legs: supplierMove(from, to, exactText(balance)),
  })
  return { id: postingId, postingId, amount: exactText(balance) }
}
