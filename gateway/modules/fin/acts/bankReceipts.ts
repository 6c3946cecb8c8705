import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { ServiceError, type Text } from '../../../platform/http'
import { payBills, takenOff } from '../bills/paying'
import { bankAccount, recordOf, supplierAccount, todayOf, type FinContext, type Given, type SupplierAccount } from '../facts'
import { post, reverse } from '../ledger/post'
import { receipt, system } from '../ledger/rules'
import type { LedgerAccount, PostingDraft } from '../ledger/types'
import { freeBankRef } from '../references'

const UNCLAIMED: Text = { zh: '待认领来款', en: 'unclaimed receipt' }
const REFUND: Text = { zh: '付款退回单', en: 'payment refund' }

interface CameIn extends Pick<PostingDraft, 'type' | 'sourceType'> {
  /** A document of the feature `bankReceipt`. */
  document: RecordOf<'fin.unclaimedReceipt' | 'fin.paymentRefund'>
  /** Whom it is credited to, and how much of their currency. */
  credited: (bank: LedgerAccount) => { account: LedgerAccount; amount: string }
}

/** Money of a line of a bank statement: D bank what arrived · D FEE what the bank took · C whoever it is for, through FXC in another currency. */
async function cameIn(fin: FinContext, { document, type, sourceType, credited }: CameIn): Promise<{ postingId: string }> {
  const bank = await bankAccount(fin, document.bankAccountId)
  const [id, payAmount] = [document.id, document.payAmount]
  await freeBankRef(fin, 'in', { bankAccountId: bank.id, bankRef: document.bankRef, id })
  const { postingId } = await post(fin, {
    ...{ type, sourceType, sourceId: id, sourceCode: document.code, idemKey: `${sourceType}:${id}:${type}` },
    bizDate: document.payDate,
    companyEntityId: document.companyEntityId ?? bank.companyEntityId,
    legs: receipt({
      ...{ bank, payAmount, bankFee: document.bankFee ?? '0', feeBearer: 'us' },
      credited: [{ ...credited(bank), takes: payAmount }],
    }),
  })
  return { postingId }
}

/** `fin.postUnclaimed`: money of a payer whom nobody knows yet (money 1.3 `suspense`): D bank · C SUS, until a recharge claims it. */
export async function postUnclaimed(fin: FinContext, given: Given): Promise<{ postingId: string }> {
  const document = await recordOf(fin, 'fin.unclaimedReceipt', given.needed('documentId'), UNCLAIMED)
  return cameIn(fin, {
    ...{ document, type: 'suspense', sourceType: 'manual' },
    credited: ({ currency }) => ({ account: system('SUS', currency), amount: document.payAmount }),
  })
}

/**
 * An unclaimed receipt that is held until the end of the transaction, with what of it is unclaimed.
 * @throws ServiceError 10060059 when it is gone, not posted, or less is left than `amount`
 */
export async function unclaimed(fin: FinContext, id: string, amount: string): Promise<RecordOf<'fin.unclaimedReceipt'>> {
  const [record] = await fin.entities.list('fin.unclaimedReceipt', {
    where: [{ field: 'id', operator: 'eq', value: id }],
    lock: true,
    limit: 1,
  })
  const open = record?.status === 'posted' ? (record.openAmount ?? '0') : '0'
  if (record && !new Exact(amount).gt(open)) return record
  if (!record) return recordOf(fin, 'fin.unclaimedReceipt', '', UNCLAIMED)
  const [code, currency] = [record.code, record.bankCurrency ?? '']
  throw new ServiceError('factsChanged', {
    message: {
      zh: `待认领来款 ${code} 现有 ${exactText(new Exact(open))} ${currency} 未认领，少于本次认领的 ${exactText(new Exact(amount))}，请修改后重新提交。`,
      en: `${exactText(new Exact(open))} ${currency} of the receipt ${code} are unclaimed, less than the ${exactText(new Exact(amount))} of this claim. Please change it and submit again.`,
    },
    data: { field: 'payAmount', old: amount, new: exactText(new Exact(open)) },
  })
}

/**
 * `fin.refundPayment`: a supplier returned money (money 1.3 `paymentRefund`): D bank · C supplier. Where it names the payment that came
 * back, bills that this had paid are open again by what it does not cover any more.
 */
export async function refundPayment(fin: FinContext, given: Given): Promise<{ postingId: string }> {
  const document = await recordOf(fin, 'fin.paymentRefund', given.needed('documentId'), REFUND)
  const supplier = await supplierAccount(fin, document.supplierAccountId)
  const amount = document.amount ?? '0'
  const payment = await paymentOf(fin, document)
  const kept = payment && new Exact(payment.left).minus(amount)
  if (kept?.isNegative()) throw tooMuch(payment!, amount)
  const posted = await cameIn(fin, {
    ...{ document, type: 'paymentRefund', sourceType: 'payment' },
    credited: () => ({ account: supplier, amount }),
  })
  if (payment && kept) {
    const allocations = await allocationsOf(fin, payment.record)
    const excess = sumOf(allocations).minus(kept)
    await takenOff(fin, allocations, excess, async ({ billId }, { rest }) => {
      if (rest.gt(0)) await paysAgain(fin, supplier, payment.record, { amount: exactText(rest), named: [billId] })
    })
  }
  return posted
}

