import { currencyDigits, Exact, exactText, roundedText } from '../../../../src/schema/formats'
import { stored } from '../ledger/rules'
import type { PostingDraft, PricedLeg } from '../ledger/types'

/** Dictionary `kingdeeForm`. */
export type KingdeeForm = 'AR_ReceiveBill' | 'AR_RefundBill' | 'AP_PayBill' | 'AP_RefundBill' | 'STK_InStock' | 'SAL_OutStock'

/** A line of a document: what is paid for (money forms) or what was bought or delivered (stock forms). */
export interface KingdeeLine {
  lineNo: number
  /** Key of a mapping of kind `purpose`, of money forms. */
  purpose?: string
  /** Key of a mapping of kind `material`, of stock forms: a product, with its country where one is known (`sms:CN`). */
  material?: string
  /** Billed units; below 0 on a document that cancels another one. */
  quantity?: string
  /** Per unit, tax included, six decimals. */
  price?: string
  amount: string
  note?: string | null
}

/** A document of Kingdee as the ledger or a bill makes it. Amounts are decimal texts in `currency`, `baseAmount` in CNY. */
export interface KingdeeDraft {
  formId: KingdeeForm
  /** The same act makes the same document once. */
  sourceKey: string
  /** Dictionary `ledgerSource`. */
  sourceType: string
  sourceId: string
  sourceCode: string | null
  postingId: string | null
  companyEntityId: string
  customerId: string | null
  supplierId: string | null
  /** Whom the form is about, as mappings know him: customer, supplier, or a supplier of equipment; none for money of nobody. */
  partyId: string | null
  /** None: money that no bank account moved (a hedge). */
  bankAccountId: string | null
  /** Key of a mapping of kind `settleType`. */
  settleKey: string | null
  /** Key of a mapping of kind `billType`. */
  billTypeKey: string
  bizDate: string
  currency: string
  /** CNY for one unit. */
  rate: string
  amount: string
  /** What the bank took, ours to bear. */
  fee: string
  /** By how much the bank account moved: above 0 money came in. */
  bankAmount: string
  baseAmount: string
  taxRate: string | null
  memo: string | null
  entries: readonly KingdeeLine[]
}

/** What is posted, with the prices of its legs, and which of its accounts pay in advance. */
export interface PostedAct extends Pick<
  PostingDraft,
  'type' | 'bizDate' | 'companyEntityId' | 'sourceType' | 'sourceId' | 'sourceCode' | 'memo' | 'reversesId'
> {
  id: string
  legs: readonly PricedLeg[]
  /** Ids of the prepaid accounts among the legs. */
  prepaid: ReadonlySet<string>
}

/** Form of a document that takes back one of another form (money 6: our reversal makes the refund form); stock forms are taken back by themselves, in red. */
export const CANCELLED_BY: Readonly<Record<KingdeeForm, KingdeeForm>> = {
  AR_ReceiveBill: 'AR_RefundBill',
  AR_RefundBill: 'AR_ReceiveBill',
  AP_PayBill: 'AP_RefundBill',
  AP_RefundBill: 'AP_PayBill',
  STK_InStock: 'STK_InStock',
  SAL_OutStock: 'SAL_OutStock',
}

/** Postings that move money of a bank account and have a document of their own. */
const BANK_FORMS: Readonly<Record<string, KingdeeForm>> = {
  recharge: 'AR_ReceiveBill',
  suspense: 'AR_ReceiveBill',
  refund: 'AR_RefundBill',
  payment: 'AP_PayBill',
  tvsPayout: 'AP_PayBill',
  paymentRefund: 'AP_RefundBill',
}

/** Equipment that came in or went out; what goes back stands in red. */
const GOODS_FORMS: Readonly<Record<string, { formId: KingdeeForm; kind: 'customer' | 'supplier'; red: boolean }>> = {
  purchaseReceipt: { formId: 'STK_InStock', kind: 'supplier', red: false },
  purchaseReturn: { formId: 'STK_InStock', kind: 'supplier', red: true },
  deviceSale: { formId: 'SAL_OutStock', kind: 'customer', red: false },
  deviceReturn: { formId: 'SAL_OutStock', kind: 'customer', red: true },
}

/** Types of postings that documents are made of. */
export const DOCUMENT_TYPES: readonly string[] = [...Object.keys(BANK_FORMS), ...Object.keys(GOODS_FORMS), 'hedge']

/**
 * The documents that a posting makes (money 6): a receipt, a refund, a payment or a returned payment where a bank account moved; of a
 * hedge a receipt and a payment slip without a bank account. Pure; a reversal makes none here, it takes back those of its posting.
 */
export function documentsOf(act: PostedAct): KingdeeDraft[] {
  if (act.reversesId) return []
  if (act.type === 'hedge') return hedged(act)
  if (GOODS_FORMS[act.type]) return ofGoods(act, GOODS_FORMS[act.type]!)
  const formId = BANK_FORMS[act.type]
  const banks = act.legs.filter(({ account }) => account.kind === 'bank')
  if (!formId || banks.length === 0) return []
  return [ofBank(act, formId, banks)]
}

