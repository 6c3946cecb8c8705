import { sql } from 'drizzle-orm'
import { Exact } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import {
  balanceOf,
  customerAccount,
  supplierAccount,
  type FinContext,
  type Given,
  type CustomerAccount,
  type SupplierAccount,
} from '../facts'
import { refundable } from '../ledger/rules'
import { settleLedger } from '../ledger/settle'
import type { LedgerAccount } from '../ledger/types'
import { applicationOf } from './documents'

/** What is frozen of an account, without what one application froze. */
export async function heldFor(
  { tx }: FinContext,
  { kind, id }: LedgerAccount,
  { otherThan }: { otherThan: string },
): Promise<string> {
  const { rows } = await tx.query<{ held: string }>(
    sql`select coalesce(sum(amount), 0)::text as held from fin_hold where account_kind = ${kind} and account_id = ${id} and released_at is null and source_id <> ${otherThan} and deleted_at is null`,
  )
  return rows[0]?.held ?? '0'
}

/** `fin.hold`: freezes what a refund or hedge is going to take, until it is done or given up. Twice for one application is once. */
export async function hold(fin: FinContext, given: Given): Promise<RecordOf<'fin.hold'>> {
  const application = applicationOf(given)
  const accountId = given.needed('accountId')
  const account =
    given.text('accountKind') === 'supplier' ? await supplierAccount(fin, accountId) : await customerAccount(fin, accountId)
  const [known] = await fin.entities.list('fin.hold', {
    where: [
      { field: 'sourceId', operator: 'eq', value: application.instanceId },
      { field: 'accountId', operator: 'eq', value: accountId },
      { field: 'releasedAt', operator: 'empty' },
    ],
    limit: 1,
  })
  if (known) return known
  const amount = given.positive('amount')
  const reason = given.text('reason') || 'manual'
  if (reason === 'refund') await free(fin, account, amount)
  const record = await fin.entities.save('fin.hold', {
    ...{ accountKind: account.kind, accountId, amount, currency: account.currency, reason },
    ...{ sourceType: 'application', sourceId: application.instanceId, sourceCode: application.instanceCode },
    ...{ placedAt: fin.now.toISOString(), staffId: fin.context.user.staffId },
  })
  if (account.kind === 'customer') fin.tx.beforeCommit(settleLedger, { refresh: accountId, now: fin.now })
  return record
}

/** The account is held until the commit, so that two refunds at once do not freeze the same money. */
async function free(fin: FinContext, account: CustomerAccount | SupplierAccount, amount: string): Promise<void> {
  await fin.tx.query(sql`select 1 from fin_customer_account where id = ${account.id} for update`)
  const held = await heldFor(fin, account, { otherThan: '' })
  const gift = account.kind === 'customer' ? (account.record.giftBalance ?? '0') : '0'
  const most = refundable({ balance: await balanceOf(fin, account), gift, frozen: held }, account.currency)
  if (!new Exact(amount).gt(most)) return
  throw new ServiceError('factsChanged', {
    message: {
      zh: `账户 ${account.title} 可退金额为 ${most} ${account.currency}，不能冻结 ${amount}。`,
      en: `The account ${account.title} has ${most} ${account.currency} to pay back; ${amount} cannot be frozen.`,
    },
    data: { field: 'amount', old: amount, new: most },
  })
}

/** `fin.release`: what an application froze is free again. */
export async function release(fin: FinContext, instanceId: string): Promise<null> {
  const holds = await fin.entities.list('fin.hold', {
    where: [
      { field: 'sourceId', operator: 'eq', value: instanceId },
      { field: 'releasedAt', operator: 'empty' },
    ],
  })
  await fin.entities.changeMany('fin.hold', new Map(holds.map(({ id }) => [id, { releasedAt: fin.now.toISOString() }])))
  for (const { accountKind, accountId } of holds)
    if (accountKind === 'customer') fin.tx.beforeCommit(settleLedger, { refresh: accountId, now: fin.now })
  return null
}
