import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerAccount } from '../../../../gateway/modules/fin/facts'
import { post } from '../../../../gateway/modules/fin/ledger/post'
import { usage } from '../../../../gateway/modules/fin/ledger/rules'
import { systemContext } from '../../../../gateway/platform/http'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../support/gateway'
import { ratesMayBeOld } from '../../../support/rates'
import { approvers, carry, type Ended, type Who } from './approvers'
import type { Shown } from './flowWorld'

const ROLES =
  'sales.leader sales.director credit.officer fin.ar fin.ap cashier fin.manager cfo ceo legal buy.leader buy.director price.manager noc.lead cs.lead it.admin'.split(
    ' ',
  )

let test: TestGateway
let as: Record<Who, Caller>
/** Files that were uploaded and belong to nothing yet, by who uploaded them: each is used once. */
const uploaded: Record<'applicant' | 'holder', Record<string, unknown>[]> = { applicant: [], holder: [] }
const file = (): Record<string, unknown> => uploaded.applicant.pop()!
const holdersFile = (): Record<string, unknown> => uploaded.holder.pop()!

/** The clock of the company is eight hours ahead. */
const AHEAD = 8 * 3_600_000
/** A day of the company so many days from now. */
const day = (days: number): string => new Date(test.clock.now().getTime() + AHEAD + days * 86_400_000).toISOString().slice(0, 10)
/** The same as a moment, in its afternoon. */
const moment = (days: number): string => `${day(days)}T08:00:00.000Z`

const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
const customer = (id: string, more: object = {}) => ({
  ...stamp,
  ...{ id, code: `CU-${id}`, name: `Customer ${id}`, nameKey: id, holding: 'private', ownerId: 'applicant', stage: 'dealt' },
  ...more,
})
const account = (id: string, customerId: string, currency: string, payMode: string, more: object = {}) => ({
  ...stamp,
  ...{ id, code: id, name: `Account ${id}`, customerId, product: 'sms', currency, payMode, status: 'active' },
  ...{ companyEntityId: 'hk', timezone: 'Asia/Hong_Kong', termDays: 15, graceDays: 7, billCycleId: 'month' },
  ...more,
})
const supplierAccount = (id: string, supplierId: string, currency: string) => ({
  ...stamp,
  ...{
    id,
    code: id,
    name: `Account ${id}`,
    supplierId,
    kind: 'sms',
    currency,
    payMode: 'prepaid',
    status: 'active',
    balance: '0',
  },
})