/** Equipment: what is owed for it, by a customer or to its supplier. */
function ofGoods(act: PostedAct, { formId, kind, red }: (typeof GOODS_FORMS)[string]): KingdeeDraft[] {
  const leg = act.legs.find(({ account }) => account.kind === kind)
  if (!leg) return []
  const sign = (value: string): string => (red ? stored(new Exact(0).minus(value)) : value)
  return [
    {
      ...head(act, formId),
      ...partyOf(leg),
      bankAccountId: null,
      settleKey: null,
      billTypeKey: formId,
      currency: leg.account.currency,
      rate: leg.rate,
      amount: sign(leg.amount),
      fee: '0',
      bankAmount: '0',
      baseAmount: sign(leg.base),
      entries: [
        { lineNo: 1, material: 'device', quantity: red ? '-1' : '1', price: leg.amount, amount: sign(leg.amount), note: null },
      ],
    },
  ]
}

const partyOf = (leg: PricedLeg | undefined): Pick<KingdeeDraft, 'customerId' | 'supplierId' | 'partyId'> => {
  const customerId = leg?.account.customerId ?? null
  const supplierId = leg?.account.supplierId ?? null
  return { customerId, supplierId, partyId: customerId ?? supplierId ?? leg?.account.id ?? null }
}

const isFee = ({ account }: PricedLeg): boolean => account.kind === 'system' && account.id === 'FEE'
const sumOf = (legs: readonly PricedLeg[], of: 'amount' | 'base' = 'amount'): Exact =>
  legs.reduce((sum, one) => sum.plus(one[of]), new Exact(0))

function ofBank(act: PostedAct, formId: KingdeeForm, banks: readonly PricedLeg[]): KingdeeDraft {
  const bank = banks[0]!
  const comesIn = bank.direction === 'debit'
  const { currency } = bank.account
  const moved = banks.reduce(
    (sum, { direction, amount }) => (direction === 'debit' ? sum.plus(amount) : sum.minus(amount)),
    new Exact(0),
  )
  // what a payment is for may be the charges themselves: then they are its amount
  const charges = act.legs.filter(
    (one) =>
      isFee(one) &&
      act.legs.some(({ account }) => account.kind !== 'bank' && !(account.kind === 'system' && account.id === 'FEE')),
  )
  const fee = sumOf(charges)
  const amount = comesIn ? moved.plus(fee) : moved.abs().minus(fee)
  const parties = act.legs.filter(
    ({ account }) => account.kind === 'customer' || account.kind === 'main' || account.kind === 'supplier',
  )
  const party = parties[0]
  return {
    ...head(act, formId),
    ...partyOf(party),
    bankAccountId: bank.account.id,
    settleKey: 'transfer',
    billTypeKey: party || formId !== 'AR_ReceiveBill' ? formId : `${formId}:other`,
    currency,
    rate: bank.rate,
    amount: stored(amount),
    fee: stored(fee),
    bankAmount: stored(moved),
    baseAmount: stored(amount.times(bank.rate)),
    entries: entriesOf(act, { formId, parties, currency, amount }),
  }
}

const head = (act: PostedAct, formId: KingdeeForm) => ({
  formId,
  sourceKey: `${act.id}:${formId}`,
  sourceType: act.sourceType,
  sourceId: act.sourceId,
  sourceCode: act.sourceCode ?? null,
  postingId: act.id,
  companyEntityId: act.companyEntityId,
  bizDate: act.bizDate,
  taxRate: null,
  memo: act.memo ?? null,
})

/** Of each account what it takes of the payment, in the currency of the bank: a converted leg takes what the clearing took before it. */
function entriesOf(
  { legs, prepaid }: PostedAct,
  { formId, parties, currency, amount }: { formId: KingdeeForm; parties: readonly PricedLeg[]; currency: string; amount: Exact },
): KingdeeLine[] {
  const lines = parties.map((leg): KingdeeLine => {
    const at = legs.indexOf(leg)
    const clearing = leg.account.currency === currency ? leg : legs[leg.direction === 'credit' ? at - 2 : at + 3]
    return {
      lineNo: 0,
      purpose: purposeOf(formId, leg, prepaid),
      amount: stored(clearing?.amount ?? leg.amount),
      note: leg.account.currency === currency ? null : `${exactText(new Exact(leg.amount))} ${leg.account.currency}`,
    }
  })
  if (lines.length === 0) lines.push({ lineNo: 0, purpose: PURPOSES[formId]!.plain, amount: stored(amount), note: null })
  const rest = amount.minus(lines.reduce((sum, line) => sum.plus(line.amount), new Exact(0)))
  const last = lines.at(-1)!
  last.amount = stored(new Exact(last.amount).plus(rest))
  return lines.map((line, index) => ({ ...line, lineNo: index + 1 }))
}

