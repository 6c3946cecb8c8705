import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityRecord } from '../../../../../gateway/entities'
import { closePeriod } from '../../../../../gateway/modules/fin/bills/books'
import { customerAccount } from '../../../../../gateway/modules/fin/facts'
import { postCost, postUsage } from '../../../../../gateway/modules/fin'
import { writeCustomerMonth } from '../../../../../gateway/modules/fin/ledger/months'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { reverse } from '../../../../../gateway/modules/fin/ledger/post'
import { adjust, gift, writeOff } from '../../../../../gateway/modules/fin/acts/adjust'
import { changePayMode } from '../../../../../gateway/modules/fin/acts/changes'
import { closeAccount } from '../../../../../gateway/modules/fin/acts/closing'
import { changeCycle } from '../../../../../gateway/modules/fin/acts/cycles'
import { defer } from '../../../../../gateway/modules/fin/acts/deferral'
import { grant } from '../../../../../gateway/modules/fin/acts/grants'
import { hedge } from '../../../../../gateway/modules/fin/acts/hedge'
import { hold, release } from '../../../../../gateway/modules/fin/acts/holds'
import { payment, refund } from '../../../../../gateway/modules/fin/acts/pay'
import { recharge } from '../../../../../gateway/modules/fin/acts/recharge'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import type { ServiceError } from '../../../../../gateway/platform/http'
import type { JobReport } from '../../../../../gateway/platform/jobs'
import { openCompany, type Company } from './books'

let company: Company
let today: string
beforeAll(async () => {
  company = await openCompany()
  today = dayOf(company.test.clock.now(), 'Asia/Hong_Kong')
})
afterAll(() => company.test.close())

const refused = async (attempt: Promise<unknown>): Promise<ServiceError> => {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown as ServiceError,
  )
  if (!error) throw new Error('it was not refused')
  return error
}
const number = (value: unknown): number => Number(value)
const used = (accountId: string, amount: string, hour: number, billDay = today) =>
  company.inTransaction((fin) =>
    postUsage(fin, [{ accountId, product: 'sms', billDay, amount, batchStart: new Date(Date.UTC(2026, 0, 1, hour)) }]),
  )
const l1 = {
  ...{
    instanceId: 'i1',
    instanceCode: 'CZ1',
    customerId: 'c-A01',
    rechargeType: 'receipt',
    bankAccountId: 'usd',
    payCurrency: 'USD',
  },
  ...{
    payAmount: '10000',
    bankFee: '25',
    feeBearer: 'us',
    payDate: '2026-03-02',
    bankRef: 'TT-1',
    lines: [{ accountId: 'A01', amount: '10000' }],
  },
}

const came = (accountId: string) =>
  company.rows(
    `select kind, trim_scale(allocated_amount)::text as allocated, trim_scale(unallocated)::text as free, status from fin_bill_refund where account_id = $1 and kind <> 'refund' order by created_at, code`,
    [accountId],
  )

