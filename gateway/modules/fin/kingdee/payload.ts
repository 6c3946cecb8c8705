import { Exact, exactText } from '../../../../src/schema/formats'
import type { KingdeeDraft, KingdeeForm } from './documents'

/** Dictionary `kingdeeMapKind`. */
export type MapKind =
  | 'org'
  | 'customer'
  | 'supplier'
  | 'material'
  | 'currency'
  | 'settleType'
  | 'bank'
  | 'dept'
  | 'staff'
  | 'purpose'
  | 'billType'
  | 'unit'
  | 'stock'

/** Something of ours that Kingdee knows by a number. */
export interface MappingKey {
  kind: MapKind
  localId: string
}

/** What of a document its form in Kingdee is made of. */
export type PayloadSource = Omit<KingdeeDraft, 'sourceKey' | 'sourceType' | 'sourceId' | 'postingId'> & {
  /** Our number: third-party number of money forms, bill number of stock forms. */
  code: string
  /** Currency of our books. */
  bookCurrency: string
}

/** Kingdee's number of something of ours; undefined: there is no mapping. */
export type NumberOf = (key: MappingKey) => string | undefined

/** A member of Kingdee's JSON: a text, a number of something, or lines. */
export type KingdeeModel = Readonly<Record<string, unknown>>

interface MoneyForm {
  party: 'customer' | 'supplier'
  /** Who pays or is paid, beside the contact. */
  other: 'FPAYUNIT' | 'FRECTUNIT'
  org: 'FSALEORGID' | 'FPURCHASEORGID'
  entry: string
  total: string
  amount: string
  note: string
}

/** Names of the fields by form (money 6, first table). */
const MONEY_FORMS: Readonly<Partial<Record<KingdeeForm, MoneyForm>>> = {
  AR_ReceiveBill: {
    ...{ party: 'customer', other: 'FPAYUNIT', org: 'FSALEORGID', entry: 'FRECEIVEBILLENTRY' },
    ...{ total: 'FRECTOTALAMOUNTFOR', amount: 'FRECAMOUNTFOR_E', note: 'FCOMMENT' },
  },
  AR_RefundBill: {
    ...{ party: 'customer', other: 'FRECTUNIT', org: 'FSALEORGID', entry: 'FREFUNDBILLENTRY' },
    ...{ total: 'FREFUNDAMOUNTFOR', amount: 'FREFUNDAMOUNTFOR_E', note: 'FNOTE' },
  },
  AP_PayBill: {
    ...{ party: 'supplier', other: 'FRECTUNIT', org: 'FPURCHASEORGID', entry: 'FPAYBILLENTRY' },
    ...{ total: 'FPAYTOTALAMOUNTFOR', amount: 'FPAYAMOUNTFOR_E', note: 'FCOMMENT' },
  },
  AP_RefundBill: {
    ...{ party: 'supplier', other: 'FPAYUNIT', org: 'FPURCHASEORGID', entry: 'FREFUNDBILLENTRY' },
    ...{ total: 'FREFUNDAMOUNTFOR', amount: 'FREFUNDAMOUNTFOR_E', note: 'FNOTE' },
  },
}

/** The field that our number stands in: by it a document is found again after an answer was lost. */
export const ownNumberField = (formId: KingdeeForm): string => (MONEY_FORMS[formId] ? 'FTHIRDBILLNO' : 'FBillNo')

/** The member that holds the lines. */
export const entryField = (formId: KingdeeForm): string =>
  MONEY_FORMS[formId]?.entry ?? (formId === 'STK_InStock' ? 'FInStockEntry' : 'FEntity')

const partyKey = ({ partyId }: PayloadSource, kind: 'customer' | 'supplier'): MappingKey => ({
  kind,
  localId: partyId ?? 'other',
})

/** What has to be mapped before a document can be pushed, each once; `optional` ones are used where they are there. */
export function neededMappings(doc: PayloadSource): MappingKey[] {
  const money = MONEY_FORMS[doc.formId]
  const keys: MappingKey[] = [
    { kind: 'org', localId: doc.companyEntityId },
    partyKey(doc, money?.party ?? (doc.formId === 'STK_InStock' ? 'supplier' : 'customer')),
    { kind: 'currency', localId: doc.currency },
    { kind: 'billType', localId: doc.billTypeKey },
  ]
  if (money) {
    keys.push({ kind: 'currency', localId: doc.bookCurrency }, { kind: 'settleType', localId: doc.settleKey ?? 'transfer' })
    if (doc.bankAccountId) keys.push({ kind: 'bank', localId: doc.bankAccountId })
    for (const { purpose } of doc.entries) if (purpose) keys.push({ kind: 'purpose', localId: purpose })
  } else {
    keys.push({ kind: 'unit', localId: 'default' }, { kind: 'stock', localId: 'default' })
    for (const { material } of doc.entries) if (material) keys.push({ kind: 'material', localId: material })
  }
  return [...new Map(keys.map((key) => [`${key.kind}:${key.localId}`, key])).values()]
}

