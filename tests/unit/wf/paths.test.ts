import { describe, expect, it } from 'vitest'
import { Filled, shipped, shippedRule, type Around, type Values } from './world'

const account = (values: Values = {}): Values => ({
  id: 'acc',
  code: 'A000001',
  customerId: 'cus',
  currency: 'USD',
  status: 'active',
  payMode: 'postpaid',
  creditLimit: '50000.00',
  balance: '-45150.00',
  used: '45150.00',
  usagePct: '90.30',
  ...values,
})
const customer = { id: 'cus', code: 'CU1', name: 'Nova', ownerId: 'wang' }
const records = (acc: Values = {}, more: Readonly<Record<string, Values>> = {}): Around['records'] => ({
  acc: account(acc),
  cus: customer,
  ...more,
})
const contract = { id: 'con', code: 'HT1', payMode: 'postpaid' }

describe('Post-paid credit (money 8.2, 8.16)', () => {
  const postpay = shipped('fin', 'postpay')
  const asked = (applyLimit: string, more: Values = {}, around: Around = {}): Filled =>
    new Filled(
      postpay,
      { customerId: 'cus', accountId: 'acc', applyLimit, termDays: 30, validFrom: '2026-12-01', validTo: '2027-11-30', ...more },
      { records: records(), ...around, lookups: { contract, ...around.lookups } },
    )

  it('80,000 USD are 568,000 CNY: leader, director, credit officer, cfo, ceo; 65,000 approved go to finance manager and cfo', () => {
    const form = asked('80000.00')
    expect(form.values).toMatchObject({ limitCny: '568000.00', changeKind: 'raise', currency: 'USD' })
    expect(form.path()).toEqual(['leader', 'director', 'credit', 'cfo', 'ceo'])
    const lowered = form.with({ approvedLimit: '65000.00', riskLevel: 'medium' })
    expect(lowered.values.limitCny).toBe('461500.00')
    expect(lowered.path()).toEqual(['leader', 'director', 'credit', 'manager', 'mediumCfo'])
    expect(lowered.say(postpay.amount!)).toBe('65000.00')
  })

  it('a high risk asks legal beside the finance manager, and only then', () => {
    expect(asked('60000.00', { riskLevel: 'high' }).path()).toEqual([
      'leader',
      'director',
      'credit',
      'manager',
      'legal',
      'mediumCfo',
    ])
    expect(asked('7000.00', { riskLevel: 'high' }, { records: records({ creditLimit: '0' }) }).path()).toEqual([
      'leader',
      'director',
      'credit',
      'smallManager',
      'smallLegal',
    ])
    expect(asked('60000.00', { riskLevel: 'low' }).path()).not.toContain('legal')
  })

  it('a lower limit ends with the credit officer; what is used then stands against the new limit', () => {
    const form = asked('40000.00')
    expect(form.values.changeKind).toBe('lower')
    expect(form.path()).toEqual(['leader', 'director', 'credit'])
    expect(asked('80000.00').values.usagePctAfter).toBe('56.44')
    expect(asked('50000.00').values.changeKind).toBe('renew')
    expect(asked('50000.00', {}, { records: records({ creditLimit: null }) }).values.changeKind).toBe('first')
  })

  it('above 100,000 CNY it asks for credit documents; a deposit asks for amount and account', () => {
    expect(asked('14084.50').asks('creditFiles')).toBe(false)
    expect(asked('14085.00').asks('creditFiles')).toBe(true)
    expect(asked('60000.00').shows('depositAmount')).toBe(false)
    const deposit = asked('60000.00', { guarantee: 'deposit' })
    expect([deposit.shows('depositAmount'), deposit.asks('depositAmount'), deposit.asks('depositAccountId')]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('says what is wrong: terms, more than 12 months, an approval above what was asked', () => {
    expect(asked('60000.00', { termDays: 20 }).broken()).toEqual(['term'])
    expect(asked('60000.00', { validTo: '2027-12-02' }).broken()).toEqual(['tooLong'])
    expect(asked('60000.00', { approvedLimit: '60000.01' }).broken('credit')).toEqual(['notAbove'])
    expect(asked('60000.00', { approvedLimit: '60000.00' }).broken('credit')).toEqual([])
  })

  it('is refused for a prepaid account, without an active contract, during an alias change, for a blacklisted customer', () => {
    expect(asked('60000.00').refused()).toEqual([])
    expect(asked('60000.00', {}, { records: records({ payMode: 'prepaid' }) }).refused()).toEqual(['mode 10060059'])
    // said at the customer, where somebody can do something about it
    expect(asked('60000.00', {}, { lookups: { contract: null } }).broken()).toEqual(['contract'])
    expect(asked('60000.00', {}, { lookups: { aliasChange: { code: 'BM1' } } }).refused()).toEqual(['aliasChange 10050027'])
    expect(asked('60000.00', {}, { records: { ...records(), cus: { ...customer, blacklisted: true } } }).refused()).toEqual([
      'blacklisted 10060059',
    ])
  })
})

/** The credit rules as they are shipped. */
const CREDIT_RULE = shippedRule('fin', 'credit')

describe('Prepaid credit (money 8.1)', () => {
  const prepay = shipped('fin', 'prepay')
  const asked = (creditAmount: string, more: Values = {}, lookups: Values = {}): Filled =>
    new Filled(
      prepay,
      {
        customerId: 'cus',
        accountId: 'acc',
        creditAmount,
        from: '2026-11-20T02:00:00.000Z',
        to: '2026-11-22T02:00:00.000Z',
        expectedPayDate: '2026-11-21',
        expectedPayAmount: '10000.00',
        ...more,
      },
      {
        records: records({ payMode: 'prepaid', available: '260.25', stage: 'stop' }),
        lookups: { usage7: '665.00', stops30: 0, rule: CREDIT_RULE, ...lookups },
      },
    )

  it('500 USD for two days take leader and credit officer, and tell the network operators that a stop is lifted', () => {
    const form = asked('500.00')
    expect(form.values).toMatchObject({ avgDaily: '95.00', daysLeft: '2.7', creditCny: '3550.00', stage: 'stop' })
    expect(form.path()).toEqual(['leader', 'credit'])
    expect(form.steps().map(({ id }) => id)).toContain('noc')
    expect(form.say(prepay.form.fields.creditAmount!.suggest as string)).toBe(285)
  })

  it('above 20,000 CNY, above the rule, for more than 7 days or after a stop the director decides, above 100,000 the cfo too', () => {
    expect(asked('2817.00', { overRule: true }).path()).toEqual(['leader', 'credit', 'director'])
    expect(asked('500.00', { overRule: true }).path()).toEqual(['leader', 'credit', 'director'])
    expect(asked('500.00', { to: '2026-11-28T02:00:00.000Z' }).path()).toEqual(['leader', 'credit', 'director'])
    expect(asked('500.00', {}, { stops30: 1 }).path()).toEqual(['leader', 'credit', 'director'])
    expect(asked('15000.00', { overRule: true }).path()).toEqual(['leader', 'credit', 'director', 'cfo'])
    expect(asked('15000.00', { overRule: true, approvedAmount: '14000.00' }).path()).toEqual(['leader', 'credit', 'director'])
  })

  it('says what is wrong of amount, days and payment', () => {
    expect(asked('2817.00').broken()).toEqual(['prepayMax'])
    expect(asked('0').broken()).toEqual(['positive'])
    expect(asked('500.00', { to: '2026-12-21T02:00:00.000Z' }).broken()).toEqual(['tooLong'])
    expect(asked('500.00', { from: '2026-11-18T02:00:00.000Z' }).broken()).toEqual(['fromPast'])
    expect(asked('500.00', { expectedPayDate: '2026-11-23' }).broken()).toEqual(['payLate'])
    expect(asked('500.00', { expectedPayAmount: '499.99' }).broken()).toEqual(['payLittle'])
    expect(asked('500.00', { approvedAmount: '500.01', approvedTo: '2026-11-23T02:00:00.000Z' }).broken('credit')).toEqual([
      'notAbove',
      'notLater',
    ])
  })

  it('a payment by tomorrow needs its proof, a later one does not', () => {
    expect(asked('500.00').asks('proofFiles')).toBe(true)
    expect(asked('500.00', { expectedPayDate: '2026-11-22' }).asks('proofFiles')).toBe(false)
  })
})

describe('Payment extension (money 8.3)', () => {
  const deferral = shipped('fin', 'deferral')
  const asked = (more: Values = {}, lookups: Values = {}): Filled =>
    new Filled(
      deferral,
      {
        customerId: 'cus',
        accountId: 'acc',
        billIds: ['b1'],
        bills: [{ billId: 'b1' }],
        deferTo: '2026-12-01',
        payPlan: [
          { date: '2026-11-25', amount: '5000.00' },
          { date: '2026-12-01', amount: '15000.00' },
        ],
        ...more,
      },
      {
        records: records({}, { b1: { id: 'b1', currency: 'USD', openAmount: '20000.00', dueDate: '2026-11-20', deferCount: 0 } }),
        lookups: {
          openSum: '20000.00',
          firstDue: { dueDate: '2026-11-20' },
          mostDeferred: { deferCount: 0 },
          settled: null,
          rule: CREDIT_RULE,
          ...lookups,
        },
      },
    )

  it('rows follow the bills, and the sums follow them', () => {
    const { values } = asked()
    expect(values).toMatchObject({
      deferAmount: '20000.00',
      deferCny: '142000.00',
      times: 1,
      deferDays: 11,
      planTotal: '20000.00',
    })
    expect(values.bills).toEqual([
      { billId: 'b1', currency: 'USD', total: null, open: '20000.00', dueDate: '2026-11-20', deferCount: 0 },
    ])
    expect(asked().say(deferral.form.fields.bills!.rows!.from!)).toEqual([{ billId: 'b1' }])
  })

  it('takes leader and credit officer; large, long or the second time the cfo, from the third time the ceo too', () => {
    expect(asked().path()).toEqual(['leader', 'credit'])
    expect(asked({}, { openSum: '28170.00' }).path()).toEqual(['leader', 'credit', 'cfo'])
    expect(asked({ deferTo: '2026-12-06' }).path()).toEqual(['leader', 'credit', 'cfo'])
    expect(asked({}, { mostDeferred: { deferCount: 1 } }).path()).toEqual(['leader', 'credit', 'cfo'])
    expect(asked({}, { mostDeferred: { deferCount: 2 } }).path()).toEqual(['leader', 'credit', 'thirdCfo', 'ceo'])
  })

  it('says what is wrong of the day and the plan, and asks for the letter from the second time', () => {
    expect(asked().broken()).toEqual([])
    expect(asked({ deferTo: '2026-11-20' }).broken()).toEqual(['past', 'planEnd'])
    expect(asked({ deferTo: '2026-12-21' }).broken()).toEqual(['tooLong', 'planEnd'])
    expect(asked({ payPlan: [{ date: '2026-12-01', amount: '19999.99' }] }).broken()).toEqual(['planSum'])
    expect(asked({ approvedTo: '2026-12-02' }).broken('credit')).toEqual(['planEnd', 'earlier'])
    expect([asked().asks('customerLetter'), asked({}, { mostDeferred: { deferCount: 1 } }).asks('customerLetter')]).toEqual([
      false,
      true,
    ])
    expect(asked({}, { settled: { code: 'ZD1' } }).refused()).toEqual(['settled 10060059'])
  })
})

describe('Payment-method change (money 8.4)', () => {
  const payMethod = shipped('fin', 'pay-method')
  const asked = (more: Values = {}, around: Around = {}): Filled =>
    new Filled(
      payMethod,
      {
        accountId: 'acc',
        toMode: 'postpaid',
        effectiveDate: '2026-12-01',
        applyLimit: '5000.00',
        termDays: 15,
        contractId: 'con',
        ...more,
      },
      { records: records({ payMode: 'prepaid', balance: '230.00' }, { con: contract }), ...around },
    )

  it('shows the terms of the new method and asks for them', () => {
    const post = asked()
    expect(['applyLimit', 'billCycleId', 'termDays'].map((name) => post.shows(name) && post.asks(name))).toEqual([
      true,
      true,
      true,
    ])
    expect(['clearPlan', 'initialRecharge'].some((name) => post.shows(name))).toBe(false)
    const pre = asked(
      { toMode: 'prepaid', initialRecharge: '100.00' },
      { records: records({ payMode: 'postpaid' }), lookups: { openSum: '770.00', control: { warnAmount: '285.00' } } },
    )
    expect(['clearPlan', 'initialRecharge'].map((name) => pre.shows(name) && pre.asks(name))).toEqual([true, true])
    expect(pre.shows('applyLimit')).toBe(false)
    expect(pre.broken()).toEqual(['clear', 'first'])
  })

  it('asks legal when the contract does not cover the method, the cfo above 500,000 CNY, and waits for its day', () => {
    expect(asked().path()).toEqual(['leader', 'director', 'credit', 'manager'])
    expect(
      asked()
        .steps()
        .map(({ kind }) => kind),
    ).toContain('delay')
    const other = asked({}, { records: records({ payMode: 'prepaid' }, { con: { ...contract, payMode: 'prepaid' } }) })
    expect(other.asks('newContractFile')).toBe(true)
    expect(other.path()).toEqual(['leader', 'director', 'credit', 'legal', 'manager'])
    expect(asked({ applyLimit: '71000.00' }).path()).toEqual(['leader', 'director', 'credit', 'manager', 'cfo'])
  })

  it('is refused beside another credit application, and for the method that the account has', () => {
    expect(asked({ toMode: 'prepaid' }).broken()).toContain('same')
    expect(
      asked({}, { records: records({ payMode: 'prepaid' }), lookups: { otherCredit: { code: 'HSX1' } } }).refused(),
    ).toContain('otherCredit 10060053')
  })
})

describe('Billing-cycle change (money 8.5)', () => {
  const billChange = shipped('fin', 'bill-change')
  const monthly = { id: 'month', name: 'Monthly', kind: 'monthly', lengthDays: 30, graceDays: 7 }
  const half = { id: 'half', name: 'Half a month', kind: 'halfMonth', lengthDays: 15, graceDays: 7 }
  const weekly = { id: 'week', name: 'Weekly', kind: 'weekly', lengthDays: 7, graceDays: 7 }
  const asked = (newCycleId: string, effectiveFrom: string, more: Values = {}, acc: Values = {}): Filled =>
    new Filled(
      billChange,
      { accountId: 'acc', newCycleId, newTermDays: 15, effectiveFrom, ...more },
      {
        records: records({ billCycleId: 'month', termDays: 15, ...acc }, { month: monthly, half, week: weekly }),
        lookups: { usage30: '30000.00', lastBill: { periodTo: '2026-11-30' } },
      },
    )

  it('monthly to half a month from 16 December leaves 1 to 15 December, to weekly from Monday 7 December 1 to 6', () => {
    expect(asked('half', '2026-12-16').values).toMatchObject({ transitionPeriod: '2026-12-01 – 2026-12-15', overlapDays: 15 })
    expect(asked('week', '2026-12-07').values).toMatchObject({ transitionPeriod: '2026-12-01 – 2026-12-06', overlapDays: 6 })
    expect([asked('half', '2026-12-16').broken(), asked('week', '2026-12-07').broken()]).toEqual([[], []])
  })

  it('the first day has to begin a period, and the period between has 1 to 45 days', () => {
    expect(asked('half', '2026-12-15').broken()).toEqual(['boundary'])
    expect(asked('week', '2026-12-08').broken()).toEqual(['boundary'])
    expect(asked('month', '2027-02-01', { newTermDays: 30 }).broken()).toEqual(['transition'])
  })

  it('a smaller exposure takes leader and accountant, a larger one the credit officer, above 500,000 CNY the cfo', () => {
    const smaller = asked('half', '2026-12-16')
    expect(smaller.values).toMatchObject({ exposureBefore: '52000.00', exposureAfter: '37000.00', limitEnough: true })
    expect(smaller.path()).toEqual(['leader', 'receivables'])
    const larger = asked('month', '2027-01-01', { newTermDays: 30 }, { creditLimit: '90000.00' })
    expect(larger.values).toMatchObject({ exposureAfter: '67000.00', exposureCny: '475700.00' })
    expect(larger.path()).toEqual(['leader', 'receivables', 'credit'])
    expect(asked('month', '2027-01-01', { newTermDays: 45 }, { creditLimit: '90000.00' }).path()).toEqual([
      'leader',
      'receivables',
      'credit',
      'cfo',
    ])
  })

  it('is refused when the limit does not cover the exposure', () => {
    expect(asked('month', '2027-01-01', { newTermDays: 30 }).refused()).toEqual(['limit 10060059'])
    expect(asked('half', '2026-12-16').refused()).toEqual([])
  })
})

describe('Recharge (money 8.6)', () => {
  const recharge = shipped('fin', 'recharge')
  const asked = (more: Values = {}, around: Around = {}): Filled =>
    new Filled(
      recharge,
      {
        customerId: 'cus',
        rechargeType: 'receipt',
        payCurrency: 'USD',
        payAmount: '10000.00',
        bankFee: '15.00',
        feeBearer: 'us',
        payDate: '2026-11-19',
        lines: [{ accountId: 'acc', rate: '1', amount: '10000.00' }],
        ...more,
      },
      { records: records(), ...around },
    )

  it('a receipt goes to the accountant, above 1,000,000 CNY to the finance manager too', () => {
    expect(asked().path()).toEqual(['receivables'])
    expect(asked({ payAmount: '140846.00' }).path()).toEqual(['receivables', 'receiptManager'])
  })

  it('a gift goes to leader, director and accountant, above 5,000 CNY to the cfo; an allocation to leader and accountant', () => {
    const gift = { rechargeType: 'gift', payAmount: '700.00', lines: [{ accountId: 'acc', rate: '1', amount: '700.00' }] }
    expect(asked(gift).path()).toEqual(['leader', 'director', 'giftReceivables'])
    expect(asked({ ...gift, payAmount: '705.00' }).path()).toEqual(['leader', 'director', 'cfo', 'giftReceivables'])
    expect(asked({ rechargeType: 'allocate' }).path()).toEqual(['moveLeader', 'moveReceivables'])
    expect(asked(gift).shows('giftReason') && asked(gift).asks('giftReason')).toBe(true)
    expect(['bankAccountId', 'payer', 'slipFiles', 'bankRef'].some((name) => asked(gift).shows(name))).toBe(false)
  })

  it('what is credited is the amount when we bear the fee, and the amount less the fee when the payer does', () => {
    expect(asked().values.net).toBe('10000.00')
    expect(Number(asked({ feeBearer: 'payer' }).values.net)).toBe(9985)
  })

  it('the lines, back at their rates, have to come to what is credited within a cent', () => {
    const eur = records({ currency: 'EUR' })
    const converted = (amount: string, more: Values = {}): Filled =>
      asked({ payAmount: '1000.00', lines: [{ accountId: 'acc', rate: '0.92', amount }], ...more }, { records: eur })
    expect(converted('920.00').broken()).toEqual([])
    expect(converted('920.01').values.rest).toBe('-0.01')
    expect(converted('920.01').broken()).toEqual([])
    expect(converted('921.00').broken()).toEqual(['tooMuch'])
    expect(converted('900.00').broken()).toEqual(['rest'])
    expect(converted('900.00', { restToMain: true }).broken()).toEqual([])
  })

  it('another payer needs a letter of authorisation', () => {
    const other = asked({ payerRelation: 'affiliate' })
    expect([
      asked({ payerRelation: 'self' }).asks('authorisation'),
      other.shows('authorisation'),
      other.asks('authorisation'),
    ]).toEqual([false, true, true])
  })

  it('is refused with a bank reference that is used, from an account without the money, during an alias change', () => {
    expect(asked({ bankRef: 'R1' }, { lookups: { sameReference: { code: 'CZ1' } }, records: records() }).refused()).toEqual([
      'reference 10060059',
    ])
    expect(
      asked(
        { rechargeType: 'transfer', fromAccountId: 'from' },
        { records: { ...records(), from: account({ available: '9.00' }) } },
      ).refused(),
    ).toEqual(['source 10060059'])
    expect(asked({}, { lookups: { aliasChange: { code: 'BM1' } } }).refused()).toEqual(['aliasChange 10050027'])
  })
})

describe('Payment (money 8.7)', () => {
  const payment = shipped('fin', 'payment')
  const supplier = {
    sup: { id: 'sup', code: 'SP1', name: 'BlueRoute' },
    sac: { id: 'sac', currency: 'EUR', bankInfo: 'HSBC 123456' },
    usd: { id: 'usd', currency: 'USD' },
  }
  const asked = (more: Values = {}, lookups: Values = {}): Filled =>
    new Filled(
      payment,
      {
        paymentKind: 'prepayTraffic',
        supplierId: 'sup',
        supplierAccountId: 'sac',
        currency: 'EUR',
        amount: '10000.00',
        payeeAccount: '123456',
        invoiceState: 'later',
        ...more,
      },
      { records: supplier, lookups },
    )

  it('traffic takes the purchasing director, equipment the product administrator too, other kinds neither', () => {
    const rest = ['payables', 'manager', 'cashier']
    expect(asked().path()).toEqual(['leader', 'buyDirector', ...rest])
    expect(asked({ paymentKind: 'equipment' }).path()).toEqual(['leader', 'equipmentDirector', 'productAdmin', ...rest])
    expect(asked({ paymentKind: 'commission', supplierId: null, supplierAccountId: null }).path()).toEqual(['leader', ...rest])
  })

  it('above 300,000 CNY the cfo decides, above 2,000,000 or with a new bank account the ceo', () => {
    expect(asked({ amount: '40000.00' }).path()).toEqual(['leader', 'buyDirector', 'payables', 'manager', 'cfo', 'cashier'])
    expect(asked({ amount: '260000.00' }).path()).toEqual([
      'leader',
      'buyDirector',
      'payables',
      'manager',
      'cfo',
      'ceo',
      'cashier',
    ])
    const changed = asked({ payeeAccount: '999' })
    expect(changed.values.payeeBankChanged).toBe(true)
    expect(changed.path()).toEqual(['leader', 'buyDirector', 'payables', 'manager', 'ceo', 'cashier'])
  })

  it('a new bank account has to be confirmed by phone before accounts payable agrees', () => {
    const changed = asked({ payeeAccount: '999' })
    expect(changed.broken('payables')).toEqual(['callBack'])
    expect(
      changed.with({ payeeChecked: true, calledPerson: 'Ms Roy', calledAt: '2026-11-20T01:00:00Z' }).broken('payables'),
    ).toEqual([])
    expect(asked().broken('payables')).toEqual([])
  })

  it('more than is open on the bills needs the tick, at the end too', () => {
    const bills = (more: Values = {}, open = '9000.00'): Filled =>
      asked({ paymentKind: 'billTraffic', billIds: ['b1'], ...more }, { billsOpen: open })
    expect(bills().broken()).toEqual(['aboveBills'])
    expect(bills({ advance: true }).broken()).toEqual([])
    expect(bills({}, '10000.00').broken()).toEqual([])
    expect(bills().refused()).toEqual(['frozen 10060059'])
    expect(asked({}, { bankChange: { code: 'ZTB1' } }).refused()).toEqual(['bankChange 10060053'])
  })

  it('the cashier gives a reference that no other payment has, and a rate in another currency', () => {
    expect(asked({ bankRef: 'R1' }, { sameReference: { code: 'FK1' } }).broken('cashier')).toEqual(['reference'])
    expect(asked({ bankAccountId: 'usd' }).broken('cashier')).toEqual(['rate'])
    expect(asked({ bankAccountId: 'usd', actualRate: '0.93' }).broken('cashier')).toEqual([])
  })

  it('the amount is stated in the currency of the account', () => {
    expect(asked({ currency: 'USD' }).broken()).toEqual(['currency'])
    expect(asked().broken()).toEqual([])
  })

  it('the invoice asks for what its state needs', () => {
    const asks = (invoiceState: string): string[] =>
      ['invoiceFiles', 'invoiceBy', 'noInvoiceReason'].filter(
        (name) => asked({ invoiceState }).shows(name) && asked({ invoiceState }).asks(name),
      )
    expect([asks('got'), asks('later'), asks('none')]).toEqual([['invoiceFiles'], ['invoiceBy'], ['noInvoiceReason']])
  })
})

describe('Three-way offset (money 3, 8.8)', () => {
  const hedge = shipped('fin', 'hedge')
  const sides = { acc: account({ balance: '-12000.00' }), sac: { id: 'sac', currency: 'EUR', balance: '-10000.00' } }
  const asked = (more: Values = {}, around: Around = {}): Filled =>
    new Filled(
      hedge,
      {
        hedgeKind: 'customerSupplier',
        leg1CustomerAccountId: 'acc',
        leg2SupplierAccountId: 'sac',
        leg2Amount: '10000.00',
        agreedRate: '1.08',
        leg1Amount: '10800.00',
        effectiveDate: '2026-11-20',
        ...more,
      },
      { records: sides, ...around },
    )

  it('H1: 10,000 EUR against 10,800 USD at 1.08 deviate by 0.46 per cent and need no cfo', () => {
    const form = asked()
    expect(form.values).toMatchObject({ leg1Currency: 'USD', leg2Currency: 'EUR', rateDeviation: '-0.46', leg1Cny: '76680.00' })
    expect(form.broken()).toEqual([])
    expect(form.path()).toEqual(['leader', 'buyDirector', 'credit', 'legal', 'finance', 'manager'])
    expect(form.steps().at(-2)?.kind).toBe('delay')
  })

  it('a deviation above 1 per cent, more than 500,000 CNY or crossing zero takes the cfo', () => {
    expect(asked({ agreedRate: '1.1', leg1Amount: '11000.00' }).path().at(-1)).toBe('cfo')
    expect(asked({ advance: true }).path().at(-1)).toBe('cfo')
    expect(asked({ leg2Amount: '66000.00', leg1Amount: '71280.00', advance: true }).path().at(-1)).toBe('cfo')
  })

  it('the amounts have to be those of the rate, and each side has to cover its own', () => {
    expect(asked({ leg1Amount: '10800.01' }).broken()).toEqual(['equal'])
    expect(asked({ leg2Amount: '11000.00', leg1Amount: '11880.00' }).broken()).toEqual(['covers2'])
    expect(asked({ leg2Amount: '12000.00', leg1Amount: '12960.00' }).broken()).toEqual(['covers1', 'covers2'])
    expect(asked({ leg2Amount: '12000.00', leg1Amount: '12960.00', advance: true }).broken()).toEqual([])
  })

  it('H3: between two customers the payer needs the money, and the pickers follow the kind', () => {
    const two = asked(
      {
        hedgeKind: 'customerCustomer',
        leg2SupplierAccountId: null,
        leg2CustomerAccountId: 'rich',
        leg2Amount: '2500.00',
        agreedRate: '1',
        leg1Amount: '2500.00',
      },
      {
        records: {
          acc: account({ currency: 'EUR', balance: '-3000.00' }),
          rich: account({ id: 'rich', currency: 'EUR', balance: '4000.00' }),
        },
      },
    )
    expect(two.broken()).toEqual([])
    expect([two.shows('leg2CustomerAccountId'), two.shows('leg2SupplierAccountId'), two.shows('leg1SupplierAccountId')]).toEqual([
      true,
      false,
      false,
    ])
    expect(two.with({ leg2Amount: '4000.01', leg1Amount: '4000.01', advance: false }).broken()).toEqual(['covers1', 'covers2'])
    expect(asked({ hedgeKind: 'supplierSupplier' }).shows('leg1SupplierAccountId')).toBe(true)
  })

  it('checks again at the end: bills held by another hedge, balances that no longer cover', () => {
    expect(asked({}, { records: sides, lookups: { openHedge: { code: 'DC1' } } }).refused()).toEqual(['openHedge 10060054'])
    expect(asked({}, { records: { ...sides, acc: account({ balance: '-10000.00' }) } }).refused()).toEqual(['covered1 10060059'])
  })

  it('legal does not agree while the agreement or its parties are in doubt', () => {
    expect(asked().broken('legal')).toEqual(['valid'])
    expect(asked({ agreementOk: true, partiesMatch: true }).broken('legal')).toEqual([])
  })
})

describe('Supplier entity change (money 8.9)', () => {
  const bodyReplace = shipped('fin', 'body-replace')
  const asked = (replaceKind: string, more: Values = {}, lookups: Values = {}): Filled =>
    new Filled(
      bodyReplace,
      { supplierId: 'sup', replaceKind, effectiveDate: '2026-12-01', ...more },
      {
        records: { sup: { id: 'sup', code: 'SP1', name: 'BlueRoute', ourCompany: 'hk' } },
        lookups: { payments: 0, openBillCount: 0, ...lookups },
      },
    )

  it('a new bank account or one of our entities takes finance manager and cfo, a name or company does not', () => {
    const short = ['buyLeader', 'legal', 'payables', 'administrator']
    expect(asked('rename', { newName: 'Blue' }).path()).toEqual(short)
    expect(asked('newCompany').path()).toEqual(short)
    expect(asked('newBank').path()).toEqual(['buyLeader', 'legal', 'payables', 'manager', 'cfo', 'administrator'])
    expect(asked('ourEntity').path()).toEqual(['buyLeader', 'legal', 'payables', 'manager', 'cfo', 'administrator'])
  })

  it('asks for what the kind needs', () => {
    const asks = (kind: string): string[] =>
      ['newName', 'newRegNo', 'newCountry', 'newBankInfo', 'newEntityId', 'transferBalance', 'licenceFile'].filter((name) =>
        asked(kind).asks(name),
      )
    expect(asks('rename')).toEqual(['newName'])
    expect(asks('newCompany')).toEqual(['newName', 'newRegNo', 'newCountry', 'transferBalance', 'licenceFile'])
    expect(asks('newBank')).toEqual(['newBankInfo'])
    expect(asks('ourEntity')).toEqual(['newEntityId', 'transferBalance'])
  })

  it('is refused for a barred name, payments under way to the old bank, and a number that another supplier has', () => {
    expect(asked('rename', { newName: 'Falcon' }, { black: { code: 'BL1' } }).refused()).toEqual(['black 10060059'])
    expect(asked('newBank', {}, { payments: 1 }).refused()).toEqual(['payment 10060053'])
    expect(asked('newCompany', { newRegNo: '1' }, { double: { code: 'SP2' } }).refused()).toEqual(['double 10060059'])
  })
})

describe('Special selling price (money 8.10)', () => {
  const special = shipped('qm', 'special')
  const asked = (applyPrice: string, volume = 1_000_000, more: Values = {}): Filled =>
    new Filled(
      special,
      {
        customerId: 'cus',
        accountId: 'acc',
        product: 'sms',
        currency: 'USD',
        validFrom: '2026-11-20',
        validTo: '2026-12-31',
        lines: [{ country: 'ES', unit: 'segment', volume, applyPrice, cost: '0.05' }],
        ...more,
      },
      { records: records() },
    )

  it('at least half of the floor ends with the price manager, below it the director decides', () => {
    const fair = asked('0.0525')
    expect(fair.values).toMatchObject({ minMargin: '4.76', marginFloor: '8', expectedVolume: 1_000_000, lossAmount: '0.00' })
    expect(fair.path()).toEqual(['leader', 'price'])
    expect(asked('0.0515').path()).toEqual(['leader', 'price', 'director'])
  })

  it('a loss takes the finance manager, above 50,000 CNY the cfo, above 300,000 the ceo', () => {
    expect(asked('0.049').values.lossAmount).toBe('1000.00')
    expect(asked('0.049').path()).toEqual(['leader', 'price', 'director', 'manager'])
    expect(asked('0.049', 8_000_000).path()).toEqual(['leader', 'price', 'director', 'manager', 'cfo'])
    expect(asked('0.049', 45_000_000).path()).toEqual(['leader', 'price', 'director', 'manager', 'hugeCfo', 'ceo'])
  })

  it('a price that the manager raises makes the way shorter; he cannot lower it', () => {
    const line = { country: 'ES', unit: 'segment', volume: 1_000_000, applyPrice: '0.049', cost: '0.05' }
    const raised = asked('0.049', 1_000_000, { lines: [{ ...line, approvedPrice: '0.056' }] })
    expect(raised.path()).toEqual(['leader', 'price'])
    expect(raised.broken('price')).toEqual([])
    expect(asked('0.049', 1, { lines: [{ ...line, approvedPrice: '0.048' }] }).broken('price')).toEqual(['notBelowPrice'])
    expect(asked('0.0525', 1, { approvedValidTo: '2027-01-01' }).broken('price')).toEqual(['notLaterPrice'])
    expect(asked('0.0525', 1, { validTo: '2027-05-20' }).broken()).toEqual(['tooLong'])
  })
})

describe('SMS supplier quotation (money 8.11)', () => {
  const quote = shipped('qm', 'supplier-quote')
  const asked = (line: Values, lookups: Values = { ratesNow: 12 }): Filled =>
    new Filled(
      quote,
      {
        supplierId: 'sup',
        supplierAccountId: 'sac',
        product: 'sms',
        currency: 'USD',
        effectiveFrom: '2026-12-01T00:00:00Z',
        lines: [{ country: 'ES', unit: 'segment', ...line }],
      },
      { records: { sup: { id: 'sup', code: 'SP1' }, sac: { id: 'sac', currency: 'USD' } }, lookups },
    )

  it('decreases end with the purchasing leader', () => {
    const form = asked({ oldCost: '0.05', newCost: '0.04' })
    expect(form.values).toMatchObject({ increases: 0, isNew: false })
    expect(form.values.lines).toMatchObject([{ changeFlag: 'decrease' }])
    expect(form.path()).toEqual(['buyLeader'])
  })

  it('increases of great impact take price manager and purchasing director, those of little impact do not', () => {
    expect(asked({ oldCost: '0.04', newCost: '0.05', affectedRevenue: '10000.00' }).path()).toEqual(['buyLeader'])
    expect(asked({ oldCost: '0.04', newCost: '0.05', affectedRevenue: '15000.00' }).path()).toEqual([
      'buyLeader',
      'price',
      'buyDirector',
    ])
    expect(asked({ oldCost: '0.04', newCost: '0.05', belowFloor: 11 }).path()).toEqual(['buyLeader', 'price', 'buyDirector'])
    expect(asked({ oldCost: '0.04', newCost: '0.05', belowFloor: 11 }).broken('price')).toEqual(['planned'])
  })

  it('a new supplier goes to legal', () => {
    const form = asked({ newCost: '0.05' }, { ratesNow: 0 })
    expect(form.values.lines).toMatchObject([{ changeFlag: 'new' }])
    expect(form.path()).toEqual(['buyLeader', 'legal'])
  })
})

describe('Class A (money 8.12)', () => {
  const classA = shipped('crm', 'class-a')
  const asked = (more: Values = {}, candidate = true): Filled =>
    new Filled(
      classA,
      { customerId: 'cus', applyKind: 'enter', validMonths: 12, ...more },
      { records: { cus: customer }, lookups: { figures: { candidate, profit12m: '600000.00' } } },
    )

  it('a customer that meets the rule takes leader and director, a strategic one the ceo too; the team is named last', () => {
    expect(asked().path()).toEqual(['leader', 'director', 'service'])
    expect(asked({ exception: true }, false).path()).toEqual(['leader', 'director', 'ceo', 'service'])
    expect(
      new Filled(classA, { customerId: 'cus', applyKind: 'leave' }, { records: { cus: { ...customer, classA: true } } }).path(),
    ).toEqual(['leader', 'director'])
  })

  it('says what is wrong: below the rule without the tick, class A already, more months than asked, no team', () => {
    expect(asked({}, false).broken()).toEqual(['threshold'])
    expect(
      new Filled(
        classA,
        { customerId: 'cus', applyKind: 'enter' },
        { records: { cus: { ...customer, classA: true } }, lookups: { figures: { candidate: true } } },
      ).broken(),
    ).toEqual(['already'])
    expect(asked({ applyKind: 'keep' }).broken()).toEqual(['notYet'])
    expect(asked({ approvedMonths: 13 }).broken('director')).toEqual(['notMore'])
    expect(asked({ servicePlan: [] }).broken('service')).toEqual(['team'])
  })
})

describe('Work order (money 8.13)', () => {
  const workOrder = shipped('ops', 'work-order')
  const sample = { number: '34600000001', problem: 'No receipt' }
  const asked = (orderType: string, more: Values = {}): Filled =>
    new Filled(
      workOrder,
      { orderType, severity: 'P2', customerId: 'cus', samples: [sample, sample, sample], ...more },
      { records: records() },
    )

  it('goes to the team of its type, then back to the applicant', () => {
    expect(asked('fault').path()).toEqual(['noc', 'confirm'])
    expect(asked('route').path()).toEqual(['noc', 'confirm'])
    expect(asked('senderId').path()).toEqual(['buyer', 'confirm'])
    expect(asked('openNumber').path()).toEqual(['product', 'confirm'])
    expect(asked('dispute').path()).toEqual(['receivables', 'disputeNoc', 'confirm'])
    expect(asked('config').path()).toEqual(['administrator', 'confirm'])
    expect(asked('other').path()).toEqual(['service', 'confirm'])
  })

  it('a compensation takes leader and accountant', () => {
    expect(asked('fault', { accountId: 'acc', currency: 'USD', compensation: '20.00' }).path()).toEqual([
      'noc',
      'confirm',
      'leader',
      'gift',
    ])
  })

  it('P1 is to be solved in 1 hour, P2 in 4, P3 in a day, P4 in three, day and night', () => {
    const limit = workOrder.nodes[1]!.branches![0]!.nodes[0]!
    const hours = (severity: string): unknown => asked('fault', { severity }).say(limit.limitHours as string)
    expect(['P1', 'P2', 'P3', 'P4'].map(hours)).toEqual([1, 4, 24, 72])
    expect(limit.workCalendar).toBe(false)
  })

  it('a fault needs three samples, and every order something that it is about', () => {
    expect(asked('fault', { samples: [sample] }).broken()).toEqual(['samples'])
    expect(asked('other', { customerId: null }).broken()).toEqual(['subject'])
    expect(asked('openNumber').asks('numberCount')).toBe(true)
    expect(asked('fault').shows('numberCount')).toBe(false)
  })
})

describe('Generic application and the forms of internal finance (money 8.14)', () => {
  it('an account is closed with a balance of zero and without open bills', () => {
    const generic = shipped('ops', 'generic')
    const asked = (balance: string, openBills = 0): Filled =>
      new Filled(
        generic,
        { applyType: 'accountClose', customerId: 'cus', accountId: 'acc' },
        { records: records({ balance }), lookups: { openBills } },
      )
    expect(asked('0.00').refused()).toEqual([])
    expect(asked('0.01').refused()).toEqual(['balance 10060059'])
    expect(asked('0', 2).refused()).toEqual(['bills 10060054'])
    expect(asked('0').path()).toEqual(['leader', 'receivables', 'financeManager'])
    expect(new Filled(generic, { applyType: 'apiUnlock' }).path()).toEqual(['leader', 'administrator'])
    expect(new Filled(generic, { applyType: 'channelOpen' }).path()).toEqual(['leader', 'buyer', 'noc'])
  })

  it('a manual recharge is checked, a gift above 1,000 CNY by the finance manager too', () => {
    const manual = shipped('fin', 'manual-recharge')
    const asked = (subKind: string, payAmount: string): Filled =>
      new Filled(
        manual,
        {
          subKind,
          customerId: 'cus',
          payCurrency: 'USD',
          payAmount,
          lines: [{ accountId: 'acc', rate: '1', amount: payAmount }],
        },
        { records: records() },
      )
    expect(asked('bankLine', '5000.00').path()).toEqual(['check'])
    expect(asked('gift', '140.00').path()).toEqual(['check'])
    expect(asked('gift', '141.00').path()).toEqual(['check', 'manager'])
    expect(asked('gift', '141.00').with({ payAmount: '150.00' }).broken()).toEqual(['sum'])
  })

  it('a refund stays within what is refundable, and above 100,000 CNY takes the cfo', () => {
    const refund = shipped('fin', 'bill-refund')
    const asked = (amount: string, more: Values = {}): Filled =>
      new Filled(
        refund,
        { customerId: 'cus', accountId: 'acc', amount, payeeName: 'Nova', ...more },
        { records: records({ refundable: '20000.00' }) },
      )
    expect(asked('20000.00').broken()).toEqual([])
    expect(asked('20000.01').broken()).toEqual(['refundable'])
    expect(asked('14000.00').path()).toEqual(['leader', 'receivables', 'manager', 'cashier'])
    expect(asked('14085.00').path()).toEqual(['leader', 'receivables', 'manager', 'cfo', 'cashier'])
    expect([asked('1.00').asks('letter'), asked('1.00', { payeeName: 'Other Ltd' }).asks('letter')]).toEqual([false, true])
  })

  it('an adjustment above 50,000 CNY takes the cfo; a write-off needs bills of 180 days', () => {
    const adjustment = shipped('fin', 'adjustment')
    const note = (amount: string): Filled =>
      new Filled(adjustment, { accountId: 'acc', kind: 'creditNote', lines: [{ item: 'Price', amount }] }, { records: records() })
    expect(note('7000.00').path()).toEqual(['receivables', 'manager'])
    expect(note('7050.00').path()).toEqual(['receivables', 'manager', 'cfo'])
    const writeOff = shipped('fin', 'write-off')
    const bad = (dueDate: string): Filled =>
      new Filled(
        writeOff,
        { accountId: 'acc', billIds: ['b1'] },
        { records: records(), lookups: { openSum: '12.00', newest: { dueDate } } },
      )
    expect(bad('2026-05-24').broken()).toEqual([])
    expect(bad('2026-05-25').broken()).toEqual(['young'])
    expect(bad('2026-05-24').path()).toEqual(['director', 'manager', 'cfo'])
  })

  it('a contract passes leader, legal, finance manager and the stamp', () => {
    expect(new Filled(shipped('fin', 'contract-review'), { payMode: 'prepaid' }).path()).toEqual([
      'leader',
      'legal',
      'manager',
      'stamp',
    ])
  })
})

describe('Processes of customers and suppliers', () => {
  it('a plan above 50,000 CNY goes to finance, amounts of other currencies converted', () => {
    const plan = shipped('srm', 'srm-plan')
    const line = { product: 'GoIP-32', quantity: '10', currency: 'USD', estPrice: '80.00' }
    const small = new Filled(plan, { lines: [line] })
    expect(small.values.totalEst).toBe('5680.00')
    expect(small.path()).toEqual(['leader', 'buyLeader'])
    expect(new Filled(plan, { lines: [{ ...line, quantity: '100' }] }).path()).toEqual(['leader', 'buyLeader', 'manager'])
    expect(new Filled(plan, { lines: [line, line] }).broken()).toEqual(['twice'])
  })

  it('the total of an order is goods − discount + freight + other fees, and tax where prices do not include it', () => {
    const order = shipped('srm', 'srm-order')
    const lines = [
      { product: 'GoIP-32', quantity: '10', price: '80.00', taxRate: '13' },
      { product: 'Antenna', quantity: '20', price: '10.00', taxRate: '13' },
    ]
    const made = (more: Values): Filled =>
      new Filled(order, { currency: 'USD', lines, freight: '50.00', discount: '0', otherFee: '0', ...more })
    expect(made({ taxIncluded: true }).values).toMatchObject({ goodsTotal: '1000.00', taxTotal: '130.00', total: '1050.00' })
    expect(made({ taxIncluded: false }).values.total).toBe('1180.00')
    expect(made({ discount: '1000.01' }).broken()).toEqual(['discount'])
  })

  it('equipment below 95 per cent of its list price, or as a gift, goes to the price manager', () => {
    const sale = shipped('srm', 'srm-sale')
    const made = (price: string, sellAs = 'sale'): Filled =>
      new Filled(
        sale,
        { customerId: 'cus', currency: 'USD', sellAs, lines: [{ product: 'GoIP', quantity: '1', listPrice: '100.00', price }] },
        { records: records() },
      )
    expect(made('95.00').path()).toEqual(['leader'])
    expect(made('94.99').path()).toEqual(['leader', 'price', 'director'])
    expect(made('0', 'gift').path()).toEqual(['leader', 'price', 'director'])
    expect(made('1.00', 'gift').broken()).toEqual(['gift'])
  })

  it('barring a supplier takes legal and the purchasing director, a deposit director and finance manager', () => {
    const application = shipped('srm', 'srm-application')
    const path = (applicationType: string): string[] => new Filled(application, { applicationType, supplierId: 'sup' }).path()
    expect(path('openTest')).toEqual(['leader', 'buyLeader'])
    expect(path('blacklist')).toEqual(['leader', 'buyLeader', 'legal', 'barDirector'])
    expect(path('deposit')).toEqual(['leader', 'buyLeader', 'depositDirector', 'manager'])
  })

  it('fraud and sanctions on the blacklist take legal; evidence is asked for fraud and debt', () => {
    const blacklist = shipped('crm', 'crm-blacklist')
    const bar = (blackReason: string): Filled => new Filled(blacklist, { action: 'add', barredName: 'Falcon', blackReason })
    expect(bar('competitor').path()).toEqual(['leader', 'credit'])
    expect(bar('sanction').path()).toEqual(['leader', 'credit', 'legal'])
    expect([bar('competitor').asks('evidence'), bar('debt').asks('evidence'), bar('debt').asks('debt')]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('two suppliers of a transfer differ, and its cut-over lies an hour ahead', () => {
    const transfer = shipped('srm', 'srm-account-transfer')
    const made = (more: Values): Filled =>
      new Filled(
        transfer,
        { fromSupplierId: 'a', toSupplierId: 'b', cutoverAt: '2026-11-20T04:00:00.000Z', ...more },
        { records: { a: { id: 'a' }, b: { id: 'b', status: 'cooperating' } } },
      )
    expect(made({}).broken()).toEqual([])
    expect(made({ toSupplierId: 'a' }).broken()).toEqual(['differ'])
    expect(made({ cutoverAt: '2026-11-20T02:59:00.000Z' }).broken()).toEqual(['soon'])
    expect(made({}).broken('payables')).toEqual(['checked'])
  })
})
