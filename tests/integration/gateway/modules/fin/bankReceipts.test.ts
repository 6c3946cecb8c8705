import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../../gateway/entities'
import { closePeriod } from '../../../../../gateway/modules/fin/bills/books'
import { customerAccount } from '../../../../../gateway/modules/fin/facts'
import { postUsage } from '../../../../../gateway/modules/fin'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { payment } from '../../../../../gateway/modules/fin/acts/pay'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import { verifyModules } from '../../../../../gateway/modules'
import type { ServiceError } from '../../../../../gateway/platform/http'
import type { Caller } from '../../../../support/gateway'
import { openCompany, type Company } from './books'

const KEYS = [
  'fin:ledger:view',
  'fin:ledger:reverse',
  'fin:receipt:enter',
  'fin:paymentRefund:enter',
  'fin:recharge:check',
  'fin:pay:execute',
]

let company: Company
let one: Caller
let other: Caller
let seller: Caller
beforeAll(async () => {
  company = await openCompany()
  const { test } = company
  const scopes = { '*': ['all'] }
  await test.addStaff({ id: 'ar-1', jobNumber: 'AR1', keys: KEYS, scopes })
  await test.addStaff({ id: 'ar-2', jobNumber: 'AR2', keys: KEYS, scopes })
  await test.addStaff({ id: 'seller', jobNumber: 'SE1', keys: ['crm:customer:edit'], scopes })
  ;[one, other, seller] = await Promise.all([test.signIn('AR1'), test.signIn('AR2'), test.signIn('SE1')])
})
afterAll(() => company.test.close())

type Kind = 'unclaimedReceipt' | 'paymentRefund' | 'recharge' | 'payment'
const english = { 'accept-language': 'en' }
const save = (kind: Kind, values: object, by = one) =>
  by.post<{ id: string; version: number }>(`/v2/fin/${kind}/save`, values, english)
/** What the gateway says: OK, or why not. */
const move = async (kind: Kind, id: string, transition: string, by = one, values: object = {}): Promise<string> => {
  const { code, msg, data } = await by.post<{ refused?: { reason: string }[] }>(
    `/v2/fin/${kind}/stateUpdate`,
    { ids: [id], transition, values },
    english,
  )
  return code === 0 && data.refused?.length ? data.refused[0]!.reason : msg
}
const reverse = (kind: Kind, id: string, by = one) => move(kind, id, 'reverse', by, { note: 'the wrong line' })
const view = async (kind: Kind, id: string): Promise<EntityRecord> =>
  (await one.get<{ record: EntityRecord }>(`/v2/fin/${kind}/view/${id}`)).data.record
/** What one person enters and another posts. */
const posted = async (kind: Kind, values: object): Promise<string> => {
  const { msg, data } = await save(kind, values)
  expect(msg).toBe('OK')
  expect([await move(kind, data.id, 'submit'), await move(kind, data.id, 'check', other)]).toEqual(['OK', 'OK'])
  return data.id
}
const refused = async (attempt: Promise<unknown>): Promise<ServiceError> => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
  if (!error) throw new Error('it was not refused')
  return error
}
const balances = (...ids: string[]): Promise<string[]> => Promise.all(ids.map((id) => company.balance(id)))
/** The usage of these tests has no records. */
const WITHOUT_RECORDS = 'charged records = fin.ledgerEntry (I7)'
const drifts = async () =>
  (await verifyModules(company.test.gateway.database, { fix: false })).filter(
    ({ field, drifted }) => drifted > 0 && field !== WITHOUT_RECORDS,
  )
const line = (bankRef: string, more: object = {}) => ({
  ...{ bankAccountId: 'usd', bankRef, payAmount: '1000.00', bankFee: '12.00', payDate: '2026-03-02', payer: 'ACME LTD' },
  ...more,
})
let claims = 0
const claim = (receiptId: string, payAmount: string, lines: object[], more: object = {}) => {
  claims += 1
  return company.effect(recharge, {
    ...{ instanceId: `claim-${claims}`, instanceCode: `SCZ${claims}`, customerId: 'c-A01', rechargeType: 'manual' },
    ...{ manualKind: 'claim', receiptId, payCurrency: 'USD', payAmount, lines, payDate: '2026-03-10' },
    ...more,
  }) as Promise<EntityRecord>
}