describe('what approvals do with money: the worked examples L1 to L10 through their effects', () => {
  it('L1: a recharge posts once, whatever often its effect is tried, and the platform has to hear of it', async () => {
    const first = (await company.effect(recharge, l1)) as EntityRecord
    const again = (await company.effect(recharge, l1)) as EntityRecord
    expect([again.id, first.status]).toEqual([first.id, 'posted'])
    expect([await company.balance('A01'), await company.balance('usd')]).toEqual(['10000', '9975'])
    expect(await company.rows('select target, amount::text from fin_recharge_record')).toEqual([
      { target: 'platform', amount: expect.stringMatching(/^10000/) as string },
    ])
    expect(
      await refused(company.effect(recharge, { ...l1, payAmount: '10001', lines: [{ accountId: 'A01', amount: '10001' }] })),
    ).toMatchObject({ code: 10060058 })
  })

  it('a bank reference that was used is refused with the document that has it (10060059)', async () => {
    const error = await refused(company.effect(recharge, { ...l1, instanceId: 'i1b', instanceCode: 'CZ1B' }))
    expect(error.code).toBe(10060059)
    expect(error.message).toMatch(/TT-1 was used by CZ\d+/)
  })

  it('L2: 10,000.00 USD become 9,216.59 EUR', async () => {
    const lines = [{ accountId: 'A02', rate: '0.921659', amount: '9216.59' }]
    await company.effect(recharge, {
      ...l1,
      instanceId: 'i2',
      instanceCode: 'CZ2',
      customerId: 'c-A02',
      bankFee: '0',
      bankRef: 'TT-2',
      lines,
    })
    expect(await company.balance('A02')).toBe('9216.59')
    const [clearing] = await company.rows<{ base: string }>(
      `select trim_scale(sum(base))::text as base from fin_account_balance where account_id like 'FXC@%'`,
    )
    expect(clearing?.base).toBe('0')
    expect(
      await refused(
        company.effect(recharge, {
          ...l1,
          instanceId: 'i2b',
          instanceCode: 'CZ2B',
          bankRef: 'TT-2B',
          lines: [{ accountId: 'A01', amount: '9999' }],
        }),
      ),
    ).toMatchObject({ code: 10060059 })
  })

  it('L3, L4: usage and cost of a batch, and the payment to the supplier', async () => {
    await company.inTransaction(async (fin) => {
      const batch = { product: 'sms', billDay: '2026-03-03', batchStart: new Date('2026-03-03T00:00:00Z') }
      await postUsage(fin, [{ ...batch, accountId: 'A01', amount: '42.573' }])
      await postCost(fin, [{ ...batch, accountId: 'S01', amount: '25.914' }])
    })
    const paid = {
      instanceId: 'i4',
      instanceCode: 'FK1',
      paymentKind: 'prepayTraffic',
      supplierAccountId: 'S01',
      bankAccountId: 'eur',
    }
    await company.effect(payment, {
      ...paid,
      currency: 'EUR',
      amount: '5000',
      paidAt: '2026-03-04',
      bankRef: 'P-1',
      actualFee: '15',
    })
    expect([await company.balance('A01'), await company.balance('S01'), await company.balance('eur')]).toEqual([
      '9957.427',
      '4974.086',
      '-5015',
    ])
    expect(await company.rows(`select trim_scale(balance)::text as balance from srm_supplier_account where id = 'S01'`)).toEqual([
      { balance: '4974.086' },
    ])
  })

  it('L5: a refund is frozen, paid once and released; more than is there is refused', async () => {
    const asked = { instanceId: 'i5', instanceCode: 'TK1', accountId: 'A01', amount: '957.42', reason: 'refund' }
    await company.effect(hold, asked)
    await company.effect(hold, asked)
    expect(await company.account('A01')).toMatchObject({ frozen: '957.42' })
    expect(number((await company.account('A01')).refundable)).toBe(9000)
    const paid = { ...asked, bankAccountId: 'usd', paidAt: '2026-03-05' }
    await company.effect(refund, paid)
    await company.effect(refund, paid)
    expect(await company.balance('A01')).toBe('9000.007')
    expect(number((await company.account('A01')).frozen)).toBe(0)
    expect(await refused(company.effect(refund, { ...paid, instanceId: 'i5b', amount: '9000.01' }))).toMatchObject({
      code: 10060059,
    })
  })

  it('a hold is released when the application is given up', async () => {
    await company.effect(hold, { instanceId: 'i5c', instanceCode: 'TK3', accountId: 'A01', amount: '10', reason: 'refund' })
    expect(number((await company.account('A01')).frozen)).toBe(10)
    await company.effect((fin, given) => release(fin, given.needed('instanceId')), { instanceId: 'i5c' })
    expect(number((await company.account('A01')).frozen)).toBe(0)
  })

  it('L6, L7, L8: a bill with its rounding, paid with a loss of 500.00 CNY, and a credit note on it', async () => {
    await company.rows(
      `insert into sys_exchange_rate (id, base, quote, date, rate, kind, created_at, updated_at, version) values ('x3', 'USD', 'CNY', '2026-04-08', 7.05, 'xe', now(), now(), 1)`,
    )
    await used('A03', '10000.004321', 1, '2026-03-20')
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A03'), { from: '2026-03-01', to: '2026-03-31' }, { issue: true }),
    )
    expect(bill).toMatchObject({ total: '10000', status: 'issued' })
    expect(await company.balance('A03')).toBe('-10000')
    const paid = {
      ...l1,
      instanceId: 'i7',
      instanceCode: 'CZ7',
      customerId: 'c-A03',
      bankFee: '0',
      bankRef: 'TT-7',
      payDate: '2026-04-08',
    }
    await company.effect(recharge, { ...paid, lines: [{ accountId: 'A03', amount: '10000' }], billIds: [bill.id] })
    expect(
      await company.rows(`select status, trim_scale(open_amount)::text as open from fin_bill where id = $1`, [bill.id]),
    ).toEqual([{ status: 'paid', open: '0' }])
    expect(
      await company.rows(
        `select trim_scale(balance)::text as balance, round(base, 2)::text as base from fin_account_balance where account_id = 'A03'`,
      ),
    ).toEqual([{ balance: '0', base: '0.00' }])
    const [loss] = await company.rows<{ base: string }>(
      `select round(sum(base_amount), 2)::text as base from fin_ledger_entry where type = 'fxRealised' and account_kind = 'system'`,
    )
    expect(loss?.base).toBe('500.00')
    await company.effect(adjust, {
      instanceId: 'i8',
      instanceCode: 'TZ1',
      kind: 'creditNote',
      accountId: 'A03',
      amount: '120.50',
      billId: bill.id,
      product: 'otpSms',
      reason: 'price',
    })
    expect(await company.balance('A03')).toBe('120.5')
    expect(await came('A03')).toEqual([
      { kind: 'collection', allocated: '10000', free: '0', status: 'posted' },
      { kind: 'creditNote', allocated: '0', free: '120.5', status: 'posted' },
    ])
  })

  it('L9: the recharge is reversed and posted on the right account; without a limit the wrong one is stopped', async () => {
    await used('A01', '9000', 9)
    const [first] = await company.rows<{ id: string }>(`select id from fin_recharge where instance_id = 'i1'`)
    await company.inTransaction(({ entities }) =>
      entities.transition('fin.recharge', first!.id, 'reverse', { note: 'wrong account' }),
    )
    const again = { ...l1, instanceId: 'i9', instanceCode: 'CZ9', customerId: 'c-A04', bankRef: 'TT-1 corrected' }
    await company.effect(recharge, { ...again, lines: [{ accountId: 'A04', amount: '10000' }] })
    expect([await company.balance('A01'), await company.balance('A04')]).toEqual(['-9999.993', '10000'])
    expect(await company.account('A01')).toMatchObject({ stage: 'stop' })
    expect(
      await company.rows(`select action, after from fin_credit_record where account_id = 'A01' order by at desc limit 1`),
    ).toEqual([{ action: 'stop', after: 'stop (low)' }])
  })

  it('I10: a posting is reversed through its document alone, which then has two and is reversed; a posted one has one that holds', async () => {
    const documents = (instance: string) =>
      company.rows<{ id: string; posting: string; status: string; postings: number; live: number }>(
        `select d.id, d.posting_id as posting, d.status, count(*)::int as postings,
            count(*) filter (where p.reverses_id is null and not exists (select 1 from fin_posting r where r.reverses_id = p.id))::int as live
          from fin_recharge d join fin_posting p on p.source_type = 'recharge' and p.source_id = d.instance_id where d.instance_id = $1 group by 1, 2, 3`,
        [instance],
      )
    const [[old], [now]] = [await documents('i1'), await documents('i9')]
    expect([old, now]).toMatchObject([
      { status: 'reversed', postings: 2, live: 0 },
      { status: 'posted', postings: 1, live: 1 },
    ])
    const error = await refused(company.inTransaction((fin) => reverse(fin, now!.posting, 'below its document')))
    expect([error.code, error.message]).toEqual([10060058, expect.stringMatching(/^The posting belongs to CZ\d+/)])
    expect(await documents('i9')).toEqual([now])
    const alone = await used('A05', '1', 3)
    await company.inTransaction((fin) => reverse(fin, alone[0]!.postingId, 'a batch that nothing stands for'))
    const check = (await verifyLedger(company.test.gateway.database)).find(({ field }) => field === 'fin.posting (I10)')
    expect(check).toMatchObject({ drifted: 0 })
    expect(check!.rows).toBeGreaterThan(5)
  })

  it('L10: a gift is used up last and not paid back', async () => {
    await company.effect(gift, {
      instanceId: 'i10',
      instanceCode: 'CZ10',
      accountId: 'A04',
      amount: '50',
      reason: 'compensation',
    })
    await used('A04', '30', 10)
    const a04 = await company.account('A04')
    expect([a04.balance, a04.gift_balance, a04.refundable].map(number)).toEqual([10020, 50, 9970])
    const bank = { bankAccountId: 'usd', paidAt: today, instanceCode: 'TK4' }
    expect(
      await refused(company.effect(refund, { ...bank, instanceId: 'i10b', accountId: 'A04', amount: '9970.01' })),
    ).toMatchObject({ code: 10060059 })
  })
})