beforeAll(async () => {
  test = await startGateway()
  const { engine, database } = test.gateway
  await ratesMayBeOld(test)
  as = await approvers(test, [
    'crm:classA:add',
    'crm:customer:edit',
    'qm:cost:view',
    'crm:customer:viewProfit',
    'crm:blacklist:view',
    'srm:supplier:viewName',
    'srm:supplier:viewSensitive',
  ])
  const roles = await database.query<{ code: string }>('select code from wf_role where deleted_at is null')
  expect(roles.rows.map(({ code }) => code)).toEqual(expect.arrayContaining(ROLES))
  await engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
    await entities.insertMany('sys.companyEntity', [
      { ...stamp, id: 'hk', code: 'hk', name: '香港', countryCode: 'HK', baseCurrency: 'CNY', enabled: true, sortNo: 0 },
    ])
    await entities.insertMany('sys.bankAccount', [
      { ...stamp, id: 'usd', code: 'USD', name: 'USD', companyEntityId: 'hk', currency: 'USD', enabled: true },
      { ...stamp, id: 'eur', code: 'EUR', name: 'EUR', companyEntityId: 'hk', currency: 'EUR', enabled: true },
    ])
    await entities.insertMany('sys.exchangeRate', [
      { ...stamp, id: 'x1', base: 'USD', quote: 'CNY', date: '2026-01-01', rate: '7.1', kind: 'xe' },
      { ...stamp, id: 'x2', base: 'EUR', quote: 'CNY', date: '2026-01-01', rate: '7.7035', kind: 'xe' },
    ])
    await entities.insertMany('fin.billCycle', [
      {
        ...stamp,
        id: 'half',
        code: 'half',
        name: '半月',
        kind: 'halfMonth',
        lengthDays: 15,
        startDay: 1,
        termDays: 15,
        enabled: true,
      },
      {
        ...stamp,
        id: 'month',
        code: 'month',
        name: '月',
        kind: 'monthly',
        lengthDays: 30,
        startDay: 1,
        termDays: 15,
        enabled: true,
      },
    ])
    await entities.insertMany('crm.customer', [
      customer('nova', { alias: 'SGK7QD', products: ['sms'] }),
      customer('orion'),
      customer('kappa'),
    ])
    await entities.insertMany('fin.customerAccount', [
      account('PRE', 'nova', 'USD', 'prepaid'),
      account('EUR', 'nova', 'EUR', 'prepaid', { product: 'voice' }),
      account('POST', 'orion', 'USD', 'postpaid'),
      account('OWES', 'kappa', 'USD', 'postpaid'),
      account('BAD', 'orion', 'USD', 'postpaid', { product: 'voice' }),
    ])
    await entities.insertMany('fin.contract', [
      {
        ...stamp,
        id: 'ht',
        code: 'HT1',
        customerId: 'orion',
        companyEntityId: 'hk',
        type: 'sales',
        validFrom: '2026-01-01',
        validTo: '2027-12-31',
        currency: 'USD',
        payMode: 'postpaid',
        status: 'active',
      },
    ])
    await entities.insertMany('fin.bill', [
      {
        ...stamp,
        id: 'b1',
        code: 'ZD1',
        side: 'customer',
        accountId: 'POST',
        customerId: 'orion',
        companyEntityId: 'hk',
        cycleId: 'month',
        periodFrom: day(-50),
        periodTo: day(-20),
        currency: 'USD',
        total: '1000.00',
        paidAmount: '0',
        openAmount: '1000.00',
        issuedAt: day(-17),
        dueDate: day(-2),
        deferCount: 0,
        status: 'issued',
      },
      {
        ...stamp,
        id: 'b2',
        code: 'ZD2',
        side: 'customer',
        accountId: 'BAD',
        customerId: 'orion',
        companyEntityId: 'hk',
        cycleId: 'month',
        periodFrom: day(-260),
        periodTo: day(-230),
        currency: 'USD',
        total: '50.00',
        paidAmount: '0',
        openAmount: '50.00',
        issuedAt: day(-227),
        dueDate: day(-212),
        deferCount: 0,
        status: 'issued',
      },
    ])
    await entities.insertMany('crm.transfer', [
      {
        ...stamp,
        id: 'big',
        code: 'TR1',
        fromStaffId: 'applicant',
        ownerId: 'applicant',
        toStaffId: 'holder',
        reason: 'region',
        draft: true,
        status: 'draft',
        itemCount: 1,
      },
    ])
    await entities.insertMany('crm.transferItem', [
      { ...stamp, id: 'item', transferId: 'big', customerId: 'kappa', result: 'waiting' },
    ])
    await entities.insertMany('srm.supplier', [
      {
        ...stamp,
        id: 'sp1',
        code: 'SP1',
        name: 'BlueRoute',
        nameKey: 'blueroute',
        status: 'cooperating',
        holding: 'private',
        ownerId: 'applicant',
        settleCurrency: 'EUR',
      },
      {
        ...stamp,
        id: 'sp2',
        code: 'SP2',
        name: 'VoxBridge',
        nameKey: 'voxbridge',
        status: 'potential',
        holding: 'private',
        ownerId: 'applicant',
      },
      {
        ...stamp,
        id: 'sp3',
        code: 'SP3',
        name: 'TriLink',
        nameKey: 'trilink',
        status: 'cooperating',
        holding: 'private',
        ownerId: 'applicant',
      },
    ])
    await entities.insertMany('srm.supplierAccount', [supplierAccount('S1', 'sp1', 'EUR'), supplierAccount('S3', 'sp3', 'EUR')])
    await entities.insertMany('srm.paymentMethod', [
      { ...stamp, id: 'wire', code: 'TT', name: '电汇', nameEn: 'Wire', kind: 'transfer', enabled: true },
    ])
  })
  const context = systemContext({ now: test.clock.now() })
  // what the bills ask for was used
  for (const [id, bill, amount] of [
    ['POST', 'b1', '1000'],
    ['BAD', 'b2', '50'],
  ] as const)
    await engine.transaction(context, async (entities, tx) => {
      const fin = { tx, context, now: test.clock.now(), entities }
      const used = await customerAccount(fin, id)
      const legs = usage(used, 'sms', amount).map((leg) => (leg.account.kind === 'customer' ? { ...leg, billId: bill } : leg))
      const source = { sourceType: 'usageBatch', sourceId: bill, idemKey: `usageBatch:${bill}:usage` }
      await post(fin, { type: 'usage', bizDate: day(-25), companyEntityId: 'hk', ...source, legs })
    })
  for (const who of ['applicant', 'holder'] as const)
    for (let count = 0; count < (who === 'holder' ? 4 : 40); count += 1) {
      const form = new FormData()
      form.append('file', new Blob([`proof ${count}`], { type: 'text/plain' }), 'proof.txt')
      const response = await as[who].raw('POST', '/v2/workflow/file/upload', { body: form })
      uploaded[who].push(((await response.json()) as { data: Record<string, unknown> }).data)
    }
}, 180_000)
afterAll(() => test.close())

