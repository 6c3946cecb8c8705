import { customerAccounts, supplierAccount, type FinContext, type KnownAccount } from '../facts'
import { postMany, type Posted } from './post'
import { cost, usage } from './rules'
import type { Leg } from './types'

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

/** Posts what batches of traffic cost customers, all at once: D account · C REV:{product}. */
export async function postUsage(fin: FinContext, batches: readonly UsageBatch[]): Promise<Posted[]> {
  const accounts = await customerAccounts(
    fin,
    batches.map(({ accountId }) => accountId),
  )
  return posted(fin, { type: 'usage', legs: usage }, { accounts, batches })
}

/** Posts what the same batches cost us: D COS:{product} · C the supplier's account. */
export async function postCost(fin: FinContext, batches: readonly UsageBatch[]): Promise<Posted[]> {
  const accounts = new Map<string, KnownAccount>()
  for (const { accountId } of batches)
    if (!accounts.has(accountId)) accounts.set(accountId, await supplierAccount(fin, accountId))
  return posted(fin, { type: 'cost', legs: cost }, { accounts, batches })
}

const posted = (
  fin: FinContext,
  { type, legs }: { type: 'usage' | 'cost'; legs: (account: KnownAccount, product: string, amount: string) => Leg[] },
  { accounts, batches }: { accounts: ReadonlyMap<string, KnownAccount>; batches: readonly UsageBatch[] },
): Promise<Posted[]> =>
  postMany(
    fin,
    batches.map(({ accountId, product, billDay, batchStart, amount }) => {
      const account = accounts.get(accountId)!
      return {
        ...{ type, bizDate: billDay, companyEntityId: account.companyEntityId, sourceType: 'usageBatch' },
        sourceId: `${accountId}:${billDay}`,
        idemKey: `${type}:${accountId}:${product}:${billDay}:${batchStart.toISOString()}`,
        legs: legs(account, product, amount),
      }
    }),
  )
