import { Exact, exactText } from '../../../../src/schema/formats'
import type { EntityRecord, RecordOf, GivenOf } from '../../../entities'
import { ServiceError } from '../../../platform/http'
import { payBills } from '../bills/paying'
import { collected } from '../bills/collections'
import { received } from '../bills/refunds'
import { customerAccount, recordOf, todayOf, type FinContext, type Given, type CustomerAccount } from '../facts'
import { post } from '../ledger/post'
import { adjustment, gift as giftLegs, writeOff as writeOffLegs } from '../ledger/rules'
import type { Leg } from '../ledger/types'
import { applicationOf, documentOf, type Application } from './documents'

interface Adjusted {
  account: CustomerAccount
  application: Application
  kind: 'creditNote' | 'debitNote' | 'writeOff'
  type: 'adjustment' | 'writeOff'
  amount: string
  legs: Leg[]
  head: GivenOf<'fin.adjustment'>
}

/** `fin.adjust`: a credit or debit note (money 1.3, L8). A credit note that names an issued bill is allocated to it like a receipt. */
export async function adjust(fin: FinContext, given: Given): Promise<EntityRecord> {
  const kind = given.needed('kind')
  if (kind !== 'creditNote' && kind !== 'debitNote')
    throw given.wrong('kind', { zh: '须为贷项或借项', en: 'neither creditNote nor debitNote' })
  const account = await customerAccount(fin, given.needed('accountId'))
  const amount = given.positive('amount')
  const product = given.text('product') || account.record.product
  const billId = given.text('billId')
  const { record, first, postingId } = await written(fin, {
    ...{ account, kind, amount, type: 'adjustment', application: applicationOf(given) },
    legs: adjustment(kind, account, product, amount),
    head: { billId: billId || null, product, reason: given.text('reason') || 'other', note: given.text('note') || null },
  })
  // one that names no bill is collected by the next one; a prepaid account has it as its balance
  const settles = first && kind === 'creditNote' && billId !== '' && account.record.payMode === 'postpaid'
  if (settles)
    await received(fin, [
      {
        ...{ kind, account, amount, postingId, day: todayOf(fin, account.record) },
        document: { adjustmentId: record.id },
        head: { billId, reason: given.text('note') || null },
      },
    ])
  if (settles) {
    const bill = await recordOf(fin, 'fin.bill', billId, { zh: '账单', en: 'bill' })
    // a paid bill leaves the note as a prepayment
    if (new Exact(bill.openAmount).gt(0))
      await payBills(fin, {
        account,
        amount,
        postingId,
        bizDate: todayOf(fin, account.record),
        named: [billId],
        only: true,
      })
  }
  return record
}

/** `fin.writeOff`: bills that will not be collected any more (money 1.3): D BAD · C account, and the bills are settled. */
export async function writeOff(fin: FinContext, given: Given): Promise<EntityRecord> {
  const account = await customerAccount(fin, given.needed('accountId'))
  const billIds = given.ids('billIds')
  const application = applicationOf(given)
  const known = await documentOf(fin, 'fin.adjustment', application)
  const bills =
    billIds.length === 0
      ? []
      : await fin.entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: billIds }], lock: true })
  const open = bills.reduce((sum, { openAmount }) => sum.plus(openAmount), new Exact(0))
  const amount = known ? known.amount : given.text('amount') === '' ? exactText(open) : given.positive('amount')
  if (!known && (!new Exact(amount).gt(0) || new Exact(amount).gt(open)))
    throw given.wrong('amount', {
      zh: `须大于 0 且不超过账单未收金额 ${exactText(open)}`,
      en: `not between 0 and the ${exactText(open)} that is open`,
    })
  const { record, first, postingId } = await written(fin, {
    ...{ account, amount, application, kind: 'writeOff', type: 'writeOff' },
    legs: writeOffLegs(account, amount),
    head: { billIds, reason: 'badDebt', note: given.text('note') || null },
  })
  if (first) {
    const day = todayOf(fin, account.record)
    // what the account paid out with nothing behind it does not take a write-off
    await collected(fin, [{ kind: 'writeOff', account, amount, postingId, document: { adjustmentId: record.id }, day }])
    await payBills(fin, { account, amount, postingId, bizDate: day, named: billIds, only: true })
  }
  return record
}

async function written(
  fin: FinContext,
  { account, application, kind, type, amount, legs, head }: Adjusted,
): Promise<{ record: RecordOf<'fin.adjustment'>; first: boolean; postingId: string }> {
  const known = await documentOf(fin, 'fin.adjustment', application)
  const posted = await post(fin, {
    type,
    bizDate: known ? await dayOfPosting(fin, known) : todayOf(fin, account.record),
    companyEntityId: account.companyEntityId,
    sourceType: type === 'writeOff' ? 'manual' : 'creditNote',
    sourceId: application.instanceId,
    sourceCode: application.instanceCode,
    idemKey: `creditNote:${application.instanceId}:${type}`,
    legs,
  })
  if (known) return { record: known, first: false, postingId: posted.postingId }
  const record = await fin.entities.save('fin.adjustment', {
    ...{ kind, accountId: account.id, customerId: account.customerId, amount, currency: account.currency },
    ...head,
    instanceId: application.instanceId,
    status: 'posted',
    postingId: posted.postingId,
  })
  return { record, first: true, postingId: posted.postingId }
}

/** The day of a posting that an effect which is tried again made before: the same act, whatever day it is now. */
async function dayOfPosting({ entities }: FinContext, { postingId }: { postingId: string | null }): Promise<string> {
  const posting = postingId === null ? null : await entities.find('fin.posting', postingId)
  if (!posting) throw new ServiceError('notFound')
  return posting.bizDate
}

/** `fin.gift`: a gift or a compensation (money 1.3, L10): never paid back, used up last. */
export async function gift(fin: FinContext, given: Given): Promise<RecordOf<'fin.recharge'>> {
  const application = applicationOf(given)
  const account = await customerAccount(fin, given.needed('accountId'))
  const amount = given.positive('amount')
  const known = await documentOf(fin, 'fin.recharge', application)
  const bizDate = known ? await dayOfPosting(fin, known) : todayOf(fin, account.record)
  const posted = await post(fin, {
    type: 'gift',
    bizDate,
    companyEntityId: account.companyEntityId,
    sourceType: 'recharge',
    sourceId: application.instanceId,
    sourceCode: application.instanceCode,
    idemKey: `recharge:${application.instanceId}:gift`,
    legs: giftLegs(account, amount),
  })
  if (known) return known
  const record = await fin.entities.save('fin.recharge', {
    kind: 'compensation',
    customerId: account.customerId,
    companyEntityId: account.companyEntityId,
    ...{ payCurrency: account.currency, payAmount: amount, payDate: bizDate },
    giftReason: given.text('reason') || null,
    instanceId: application.instanceId,
    status: 'posted',
    postingId: posted.postingId,
    lines: [{ accountId: account.id, currency: account.currency, amount }],
  })
  if (account.record.payMode === 'postpaid')
    await received(fin, [
      { kind: 'gift', account, amount, postingId: posted.postingId, document: { rechargeId: record.id }, day: bizDate },
    ])
  return record
}