describe('what came in is allocated to bills (money 2.4, 2.5)', () => {
  const open = (billId: string) =>
    company.rows(`select status, trim_scale(open_amount)::text as open from fin_bill where id = $1`, [billId])
  const billed = async (amount: string, from: string, to: string): Promise<string> => {
    await used('A09', amount, 12, to)
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A09'), { from, to }, { issue: true }),
    )
    return String(bill.id)
  }
  const act = (entity: string, id: string, transition: string, values: EntityRecord = {}) =>
    company.inTransaction(({ entities }) => entities.transition(entity, id, transition, values))

  it('a receipt that is taken off its bill lies free and settles another by hand, in part or all; a reversal takes all of it back', async () => {
    const [first, second] = [await billed('100', '2026-01-01', '2026-01-15'), await billed('80', '2026-01-16', '2026-01-31')]
    const receipt = {
      ...l1,
      instanceId: 'al1',
      instanceCode: 'CZAL1',
      customerId: 'c-A09',
      bankFee: '0',
      bankRef: 'AL-1',
      payAmount: '100',
    }
    await company.effect(recharge, { ...receipt, lines: [{ accountId: 'A09', amount: '100' }], billIds: [first] })
    expect(await came('A09')).toEqual([{ kind: 'collection', allocated: '100', free: '0', status: 'posted' }])
    const [allocation] = await company.rows<{ id: string }>(`select id from fin_allocation where bill_id = $1`, [first])
    await act('fin.allocation', allocation!.id, 'undo', { note: 'the other bill first' })
    expect(await came('A09')).toEqual([{ kind: 'collection', allocated: '0', free: '100', status: 'posted' }])
    const [row] = await company.rows<{ id: string }>(`select id from fin_bill_refund where account_id = 'A09'`)
    await act('fin.billRefund', row!.id, 'allocate', { billId: second, amount: '30' })
    expect([await open(second), await came('A09')]).toEqual([
      [{ status: 'partPaid', open: '50' }],
      [{ kind: 'collection', allocated: '30', free: '70', status: 'posted' }],
    ])
    expect(await refused(act('fin.billRefund', row!.id, 'allocate', { billId: second, amount: '50.01' }))).toMatchObject({
      code: 10060059,
    })
    await act('fin.bill', second, 'allocate')
    await act('fin.bill', first, 'allocate')
    expect([await open(second), await open(first)]).toEqual([
      [{ status: 'paid', open: '0' }],
      [{ status: 'partPaid', open: '80' }],
    ])
    expect(await refused(act('fin.bill', first, 'allocate'))).toMatchObject({ code: 10060059 })
    expect((await refused(act('fin.billRefund', row!.id, 'reverse', { note: 'not this one' }))).message).toContain(
      'Reverse the document',
    )
    const [document] = await company.rows<{ id: string }>(`select id from fin_recharge where instance_id = 'al1'`)
    await act('fin.recharge', document!.id, 'reverse', { note: 'of another customer' })
    expect([await open(first), await open(second), await came('A09')]).toEqual([
      [{ status: 'issued', open: '100' }],
      [{ status: 'issued', open: '80' }],
      [{ kind: 'collection', allocated: '0', free: '0', status: 'reversed' }],
    ])
  })

  it('what came before a bill settles it when it is issued, and is on it then', async () => {
    const [before] = await company.rows<{ balance: string }>(
      `select balance::text from fin_account_balance where account_id = 'A03'`,
    )
    expect(number(before!.balance)).toBe(120.5)
    await used('A03', '200', 13, '2026-04-10')
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A03'), { from: '2026-04-01', to: '2026-04-30' }, { issue: true }),
    )
    expect([await open(String(bill.id)), (await came('A03'))[1]]).toEqual([
      [{ status: 'partPaid', open: '79.5' }],
      { kind: 'creditNote', allocated: '120.5', free: '0', status: 'posted' },
    ])
  })
})

