import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { ServiceError, type Text } from '../../../platform/http'
import { payBills } from '../bills/paying'
import { received, spend } from '../bills/refunds'
import {
  balanceOf,
  customerAccount,
  supplierAccount,
  todayOf,
  type FinContext,
  type Given,
  type CustomerAccount,
  type KnownAccount,
  type SupplierAccount,
} from '../facts'
import { post } from '../ledger/post'
import { ratesOn } from '../ledger/rates'
import { hedge as hedgeLegs, inCurrency } from '../ledger/rules'
import { applicationOf, documentOf } from './documents'
import { release } from './holds'

/**
 * `fin.hedge`: two debts end without money of ours moving (money 3): C side 1, D side 2 through the clearing account of the hedge,
 * which ends at base 0. What both sides owe is looked at again: a balance that no longer covers refuses (10060059).
 */
export async function hedge(fin: FinContext, given: Given): Promise<RecordOf<'fin.hedge'>> {
  const application = applicationOf(given)
  const leg1 = await side(fin, given, 'leg1')
  const leg2 = await side(fin, given, 'leg2')
  if (leg1.id === leg2.id) throw given.wrong('leg2AccountId', { zh: '与一方账户相同', en: 'the same account as side 1' })
  const [leg1Amount, leg2Amount, agreedRate] = [
    given.positive('leg1Amount'),
    given.positive('leg2Amount'),
    given.amount('agreedRate', '1'),
  ]
  const expected = inCurrency(new Exact(leg2Amount).times(agreedRate), leg1.currency)
  if (!new Exact(expected).eq(leg1Amount))
    throw given.wrong('leg1Amount', {
      zh: `应为 ${expected} ${leg1.currency}（二方金额 × 约定汇率）`,
      en: `not ${expected} ${leg1.currency}, which amount 2 times the agreed rate gives`,
    })
  const known = await documentOf(fin, 'fin.hedge', application)
  const advance = given.flag('advance', false)
  if (!known && !advance) await covers(fin, { leg1, leg1Amount, leg2, leg2Amount })
  if (!known) await freeBills(fin, [...given.ids('refBills'), ...given.ids('refSupplierBills')], application.instanceId)
  const feeBearer = given.text('feeBearer') || 'payer'
  const feeAmount = given.amount('feeAmount', '0')
  const bizDate = given.text('effectiveDate').slice(0, 10) || todayOf(fin)
  const posted = await post(fin, {
    type: 'hedge',
    bizDate,
    companyEntityId: given.text('companyEntityId') || leg1.companyEntityId,
    sourceType: 'hedge',
    sourceId: application.instanceId,
    sourceCode: application.instanceCode,
    idemKey: `hedge:${application.instanceId}:hedge`,
    legs: hedgeLegs({
      code: application.instanceCode,
      ...{ leg1, leg1Amount, leg2, leg2Amount },
      fee: feeBearer === 'us' ? '0' : feeAmount,
    }),
  })
  if (known) return known
  await release(fin, application.instanceId)
  const rates = await ratesOn(fin.tx, [leg1.currency, leg2.currency], bizDate)
  const market = new Exact(rates.get(leg2.currency)!).dividedBy(rates.get(leg1.currency)!)
  const record = await fin.entities.save('fin.hedge', {
    hedgeKind: given.needed('hedgeKind'),
    companyEntityId: given.text('companyEntityId') || leg1.companyEntityId,
    ...{ leg1Kind: leg1.kind, leg1AccountId: leg1.id, leg1Currency: leg1.currency, leg1Amount },
    ...{ leg2Kind: leg2.kind, leg2AccountId: leg2.id, leg2Currency: leg2.currency, leg2Amount },
    agreedRate,
    marketRate: market.toFixed(8),
    rateDeviation: new Exact(agreedRate).dividedBy(market).minus(1).times(100).toFixed(4),
    ...{ feeAmount, feeBearer, advance, effectiveDate: bizDate },
    agreementNo: given.text('agreementNo') || null,
    reason: given.text('reason') || null,
    refBills: given.ids('refBills'),
    refSupplierBills: given.ids('refSupplierBills'),
    instanceId: application.instanceId,
    status: 'posted',
    postingId: posted.postingId,
  })
  const money = { postingId: posted.postingId, bizDate }
  if (leg1.kind === 'customer' && leg1.record.payMode === 'postpaid')
    await received(fin, [
      {
        ...{ kind: 'collection', account: leg1, amount: leg1Amount, postingId: posted.postingId, day: bizDate },
        document: { hedgeId: record.id },
      },
    ])
  if (leg2.kind === 'customer' && leg2.record.payMode === 'postpaid')
    await spend(fin, {
      ...{ kind: 'transfer', account: leg2, amount: leg2Amount, postingId: posted.postingId, day: bizDate },
      document: { hedgeId: record.id },
    })
  await payBills(fin, { account: leg1, amount: leg1Amount, named: given.ids('refBills'), ...money })
  if (leg2.kind === 'supplier')
    await payBills(fin, { account: leg2, amount: leg2Amount, named: given.ids('refSupplierBills'), ...money })
  return record
}