interface Tried {
  path: Shown[]
  errors: { field?: string; text: { zh: string; en: string }; code?: number }[]
}

/** What each process is asked for. */
const asked = (): Record<string, Record<string, unknown>> => ({
  prepay: {
    customerId: 'nova',
    accountId: 'PRE',
    creditAmount: '500.00',
    from: moment(0),
    to: moment(2),
    expectedPayDate: day(1),
    expectedPayAmount: '1000.00',
    proofFiles: [file()],
    reason: 'The wire is on its way',
  },
  postpay: {
    customerId: 'orion',
    accountId: 'POST',
    applyLimit: '80000.00',
    billCycleId: 'month',
    termDays: 30,
    validFrom: day(0),
    validTo: day(300),
    guarantee: 'none',
    creditFiles: [file()],
    reason: 'Traffic doubles from January',
  },
  deferral: {
    customerId: 'orion',
    accountId: 'POST',
    billIds: ['b1'],
    bills: [{ billId: 'b1' }],
    deferTo: day(5),
    payPlan: [{ date: day(5), amount: '1000.00' }],
    keepSending: true,
    reason: 'Their bank is closed this week',
  },
  payMethod: {
    accountId: 'PRE',
    toMode: 'postpaid',
    effectiveDate: day(8),
    applyLimit: '5000.00',
    billCycleId: 'half',
    termDays: 15,
    newContractFile: file(),
    reason: 'Two years without a delay',
  },
  billChange: {
    accountId: 'POST',
    newCycleId: 'half',
    newTermDays: 45,
    effectiveFrom: halfMonth(),
    reason: 'They close their books twice a month',
    customerConfirmFile: file(),
  },
  recharge: {
    customerId: 'nova',
    rechargeType: 'receipt',
    companyEntityId: 'hk',
    bankAccountId: 'usd',
    payCurrency: 'USD',
    payAmount: '1000.00',
    bankFee: '0',
    feeBearer: 'us',
    payer: 'Customer nova',
    payerRelation: 'self',
    payDate: day(-1),
    slipFiles: [file()],
    lines: [{ accountId: 'PRE', amount: '1000.00' }],
  },
  payment: {
    paymentKind: 'prepayTraffic',
    supplierId: 'sp1',
    supplierAccountId: 'S1',
    companyEntityId: 'hk',
    bankAccountId: 'eur',
    currency: 'EUR',
    amount: '2000.00',
    invoiceState: 'later',
    invoiceBy: day(20),
    payeeName: 'BlueRoute',
    payeeAccount: 'DE89370400440532013000',
    payeeBank: 'Commerzbank',
    payBefore: day(3),
    chargeBearer: 'SHA',
    reason: 'Traffic of December',
  },
  hedge: {
    hedgeKind: 'customerSupplier',
    companyEntityId: 'hk',
    leg1CustomerAccountId: 'OWES',
    leg2SupplierAccountId: 'S1',
    leg2Amount: '1000.00',
    agreedRate: '1.08',
    leg1Amount: '1080.00',
    advance: true,
    agreementNo: 'T-1',
    agreementDate: day(-3),
    agreementFile: file(),
    effectiveDate: day(0),
    reason: 'Three parties agreed',
  },
  bodyReplace: {
    supplierId: 'sp1',
    replaceKind: 'rename',
    effectiveDate: day(3),
    newName: 'BlueRoute Networks',
    contractFile: file(),
    letterFile: file(),
    reason: 'They are called so now',
  },
  special: {
    customerId: 'nova',
    accountId: 'PRE',
    product: 'sms',
    currency: 'USD',
    reasonType: 'competition',
    reason: 'Another bid is lower',
    volumeUnit: 'segment',
    validFrom: day(0),
    validTo: day(90),
    lines: [{ country: 'ES', unit: 'segment', volume: 100000, applyPrice: '0.0525', cost: '0.05', currentPrice: '0.06' }],
  },
  supplierQuote: {
    supplierId: 'sp1',
    supplierAccountId: 'S1',
    product: 'sms',
    currency: 'EUR',
    effectiveFrom: moment(7),
    lines: [{ country: 'ES', unit: 'segment', oldCost: '0.05', newCost: '0.04', accepted: true }],
  },
  classA: {
    customerId: 'nova',
    applyKind: 'enter',
    exception: true,
    expectedMonthly: '50000.00',
    products: ['sms'],
    validMonths: 12,
    reason: 'A strategic customer for us',
  },
  workOrder: {
    orderType: 'fault',
    severity: 'P2',
    customerId: 'nova',
    accountId: 'PRE',
    country: 'ES',
    samples: [1, 2, 3].map((n) => ({ number: `3460000000${n}`, problem: 'No receipt' })),
    expectation: 'No receipts since noon',
  },
  generic: { applyType: 'other', content: '<p>A desk for the new colleague</p>', expectedAt: moment(5) },
  manualRecharge: {
    subKind: 'gift',
    customerId: 'nova',
    payCurrency: 'USD',
    payAmount: '20.00',
    lines: [{ accountId: 'PRE', rate: '1', amount: '20.00' }],
    reason: 'A welcome gift for them',
  },
  billRefund: {
    customerId: 'nova',
    accountId: 'PRE',
    amount: '100.00',
    payeeName: 'Customer nova',
    payeeAccount: 'HK1',
    payeeBank: 'HSBC',
    reason: 'They leave voice to others',
  },
  adjustment: {
    accountId: 'POST',
    kind: 'creditNote',
    adjustFor: 'price',
    lines: [{ item: 'Spain, wrong price', amount: '12.00' }],
    proofFiles: [file()],
    reason: 'The price was an old one',
  },
  writeOff: { accountId: 'BAD', billIds: ['b2'], efforts: 'Three letters, two calls, a lawyer', proofFiles: [file()] },
  contractReview: {
    customerId: 'nova',
    companyEntityId: 'hk',
    contractKind: 'sales',
    validFrom: day(0),
    validTo: day(365),
    currency: 'USD',
    payMode: 'prepaid',
    draftFiles: [file()],
    template: true,
  },
  crmBlacklist: {
    action: 'add',
    barredName: 'Falcon Gulf Messaging FZE',
    domains: ['falcon.example'],
    blackReason: 'competitor',
    barScope: 'all',
    explanation: 'They resell to our customers',
  },
  crmAlias: { customerId: 'nova', newAlias: 'SGM4XT', reason: 'The company was renamed' },
  crmTransferLarge: { transferId: 'big', explanation: 'The region goes to another team' },
  srmAccountTransfer: {
    fromSupplierId: 'sp1',
    toSupplierId: 'sp3',
    accountIds: ['S1'],
    cutoverAt: moment(2),
    balanceHandlingMode: 'move',
    rateHandling: 'copy',
    transferReason: 'renamed',
    explanation: 'One company now',
  },
  srmSupplierTransfer: {
    fromSupplierId: 'sp1',
    toSupplierId: 'sp3',
    transferKind: 'merger',
    cutoverAt: moment(2),
    balanceTotal: [{ accountId: 'S1', handling: 'move' }],
    evidence: [file()],
    explanation: 'They were merged in autumn',
  },
  srmApplication: {
    applicationType: 'suspend',
    supplierId: 'sp3',
    stopReason: 'quality',
    explanation: 'Receipts are made up since Monday',
  },
  srmPlan: {
    planTitle: 'Gateways',
    purpose: 'stock',
    requiredOn: day(30),
    lines: [{ product: 'GoIP-32', quantity: '10', currency: 'USD', estPrice: '80.00' }],
    reason: 'Under the minimum',
  },
  srmOrder: {
    equipmentSupplier: 'Hybertone',
    warehouse: 'SZ',
    currency: 'USD',
    paymentMethodId: 'wire',
    orderDate: day(0),
    expectedOn: day(20),
    taxIncluded: true,
    lines: [{ product: 'GoIP-32', quantity: '10', price: '80.00' }],
  },
  srmSale: {
    customerId: 'nova',
    sellAs: 'sale',
    currency: 'USD',
    warehouse: 'SZ',
    shipTo: 'Calle Mayor 1, Madrid',
    term: 'advance',
    lines: [{ product: 'GoIP-32', quantity: '1', listPrice: '100.00', price: '100.00' }],
  },
  srmRewrite: {
    ruleName: 'Signature',
    countryCode: 'ES',
    matching: 'contains',
    matchText: 'code',
    rewrite: 'addSignature',
    replacement: ' [ACME]',
    priority: 20,
    effectiveFrom: day(0),
    samples: [{ before: 'Your code is 1', after: 'Your code is 1 [ACME]' }],
    reason: 'The operator asks for it',
  },
})