describe('money of a payer whom nobody knows (money 1.3 suspense)', () => {
  let receipt: string
  let claimed: EntityRecord

  it('is entered by one person and posted by another: D bank 988 · D FEE 12 · C SUS 1,000', async () => {
    expect((await save('unclaimedReceipt', line('U-1'), seller)).code).not.toBe(0)
    const { data } = await save('unclaimedReceipt', line('U-1'))
    receipt = data.id
    expect(await move('unclaimedReceipt', receipt, 'submit')).toBe('OK')
    expect(await move('unclaimedReceipt', receipt, 'check', seller)).not.toBe('OK')
    expect(await move('unclaimedReceipt', receipt, 'check', one)).not.toBe('OK')
    expect(await balances('usd', 'SUS@hk:USD')).toEqual(['0', '0'])
    expect(await move('unclaimedReceipt', receipt, 'check', other)).toBe('OK')
    expect(await balances('usd', 'FEE@hk:USD', 'SUS@hk:USD')).toEqual(['988', '12', '1000'])
    expect(await view('unclaimedReceipt', receipt)).toMatchObject({ status: 'posted', claimedAmount: '0', openAmount: '1000' })
    expect(
      await company.rows(
        `select form_id as form, trim_scale(amount)::text as amount, trim_scale(fee)::text as fee, trim_scale(bank_amount)::text as bank, bill_type_key as type from fin_kingdee_doc`,
      ),
    ).toEqual([{ form: 'AR_ReceiveBill', amount: '1000', fee: '12', bank: '988', type: 'AR_ReceiveBill:other' }])
  })

  it('takes a reference of a bank account once, whatever document has it, also when it is sent twice at once', async () => {
    expect(await save('unclaimedReceipt', line('U-1'))).toMatchObject({ code: 10060059 })
    const twice = await Promise.all([save('unclaimedReceipt', line('U-2')), save('unclaimedReceipt', line('U-2'))])
    expect(twice.map(({ code }) => code).sort()).toEqual([0, 10060059])
    const bank = { rechargeType: 'receipt', customerId: 'c-A01', bankAccountId: 'usd', payCurrency: 'USD', payAmount: '5' }
    const came = (bankRef: string) =>
      company.effect(recharge, {
        ...bank,
        instanceId: bankRef,
        bankRef,
        payDate: '2026-03-02',
        lines: [{ accountId: 'A01', amount: '5' }],
      })
    const { code } = await view('unclaimedReceipt', receipt)
    expect(await refused(came('U-1'))).toMatchObject({ code: 10060059, message: expect.stringContaining(String(code)) as string })
    await came('R-1')
    const { msg } = await save('unclaimedReceipt', line('R-1'))
    expect(msg).toMatch(/R-1 .* CZ\d+/)
    expect((await save('unclaimedReceipt', line('R-1', { bankAccountId: 'eur' }))).code).toBe(0)
    expect((await save('unclaimedReceipt', line('U-3', { bankFee: '1000.00' }))).msg).toContain('fee')
  })

  it('is claimed in parts, also for an account in another currency, and never more than is there', async () => {
    claimed = await claim(receipt, '400', [{ accountId: 'A01', amount: '400' }])
    expect(await view('unclaimedReceipt', receipt)).toMatchObject({ claimedAmount: '400', openAmount: '600' })
    const lines = [{ accountId: 'A02', rate: '0.921659', amount: '553.00' }]
    await claim(receipt, '600', lines, { customerId: 'c-A02' })
    expect(await balances('A01', 'A02', 'SUS@hk:USD')).toEqual(['405', '553', '0'])
    expect(await view('unclaimedReceipt', receipt)).toMatchObject({ claimedAmount: '1000', openAmount: '0' })
    const [clearing] = await company.rows(
      `select trim_scale(sum(base))::text as base from fin_account_balance where account_id like 'FXC@%'`,
    )
    expect(clearing).toEqual({ base: '0' })
    expect(await refused(claim(receipt, '0.01', [{ accountId: 'A01', amount: '0.01' }]))).toMatchObject({ code: 10060059 })
    expect(await refused(claim('', '10', [{ accountId: 'A01', amount: '10' }]))).toMatchObject({ code: 10010005 })
    expect(await drifts()).toEqual([])
  })

  it('is reversed after its claims: each goes back, and can be claimed again', async () => {
    expect(await reverse('unclaimedReceipt', receipt)).toContain('Reverse the recharges')
    expect(await reverse('recharge', String(claimed.id))).toBe('OK')
    expect(await view('unclaimedReceipt', receipt)).toMatchObject({ claimedAmount: '600', openAmount: '400' })
    const both = await Promise.allSettled(
      [1, 2].map(() => claim(receipt, '400', [{ accountId: 'A04', amount: '400' }], { customerId: 'c-A04' })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await balances('A01', 'A04', 'SUS@hk:USD')).toEqual(['5', '400', '0'])
    for (const { id } of await company.rows<{ id: string }>(
      `select id from fin_recharge where receipt_id = $1 and status = 'posted'`,
      [receipt],
    ))
      expect(await reverse('recharge', id)).toBe('OK')
    expect(await reverse('unclaimedReceipt', receipt, seller)).not.toBe('OK')
    expect(await reverse('unclaimedReceipt', receipt)).toBe('OK')
    expect(await balances('usd', 'FEE@hk:USD', 'SUS@hk:USD', 'A02')).toEqual(['5', '0', '0', '0'])
    expect(await refused(claim(receipt, '1', [{ accountId: 'A01', amount: '1' }]))).toMatchObject({ code: 10060059 })
    expect((await save('unclaimedReceipt', line('U-1'))).code).toBe(0)
    expect(await drifts()).toEqual([])
  })

  it('pays the bills of a post-paid account, and its collection names the bank and the reference', async () => {
    const batchStart = new Date('2026-02-10T00:00:00Z')
    await company.inTransaction((fin) =>
      postUsage(fin, [{ accountId: 'A06', product: 'sms', billDay: '2026-02-10', amount: '80', batchStart }]),
    )
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A06'), { from: '2026-02-01', to: '2026-02-28' }, { issue: true }),
    )
    expect(Number(bill.total)).toBe(80)
    const id = await posted('unclaimedReceipt', line('U-6', { payAmount: '100.00', bankFee: '0' }))
    await claim(id, '100', [{ accountId: 'A06', amount: '100' }], { customerId: 'c-A06' })
    expect(await company.rows(`select status from fin_bill where id = $1`, [bill.id])).toEqual([{ status: 'paid' }])
    expect(
      await company.rows(
        `select kind, bank_account_id as bank, bank_ref as ref, trim_scale(unallocated)::text as free from fin_bill_refund where account_id = 'A06'`,
      ),
    ).toEqual([{ kind: 'collection', bank: 'usd', ref: 'U-6', free: '20' }])
  })

  it('is found by reconcile where SUS and what is open of receipts differ', async () => {
    await posted('unclaimedReceipt', line('U-7', { payAmount: '30.00', bankFee: '0' }))
    const SUS = 'fin.accountBalance SUS = fin.unclaimedReceipt.openAmount'
    const found = async () => (await verifyLedger(company.test.gateway.database)).find(({ field }) => field === SUS)?.drifted
    expect(await found()).toBe(0)
    await company.rows(`update fin_unclaimed_receipt set open_amount = open_amount - 1 where bank_ref = 'U-7'`)
    expect(await found()).toBe(1)
    await company.rows(`update fin_unclaimed_receipt set open_amount = open_amount + 1 where bank_ref = 'U-7'`)
  })

  it('a correction needs no receipt and touches no suspense: it posts like a note, below 0 the other way round', async () => {
    const before = await balances('SUS@hk:USD')
    const corrected = (instanceId: string, amount: string) =>
      company.effect(recharge, {
        ...{ instanceId, customerId: 'c-A05', rechargeType: 'manual', manualKind: 'correction', payCurrency: 'USD' },
        ...{ payAmount: amount, payDate: '2026-03-11', lines: [{ accountId: 'A05', rate: '1', amount }] },
      })
    await corrected('k1', '10.00')
    await corrected('k2', '-4.50')
    expect(await balances('A05', 'REV:voice@hk:USD', 'SUS@hk:USD')).toEqual(['5.5', '-5.5', ...before])
    expect(await drifts()).toEqual([])
  })
})