const side = (fin: FinContext, given: Given, leg: 'leg1' | 'leg2'): Promise<CustomerAccount | SupplierAccount> => {
  const id = given.needed(`${leg}AccountId`)
  return given.text(`${leg}AccountKind`) === 'supplier' ? supplierAccount(fin, id) : customerAccount(fin, id)
}

/**
 * Side 1 may be credited with no more than it owes us (a customer) or has of ours (a supplier); side 2 debited with no more than it
 * has with us (a customer) or we owe it (a supplier). `b` of two customers may be credited whatever it owes: it is its payee.
 */
async function covers(
  fin: FinContext,
  { leg1, leg1Amount, leg2, leg2Amount }: { leg1: KnownAccount; leg1Amount: string; leg2: KnownAccount; leg2Amount: string },
): Promise<void> {
  const balance1 = new Exact(await balanceOf(fin, leg1))
  const balance2 = new Exact(await balanceOf(fin, leg2))
  const both = leg1.kind === 'customer' && leg2.kind === 'customer'
  const most1 = leg1.kind === 'customer' ? new Exact(0).minus(balance1) : balance1
  const most2 = leg2.kind === 'customer' ? balance2 : new Exact(0).minus(balance2)
  if (!both && new Exact(leg1Amount).gt(most1)) throw tooMuch(leg1, leg1Amount, most1)
  if (new Exact(leg2Amount).gt(most2)) throw tooMuch(leg2, leg2Amount, most2)
}

const tooMuch = ({ title, currency }: KnownAccount, amount: string, most: Exact): ServiceError => {
  const left = exactText(most.isNegative() ? new Exact(0) : most)
  const message: Text = {
    zh: `账户 ${title} 可对冲余额已为 ${left} ${currency}，少于 ${amount}，请确认后重新提交。`,
    en: `The account ${title} now has ${left} ${currency} to be offset, less than ${amount}. Please check it and submit again.`,
  }
  return new ServiceError('factsChanged', { message, data: { field: 'balance', old: amount, new: left } })
}

/** @throws ServiceError 10060054 for a bill that another running application of a hedge or refund has taken */
async function freeBills(fin: FinContext, billIds: readonly string[], instanceId: string): Promise<void> {
  if (billIds.length === 0) return
  const bills = await fin.entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: [...billIds] }], lock: true })
  const done = bills.find(({ openAmount }) => !new Exact(openAmount).gt(0))
  if (!done) return
  const [taker] = await fin.entities.list('fin.allocation', {
    where: [{ field: 'billId', operator: 'eq', value: done.id }],
    sort: [{ field: 'at', order: 'desc' }],
    limit: 1,
  })
  const posting = taker ? await fin.entities.find('fin.posting', taker.postingId ?? '') : null
  const code = posting?.sourceCode ?? ''
  throw new ServiceError('heldByDocument', {
    message: {
      zh: `账单 ${done.code} 已被 ${code || '其他单据'} 占用，请重新选择账单。`,
      en: `The bill ${done.code} was taken by ${code || 'another document'}. Please choose other bills.`,
    },
    data: { id: done.id, code, instanceId },
  })
}