describe('the three-party hedge', () => {
  const h1 = {
    ...{
      instanceId: 'h1',
      instanceCode: 'DC1',
      hedgeKind: 'customerSupplier',
      leg1AccountKind: 'customer',
      leg1AccountId: 'C',
      leg1Amount: '10800',
    },
    ...{
      leg2AccountKind: 'supplier',
      leg2AccountId: 'S',
      leg2Amount: '10000',
      agreedRate: '1.08',
      feeAmount: '54',
      feeBearer: 'payer',
      effectiveDate: '2026-03-10',
    },
  }

  it('H1: refuses while the debts do not cover it, then ends both with the fee on top', async () => {
    expect(await refused(company.effect(hedge, h1))).toMatchObject({ code: 10060059 })
    await used('C', '12000', 1)
    await company.inTransaction((fin) =>
      postCost(fin, [{ accountId: 'S', product: 'sms', billDay: today, amount: '10000', batchStart: new Date(0) }]),
    )
    expect(await refused(company.effect(hedge, { ...h1, leg1Amount: '10801' }))).toMatchObject({ code: 10010005 })
    await company.effect(hedge, h1)
    await company.effect(hedge, h1)
    expect([await company.balance('C'), await company.balance('S')]).toEqual(['-1254', '0'])
    expect(
      await company.rows(`select trim_scale(sum(base))::text as base from fin_account_balance where account_id like 'HDG:DC1@%'`),
    ).toEqual([{ base: '0' }])
    expect(await company.rows(`select trim_scale(rate_deviation)::text as deviation from fin_hedge`)).toEqual([
      { deviation: '-0.4608' },
    ])
  })
})

