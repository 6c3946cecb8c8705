import { customerAccount, supplierAccount, type FinContext } from '../facts'
import { post, type Posted } from './post'
import { cost, usage } from './rules'

/** What a batch of traffic came to on one account, for one product and day (money 1.5). */
export interface UsageBatch {
  accountId: string
  /** Dictionary `product`. */
  product: string
  /** YYYY-MM-DD in the zone of the account. */
  billDay: string
  /** When the batch began: the same batch is posted once. */
  batchStart: Date
  amount: string
}

/** Posts what a batch of traffic costs a customer: D account · C REV:{product}. */
export async function postUsage(fin: FinContext, batch: UsageBatch): Promise<Posted> {
  const account = await customerAccount(fin, batch.accountId)
  return post(fin, {
    type: 'usage',
    ...ofBatch('usage', batch),
    companyEntityId: account.companyEntityId,
    legs: usage(account, batch.product, batch.amount),
  })
}

/** Posts what the same batch costs us: D COS:{product} · C the supplier's account. */
export async function postCost(fin: FinContext, batch: UsageBatch): Promise<Posted> {
  const account = await supplierAccount(fin, batch.accountId)
  return post(fin, {
    type: 'cost',
    ...ofBatch('cost', batch),
    companyEntityId: account.companyEntityId,
    legs: cost(account, batch.product, batch.amount),
  })
}

const ofBatch = (kind: 'usage' | 'cost', { accountId, product, billDay, batchStart }: UsageBatch) => ({
  bizDate: billDay,
  sourceType: 'usageBatch',
  sourceId: `${accountId}:${billDay}`,
  idemKey: `${kind}:${accountId}:${product}:${billDay}:${batchStart.toISOString()}`,
})
