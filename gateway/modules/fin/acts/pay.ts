import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, RecordOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { payBills } from '../bills/paying'
import { spend } from '../bills/refunds'
import {
  balanceOf,
  bankAccount,
  customerAccount,
  supplierAccount,
  todayOf,
  type FinContext,
  type Given,
  type CustomerAccount,
} from '../facts'
import { post } from '../ledger/post'
import { inCurrency, payment as paymentLegs, refundable, system } from '../ledger/rules'
import type { LedgerAccount } from '../ledger/types'
import { freeBankRef } from '../references'
import { heldFor, release } from './holds'
import { applicationOf, documentOf } from './documents'

/** What is paid that is on nobody's account. */
const COLLECTED = { commission: 'COM', other: 'FEE' } as const

/**
 * `fin.payment`: the cashier has paid (money 8.7, L4). D payee · C bank, the fee on top, conversion where the bank's currency is
 * another one; supplier bills are paid.
 */
export async function payment(fin: FinContext, given: Given): Promise<EntityRecord> {
  const application = applicationOf(given)
  const kind = given.needed('paymentKind')
  if (kind === 'refundCustomer' && given.text('customerAccountId')) return refund(fin, given, given.needed('customerAccountId'))
  const currency = given.needed('currency')
  const amount = given.positive('amount')
  const supplier = given.text('supplierAccountId') ? await supplierAccount(fin, given.needed('supplierAccountId')) : null
  const to = supplier ?? collected(given, kind, currency)
  if (to.currency !== currency)
    throw given.wrong('currency', {
      zh: `与账户币种 ${to.currency} 不一致`,
      en: `not the currency of the account (${to.currency})`,
    })
  // what the form says is asked before what the cashier fills in
  const bank = await bankAccount(fin, given.needed('bankAccountId'))
  const known = await documentOf(fin, 'fin.payment', application)
  const bankRef = given.text('bankRef')
  if (!known) await freeBankRef(fin, 'out', { bankAccountId: bank.id, bankRef })
  const bankAmount = takenByBank(given, { amount, currency, bank })
  const bizDate = given.text('paidAt').slice(0, 10) || todayOf(fin)
  const posted = await post(fin, {
    type: 'payment',
    bizDate,
    companyEntityId: given.text('companyEntityId') || bank.companyEntityId,
    sourceType: 'payment',
    sourceId: application.instanceId,
    sourceCode: application.instanceCode,
    idemKey: `payment:${application.instanceId}:payment`,
    legs: paymentLegs({ to, amount, bank, bankAmount, fee: given.amount('actualFee', '0') }),
  })
  if (known) return known
  const record = await fin.entities.save('fin.payment', {
    paymentKind: kind,
    supplierId: to.supplierId ?? null,
    supplierAccountId: to.kind === 'supplier' ? to.id : null,
    companyEntityId: given.text('companyEntityId') || bank.companyEntityId,
    bankAccountId: bank.id,
    ...{ currency, amount, paidAt: bizDate, bankRef: bankRef || null, bankCurrency: bank.currency },
    actualFee: given.amount('actualFee', '0'),
    actualRate: given.text('actualRate') || null,
    billIds: given.ids('billIds'),
    reason: given.text('reason') || null,
    instanceId: application.instanceId,
    status: 'posted',
    postingId: posted.postingId,
  })
  if (supplier) {
    const named = given.ids('billIds')
    await payBills(fin, {
      account: supplier,
      amount,
      postingId: posted.postingId,
      bizDate,
      named,
      only: named.length === 0 && kind === 'prepayTraffic',
    })
  }
  return record
}

function collected(given: Given, kind: string, currency: string): LedgerAccount {
  const code = COLLECTED[kind as keyof typeof COLLECTED] as (typeof COLLECTED)[keyof typeof COLLECTED] | undefined
  if (!code) throw given.wrong('supplierAccountId', { zh: '缺失', en: 'missing' })
  return system(code, currency)
}

/** Of another currency: what one unit of the bank's currency gave in that of the account decides. */
export function takenByBank(
  given: Given,
  { amount, currency, bank }: { amount: string; currency: string; bank: LedgerAccount },
): string {
  if (bank.currency === currency) return amount
  const rate = given.amount('actualRate')
  if (!new Exact(rate).gt(0)) throw given.wrong('actualRate', { zh: '须大于 0', en: 'not above 0' })
  return inCurrency(new Exact(amount).dividedBy(rate), bank.currency)
}

/**
 * `fin.refund`: money back to a customer (money 1.3, L5). Gifts and what is frozen for others are not paid back; what this
 * application had frozen is released with it. Of a post-paid account it takes the receipts that are named, else the newest that are on no
 * bill; bills that they had paid are open again.
 */
export async function refund(
  fin: FinContext,
  given: Given,
  accountId = given.needed('accountId'),
): Promise<RecordOf<'fin.billRefund'>> {
  const application = applicationOf(given)
  const account = await customerAccount(fin, accountId)
  const amount = given.positive('amount')
  const bank = await bankAccount(fin, given.needed('bankAccountId'))
  if (bank.currency !== account.currency)
    throw given.wrong('bankAccountId', {
      zh: `币种须为 ${account.currency}（退款仅限原币种）`,
      en: `not in ${account.currency}: a refund is paid in the account's currency`,
    })
  const known = await documentOf(fin, 'fin.billRefund', application)
  if (!known) await coversRefund(fin, account, { amount, instanceId: application.instanceId })
  const bizDate = given.text('paidAt').slice(0, 10) || todayOf(fin)
  const posted = await post(fin, {
    type: 'refund',
    bizDate,
    companyEntityId: bank.companyEntityId,
    sourceType: 'refund',
    sourceId: application.instanceId,
    sourceCode: application.instanceCode,
    idemKey: `refund:${application.instanceId}:refund`,
    legs: paymentLegs({ to: account, amount, bank, bankAmount: amount, fee: given.amount('actualFee', '0'), atLeast: '0' }),
  })
  if (known) return known
  await release(fin, application.instanceId)
  return spend(fin, {
    ...{ kind: 'refund', account, amount, postingId: posted.postingId, day: bizDate, named: given.ids('collectionIds') },
    head: {
      billId: given.text('billId') || null,
      ...{ bankAccountId: bank.id, bankRef: given.text('bankRef') || null },
      reason: given.text('reason') || null,
      instanceId: application.instanceId,
    },
  })
}

/** @throws ServiceError 10060059 when the account does not have so much to pay back */
async function coversRefund(
  fin: FinContext,
  account: CustomerAccount,
  { amount, instanceId }: { amount: string; instanceId: string },
): Promise<void> {
  const balance = await balanceOf(fin, account)
  const others = await heldFor(fin, account, { otherThan: instanceId })
  const most = refundable({ balance, gift: account.record.giftBalance ?? '0', frozen: others }, account.currency)
  if (!new Exact(amount).gt(most)) return
  throw new ServiceError('factsChanged', {
    message: {
      zh: `账户 ${account.title} 可退金额为 ${most} ${account.currency}，少于申请的 ${exactText(new Exact(amount))}，请修改后重新提交。`,
      en: `The account ${account.title} has ${most} ${account.currency} to pay back, less than the ${exactText(new Exact(amount))} asked for. Please change it and submit again.`,
    },
    data: { field: 'amount', old: amount, new: most },
  })
}