describe('credit', () => {
  let late: string
  it('C2, 8.2, 8.3: limits, an overdue stop, the deferral that lifts it, and the second raise', async () => {
    await company.effect(grant, { instanceId: 'g1', instanceCode: 'HSX1', kind: 'permanent', accountId: 'A06', amount: '50000' })
    await used('A06', '20000', 2, addDays(today, -40))
    await used('A06', '25150', 5)
    expect(await company.account('A06')).toMatchObject({ stage: 'urgent', limit_permanent: '50000' })
    expect(number((await company.account('A06')).available)).toBe(4850)
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(
        fin,
        await customerAccount(fin, 'A06'),
        { from: addDays(today, -60), to: addDays(today, -31) },
        { issue: true },
      ),
    )
    late = String(bill.id)
    await company.rows('update fin_bill set issued_at = $2, due_date = $3 where id = $1', [
      late,
      addDays(today, -23),
      addDays(today, -8),
    ])
    await used('A06', '0.000001', 3)
    expect(
      await company.rows(
        `select stage, stop_cause as cause, overdue_days as days from fin_credit_control where account_id = 'A06'`,
      ),
    ).toEqual([{ stage: 'stop', cause: 'overdue', days: 8 }])
    company.test.clock.forward(600)
    const asked = {
      instanceId: 'd1',
      instanceCode: 'YQ1',
      accountId: 'A06',
      billIds: [late],
      deferTo: addDays(today, 7),
      payPlan: [{ date: addDays(today, 7), amount: '20000' }],
    }
    await company.effect(defer, asked)
    await company.effect(defer, asked)
    expect(await company.rows(`select defer_count as times from fin_bill where id = $1`, [late])).toEqual([{ times: 1 }])
    expect(await company.account('A06')).toMatchObject({ stage: 'urgent', overdue_days: 0 })
    expect(await company.rows(`select action from fin_credit_record where account_id = 'A06' order by at, id`)).toEqual(
      expect.arrayContaining([{ action: 'grant' }, { action: 'stop' }, { action: 'defer' }, { action: 'resume' }]) as unknown[],
    )
    await company.effect(grant, { instanceId: 'g2', instanceCode: 'HSX2', kind: 'permanent', accountId: 'A06', amount: '80000' })
    expect(await company.account('A06')).toMatchObject({ stage: 'normal', usage_pct: '56.44', limit_permanent: '80000' })
    expect(await company.rows(`select status from fin_credit_grant where account_id = 'A06' order by created_at, id`)).toEqual([
      { status: 'replaced' },
      { status: 'active' },
    ])
    // the line of the limit over time stands on these
    const limits = await company.rows<{ limit: string }>(
      `select "limit"::text as "limit" from fin_credit_record where account_id = 'A06' and action in ('grant', 'raise', 'lower') order by at, id`,
    )
    expect(limits.map(({ limit }) => Number(limit))).toEqual([50_000, 80_000])
    expect(await refused(company.effect(defer, { ...asked, instanceId: 'd2', billIds: ['gone'] }))).toMatchObject({
      code: 10060059,
    })
  })

  it('a write-off takes off what is open of the bills and settles them', async () => {
    await company.effect(writeOff, { instanceId: 'w1', instanceCode: 'HX1', accountId: 'A06', billIds: [late] })
    expect(await company.rows(`select status from fin_bill where id = $1`, [late])).toEqual([{ status: 'paid' }])
    expect(number(await company.balance('A06'))).toBeCloseTo(-25150, 5)
    expect(await company.rows(`select status from fin_collection_plan`)).toEqual([{ status: 'kept' }])
  })

  it('8.1: a temporary grant lifts a stop now, and one of tomorrow waits', async () => {
    expect(number((await company.account('A05')).credit_limit)).toBe(0)
    const asked = { instanceCode: 'YSX1', kind: 'temporary', accountId: 'A05', amount: '500' }
    await company.effect(grant, { ...asked, instanceId: 'g3', from: today, to: addDays(today, 3) })
    expect(number((await company.account('A05')).available)).toBe(500)
    await company.effect(grant, { ...asked, instanceId: 'g4', from: addDays(today, 1), to: addDays(today, 4) })
    expect(number((await company.account('A05')).available)).toBe(500)
    expect(await company.rows(`select status from fin_credit_grant where account_id = 'A05' order by starts_at`)).toEqual([
      { status: 'active' },
      { status: 'pending' },
    ])
    expect(
      await refused(company.effect(grant, { ...asked, instanceId: 'g5', from: addDays(today, -4), to: addDays(today, -2) })),
    ).toMatchObject({ code: 10010005 })
  })

  it('8.2: a credit line that begins later leaves the one of now until then', async () => {
    const asked = { instanceCode: 'HSX3', kind: 'permanent', accountId: 'A06' }
    await company.effect(grant, { ...asked, instanceId: 'g6', amount: '90000', from: addDays(today, 5) })
    expect(await company.account('A06')).toMatchObject({ limit_permanent: '80000' })
    expect(
      await company.rows(
        `select status, ends_at is not null as ends from fin_credit_grant where account_id = 'A06' and status <> 'replaced' order by starts_at`,
      ),
    ).toEqual([
      { status: 'active', ends: true },
      { status: 'pending', ends: false },
    ])
  })

  it('8.4: an account becomes post-paid with its limit, its old balance pays the first bill', async () => {
    await company.effect(gift, { instanceId: 'i84', instanceCode: 'CZ84', accountId: 'A07', amount: '230' })
    await company.effect(changePayMode, {
      instanceId: 'm1',
      instanceCode: 'FBG1',
      accountId: 'A07',
      toMode: 'postpaid',
      effectiveDate: today,
      limit: '5000',
      billCycleId: 'half',
      termDays: 15,
    })
    expect(await company.account('A07')).toMatchObject({ pay_mode: 'postpaid', bill_cycle_id: 'half' })
    expect(number((await company.account('A07')).available)).toBe(5230)
    await used('A07', '1000', 4)
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A07'), { from: today, to: today }, { issue: true }),
    )
    expect(await company.balance('A07')).toBe('-770')
    expect(
      await company.rows('select trim_scale(open_amount)::text as open, status from fin_bill where id = $1', [bill.id]),
    ).toEqual([{ open: '770', status: 'partPaid' }])
    expect(
      await refused(
        company.effect(changePayMode, { instanceId: 'm2', instanceCode: 'FBG2', accountId: 'A07', toMode: 'postpaid' }),
      ),
    ).toMatchObject({ code: 10060059 })
  })

  it('8.5: another cycle waits for its first day, and no second one beside it', async () => {
    const [year, month] = today.split('-').map(Number) as [number, number]
    const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
    const asked = {
      instanceId: 'z1',
      instanceCode: 'ZBG1',
      accountId: 'A07',
      newCycleId: 'month',
      newTermDays: 30,
      effectiveFrom: next,
    }
    expect(await refused(company.effect(changeCycle, { ...asked, effectiveFrom: addDays(next, 3) }))).toMatchObject({
      code: 10060059,
    })
    const change = (await company.effect(changeCycle, asked)) as EntityRecord
    expect(change.status).toBe('waiting')
    expect(await company.account('A07')).toMatchObject({ next_cycle_id: 'month' })
    expect(await refused(company.effect(changeCycle, { ...asked, instanceId: 'z2' }))).toMatchObject({ code: 10060053 })
    await company.inTransaction(({ entities }) => entities.transition('fin.accountChange', String(change.id), 'take'))
    expect(await company.account('A07')).toMatchObject({ bill_cycle_id: 'month', next_cycle_id: null, term_days: 30 })
  })

  it('an account with money on it is not closed', async () => {
    expect((await refused(company.effect(closeAccount, { accountId: 'A04', instanceId: 'x' }))).code).toBe(10060059)
  })
})