/** The keys that a mapping may stand under: a material of a country also under its product alone. */
export const keysOf = ({ kind, localId }: MappingKey): MappingKey[] =>
  kind === 'material' && localId.includes(':')
    ? [
        { kind, localId },
        { kind, localId: localId.split(':', 1)[0]! },
      ]
    : [{ kind, localId }]

const plain = (amount: string): string => exactText(new Exact(amount))

/**
 * A document as Kingdee's `Save` takes it (money 6, both tables). Amounts are decimal texts, so that no digit is lost.
 * @throws Error naming a mapping that is not there: `neededMappings` tells before
 */
export function payloadOf(doc: PayloadSource, numberOf: NumberOf): KingdeeModel {
  const number = (kind: MapKind, localId: string): { FNumber: string } => {
    const found = keysOf({ kind, localId })
      .map(numberOf)
      .find((one) => one !== undefined)
    if (found === undefined) throw new Error(`There is no mapping of ${kind} "${localId}".`)
    return { FNumber: found }
  }
  const money = MONEY_FORMS[doc.formId]
  return money ? moneyModel(doc, money, number) : stockModel(doc, number)
}

type FindNumber = (kind: MapKind, localId: string) => { FNumber: string }

function moneyModel(doc: PayloadSource, form: MoneyForm, number: FindNumber): KingdeeModel {
  const org = number('org', doc.companyEntityId)
  const party = partyKey(doc, form.party)
  const unit = number(party.kind, party.localId)
  const unitType = form.party === 'customer' ? 'BD_Customer' : 'BD_Supplier'
  const currency = number('currency', doc.currency)
  return {
    FBillTypeID: number('billType', doc.billTypeKey),
    FDATE: doc.bizDate,
    FCONTACTUNITTYPE: unitType,
    FCONTACTUNIT: unit,
    [`${form.other}TYPE`]: unitType,
    [form.other]: unit,
    FSETTLEORGID: org,
    FPAYORGID: org,
    [form.org]: org,
    FCURRENCYID: currency,
    FSETTLECUR: currency,
    FEXCHANGERATE: plain(doc.rate),
    FSETTLEMAINBOOKID: number('currency', doc.bookCurrency),
    FTHIRDBILLNO: doc.code,
    FREMARK: [doc.sourceCode, doc.memo].filter(Boolean).join(' '),
    [form.entry]: doc.entries.map(({ purpose, amount, note }, index) => ({
      FSETTLETYPEID: number('settleType', doc.settleKey ?? 'transfer'),
      FPURPOSEID: number('purpose', purpose ?? 'sale'),
      [form.total]: plain(amount),
      [form.amount]: plain(amount),
      // the charge of a payment stands once, on its first line
      FHANDLINGCHARGEFOR: index === 0 ? plain(doc.fee) : '0',
      ...(doc.bankAccountId ? { FACCOUNTID: number('bank', doc.bankAccountId) } : {}),
      [form.note]: note ?? '',
    })),
  }
}

function stockModel(doc: PayloadSource, number: FindNumber): KingdeeModel {
  const bought = doc.formId === 'STK_InStock'
  const org = number('org', doc.companyEntityId)
  const currency = number('currency', doc.currency)
  const lines = doc.entries.map(({ material, quantity, price, note }) => ({
    [bought ? 'FMaterialId' : 'FMaterialID']: number('material', material ?? ''),
    FUnitID: number('unit', 'default'),
    FRealQty: plain(quantity ?? '1'),
    FMustQty: plain(quantity ?? '1'),
    FTaxPrice: plain(price ?? '0'),
    FEntryTaxRate: plain(doc.taxRate ?? '0'),
    [bought ? 'FStockId' : 'FStockID']: number('stock', 'default'),
    FNote: note ?? doc.sourceCode ?? '',
  }))
  const head = { FBillTypeID: number('billType', doc.billTypeKey), FBillNo: doc.code, FDate: doc.bizDate }
  return bought
    ? {
        ...{ ...head, FStockOrgId: org, FPurchaseOrgId: org, FDemandOrgId: org },
        FSupplierId: number('supplier', doc.partyId ?? 'other'),
        FInStockFin: { FSettleOrgId: org, FSettleCurrId: currency, FExchangeRate: plain(doc.rate), FIsIncludedTax: true },
        FInStockEntry: lines,
      }
    : {
        ...{ ...head, FSaleOrgId: org, FStockOrgId: org },
        FCustomerID: number('customer', doc.partyId ?? 'other'),
        SubHeadEntity: { FSettleOrgID: org, FSettleCurrID: currency, FExchangeRate: plain(doc.rate) },
        FEntity: lines,
      }
}
