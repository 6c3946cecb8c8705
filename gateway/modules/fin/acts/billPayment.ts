import { Exact, exactText } from '../../../../src/schema/formats'
import type { RecordOf } from '../../../entities'
import { newId } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import { bankAccount, Given, todayOf, type FinContext } from '../facts'
import { ratesOn } from '../ledger/rates'
import { creditable, inCurrency } from '../ledger/rules'
import { recharge } from './recharge'

type Bill = RecordOf<'fin.bill'>

/** States in which a bill waits for money. */
const PAYABLE: ReadonlySet<string> = new Set(['issued', 'partPaid', 'disputed'])

/** Money for bills, as somebody reads it off a bank statement. */
interface MoneyIn {
  amount: string
  payDate: string
  bankAccountId: string
  bankRef: string
  bankFee?: string
  payer?: string
  /** Units of the bills' currency for one of the bank's; default the market rate of the day. */
  rate?: string | null
}

const refused = (field: string, zh: string, en: string): ServiceError =>
  new ServiceError('factsChanged', { message: { zh, en }, data: { field } })

/**
 * `fin.payBills`: one receipt for one or several bills of a customer: a recharge (D bank · D FEE · C account) that settles the named bills,
 * the earliest due first, then other open ones; what is left is balance of the customer's account.
 * @throws ServiceError 10060059 for bills of several customers or currencies, or a bank reference that is used
 */
export async function payBillsOf(fin: FinContext, bills: readonly Bill[], money: MoneyIn): Promise<RecordOf<'fin.recharge'>> {
  const due = [...bills].sort((one, other) =>
    dueOf(one) < dueOf(other) ? -1 : dueOf(one) > dueOf(other) ? 1 : one.id < other.id ? -1 : 1,
  )
  const [first] = due
  if (!first?.customerId) throw refused('billId', '请选择客户账单。', 'Choose bills of a customer.')
  for (const { code, customerId, currency } of due) {
    if (customerId !== first.customerId)
      throw refused(
        'billId',
        `账单 ${first.code} 与 ${code} 属于不同客户，一笔来款只能登记给一个客户，请分开登记。`,
        `The bills ${first.code} and ${code} are of different customers. A payment is of one customer: record them one by one.`,
      )
    if (currency !== first.currency)
      throw refused(
        'billId',
        `账单 ${first.code} 与 ${code} 币种不同，请分开登记。`,
        `The bills ${first.code} and ${code} are in different currencies: record them one by one.`,
      )
  }
  const bank = await bankAccount(fin, money.bankAccountId)
  const bankFee = money.bankFee || '0'
  const credited = creditable({ payAmount: money.amount, bankFee, feeBearer: 'us' })
  const rate =
    bank.currency === first.currency ? null : money.rate || (await marketRate(fin, bank.currency, first.currency, money.payDate))
  const total = rate === null ? credited : inCurrency(new Exact(credited).times(rate), first.currency)
  const application = newId()
  return recharge(
    fin,
    new Given('fin.payBills', {
      ...{ instanceId: application, instanceCode: money.bankRef, rechargeType: 'manual', manualKind: 'bankLine' },
      ...{ customerId: first.customerId, bankAccountId: bank.id, payCurrency: bank.currency, payAmount: money.amount },
      ...{ bankFee, feeBearer: 'us', payDate: money.payDate, bankRef: money.bankRef, payer: money.payer ?? '' },
      lines: sharesOf(due, total).map(({ accountId, amount }) => ({ accountId, currency: first.currency, rate, amount })),
      billIds: due.map(({ id }) => id),
    }),
  )
}

const dueOf = ({ deferredTo, dueDate }: Bill): string => deferredTo ?? dueDate ?? ''

async function marketRate(fin: FinContext, from: string, to: string, day: string): Promise<string> {
  const rates = await ratesOn(fin.tx, [from, to], day)
  return exactText(new Exact(rates.get(from)!).dividedBy(rates.get(to)!).toDecimalPlaces(8))
}

/** What each account gets of money for bills, in their order: what is open on its bills; the last one also what is left, the first one all where nothing is open. */
export function sharesOf(
  bills: readonly Pick<Bill, 'accountId' | 'openAmount'>[],
  total: string,
): { accountId: string; amount: string }[] {
  const open = new Map<string, Exact>()
  for (const { accountId, openAmount } of bills) {
    const id = accountId ?? ''
    open.set(id, (open.get(id) ?? new Exact(0)).plus(openAmount))
  }
  let left = new Exact(total)
  const shares: { accountId: string; amount: Exact }[] = []
  for (const [accountId, wanted] of open) {
    const amount = left.gt(wanted) ? wanted : left
    if (!amount.gt(0)) continue
    shares.push({ accountId, amount })
    left = left.minus(amount)
  }
  const [first] = open.keys()
  if (shares.length === 0 && first !== undefined) shares.push({ accountId: first, amount: new Exact(0) })
  const last = shares.at(-1)
  if (last) last.amount = last.amount.plus(left)
  return shares.map(({ accountId, amount }) => ({ accountId, amount: exactText(amount) }))
}

/** The bank account that a customer pays into where none is named: that of the bill's company entity, else the only one in its currency. */
async function usualBank(fin: FinContext, { companyEntityId, currency, code }: Bill): Promise<string> {
  const there = await fin.entities.list('sys.bankAccount', {
    where: [
      { field: 'companyEntityId', operator: 'eq', value: companyEntityId },
      { field: 'currency', operator: 'eq', value: currency },
      { field: 'enabled', operator: 'eq', value: true },
    ],
    sort: [{ field: 'code', order: 'asc' }],
  })
  const usual = there.find(({ isDefault }) => isDefault) ?? (there.length === 1 ? there[0] : undefined)
  if (usual) return usual.id
  throw refused(
    'bankAccountId',
    `账单 ${code} 的主体没有 ${currency} 的默认收款账户，请选择收款账户。`,
    `The company entity of the bill ${code} has no default bank account in ${currency}. Choose the bank account.`,
  )
}

/** The transition `pay` of bills: all that were chosen share one payment. */
export async function payTogether(fin: FinContext, bills: readonly Bill[], given: Given): Promise<RecordOf<'fin.recharge'>> {
  const closed = bills.find(
    ({ side, status, openAmount }) => side !== 'customer' || !PAYABLE.has(status) || !new Exact(openAmount).gt(0),
  )
  if (closed)
    throw refused(
      'billId',
      `账单 ${closed.code} 没有待收金额，不能登记收款。`,
      `Nothing is open on the bill ${closed.code}, so that no payment can be recorded on it.`,
    )
  const bankAccountId = given.text('bankAccountId') || (await usualBank(fin, bills[0]!))
  const payDate = given.text('payDate') || todayOf(fin)
  if (payDate > todayOf(fin))
    throw refused('payDate', '到账日不能晚于今天。', 'The day on which the money came in cannot lie ahead.')
  return payBillsOf(fin, bills, {
    ...{ amount: given.positive('amount'), payDate, bankAccountId, bankRef: given.needed('bankRef') },
    ...{ bankFee: given.text('bankFee'), payer: given.text('payer'), rate: given.text('rate') || null },
  })
}