describe('bills that make themselves (money 2.4)', () => {
  const ran = async (name: string): Promise<Record<string, number>> => {
    const { scheduler, database } = company.test.gateway
    const id = await scheduler.runNow(scheduler.find(name)!, { dry: false, startedBy: null })
    const { rows } = await database.query<{ status: string; error: string | null; report: JobReport }>(
      'select status, error, report from sys_job_run where id = $1',
      [id],
    )
    expect([rows[0]?.status, rows[0]?.error]).toEqual(['done', null])
    return Object.fromEntries(rows[0]!.report.figures.map((figure) => [figure.id, figure.value]))
  }
  const bills = () =>
    company.rows<{ id: string; total: string; open: string; status: string }>(
      `select id, trim_scale(total)::text as total, trim_scale(open_amount)::text as open, status from fin_bill where account_id = 'A08' order by period_from`,
    )
  const paid = (instanceId: string, payAmount: string) =>
    company.effect(recharge, {
      ...{ ...l1, instanceId, instanceCode: instanceId, customerId: 'c-A08', bankFee: '0', bankRef: `TT-${instanceId}` },
      ...{ payAmount, payDate: today, lines: [{ accountId: 'A08', amount: payAmount }] },
    })

  it('the periods that are over have a bill each with tax and rounding, the same ones once; none without usage is left out', async () => {
    await used('A08', '4800.3377', 1, addDays(today, -20))
    await used('A08', '35', 2, addDays(today, -16))
    await used('A08', '7', 3, today)
    expect(await ran('fin.bills')).toMatchObject({ bills: 2, failed: 0 })
    expect(await ran('fin.bills')).toMatchObject({ bills: 0, failed: 0 })
    expect(await bills()).toMatchObject([
      { total: '5125.46', open: '5125.46', status: 'issued' },
      { total: '0', open: '0', status: 'paid' },
    ])
    expect(await company.balance('A08')).toBe('-5132.46')
    expect(
      await company.rows(
        `select kind, product, units, trim_scale(amount)::text as amount from fin_bill_line where bill_id = $1 order by kind`,
        [(await bills())[0]!.id],
      ),
    ).toEqual([
      { kind: 'rounding', product: 'sms', units: 0, amount: '0.0023' },
      { kind: 'tax', product: 'sms', units: 0, amount: '290.12' },
      { kind: 'usage', product: 'sms', units: 2, amount: '4835.3377' },
    ])
  })

  it('a bill is paid in two parts, one part of the rest goes back', async () => {
    await paid('p1', '3000')
    expect((await bills())[0]).toMatchObject({ open: '2125.46', status: 'partPaid' })
    await paid('p2', '2200')
    expect((await bills())[0]).toMatchObject({ open: '0', status: 'paid' })
    const bank = { bankAccountId: 'usd', paidAt: today, instanceCode: 'TK8', accountId: 'A08' }
    expect((await refused(company.effect(refund, { ...bank, instanceId: 'r8', amount: '67.55' }))).code).toBe(10060059)
    await company.effect(refund, { ...bank, instanceId: 'r8', amount: '50' })
    expect(await company.balance('A08')).toBe('17.54')
  })

  it('a bill that finance issues is a draft before; void it gives back what was on it, and the next one has it again', async () => {
    await used('A06', '80.125', 1, addDays(today, -1))
    const drawn = () =>
      company.inTransaction(async (fin) =>
        closePeriod(
          fin,
          await customerAccount(fin, 'A06'),
          { from: addDays(today, -1), to: addDays(today, -1) },
          { issue: false },
        ),
      )
    const state = (id: unknown) =>
      company.rows(
        `select l.status, trim_scale(l.open_amount)::text as open, l.due_date is not null as dated, (select count(*)::int from fin_ledger_entry e where e.bill_id = l.id) as entries from fin_bill l where l.id = $1`,
        [id],
      )
    const before = Number(await company.balance('A06'))
    const first = await drawn()
    expect(await state(first.id)).toEqual([{ status: 'draft', open: '80.13', dated: false, entries: 1 }])
    expect(Number(await company.balance('A06'))).toBe(before)
    const move = (id: unknown, transition: string, values = {}) =>
      company.inTransaction(({ entities }) => entities.transition('fin.bill', String(id), transition, values))
    await move(first.id, 'issue')
    expect(await state(first.id)).toMatchObject([{ status: 'issued', open: '80.13', dated: true }])
    expect(Number(await company.balance('A06'))).toBeCloseTo(before - 0.005, 6)
    await move(first.id, 'void', { note: 'wrong period' })
    expect(await state(first.id)).toEqual([{ status: 'void', open: '0', dated: true, entries: 0 }])
    expect(Number(await company.balance('A06'))).toBe(before)
    const second = await drawn()
    expect(second.id).not.toBe(first.id)
    expect(second.total).toBe(first.total)
    await move(second.id, 'issue')
    expect(await state(second.id)).toMatchObject([{ status: 'issued', open: '80.13', dated: true }])
  })

  it('usage that was entered is posted once, and stands on the bill by country, price and sub-account', async () => {
    const line = { accountId: 'A06', day: today, product: 'sms', countryCode: 'TH', price: '0.01', subAccount: 'promo' }
    const enter = (reference: string, units: number) =>
      company.inTransaction(({ entities }) => entities.save('fin.usage', { ...line, reference, units }))
    const before = Number(await company.balance('A06'))
    await enter('batch-1/1', 300)
    await enter('batch-1/2', 200)
    await expect(enter('batch-1/2', 200)).rejects.toThrow()
    expect(Number(await company.balance('A06'))).toBeCloseTo(before - 5, 6)
    const bill = await company.inTransaction(async (fin) =>
      closePeriod(fin, await customerAccount(fin, 'A06'), { from: today, to: today }, { issue: true }),
    )
    expect(
      await company.rows(
        `select country_code as country, sub_account as sub, units, trim_scale(amount)::text as amount from fin_bill_line where bill_id = $1 and country_code = 'TH'`,
        [bill.id],
      ),
    ).toEqual([{ country: 'TH', sub: 'promo', units: 500, amount: '5' }])
  })

  it('imports of usage on the same accounts at once are posted exactly, each line and each key once (I3, I4, I13)', async () => {
    const before = [await company.balance('A06'), await company.balance('A04')].map(number)
    const line = (index: number) => ({
      ...{ accountId: index % 2 === 0 ? 'A06' : 'A04', day: today, product: 'sms', countryCode: 'VN', price: '0.02' },
      ...{ units: 50, reference: `many/${index}` },
    })
    const batch = (from: number) => Array.from({ length: 25 }, (_, index) => line(from + index))
    await Promise.all(
      [0, 25, 50, 75].map((from) => company.inTransaction(({ entities }) => entities.createMany('fin.usage', batch(from)))),
    )
    await expect(company.inTransaction(({ entities }) => entities.createMany('fin.usage', batch(90)))).rejects.toThrow()
    expect([await company.balance('A06'), await company.balance('A04')].map(number)).toEqual(before.map((one) => one - 50))
    expect(
      await company.rows(
        `select count(*)::int as lines, count(distinct posting_id)::int as postings from fin_usage where reference like 'many/%'`,
      ),
    ).toEqual([{ lines: 100, postings: 100 }])
    const given = { accountId: 'A04', product: 'sms', billDay: today, amount: '7.5', batchStart: new Date(Date.UTC(2026, 5, 1)) }
    const posted = await company.inTransaction((fin) => postUsage(fin, [given, { ...given, product: 'mail' }, given]))
    expect(posted.map(({ first }) => first)).toEqual([true, true, false])
    expect(posted[2]!.postingId).toBe(posted[0]!.postingId)
    expect((await verifyLedger(company.test.gateway.database)).filter(({ drifted }) => drifted > 0)).toEqual([])
  })

  it('the month of a customer is what the ledger has up to yesterday, the same when it is written again', async () => {
    const [month, tomorrow] = [`${today.slice(0, 7)}-01`, addDays(today, 1)]
    const write = () =>
      company.test.gateway.database.transaction((tx) =>
        writeCustomerMonth(tx, month, { today: tomorrow, now: new Date(company.test.clock.now().getTime() + 86_400_000) }),
      )
    expect(await write()).toBeGreaterThan(0)
    const figures = await company.rows<{ revenue: string; messages: number }>(
      `select trim_scale(revenue)::text as revenue, messages::int from fin_customer_month where customer_id = 'c-A04' and month = $1 and product = 'sms'`,
      [month],
    )
    const [ledger] = await company.rows<{ revenue: string }>(
      `select trim_scale(round(sum(r.signed_amount), 2))::text as revenue from fin_ledger_entry r join fin_ledger_entry e on e.posting_id = r.posting_id and e.account_kind = 'customer' and e.account_id = 'A04'
        where r.account_id like 'REV:sms@%' and r.biz_date >= $1::date`,
      [month],
    )
    expect(figures).toEqual([{ revenue: ledger!.revenue, messages: 2500 }])
    expect(await write()).toBe(0)
    const drifted = async () => (await verifyLedger(company.test.gateway.database)).filter(({ drifted }) => drifted > 0)
    expect(await drifted()).toEqual([])
    await company.rows(`update fin_customer_month set revenue = revenue + 1 where customer_id = 'c-A04' and product = 'sms'`)
    expect((await drifted()).map(({ field }) => field)).toEqual(['fin.customerMonth.revenue'])
    expect(await write()).toBe(1)
    expect(await drifted()).toEqual([])
    await company.rows('delete from fin_customer_month')
  })

  it('an allocation that is undone opens its bill, and its money may pay another one or the same', async () => {
    const [one] = await company.rows<{ id: string }>(
      `select a.id from fin_allocation a join fin_recharge r on r.posting_id = a.posting_id where r.instance_id = 'p1'`,
    )
    const undo = (id: string, toBillId: string | null) =>
      company.inTransaction(({ entities }) =>
        entities.transition('fin.allocation', id, 'undo', { toBillId, note: 'the wrong bill' }),
      )
    const [bill] = await bills()
    await undo(one!.id, bill!.id)
    expect((await bills())[0]).toMatchObject({ open: '0', status: 'paid' })
    const [again] = await company.rows<{ id: string }>(
      `select a.id from fin_allocation a join fin_recharge r on r.posting_id = a.posting_id where r.instance_id = 'p1' and a.status = 'live'`,
    )
    await undo(again!.id, null)
    expect((await bills())[0]).toMatchObject({ open: '3000', status: 'partPaid' })
  })

  it('H4: a document is reversed once: its posting is mirrored, its bills are open again, the platform hears of it', async () => {
    const [document] = await company.rows<{ id: string; posting: string }>(
      `select id, posting_id as posting from fin_recharge where instance_id = 'p2'`,
    )
    const reversing = () =>
      company.inTransaction(({ entities }) =>
        entities.transition('fin.recharge', document!.id, 'reverse', { note: 'paid for somebody else' }),
      )
    await reversing()
    expect((await bills())[0]).toMatchObject({ open: '5125.46', status: 'issued' })
    expect(await company.balance('A08')).toBe('-2182.46')
    expect(await company.rows(`select status from fin_recharge where id = $1`, [document!.id])).toEqual([{ status: 'reversed' }])
    expect(
      await company.rows(
        `select trim_scale(r.amount)::text as amount from fin_recharge_record r join fin_posting p on p.id = r.posting_id where p.id = $1 or p.reverses_id = $1 order by r.amount`,
        [document!.posting],
      ),
    ).toEqual([{ amount: '-2200' }, { amount: '2200' }])
    await refused(reversing())
    const [hedged] = await company.rows<{ id: string }>(`select id from fin_hedge where instance_id = 'h1'`)
    await company.inTransaction(({ entities }) =>
      entities.transition('fin.hedge', hedged!.id, 'reverse', { note: 'void agreement' }),
    )
    expect([await company.balance('C'), await company.balance('S')]).toEqual(['-12000', '-10000'])
  })

  it('credit follows the day: what gets due stops its account with nothing else happening', async () => {
    await company.rows(`update fin_bill set due_date = $1 where account_id = 'A08' and status = 'issued'`, [addDays(today, -30)])
    await company.effect(grant, { instanceId: 'g8', instanceCode: 'HSX8', kind: 'permanent', accountId: 'A04', amount: '1' })
    company.test.clock.forward(3_700)
    expect((await ran('fin.credit')).accounts).toBeGreaterThan(5)
    expect(await company.rows(`select stage, stop_cause as cause from fin_credit_control where account_id = 'A08'`)).toEqual([
      { stage: 'stop', cause: 'overdue' },
    ])
    const { rows } = await company.test.gateway.database.query(`select count(*)::int as records from fin_credit_record`)
    expect(await ran('fin.credit')).toMatchObject({ accounts: 0, changed: 0 })
    expect((await company.test.gateway.database.query(`select count(*)::int as records from fin_credit_record`)).rows).toEqual(
      rows,
    )
  })
})