/** What money is for: an advance on an account that pays in advance (money 6, row "purpose"). */
const PURPOSES: Readonly<Partial<Record<KingdeeForm, { plain: string; advance: string }>>> = {
  AR_ReceiveBill: { plain: 'sale', advance: 'saleAdvance' },
  AR_RefundBill: { plain: 'sale', advance: 'sale' },
  AP_PayBill: { plain: 'purchase', advance: 'purchaseAdvance' },
  AP_RefundBill: { plain: 'purchase', advance: 'purchase' },
}

const purposeOf = (formId: KingdeeForm, { account }: PricedLeg, prepaid: ReadonlySet<string>): string => {
  const { plain, advance } = PURPOSES[formId]!
  return account.kind === 'main' || prepaid.has(account.id) ? advance : plain
}

/** A hedge: what a customer owed is received, what a supplier was owed is paid; no bank account (money 3). */
function hedged(act: PostedAct): KingdeeDraft[] {
  const sides = act.legs.filter(
    ({ account, amount }) => (account.kind === 'customer' || account.kind === 'supplier') && new Exact(amount).gt(0),
  )
  const found = new Map<KingdeeForm, KingdeeDraft>()
  for (const leg of sides) {
    const customer = leg.account.kind === 'customer'
    const credited = leg.direction === 'credit'
    const formId: KingdeeForm = customer
      ? credited
        ? 'AR_ReceiveBill'
        : 'AR_RefundBill'
      : credited
        ? 'AP_RefundBill'
        : 'AP_PayBill'
    // what a side bears of the fee is no movement of its own
    if (feeOfSide(act, leg) || found.has(formId)) continue
    found.set(formId, {
      ...head(act, formId),
      ...partyOf(leg),
      bankAccountId: null,
      settleKey: 'hedge',
      billTypeKey: formId,
      currency: leg.account.currency,
      rate: leg.rate,
      amount: leg.amount,
      fee: '0',
      bankAmount: '0',
      baseAmount: leg.base,
      entries: [{ lineNo: 1, purpose: purposeOf(formId, leg, new Set()), amount: leg.amount, note: null }],
    })
  }
  return [...found.values()]
}

function feeOfSide({ legs }: PostedAct, leg: PricedLeg): boolean {
  const next = legs[legs.indexOf(leg) + 1]
  return leg.direction === 'debit' && next?.account.kind === 'system' && next.account.id === 'FEEI'
}

/** What was billed or bought: units and amount of a product. */
export interface BilledLine {
  product: string
  countryCode: string | null
  units: string
  amount: string
}

/**
 * Lines of a stock document (money 6): quantity = billed units, price = amount / quantity with six decimals; the last line takes the
 * rest, so that the lines add up to the total.
 */
export function stockLines(
  billed: readonly BilledLine[],
  { total, currency }: { total: string; currency: string },
): KingdeeLine[] {
  const merged = new Map<string, { units: Exact; amount: Exact }>()
  for (const { product, countryCode, units, amount } of billed) {
    const material = countryCode ? `${product}:${countryCode}` : product
    const known = merged.get(material) ?? { units: new Exact(0), amount: new Exact(0) }
    merged.set(material, { units: known.units.plus(units), amount: known.amount.plus(amount) })
  }
  const digits = currencyDigits(currency)
  let left = new Exact(total)
  return [...merged].map(([material, { units, amount }], index) => {
    const last = index === merged.size - 1
    const own = last ? left : new Exact(roundedText(amount, digits))
    left = left.minus(own)
    const quantity = units.isZero() ? new Exact(1) : units
    return {
      lineNo: index + 1,
      material,
      quantity: exactText(quantity),
      price: stored(own.dividedBy(quantity)),
      amount: stored(own),
    }
  })
}

/** The document that takes another one back: the form that cancels it with the same amounts; a stock form in red, with quantities below 0. */
export function cancelling(
  draft: KingdeeDraft,
  { sourceKey, postingId, bizDate, memo }: Pick<KingdeeDraft, 'sourceKey' | 'postingId' | 'bizDate' | 'memo'>,
): KingdeeDraft {
  const formId = CANCELLED_BY[draft.formId]
  const red = formId === draft.formId
  const turned = (value: string): string => stored(new Exact(0).minus(value))
  return {
    ...draft,
    ...{ formId, sourceKey, postingId, bizDate, memo },
    billTypeKey: formId,
    bankAmount: turned(draft.bankAmount),
    amount: red ? turned(draft.amount) : draft.amount,
    baseAmount: red ? turned(draft.baseAmount) : draft.baseAmount,
    entries: draft.entries.map((line) => ({
      ...line,
      ...(red && line.quantity !== undefined ? { quantity: turned(line.quantity), amount: turned(line.amount) } : {}),
      ...(line.purpose === undefined ? {} : { purpose: PURPOSES[formId]!.plain }),
    })),
  }
}
