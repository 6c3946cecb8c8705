import { customerAccounts, supplierAccount, todayOf, type FinContext, type CustomerAccount, type SupplierAccount } from '../facts'
import { Exact, exactText } from '../../../../src/schema/formats'
import { requireChargeable } from './chargeable'
import { firstOpenDay, postMany, type Posted } from './post'
import { adjustment, costAdjust, fee } from './rules'
import type { Leg, PostingDraft } from './types'

/** What a batch of traffic came to on one account, for one product and day (money 1.5). */
export interface UsageBatch {
  accountId: string
  /** Dictionary `product`. */
  product: string
  /** YYYY-MM-DD in the zone of the account. */
  billDay: string
  /** When the batch began: the same batch is posted once. */
  batchStart: Date
  /** Decimal text; below 0 it is given back. */
  amount: string
}

/**
 * Posts what batches of traffic cost customers, all at once: D account · C REV:{product}; in a closed month on the first open day.
 * @throws ServiceError for an account that is not in use on the day
 */
export async function postUsage(fin: FinContext, batches: readonly UsageBatch[]): Promise<Posted[]> {
  const accounts = await customerAccounts(
    fin,
    batches.map(({ accountId }) => accountId),
  )
  for (const { accountId, billDay } of batches) requireChargeable(accounts.get(accountId)!, billDay)
  return posted(fin, { type: 'usage', legs: fee }, { accounts, batches })
}

/** Posts what the same batches cost us: D COS:{product} · C the supplier's account. */
export async function postCost(fin: FinContext, batches: readonly UsageBatch[]): Promise<Posted[]> {
  return posted(fin, { type: 'cost', legs: costAdjust }, { accounts: await supplierAccounts(fin, batches), batches })
}

async function supplierAccounts(
  fin: FinContext,
  batches: readonly Pick<UsageBatch, 'accountId'>[],
): Promise<ReadonlyMap<string, SupplierAccount>> {
  const accounts = new Map<string, SupplierAccount>()
  for (const { accountId } of batches)
    if (!accounts.has(accountId)) accounts.set(accountId, await supplierAccount(fin, accountId))
  return accounts
}

/** What traffic of locked days came to when it was known: one posting an account and product of a batch. */
export interface LateUsage extends Pick<UsageBatch, 'accountId' | 'product' | 'amount'> {
  batchId: string
  /** YYYY-MM-DD: the locked day, where all of it is of one. */
  serviceDay?: string
}

/** Posts what customers owe for late receipts as adjustments of today (quotes-traffic 7.1): D account · C REV:{product}. */
export async function postUsageAdjustments(fin: FinContext, late: readonly LateUsage[]): Promise<Posted[]> {
  const accounts = await customerAccounts(
    fin,
    late.map(({ accountId }) => accountId),
  )
  for (const { accountId, serviceDay } of late)
    if (serviceDay !== undefined) requireChargeable(accounts.get(accountId)!, serviceDay)
  const legs: LegsOf = (account, product, amount) => {
    const exact = new Exact(amount)
    return adjustment(exact.isNegative() ? 'creditNote' : 'debitNote', account, product, exactText(exact.abs()))
  }
  return adjusted(fin, { type: 'adjustment', legs }, { accounts, late })
}

/** Posts what we owe suppliers for them: D COS:{product} · C the supplier's account. */
export async function postCostAdjustments(fin: FinContext, late: readonly LateUsage[]): Promise<Posted[]> {
  return adjusted(fin, { type: 'costAdjust', legs: costAdjust }, { accounts: await supplierAccounts(fin, late), late })
}

type LegsOf = (account: CustomerAccount | SupplierAccount, product: string, amount: string) => Leg[]

const adjusted = (
  fin: FinContext,
  { type, legs }: { type: 'adjustment' | 'costAdjust'; legs: LegsOf },
  { accounts, late }: { accounts: ReadonlyMap<string, CustomerAccount | SupplierAccount>; late: readonly LateUsage[] },
): Promise<Posted[]> =>
  postMany(
    fin,
    late.map(({ accountId, product, amount, batchId, serviceDay }) => {
      const account = accounts.get(accountId)!
      return {
        ...{ type, bizDate: todayOf(fin, account.record), companyEntityId: account.companyEntityId },
        ...{ sourceType: 'usageBatch', sourceId: batchId, memo: '锁账后补记 / Known after the lock' },
        ...(serviceDay === undefined ? {} : { serviceDay }),
        idemKey: `usageBatch:${batchId}:${type}:${accountId}:${product}${serviceDay === undefined ? '' : `:${serviceDay}`}`,
        legs: legs(account, product, amount),
      }
    }),
  )

async function posted(
  fin: FinContext,
  { type, legs }: { type: 'usage' | 'cost'; legs: LegsOf },
  { accounts, batches }: { accounts: ReadonlyMap<string, CustomerAccount | SupplierAccount>; batches: readonly UsageBatch[] },
): Promise<Posted[]> {
  const drafts: PostingDraft[] = []
  for (const { accountId, product, billDay, batchStart, amount } of batches) {
    const account = accounts.get(accountId)!
    const bizDate = await firstOpenDay(fin.tx, account.companyEntityId, billDay)
    drafts.push({
      ...{ type, bizDate, companyEntityId: account.companyEntityId, sourceType: 'usageBatch' },
      ...(bizDate === billDay ? {} : { serviceDay: billDay }),
      sourceId: `${accountId}:${billDay}`,
      idemKey: `${type}:${accountId}:${product}:${billDay}:${batchStart.toISOString()}`,
      legs: legs(account, product, amount),
    })
  }
  return postMany(fin, drafts)
}