describe('what people decide of credit (money 2.2)', () => {
  it('a stop by hand holds until a person resumes; thresholds and the whitelist count at once and are on record', async () => {
    const [control] = await company.rows<{ id: string }>(`select id from fin_credit_control where account_id = 'A04'`)
    const taken = (transition: string, input: EntityRecord) =>
      company.inTransaction(({ entities }) => entities.transition('fin.creditControl', control!.id, transition, input))
    const stage = async () => (await company.account('A04')).stage
    await taken('stop', { note: 'fraud suspected' })
    expect(await stage()).toBe('manualStop')
    await used('A04', '1', 20)
    expect(await stage()).toBe('manualStop')
    company.test.clock.forward(600)
    await taken('resume', { note: 'cleared by risk' })
    expect(await stage()).toBe('normal')
    await company.inTransaction(({ entities }) => entities.save('fin.creditControl', { id: control!.id, warnAmount: '50000' }))
    expect(await stage()).toBe('urgent')
    await taken('whitelist', { whitelistUntil: addDays(today, 30), note: 'protected customer' })
    expect(
      await company.rows(
        `select action, after from fin_credit_record where account_id = 'A04' and action in ('threshold', 'whitelist') order by at, id`,
      ),
    ).toEqual([
      { action: 'threshold', after: '50000' },
      { action: 'whitelist', after: addDays(today, 30) },
    ])
  })
})

describe('the ledger after all of it', () => {
  it('I1 to I5, I11, I15: agrees with its entries, and a balance that was broken is found and mended', async () => {
    const { database } = company.test.gateway
    const drifted = async (fix = false) =>
      (await verifyLedger(database, { fix })).filter((drift) => drift.drifted > 0).map(({ field }) => field)
    expect(await drifted()).toEqual([])
    await company.rows(`update fin_account_balance set balance = balance + 1 where account_id = 'A04'`)
    expect(await drifted(true)).toEqual(['fin.accountBalance.balance'])
    expect(await drifted(true)).toEqual([])
  })
})
