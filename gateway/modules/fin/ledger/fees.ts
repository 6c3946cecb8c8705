import { ServiceError } from '../../../platform/http'
import { customerAccount, supplierAccount, type FinContext, type KnownAccount } from '../facts'
import { firstOpenDay, postMany, type Posted } from './post'
import { costAdjust, fee } from './rules'
import type { PostingDraft } from './types'

/** What an account is charged for an asset. */
export interface AssetFee {
  /** `fee:{assetId}:{yyyymm}` and the like (money 1.4): the same fee is posted once. */
  key: string
  assetId: string
  /** What people know the asset by. */
  code: string
  /** Dictionary `product`. */
  product: string
  /** YYYY-MM-DD in the zone of the account; in a closed month it is posted on the first open day, with its own as the day of service. */
  day: string
  /** Decimal text; below 0 it goes back. */
  amount: string
  /** ISO 4217, the currency of the account. */
  currency: string
}

/** Posts fees of a customer's account: D account · C REV:{product}. @throws ServiceError 10060059 for a closed account, or one of another currency */
export const postFees = async (fin: FinContext, accountId: string, fees: readonly AssetFee[]): Promise<Posted[]> =>
  postAll(fin, { account: await customerAccount(fin, accountId), fees, type: 'fee', legs: fee })

/** Posts what the same assets cost us: D COS:{product} · C the supplier's account. @throws as `postFees` */
export const postFeeCosts = async (fin: FinContext, accountId: string, fees: readonly AssetFee[]): Promise<Posted[]> =>
  postAll(fin, { account: await supplierAccount(fin, accountId), fees, type: 'cost', legs: costAdjust })

async function postAll(
  fin: FinContext,
  { account, fees, type, legs }: { account: KnownAccount; fees: readonly AssetFee[]; type: 'fee' | 'cost'; legs: typeof fee },
): Promise<Posted[]> {
  const { companyEntityId, currency, title } = account
  const other = fees.find((one) => one.currency !== currency)
  if (other)
    throw new ServiceError('factsChanged', {
      message: {
        zh: `账户 ${title} 的币种为 ${currency}，${other.code} 的价格为 ${other.currency}，不能入账。请按账户币种修改价格。`,
        en: `The account ${title} is kept in ${currency}, the price of ${other.code} in ${other.currency}. Change the price to the currency of the account.`,
      },
      data: { field: 'currency', value: other.currency },
    })
  const drafts: PostingDraft[] = []
  for (const { key, assetId, code, product, day, amount } of fees) {
    const bizDate = await firstOpenDay(fin.tx, companyEntityId, day)
    drafts.push({
      ...{ type, companyEntityId, sourceType: 'asset', sourceId: assetId, sourceCode: code, idemKey: key, bizDate },
      ...(bizDate === day ? {} : { serviceDay: day }),
      legs: legs(account, product, amount),
    })
  }
  return postMany(fin, drafts)
}