/** A first day of half a month that is not tomorrow: what waits for the day before it waits, and the period until then is not too long. */
const halfMonth = (): string => Array.from({ length: 17 }, (_, index) => day(index + 2)).find((at) => /-(01|16)$/.test(at))!

/** Whom the expected path names, in its order. */
const steps = (path: Shown[]): string[] =>
  path.flatMap((node) => [
    ...(node.assignees.length > 0 ? [`${node.id} ${node.assignees.map(({ id }) => id).join(' ')}`] : []),
    ...(node.branches ?? []).filter(({ taken }) => taken).flatMap(({ nodes }) => steps(nodes)),
  ])

const starter = (code: string): Who => (STARTED_BY_FINANCE.includes(code) ? 'holder' : 'applicant')
const STARTED_BY_FINANCE = ['manualRecharge']

const rows = async <Row extends object>(sql: string, params: unknown[] = []): Promise<Row[]> =>
  (await test.gateway.database.query<Row>(sql, params)).rows

describe('Every shipped process before it is submitted', () => {
  it('says which way it would go and with whom, and finds nothing wrong but a refund of what the account does not have', async () => {
    const found: Record<string, string> = {}
    for (const [code, formData] of Object.entries(asked())) {
      const answer: Answer<Tried> = await as[starter(code)].post('/v2/workflow/operate/start', { code, formData, dryRun: true })
      expect(answer.code, `${code} ${answer.text}`).toBe(0)
      expect(answer.data.errors, code).toEqual(code === 'billRefund' ? [expect.objectContaining({ field: 'amount' })] : [])
      found[code] = steps(answer.data.path).join(', ')
    }
    expect(found).toMatchObject({
      prepay: 'leader leader, credit holder',
      postpay: 'leader leader, director holder, credit holder, cfo holder, ceo holder',
      payMethod: 'leader leader, director holder, credit holder, legal holder, manager holder',
      recharge: 'receivables holder',
      payment: 'leader leader, buyDirector holder, payables holder, manager holder, ceo holder, cashier holder',
      hedge: 'leader leader, buyDirector holder, credit holder, legal holder, finance holder, manager holder, cfo holder',
      workOrder: 'noc holder, confirm applicant',
      // nobody checks his own: the accountant who made it is the only one, so his leader does
      manualRecharge: 'check leader',
      srmSale: 'leader leader',
    })
  })
})

