import { describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../../../../gateway/modules/fin/kingdee/client'
import {
  cancelling,
  documentsOf,
  stockLines,
  type KingdeeDraft,
  type PostedAct,
} from '../../../../../gateway/modules/fin/kingdee/documents'
import { fileStem, rowsOf } from '../../../../../gateway/modules/fin/kingdee/file'
import {
  neededMappings,
  payloadOf,
  type MappingKey,
  type PayloadSource,
} from '../../../../../gateway/modules/fin/kingdee/payload'
import { received, sold, spent } from '../../../../../gateway/modules/fin/ledger/goods'
import { hedge, payment, priced, receipt } from '../../../../../gateway/modules/fin/ledger/rules'
import type { LedgerAccount, Leg } from '../../../../../gateway/modules/fin/ledger/types'

const RATES = new Map([
  ['CNY', '1'],
  ['USD', '7.1'],
  ['EUR', '7.7035'],
])
const A01: LedgerAccount = { kind: 'customer', id: 'A01', currency: 'USD', customerId: 'c-A01' }
const A02: LedgerAccount = { kind: 'customer', id: 'A02', currency: 'EUR', customerId: 'c-A02' }
const S01: LedgerAccount = { kind: 'supplier', id: 'S01', currency: 'EUR', supplierId: 'sp1' }
const USD: LedgerAccount = { kind: 'bank', id: 'usd', currency: 'USD' }
const EUR: LedgerAccount = { kind: 'bank', id: 'eur', currency: 'EUR' }
const act = (type: string, legs: readonly Leg[], more: Partial<PostedAct> = {}): PostedAct => ({
  ...{ id: 'p1', type, bizDate: '2026-03-02', companyEntityId: 'hk', sourceType: 'recharge', sourceId: 'i1', sourceCode: 'CZ1' },
  ...{ legs: priced(legs, RATES), prepaid: new Set(['A01', 'A02']), ...more },
})
const l1 = (): KingdeeDraft =>
  documentsOf(
    act(
      'recharge',
      receipt({
        bank: USD,
        payAmount: '10000',
        bankFee: '25',
        feeBearer: 'us',
        credited: [{ account: A01, amount: '10000', takes: '10000' }],
      }),
    ),
  )[0]!
const withCode = (draft: KingdeeDraft): PayloadSource => ({ ...draft, code: 'JD202603020001', bookCurrency: 'CNY' })
const NUMBERS: Record<string, string> = {
  'org:hk': '100',
  'customer:c-A01': 'CUST0001',
  'supplier:sp1': 'VEN0001',
  'currency:USD': 'PRE007',
  'currency:CNY': 'PRE001',
  'billType:AR_ReceiveBill': 'SKDLX01_SYS',
  'billType:SAL_OutStock': 'XSCKD01_SYS',
  'settleType:transfer': 'JSFS04_SYS',
  'purpose:saleAdvance': 'SFKYT02_SYS',
  'bank:usd': '6222',
  'unit:default': 'Pcs',
  'stock:default': 'CK001',
  'material:sms': 'SMS',
  'material:sms:CN': 'SMS-CN-A',
}
const numberOf = ({ kind, localId }: MappingKey): string | undefined => NUMBERS[`${kind}:${localId}`]

describe('the documents that the ledger makes for Kingdee (money 6)', () => {
  it('L1: a recharge of 10,000.00 USD with a charge of 25 is a receipt; the bank moved by 9,975', () => {
    expect(l1()).toMatchObject({
      ...{ formId: 'AR_ReceiveBill', customerId: 'c-A01', bankAccountId: 'usd', currency: 'USD', rate: '7.1' },
      ...{ amount: '10000', fee: '25', bankAmount: '9975', baseAmount: '71000', settleKey: 'transfer' },
      entries: [{ lineNo: 1, purpose: 'saleAdvance', amount: '10000' }],
    })
  })

  it('L2: a receipt is in the currency of the bank account, whatever the account is credited in', () => {
    const [doc] = documentsOf(
      act(
        'recharge',
        receipt({
          bank: USD,
          payAmount: '10000',
          bankFee: '0',
          feeBearer: 'us',
          credited: [{ account: A02, amount: '9216.59', takes: '10000' }],
        }),
      ),
    )
    expect(doc).toMatchObject({
      currency: 'USD',
      amount: '10000',
      fee: '0',
      customerId: 'c-A02',
      entries: [{ amount: '10000', note: '9216.59 EUR' }],
    })
  })

  it('L4: a payment of 5,000.00 EUR with 15 on top is a payment slip; the bank moved by -5,015', () => {
    const [doc] = documentsOf(act('payment', payment({ to: S01, amount: '5000', bank: EUR, bankAmount: '5000', fee: '15' })))
    expect(doc).toMatchObject({
      formId: 'AP_PayBill',
      supplierId: 'sp1',
      amount: '5000',
      fee: '15',
      bankAmount: '-5015',
      entries: [{ purpose: 'purchase' }],
    })
  })

  it('a refund is a refund receipt; what touches no bank account makes no document', () => {
    const legs = payment({ to: A01, amount: '957.42', bank: USD, bankAmount: '957.42', fee: '0' })
    expect(documentsOf(act('refund', legs))[0]).toMatchObject({
      formId: 'AR_RefundBill',
      amount: '957.42',
      bankAmount: '-957.42',
    })
    const other: Leg[] = [
      { account: A01, direction: 'debit', amount: '1' },
      { account: { kind: 'system', id: 'REV:sms', currency: 'USD' }, direction: 'credit', amount: '1' },
    ]
    expect(documentsOf(act('usage', other))).toEqual([])
    expect(documentsOf(act('recharge', legs, { reversesId: 'p0' }))).toEqual([])
  })

  it('H1: a hedge is a receipt and a payment slip, settled by hedge and without a bank account', () => {
    const legs = hedge({ code: 'DC1', leg1: A01, leg1Amount: '10800', leg2: S01, leg2Amount: '10000' })
    const docs = documentsOf(act('hedge', legs))
    expect(
      docs.map(({ formId, amount, currency, settleKey, bankAccountId }) => [formId, amount, currency, settleKey, bankAccountId]),
    ).toEqual([
      ['AP_PayBill', '10000', 'EUR', 'hedge', null],
      ['AR_ReceiveBill', '10800', 'USD', 'hedge', null],
    ])
  })

  it('equipment: what came in is a purchase receipt, what was sold a delivery; its cost alone makes no document', () => {
    const supplier: LedgerAccount = { kind: 'supplier', id: 'eq1', currency: 'CNY' }
    expect(documentsOf(act('purchaseReceipt', received({ cost: '4200', owed: '4200', supplier })))[0]).toMatchObject({
      formId: 'STK_InStock',
      partyId: 'eq1',
      amount: '4200',
      entries: [{ material: 'device', quantity: '1' }],
    })
    expect(documentsOf(act('deviceReturn', sold(A01, '300')))[0]).toMatchObject({
      formId: 'SAL_OutStock',
      amount: '-300',
      entries: [{ quantity: '-1' }],
    })
    expect(documentsOf(act('deviceSale', spent('150')))).toEqual([])
  })

  it('a receipt is taken back by a refund receipt of the same amount, a delivery by one in red', () => {
    const by = { sourceKey: 'rev:d1', postingId: 'p2', bizDate: '2026-04-01', memo: null }
    expect(cancelling(l1(), by)).toMatchObject({
      formId: 'AR_RefundBill',
      amount: '10000',
      bankAmount: '-9975',
      bizDate: '2026-04-01',
      billTypeKey: 'AR_RefundBill',
    })
    const delivery: KingdeeDraft = {
      ...l1(),
      formId: 'SAL_OutStock',
      entries: stockLines([{ product: 'sms', countryCode: null, units: '100', amount: '10000' }], {
        total: '10000',
        currency: 'USD',
      }),
    }
    expect(cancelling(delivery, by)).toMatchObject({
      formId: 'SAL_OutStock',
      amount: '-10000',
      entries: [{ quantity: '-100', price: '100', amount: '-10000' }],
    })
  })

  it('lines of a delivery: quantity = billed units, price with six decimals, the last takes the rest: they add up to the total', () => {
    const lines = stockLines(
      [
        { product: 'sms', countryCode: 'CN', units: '30000', amount: '3333.333333' },
        { product: 'sms', countryCode: 'DE', units: '7', amount: '6666.670988' },
      ],
      { total: '10000', currency: 'USD' },
    )
    expect(lines).toEqual([
      { lineNo: 1, material: 'sms:CN', quantity: '30000', price: '0.111111', amount: '3333.33' },
      { lineNo: 2, material: 'sms:DE', quantity: '7', price: '952.381429', amount: '6666.67' },
    ])
  })
})

describe('a document in the words of Kingdee (money 6)', () => {
  it('a receipt has the fields of AR_ReceiveBill, its numbers from mappings', () => {
    expect(payloadOf(withCode(l1()), numberOf)).toMatchObject({
      ...{ FBillTypeID: { FNumber: 'SKDLX01_SYS' }, FDATE: '2026-03-02', FCONTACTUNITTYPE: 'BD_Customer' },
      ...{ FCONTACTUNIT: { FNumber: 'CUST0001' }, FPAYUNIT: { FNumber: 'CUST0001' }, FPAYUNITTYPE: 'BD_Customer' },
      ...{ FSETTLEORGID: { FNumber: '100' }, FCURRENCYID: { FNumber: 'PRE007' }, FSETTLEMAINBOOKID: { FNumber: 'PRE001' } },
      ...{ FEXCHANGERATE: '7.1', FTHIRDBILLNO: 'JD202603020001', FREMARK: 'CZ1' },
      FRECEIVEBILLENTRY: [
        {
          ...{
            FSETTLETYPEID: { FNumber: 'JSFS04_SYS' },
            FPURPOSEID: { FNumber: 'SFKYT02_SYS' },
            FACCOUNTID: { FNumber: '6222' },
          },
          ...{ FRECTOTALAMOUNTFOR: '10000', FRECAMOUNTFOR_E: '10000', FHANDLINGCHARGEFOR: '25', FCOMMENT: '' },
        },
      ],
    })
  })

  it('what is not mapped is told, each once; a product of a country takes the mapping of the product', () => {
    const missing = neededMappings(withCode(l1())).filter((key) => numberOf(key) === undefined)
    expect(missing).toEqual([])
    expect(() => payloadOf(withCode({ ...l1(), partyId: 'c-X' }), numberOf)).toThrow('customer "c-X"')
    const lines = stockLines(
      [
        { product: 'sms', countryCode: 'CN', units: '1', amount: '1' },
        { product: 'sms', countryCode: 'DE', units: '1', amount: '1' },
      ],
      { total: '2', currency: 'USD' },
    )
    const model = payloadOf(withCode({ ...l1(), formId: 'SAL_OutStock', billTypeKey: 'SAL_OutStock', entries: lines }), numberOf)
    expect((model.FEntity as { FMaterialID: { FNumber: string } }[]).map(({ FMaterialID }) => FMaterialID.FNumber)).toEqual([
      'SMS-CN-A',
      'SMS',
    ])
    expect(model.FBillNo).toBe('JD202603020001')
  })

  it('a file repeats the head on every line and names itself by form, organisation and month', () => {
    const rows = rowsOf('AR_ReceiveBill', payloadOf(withCode(l1()), numberOf))
    expect(rows).toEqual([
      expect.objectContaining({ FCONTACTUNIT: 'CUST0001', FRECAMOUNTFOR_E: '10000', FTHIRDBILLNO: 'JD202603020001' }),
    ])
    expect(fileStem(l1(), '100')).toBe('JD_AR_ReceiveBill_100_202603')
  })

  it('refusals are told apart by the words of Kingdee', () => {
    expect(
      ['该期间已结账', '单据编号重复', '客户已禁用', '汇率与金蝶相差超过0.5%', '字段“结算组织”是必填项', '其他'].map(errorCodeOf),
    ).toEqual(['ORG_CLOSED', 'DUP_NO', 'PARTY_DISABLED', 'RATE_DIFF', 'FIELD_REQUIRED', 'REMOTE'])
  })
})
