import type { RecordOf } from '../../../entities'
import { recordOf, todayOf, type FinContext, type Given } from '../facts'
import { post } from '../ledger/post'
import { entitySettle } from '../ledger/rules'

/** What a settlement was posted as. */
export interface EntitiesSettled {
  bizDate: string
  sellerPostingId: string
  buyerPostingId: string
}

/** The last day of a month, or today while it runs. */
export function settlementDay(month: string, today: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  return last < today ? last : today
}

/**
 * `fin.settleEntities`: a settlement between two of our entities becomes a posting in the books of each (money 1.3 `entitySettle`, I16).
 * @throws ServiceError 10060058 when the month is closed for one of them
 */
export async function settleEntities(fin: FinContext, given: Given): Promise<EntitiesSettled> {
  const settlement = await recordOf(fin, 'fin.entitySettlement', given.needed('settlementId'), {
    zh: '主体结算单',
    en: 'settlement',
  })
  const [seller, buyer] = await Promise.all([entityOf(fin, settlement.sellerId), entityOf(fin, settlement.buyerId)])
  const id = settlement.id
  const legs = entitySettle({
    accountId: settlement.accountId,
    currency: settlement.currency ?? '',
    product: settlement.product,
    seller: seller.code,
    buyer: buyer.code,
    amount: settlement.total ?? '0',
  })
  const bizDate = settlementDay(settlement.month, todayOf(fin))
  const inBooksOf = async (side: 'seller' | 'buyer', entity: RecordOf<'sys.companyEntity'>): Promise<string> => {
    const { postingId } = await post(fin, {
      type: 'entitySettle',
      bizDate,
      companyEntityId: entity.id,
      sourceType: 'settlement',
      sourceId: id,
      sourceCode: settlement.code,
      idemKey: `settlement:${id}:entitySettle:${side}`,
      legs: legs[side],
    })
    return postingId
  }
  const sellerPostingId = await inBooksOf('seller', seller)
  return { bizDate, sellerPostingId, buyerPostingId: await inBooksOf('buyer', buyer) }
}

const entityOf = (fin: FinContext, id: unknown): Promise<RecordOf<'sys.companyEntity'>> =>
  recordOf(fin, 'sys.companyEntity', String(id), { zh: '我方主体', en: 'company entity' })