describe('money that a supplier returns (money 1.3 paymentRefund)', () => {
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  let paid: EntityRecord
  const bill = async () =>
    (await company.rows(`select status, trim_scale(open_amount)::text as open from fin_bill where id = 'sb'`))[0]
  const refund = (bankRef: string, more: object = {}) => ({
    ...{ bankAccountId: 'eur', bankRef, payDate: '2026-03-06', supplierAccountId: 'S01', paymentId: paid.id, bankFee: '0' },
    ...more,
  })
  beforeAll(async () => {
    await company.inTransaction(({ entities }) =>
      entities.insertMany('fin.bill', [
        {
          ...{ ...stamp, id: 'sb', code: 'SB1', side: 'supplier', supplierId: 'sp1', supplierAccountId: 'S01', currency: 'EUR' },
          ...{ periodFrom: '2026-02-01', periodTo: '2026-02-28', dueDate: '2026-03-20', total: '800', baseTotal: '6162.8' },
          ...{ openAmount: '800', paidAmount: '0', status: 'issued', issuedAt: '2026-03-01T00:00:00.000Z' },
        },
      ]),
    )
    paid = (await company.effect(payment, {
      ...{ instanceId: 'p1', instanceCode: 'FK1', paymentKind: 'billTraffic', supplierAccountId: 'S01', bankAccountId: 'eur' },
      ...{ currency: 'EUR', amount: '1000', paidAt: '2026-03-04', bankRef: 'P-1', actualFee: '15', billIds: ['sb'] },
    })) as EntityRecord
    expect(await bill()).toEqual({ status: 'paid', open: '0' })
  })

  it('is entered by one person and posted by another: D bank 298 · D FEE 2 · C supplier 300, with a refund slip', async () => {
    expect((await save('paymentRefund', refund('B-1', { payAmount: '300.00', bankFee: '2.00' }), seller)).code).not.toBe(0)
    const { data } = await save('paymentRefund', refund('B-1', { payAmount: '300.00', bankFee: '2.00' }))
    expect(await move('paymentRefund', data.id, 'submit')).toBe('OK')
    expect(await move('paymentRefund', data.id, 'check')).not.toBe('OK')
    expect(await move('paymentRefund', data.id, 'check', other)).toBe('OK')
    // 1,000 and a fee of 15 had left
    expect(await balances('eur', 'FEE@hk:EUR', 'S01')).toEqual(['-717', '17', '700'])
    expect(await view('paymentRefund', data.id)).toMatchObject({
      status: 'posted',
      amount: '300',
      currency: 'EUR',
      supplierId: 'sp1',
    })
    expect(
      await company.rows(
        `select trim_scale(amount)::text as amount, trim_scale(fee)::text as fee, trim_scale(bank_amount)::text as bank, supplier_id as supplier from fin_kingdee_doc where form_id = 'AP_RefundBill'`,
      ),
    ).toEqual([{ amount: '300', fee: '2', bank: '298', supplier: 'sp1' }])
    expect((await save('paymentRefund', refund('B-1', { payAmount: '1.00' }))).code).toBe(10060059)
    // 200 of the payment lay free, so the bill is open by 100 again
    expect([await bill(), (await view('payment', String(paid.id))).returnedAmount]).toEqual([
      { status: 'partPaid', open: '100' },
      '300',
    ])
  })

  it('comes in another currency at the rate that was applied', async () => {
    expect((await save('paymentRefund', refund('B-2', { bankAccountId: 'usd', payAmount: '110.00' }))).msg).toContain('rate')
    const [before] = await balances('usd')
    const id = await posted('paymentRefund', refund('B-2', { bankAccountId: 'usd', payAmount: '110.00', actualRate: '0.92' }))
    expect([await view('paymentRefund', id), await balances('S01', 'usd')]).toMatchObject([
      { amount: '101.2' },
      ['598.8', String(Number(before) + 110)],
    ])
    expect(await bill()).toEqual({ status: 'partPaid', open: '201.2' })
    expect(await drifts()).toEqual([])
  })

  it('is never more than the payment paid, less what came back of it', async () => {
    expect((await save('paymentRefund', refund('B-3', { payAmount: '598.81' }))).msg).toContain('401.2')
    const { data } = await save('paymentRefund', refund('B-3', { payAmount: '598.80' }))
    await move('paymentRefund', data.id, 'submit')
    const again = await save('paymentRefund', refund('B-4', { payAmount: '598.80' }))
    await move('paymentRefund', again.data.id, 'submit')
    const both = await Promise.all([data.id, again.data.id].map((id) => move('paymentRefund', id, 'check', other)))
    expect(both.filter((said) => said === 'OK')).toHaveLength(1)
    expect(both.find((said) => said !== 'OK')).toContain('No more than 0 EUR')
    expect([await balances('S01'), await bill()]).toEqual([['0'], { status: 'issued', open: '800' }])
  })

  it('is reversed alone; its payment is reversed when nothing of it came back any more, and pays its bill again', async () => {
    expect(await reverse('payment', String(paid.id))).toContain('Reverse its payment refunds')
    const rows = await company.rows<{ id: string }>(
      `select id from fin_payment_refund where status = 'posted' order by created_at`,
    )
    expect(await reverse('paymentRefund', rows[0]!.id, seller)).not.toBe('OK')
    const open: unknown[] = []
    for (const { id } of rows) {
      expect(await reverse('paymentRefund', id)).toBe('OK')
      open.push((await bill())?.open)
    }
    expect([rows.length, open]).toEqual([3, ['500', '398.8', '0']])
    expect(await balances('S01', 'FEE@hk:EUR')).toEqual(['1000', '15'])
    expect(
      await company.rows(
        `select status from fin_kingdee_doc where form_id = 'AP_RefundBill' and status <> 'reversed' and status <> 'skipped'`,
      ),
    ).toEqual([])
    expect(await reverse('payment', String(paid.id))).toBe('OK')
    expect([await balances('S01', 'eur'), await bill()]).toEqual([['0', '0'], { status: 'issued', open: '800' }])
    expect(await drifts()).toEqual([])
  })

  it('without a payment it comes from the balance, and opens no bill', async () => {
    const id = await posted('paymentRefund', refund('B-9', { paymentId: null, supplierAccountId: 'S', payAmount: '20.00' }))
    expect([await balances('S', 'eur'), (await view('paymentRefund', id)).amount]).toEqual([['-20', '20'], '20'])
  })
})
