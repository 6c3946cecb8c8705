import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord } from '../../../entities'
import { bankAccount, supplierAccount, todayOf, type FinContext, type Given } from '../facts'
import { post } from '../ledger/post'
import { tvsPayout as payoutLegs } from '../ledger/rules'
import { takenByBank } from '../acts/pay'
import { oneByOne } from '../acts/documents'
import type { ModuleVerb } from '../../module'

/**
 * `fin.tvsPayout`: a terminal vendor got his withdrawal (money 1.3): D supplier · C bank of what he gets, and the fee that stays with
 * us. `withdrawalId` makes it happen once.
 * @throws ServiceError 10060059 for accounts that are gone, and 10060058 in a closed month
 */
export const verb: ModuleVerb = oneByOne(paidOut)

async function paidOut(fin: FinContext, given: Given): Promise<EntityRecord> {
  const bank = await bankAccount(fin, given.needed('bankAccountId'))
  const to = await supplierAccount(fin, given.needed('supplierAccountId'))
  const currency = given.needed('currency')
  if (to.currency !== currency)
    throw given.wrong('supplierAccountId', {
      zh: `币种为 ${to.currency}，与提现币种 ${currency} 不一致`,
      en: `in ${to.currency}, not in the currency of the withdrawal (${currency})`,
    })
  const amount = given.positive('amount')
  const fee = given.amount('fee', '0')
  const net = exactText(new Exact(amount).minus(fee))
  const withdrawalId = given.needed('withdrawalId')
  const { postingId } = await post(fin, {
    type: 'tvsPayout',
    bizDate: todayOf(fin),
    companyEntityId: bank.companyEntityId,
    sourceType: 'tvs',
    sourceId: withdrawalId,
    sourceCode: given.text('code') || null,
    idemKey: `tvs:${withdrawalId}:tvsPayout`,
    legs: payoutLegs({ to, net, fee, bank, bankAmount: takenByBank(given, { amount: net, currency, bank }) }),
  })
  return { id: withdrawalId, postingId }
}