/** What people fill in at their steps, by step. */
const filled = (): Record<string, Record<string, Record<string, unknown>>> => ({
  prepay: { credit: { riskNote: 'Seen the wire', approvedAmount: '400.00' } },
  postpay: { credit: { riskLevel: 'medium', approvedLimit: '65000.00' } },
  payMethod: { credit: { riskLevel: 'low' }, legal: { clauseOk: true } },
  billChange: { receivables: { transitionOk: true } },
  recharge: { receivables: { bankRef: 'HSBC-1' } },
  payment: {
    payables: { payeeChecked: true, calledPerson: 'Ms Roy', calledAt: moment(-1) },
    cashier: { bankAccountId: 'eur', paidAt: day(0), bankRef: 'OUT-1', slipFile: holdersFile(), actualFee: '5.00' },
  },
  hedge: { legal: { agreementOk: true, partiesMatch: true } },
  bodyReplace: {
    legal: { noticeOk: true },
    payables: { calledPerson: 'Ms Roy', calledAt: moment(-1) },
    administrator: { mappingDone: true },
  },
  classA: { service: { servicePlan: [{ role: 'business', staffId: 'holder' }] } },
  workOrder: { noc: { result: 'The route was changed', cause: 'route', compensation: '20.00', currency: 'USD' } },
  billRefund: { cashier: { bankAccountId: 'usd', paidAt: day(0), bankRef: 'OUT-2', slipFile: holdersFile() } },
  contractReview: { legal: { clauseOk: true }, stamp: { stampedFiles: [holdersFile()], stampState: 'both', signedAt: day(0) } },
  srmAccountTransfer: { payables: { accountsChecked: true, balancesChecked: true, ratesChecked: true } },
})