/** `fin.undoPaymentRefund`: money that did not come back: the posting is mirrored, and the payment pays the bills again that it had paid. */
export async function undoPaymentRefund(fin: FinContext, given: Given): Promise<null> {
  const document = await recordOf(fin, 'fin.paymentRefund', given.needed('documentId'), REFUND)
  const payment = await paymentOf(fin, document)
  await reverse(fin, document.postingId ?? '', given.needed('reason'))
  if (!payment) return null
  const [live, undone] = [await allocationsOf(fin, payment.record), await allocationsOf(fin, payment.record, 'ne')]
  const ids = [...new Set(undone.map(({ billId }) => billId))]
  const bills =
    ids.length === 0 ? [] : await fin.entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: ids }] })
  const named = bills.filter(({ openAmount }) => new Exact(openAmount).gt(0)).map(({ id }) => id)
  const free = new Exact(payment.left).minus(sumOf(live))
  if (named.length > 0 && free.gt(0)) {
    const supplier = await supplierAccount(fin, document.supplierAccountId)
    await paysAgain(fin, supplier, payment.record, { amount: exactText(free), named })
  }
  return null
}

interface Paid {
  record: RecordOf<'fin.payment'>
  /** What it paid less what other refunds of it brought back. */
  left: string
}

/** The payment that a refund names, held. @throws ServiceError 10060059 when it was reversed */
async function paymentOf({ entities }: FinContext, { id, paymentId }: RecordOf<'fin.paymentRefund'>): Promise<Paid | null> {
  if (!paymentId) return null
  const [record] = await entities.list('fin.payment', {
    where: [{ field: 'id', operator: 'eq', value: paymentId }],
    lock: true,
    limit: 1,
  })
  if (record?.status !== 'posted')
    throw new ServiceError('factsChanged', {
      message: {
        zh: `付款单 ${record?.code ?? paymentId} 已冲销，不能再登记退回。`,
        en: `The payment ${record?.code ?? paymentId} is reversed: nothing of it can come back.`,
      },
      data: { field: 'paymentId', id: paymentId },
    })
  const others = await entities.list('fin.paymentRefund', {
    where: [
      { field: 'paymentId', operator: 'eq', value: paymentId },
      { field: 'status', operator: 'eq', value: 'posted' },
      { field: 'id', operator: 'ne', value: id },
    ],
  })
  return { record, left: exactText(new Exact(record.amount).minus(sumOf(others))) }
}

const tooMuch = ({ record, left }: Paid, amount: string): ServiceError =>
  new ServiceError('factsChanged', {
    message: {
      zh: `付款单 ${record.code} 最多还可退回 ${left} ${record.currency}，少于本次的 ${exactText(new Exact(amount))}，请核对。`,
      en: `No more than ${left} ${record.currency} of the payment ${record.code} can come back, less than the ${exactText(new Exact(amount))} of this refund. Please check it.`,
    },
    data: { field: 'payAmount', old: amount, new: left },
  })

const sumOf = (rows: readonly { amount: string | null }[]): Exact =>
  rows.reduce((sum, { amount }) => sum.plus(amount ?? '0'), new Exact(0))

/** Bills that a payment pays, the newest first; `ne`: those that it does not pay any more. */
const allocationsOf = (
  { entities }: FinContext,
  { postingId }: RecordOf<'fin.payment'>,
  live: 'eq' | 'ne' = 'eq',
): Promise<RecordOf<'fin.allocation'>[]> =>
  entities.list('fin.allocation', {
    where: [
      { field: 'postingId', operator: 'eq', value: postingId },
      { field: 'accountKind', operator: 'eq', value: 'supplier' },
      { field: 'status', operator: live, value: 'live' },
    ],
    sort: [
      { field: 'at', order: 'desc' },
      { field: 'id', order: 'desc' },
    ],
  })

/** Lets money of a payment pay bills of its account, at the rate of its day. */
const paysAgain = (
  fin: FinContext,
  account: SupplierAccount,
  payment: RecordOf<'fin.payment'>,
  paying: { amount: string; named: readonly string[] },
): Promise<string> =>
  payBills(fin, {
    ...{ account, postingId: payment.postingId, bizDate: payment.paidAt ?? todayOf(fin, account.record), only: true, ...paying },
    postedOn: todayOf(fin, account.record),
  })
