import { sql } from 'drizzle-orm'
import { Exact, exactText, minorUnit } from '../../../../src/schema/formats'
import type { GivenOf, RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { tracked } from '../bills/agree'
import { payBills } from '../bills/paying'
import { collectBadDebt, received, spend } from '../bills/refunds'
import {
  bankAccount,
  customerAccount,
  firstEntity,
  mainAccount,
  todayOf,
  type CustomerAccount,
  type FinContext,
  type Given,
  type KnownAccount,
} from '../facts'
import { post } from '../ledger/post'
import { ratesOn } from '../ledger/rates'
import { adjustment, creditable, gift, inCurrency, moved, opening, receipt, system, usedProduct } from '../ledger/rules'
import type { Leg, PostingDraft } from '../ledger/types'
import { freeBankRef } from '../references'
import { unclaimed } from './bankReceipts'
import { applicationOf, documentOf, type Application } from './documents'

interface Line {
  account: KnownAccount
  rate: string | null
  amount: string
  remark: string
}

/**
 * `fin.recharge`: money for accounts of a customer, by its type (money 1.3, 8.6). Writes the recharge with its lines, the posting,
 * a record for each platform that has to hear of it, and pays bills of post-paid accounts.
 */
export async function recharge(fin: FinContext, given: Given): Promise<RecordOf<'fin.recharge'>> {
  const application = applicationOf(given)
  const kind = given.needed('rechargeType')
  const customerId = given.needed('customerId')
  const lines = await linesOf(fin, given, customerId)
  const known = await documentOf(fin, 'fin.recharge', application)
  const act = await actOf(fin, given, { kind, customerId, lines, application, known: known !== null })
  const posted = await post(fin, {
    type: act.type,
    bizDate: act.bizDate,
    companyEntityId: act.companyEntityId,
    sourceType: kind === 'manual' ? 'manual' : 'recharge',
    sourceId: application.instanceId,
    sourceCode: application.instanceCode,
    idemKey: `${act.type === 'adjustment' ? 'creditNote' : 'recharge'}:${application.instanceId}:${act.type}`,
    legs: act.legs,
  })
  if (known) return known
  const record = await fin.entities.save('fin.recharge', {
    kind,
    customerId,
    companyEntityId: act.companyEntityId,
    ...act.head,
    giftReason: given.text('giftReason') || null,
    instanceId: application.instanceId,
    status: 'posted',
    postingId: posted.postingId,
    lines: lines.map(({ account, rate, amount, remark }) => ({
      accountId: account.kind === 'customer' ? account.id : null,
      mainAccountId: account.kind === 'main' ? account.id : null,
      currency: account.currency,
      rate,
      amount,
      remark: remark || null,
    })),
  })
  await follow(fin, { record, lines, act, postingId: posted.postingId, billIds: given.ids('billIds') })
  return record
}

async function linesOf(fin: FinContext, given: Given, customerId: string): Promise<Line[]> {
  const lines: Line[] = []
  const signed = given.text('manualKind') === 'correction'
  for (const row of given.rows('lines')) {
    const accountId = row.text('accountId')
    const account = accountId
      ? await customerAccount(fin, accountId)
      : await mainAccount(fin, {
          id: row.text('mainAccountId'),
          customerId,
          currency: row.text('currency') || given.text('payCurrency'),
        })
    if (account.customerId !== customerId)
      throw given.wrong('lines', {
        zh: `账户 ${account.title} 不属于该客户`,
        en: `of another customer (account ${account.title})`,
      })
    const amount = signed ? row.amount('amount') : row.positive('amount')
    lines.push({ account, rate: row.text('rate') || null, amount, remark: row.text('remark') })
  }
  if (lines.length === 0) throw given.wrong('lines', { zh: '为空', en: 'empty' })
  return lines
}

interface Act extends Pick<PostingDraft, 'type' | 'bizDate' | 'companyEntityId'> {
  legs: Leg[]
  head: GivenOf<'fin.recharge'>
  /** The bank account and reference of the money, where a line of a bank statement brought it. */
  line?: GivenOf<'fin.billRefund'>
  /** Accounts of customers that gave what others got. */
  gave: { account: CustomerAccount; amount: string }[]
}

interface Asked {
  kind: string
  customerId: string
  lines: readonly Line[]
  application: Application
  known: boolean
}

async function actOf(fin: FinContext, given: Given, asked: Asked): Promise<Act> {
  const manual = asked.kind === 'manual' ? given.text('manualKind') || 'bankLine' : ''
  const kind = manual || asked.kind
  switch (kind) {
    case 'receipt':
    case 'bankLine':
      return receiptAct(fin, given, asked)
    case 'allocate':
    case 'transfer':
      return movedAct(fin, given, asked)
    case 'gift':
    case 'compensation':
      return plainAct(fin, given, asked, 'gift', ({ account, amount }) => gift(account, amount))
    case 'opening':
      return plainAct(fin, given, asked, 'opening', ({ account, amount }) => opening(account, amount))
    case 'claim':
      return claimAct(fin, given, asked)
    case 'correction':
      return plainAct(fin, given, asked, 'adjustment', (line) => correction(given, line))
    default:
      throw given.wrong('rechargeType', { zh: `不支持“${kind}”`, en: `not known ("${kind}")` })
  }
}

async function receiptAct(fin: FinContext, given: Given, { lines, known }: Asked): Promise<Act> {
  const bank = await bankAccount(fin, given.needed('bankAccountId'))
  const payCurrency = given.text('payCurrency') || bank.currency
  if (payCurrency !== bank.currency)
    throw given.wrong('payCurrency', {
      zh: `与收款账户币种 ${bank.currency} 不一致`,
      en: `not the currency of the bank account (${bank.currency})`,
    })
  const [payAmount, bankFee] = [given.positive('payAmount'), given.amount('bankFee', '0')]
  const feeBearer = given.text('feeBearer') || 'us'
  const bankRef = given.text('bankRef')
  if (!known) await freeBankRef(fin, 'in', { bankAccountId: bank.id, bankRef })
  const bizDate = given.text('payDate') || todayOf(fin)
  const credited = await takenBy(fin, { lines, payCurrency, bizDate, net: creditable({ payAmount, bankFee, feeBearer }) })
  return {
    type: 'recharge',
    bizDate,
    companyEntityId: given.text('companyEntityId') || bank.companyEntityId,
    legs: receipt({ bank, payAmount, bankFee, feeBearer, credited }),
    head: {
      ...{ bankAccountId: bank.id, payCurrency, payAmount, bankFee, feeBearer, payDate: bizDate },
      ...{ bankRef: bankRef || null, payer: given.text('payer') || null },
    },
    line: { bankAccountId: bank.id, bankRef: bankRef || null },
    gave: [],
  }
}

/** What is claimed of an unclaimed receipt (money 1.3 `suspense`): D SUS · C account, in the books of the entity that got it. */
async function claimAct(fin: FinContext, given: Given, { lines, known }: Asked): Promise<Act> {
  const payAmount = given.positive('payAmount')
  const receipt = await unclaimed(fin, given.needed('receiptId'), known ? '0' : payAmount)
  const payCurrency = receipt.bankCurrency ?? ''
  if (payCurrency === '' || given.text('payCurrency') !== payCurrency)
    throw given.wrong('payCurrency', {
      zh: `与待认领来款币种 ${payCurrency} 不一致`,
      en: `not the currency of the receipt (${payCurrency})`,
    })
  const bizDate = given.text('payDate') || todayOf(fin)
  const taken = await takenBy(fin, { lines, payCurrency, bizDate, net: payAmount })
  return {
    type: 'suspense',
    bizDate,
    companyEntityId: receipt.companyEntityId ?? (await firstEntity(fin)),
    legs: taken.flatMap(({ account, amount, takes }) =>
      moved({ from: system('SUS', payCurrency), fromAmount: takes, to: account, toAmount: amount }),
    ),
    head: { receiptId: receipt.id, payer: receipt.payer, payDate: bizDate, payCurrency, payAmount },
    line: { bankAccountId: receipt.bankAccountId, bankRef: receipt.bankRef },
    gave: [],
  }
}

/** What an account was credited wrongly for no money: like a credit note that names no bill, below 0 like a debit note (money 1.3 `adjustment`). */
function correction(given: Given, { account, amount }: Line): Leg[] {
  if (account.kind !== 'customer') throw given.wrong('lines', { zh: '更正须选择产品账户', en: 'not a product account' })
  const exact = new Exact(amount)
  if (exact.isZero()) throw given.wrong('lines', { zh: '更正金额不能为 0', en: 'a correction of 0' })
  const kind = exact.isNegative() ? 'debitNote' : 'creditNote'
  return adjustment(kind, account, usedProduct(account.record.product), exactText(exact.abs()))
}

/**
 * What each line takes of the money, in its currency: the lines together take what is there (`net`; left out, whatever they come to), to what the smallest
 * amounts of both currencies leave of a conversion (money 8.6). The last converted line takes that.
 * @throws ServiceError 10060059 for lines that come to something else
 */
async function takenBy(
  fin: FinContext,
  { lines, payCurrency, bizDate, net }: { lines: readonly Line[]; payCurrency: string; bizDate: string; net: string | undefined },
): Promise<{ account: KnownAccount; amount: string; takes: string }[]> {
  const rates = await ratesOn(fin.tx, [payCurrency, ...lines.map(({ account }) => account.currency)], bizDate)
  let slack = new Exact(0)
  const credited = lines.map(({ account, amount, rate }) => {
    if (account.currency === payCurrency) return { account, amount, takes: amount }
    const market = new Exact(rates.get(payCurrency)!).dividedBy(rates.get(account.currency)!)
    const [paid, kept] = [minorUnit(payCurrency), minorUnit(account.currency).dividedBy(rate ?? market)]
    slack = slack.plus(paid.gt(kept) ? paid : kept)
    return { account, amount, takes: inCurrency(new Exact(amount).dividedBy(rate ?? market), payCurrency) }
  })
  const sum = credited.reduce((all, { takes }) => all.plus(takes), new Exact(0))
  const rest = net === undefined ? new Exact(0) : new Exact(net).minus(sum)
  if (rest.abs().gt(slack))
    throw new ServiceError('factsChanged', {
      message: {
        zh: `充值明细合计 ${exactText(sum)} ${payCurrency}，与应入账金额 ${net} ${payCurrency} 不一致，请调整明细后重新提交。`,
        en: `The lines take ${exactText(sum)} ${payCurrency}, and ${net} ${payCurrency} are there to be credited. Please change the lines and submit again.`,
      },
      data: { field: 'lines', lines: exactText(sum), net },
    })
  const converted = credited.filter(({ account }) => account.currency !== payCurrency).at(-1)
  if (converted) converted.takes = exactText(new Exact(converted.takes).plus(rest))
  return credited
}

/** Allocation of a main account, or a transfer between accounts of the customer: what gives may not fall below 0, and gives the amount that is asked. */
async function movedAct(fin: FinContext, given: Given, { kind, customerId, lines }: Asked): Promise<Act> {
  const from =
    kind === 'allocate'
      ? await mainAccount(fin, { id: given.text('fromAccountId'), customerId, currency: sourceCurrency(given, lines) })
      : await customerAccount(fin, given.needed('fromAccountId'))
  if (from.customerId !== customerId) throw given.wrong('fromAccountId', { zh: '不属于该客户', en: 'of another customer' })
  const payCurrency = given.text('payCurrency') || from.currency
  if (payCurrency !== from.currency)
    throw given.wrong('payCurrency', {
      zh: `与转出账户币种 ${from.currency} 不一致`,
      en: `not the currency of the account that it comes from (${from.currency})`,
    })
  const bizDate = given.text('payDate') || todayOf(fin)
  const net = given.text('payAmount') ? given.positive('payAmount') : undefined
  const taken = await takenBy(fin, { lines, payCurrency, bizDate, net })
  return {
    type: kind,
    bizDate,
    companyEntityId: from.companyEntityId,
    legs: taken.flatMap(({ account, amount, takes }) =>
      moved({ from, fromAmount: takes, to: account, toAmount: amount, atLeast: '0' }),
    ),
    head: {
      payDate: bizDate,
      payCurrency,
      payAmount: exactText(taken.reduce((sum, { takes }) => sum.plus(takes), new Exact(0))),
    },
    gave: from.kind === 'customer' ? taken.map(({ takes }) => ({ account: from, amount: takes })) : [],
  }
}

/** The currency of the main account that gives, where it is not named. */
const sourceCurrency = (given: Given, [first]: readonly Line[]): string => given.text('payCurrency') || first!.account.currency

function plainAct(fin: FinContext, given: Given, { lines }: Asked, type: string, legsOf: (line: Line) => Leg[]): Act {
  const bizDate = given.text('payDate') || todayOf(fin)
  return {
    type,
    bizDate,
    companyEntityId: given.text('companyEntityId') || lines[0]!.account.companyEntityId,
    legs: lines.flatMap(legsOf),
    head: { payDate: bizDate, ...statedIn(given, lines) },
    gave: [],
  }
}

/** What the document says of the amount: as it was stated, else what lines of one currency come to. */
const statedIn = (given: Given, lines: readonly Line[]): GivenOf<'fin.recharge'> => {
  const [currency, amount] = [given.text('payCurrency'), given.text('payAmount')]
  if (currency && amount) return { payCurrency: currency, payAmount: given.amount('payAmount') }
  const { account } = lines[0]!
  const same = lines.filter((line) => line.account.currency === account.currency)
  return { payCurrency: account.currency, payAmount: exactText(same.reduce((sum, line) => sum.plus(line.amount), new Exact(0))) }
}

interface Posted {
  record: RecordOf<'fin.recharge'>
  lines: readonly Line[]
  act: Act
  postingId: string
  billIds: readonly string[]
}

/** What a posted recharge leads to: platforms hear of it, bills are paid, the account knows when it was last recharged. */
async function follow(fin: FinContext, { record, lines, act, postingId, billIds }: Posted): Promise<void> {
  const accounts = new Map<string, { account: KnownAccount; amount: Exact }>()
  for (const { account, amount } of lines) {
    const known = accounts.get(account.id)
    accounts.set(account.id, { account, amount: (known?.amount ?? new Exact(0)).plus(amount) })
  }
  const at = fin.now.toISOString()
  const own = [...accounts.values()].flatMap(({ account, amount }) => (account.kind === 'customer' ? [{ account, amount }] : []))
  const codes = await fin.entities.numbers('fin.rechargeRecord', 'code', own.length)
  await fin.entities.insertMany(
    'fin.rechargeRecord',
    own.map(({ account, amount }, index) => ({
      id: newId(),
      code: codes[index],
      target: account.record.product === 'voice' ? 'voice' : 'platform',
      sourceType: 'recharge',
      sourceId: postingId,
      postingId,
      customerId: account.customerId,
      accountId: account.id,
      amount: exactText(amount),
      currency: account.currency,
      status: 'waiting',
      tries: 0,
      createdAt: at,
      createdBy: fin.context.user.staffId,
    })),
  )
  await fin.tx.query(
    sql`update fin_customer_account set last_recharge_at = ${at}::timestamptz where id = any(${sql.param(own.map(({ account }) => account.id))}::text[])`,
  )
  // a correction is asked for by the next bill, as notes are
  if (act.type !== 'adjustment') await followBills(fin, { record, act, postingId, billIds }, own)
}

/** What came is noted where bills are kept, pays bad debt first (money 1.3), then open bills; what an account gave is taken from what it had. */
async function followBills(
  fin: FinContext,
  { record, act, postingId, billIds }: Omit<Posted, 'lines'>,
  own: readonly { account: CustomerAccount; amount: Exact }[],
): Promise<void> {
  const document = { rechargeId: record.id }
  for (const { account, amount } of act.gave.filter((gave) => gave.account.record.payMode === 'postpaid'))
    await spend(fin, { kind: 'transfer', account, amount, postingId, document, day: act.bizDate })
  const kind = act.type === 'gift' ? 'gift' : 'collection'
  const belongs = await billsByAccount(fin, billIds)
  for (const { account, amount } of own) {
    const most = await tracked(fin.tx, account)
    const noted = most !== null && amount.gt(most) ? new Exact(most) : amount
    if (!noted.gt(0)) continue
    const [id] = await received(fin, [
      {
        ...{ kind, account, postingId, amount: exactText(noted), day: act.bizDate, document },
        head: act.line ?? {},
      },
    ])
    if (kind === 'collection') await collectBadDebt(fin, account, id!)
    if (act.type === 'recharge' || act.type === 'suspense')
      await payBills(fin, {
        account,
        amount: exactText(noted),
        postingId,
        bizDate: act.bizDate,
        named: belongs.get(account.id) ?? [],
      })
  }
}

async function billsByAccount({ entities }: FinContext, billIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>()
  if (billIds.length === 0) return found
  const bills = await entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: [...billIds] }] })
  for (const id of billIds) {
    const account = bills.find((bill) => bill.id === id)?.accountId ?? ''
    found.set(account, [...(found.get(account) ?? []), id])
  }
  return found
}