/** Those that wait for their day. */
const WAITING = ['payMethod', 'billChange']

describe('Every shipped process from apply to effect', () => {
  const ended: Record<string, Ended> = {}
  const one = async <Row extends object>(sql: string, params: unknown[] = []): Promise<Row> => (await rows<Row>(sql, params))[0]!

  it('is decided by everybody on its way, and takes effect', async () => {
    const fills = filled()
    for (const [code, formData] of Object.entries(asked()))
      ended[code] = await carry({ test, as, starter: starter(code) }, code, formData, fills[code])
    const wrong = Object.entries(ended).filter(([code, { status }]) => status !== (WAITING.includes(code) ? 'running' : 'done'))
    expect(wrong).toEqual([])
  }, 300_000)

  it('postpay: 65,000 of 80,000 are approved, so that finance manager and cfo decide, and the limit is 65,000', async () => {
    expect(ended.postpay?.passed).toEqual(['leader', 'director', 'credit', 'manager', 'mediumCfo'])
    const { amount } = await one<{ amount: string }>(
      `select amount::float8::text as amount from fin_credit_grant where account_id = 'POST' and kind = 'permanent'`,
    )
    expect(amount).toBe('65000')
  })

  it('prepay: the officer lowered it to 400, and that is what is granted', async () => {
    const { amount } = await one<{ amount: string }>(
      `select amount::float8::text as amount from fin_credit_grant where account_id = 'PRE' and kind = 'temporary'`,
    )
    expect(amount).toBe('400')
  })

  it('recharge, gift, compensation and refund have moved the ledger: 1,000 + 20 + 20 − 100', async () => {
    const { balance } = await one<{ balance: string }>(
      `select balance::float8::text as balance from fin_account_balance where account_id = 'PRE'`,
    )
    expect(balance).toBe('940')
  })

  it('payment and hedge have moved the account of the supplier: 2,000 paid and 1,000 set off', async () => {
    const { balance } = await one<{ balance: string }>(
      `select balance::float8::text as balance from fin_account_balance where account_id = 'S1'`,
    )
    expect(balance).toBe('3000')
  })

  it('deferral has moved the day of the bill, the write-off has closed its own', async () => {
    expect(await one(`select deferred_to::text as day from fin_bill where id = 'b1'`)).toEqual({ day: day(5) })
    expect(await one(`select open_amount::float8 as open from fin_bill where id = 'b2'`)).toEqual({ open: 0 })
  })

  it('what other modules keep is as it was decided: class A, special price, supplier, blacklist, contract, work order, transfer', async () => {
    expect(await one(`select class_a as a from crm_customer where id = 'nova'`)).toEqual({ a: true })
    expect(await one(`select status from qm_special_price where instance_id = $1`, [ended.special?.id])).toEqual({
      status: 'approved',
    })
    expect(await one(`select status from srm_supplier where id = 'sp3'`)).toEqual({ status: 'suspended' })
    expect(await one(`select status from crm_blacklist where name like 'Falcon%'`)).toEqual({ status: 'active' })
    expect(await one(`select status, type from fin_contract where instance_id = $1`, [ended.contractReview?.id])).toEqual({
      status: 'active',
      type: 'sales',
    })
    expect(await one(`select status from ops_work_order where instance_id = $1`, [ended.workOrder?.id])).toEqual({
      status: 'closed',
    })
    expect(await one(`select status from crm_transfer where id = 'big'`)).toEqual({ status: 'accepted' })
    expect(await one(`select status from crm_alias_record where customer_id = 'nova'`)).toMatchObject({
      status: expect.stringMatching(/syncing|done/) as string,
    })
  })

  it('workOrder: whoever asked for it reopens it twice, each time with the newest result, and is told to make a new one then', async () => {
    const filledIn = { result: 'Routed over Madrid', cause: 'route' }
    const begun: Answer<{ instanceId: string }> = await as[starter('workOrder')].post('/v2/workflow/operate/start', {
      code: 'workOrder',
      formData: asked().workOrder,
    })
    const { instanceId } = begun.data
    const act = async (call: 'agree' | 'reject', more: object) => {
      const [task] = await rows<{ id: string; who: Who }>(
        `select id, assignee_id as who from wf_task where instance_id = $1 and status = 'pending'`,
        [instanceId],
      )
      return as[task!.who].post<{ nextNodes: string[] }>(`/v2/workflow/operate/${call}`, {
        taskId: task!.id,
        comment: 'Still no receipts',
        ...more,
      })
    }
    const order = () =>
      one<{ status: string; rounds: number; result: string | null }>(
        'select status, rounds, result from ops_work_order where instance_id = $1',
        [instanceId],
      )
    for (const rounds of [0, 1, 2]) {
      expect((await act('agree', { formData: { ...filledIn, result: `Route ${rounds} was set` } })).data?.nextNodes).toEqual([
        'confirm',
      ])
      expect(await order()).toEqual({ status: 'toConfirm', rounds, result: `Route ${rounds} was set` })
      if (rounds === 2) break
      expect((await act('reject', { action: 'returnPrevious' })).data?.nextNodes).toEqual(['noc'])
      expect(await order()).toMatchObject({ status: 'handling', rounds: rounds + 1 })
    }
    const third = await act('reject', { action: 'returnPrevious' })
    expect([third.code, third.msg]).toEqual([10010007, expect.stringContaining('最多重开两次')])
    expect((await act('agree', {})).code).toBe(0)
    expect(await order()).toMatchObject({ status: 'closed', rounds: 2 })
  })
})
