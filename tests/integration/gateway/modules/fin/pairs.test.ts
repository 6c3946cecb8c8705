import { Decimal } from 'decimal.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../../gateway/platform/http'
import { startGateway, type TestGateway } from '../../../../support/gateway'
import { approvers, carry, type Who } from '../../workflow/approvers'
import type { Caller } from '../../../../support/gateway'

/** Currencies with two, none and three decimals, and the base; CNY for one unit, with as many digits as rates come with. */
const RATES = { USD: '7.12345678', CNY: '1', JPY: '0.04738913', KWD: '23.18765432' } as const
type Code = keyof typeof RATES
const CODES = Object.keys(RATES) as Code[]
const DIGITS: Record<Code, number> = { USD: 2, CNY: 2, JPY: 0, KWD: 3 }
/** About CNY 7,000 each: below the limits that ask for more people. */
const AMOUNT: Record<Code, string> = { USD: '987.65', CNY: '7012.34', JPY: '149871', KWD: '301.987' }
const PRODUCT: Record<Code, string> = { USD: 'sms', CNY: 'voice', JPY: 'number', KWD: 'whatsapp' }
/** Every way from one currency to another. */
const ACROSS = CODES.flatMap((from) => CODES.flatMap((to) => (from === to ? [] : [[from, to] as const])))

/** Units of `to` for one of `from`, as forms keep rates: eight decimals, half up. */
const rateOf = (from: Code, to: Code): Decimal =>
  new Decimal(RATES[from]).div(RATES[to]).toDecimalPlaces(8, Decimal.ROUND_HALF_UP)
const inCurrency = (amount: Decimal, code: Code): string =>
  amount.toDecimalPlaces(DIGITS[code], Decimal.ROUND_HALF_UP).toFixed(DIGITS[code])
/** What an amount of one currency gives in another. */
const given = (from: Code, to: Code): string =>
  from === to ? AMOUNT[from] : inCurrency(rateOf(from, to).times(AMOUNT[from]), to)

const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
let test: TestGateway
let as: Record<Who, Caller>
const files: Record<string, Record<string, unknown>[]> = { applicant: [], holder: [] }
const day = (days: number): string =>
  new Date(test.clock.now().getTime() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
const sql = async <Row extends object>(text: string, params: unknown[] = []): Promise<Row[]> =>
  (await test.gateway.database.query<Row>(text, params)).rows

beforeAll(async () => {
  test = await startGateway()
  as = await approvers(test, ['crm:customer:edit', 'srm:supplier:viewName', 'srm:supplier:viewSensitive', 'fin:ledger:view'])
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
    await entities.insertMany('sys.companyEntity', [
      { ...stamp, id: 'hk', code: 'hk', name: '香港', countryCode: 'HK', baseCurrency: 'CNY', enabled: true, sortNo: 0 },
    ])
    await entities.insertMany(
      'sys.bankAccount',
      CODES.map((code) => ({
        ...stamp,
        id: `bank-${code}`,
        code,
        name: code,
        companyEntityId: 'hk',
        currency: code,
        enabled: true,
      })),
    )
    await entities.insertMany(
      'sys.exchangeRate',
      CODES.filter((code) => code !== 'CNY').map((code) => ({
        ...stamp,
        id: `x-${code}`,
        base: code,
        quote: 'CNY',
        date: day(-1),
        rate: RATES[code],
        kind: 'xe',
      })),
    )
    await entities.insertMany(
      'crm.customer',
      ['nova', 'owes'].map((id) => ({
        ...stamp,
        id,
        code: `CU-${id}`,
        name: `Customer ${id}`,
        nameKey: id,
        holding: 'private',
        ownerId: 'applicant',
        stage: 'dealt',
      })),
    )
    await entities.insertMany(
      'fin.customerAccount',
      ['nova', 'owes'].flatMap((customerId) =>
        CODES.map((currency) => ({
          ...stamp,
          id: `${customerId}-${currency}`,
          code: `${customerId}-${currency}`,
          name: `${customerId} ${currency}`,
          customerId,
          product: PRODUCT[currency],
          currency,
          payMode: 'prepaid',
          status: 'active',
          companyEntityId: 'hk',
          timezone: 'Asia/Hong_Kong',
          termDays: 15,
          graceDays: 7,
        })),
      ),
    )
    await entities.insertMany(
      'fin.mainAccount',
      CODES.map((currency) => ({
        ...stamp,
        id: `main-${currency}`,
        code: `M-${currency}`,
        customerId: 'nova',
        currency,
        balance: '0',
      })),
    )
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
        settleCurrency: 'USD',
      },
    ])
    await entities.insertMany(
      'srm.supplierAccount',
      CODES.map((currency) => ({
        ...stamp,
        id: `sup-${currency}`,
        code: `sup-${currency}`,
        name: `BlueRoute ${currency}`,
        supplierId: 'sp1',
        kind: 'sms',
        currency,
        payMode: 'prepaid',
        status: 'active',
        balance: '0',
      })),
    )
  })
  for (const [who, count] of [
    ['applicant', 40],
    ['holder', 20],
  ] as const)
    for (let index = 0; index < count; index += 1) {
      const form = new FormData()
      form.append('file', new Blob([`proof ${who} ${index}`], { type: 'text/plain' }), 'proof.txt')
      const response = await as[who].raw('POST', '/v2/workflow/file/upload', { body: form })
      files[who]!.push(((await response.json()) as { data: Record<string, unknown> }).data)
    }
}, 120_000)
afterAll(() => test.close())

/** What the entries of the account come to, on its normal side. */
const balance = async (account: string): Promise<Decimal> =>
  new Decimal(
    (
      await sql<{ sum: string }>(
        'select coalesce(sum(signed_amount), 0)::text as sum from fin_ledger_entry where account_id = $1',
        [account],
      )
    )[0]!.sum,
  )

/** Plays a process, and answers by how much it moved each of some accounts. */
async function moves(
  code: string,
  accounts: readonly string[],
  formData: Record<string, unknown>,
  fills: Record<string, Record<string, unknown>> = {},
  starter: Who = 'applicant',
) {
  const before = await Promise.all(accounts.map(balance))
  const ended = await carry({ test, as, starter }, code, formData, fills)
  expect(`${ended.status} ${ended.effectError ?? ''}`).toBe('done ')
  const after = await Promise.all(accounts.map(balance))
  return after.map((now, index) => now.minus(before[index]!).toFixed())
}
const plain = (amount: string): string => new Decimal(amount).toFixed()

/** Four times the amount, of which each account gets its own. */
const FOUR = Object.fromEntries(CODES.map((code) => [code, new Decimal(AMOUNT[code]).times(4).toFixed()])) as Record<Code, string>
const linesFrom = (from: Code, to: readonly Code[] = CODES) =>
  to.map((code) => ({ accountId: `nova-${code}`, amount: given(from, code) }))

const receipt = (from: Code, more: object = {}) => ({
  ...{
    customerId: 'nova',
    rechargeType: 'receipt',
    companyEntityId: 'hk',
    bankAccountId: `bank-${from}`,
    payCurrency: from,
    payAmount: FOUR[from],
    bankFee: '0',
    feeBearer: 'us',
  },
  ...{
    payer: 'Customer nova',
    payerRelation: 'self',
    payDate: day(-1),
    slipFiles: [files.applicant!.pop()],
    lines: linesFrom(from),
  },
  ...more,
})
const own = CODES.map((code) => `nova-${code}`)

describe('Each pair of USD, CNY, JPY and KWD, without a rate that was typed', () => {
  it.each(CODES)('a receipt in %s credits an account in each of them', async (from) => {
    const moved = await moves('recharge', [`bank-${from}`, ...own], receipt(from), { receivables: { bankRef: `IN-${from}` } })
    expect(moved).toEqual([plain(FOUR[from]), ...CODES.map((to) => plain(given(from, to)))])
  })

  it.each(CODES)('a claim of an unclaimed receipt in %s credits an account in each of them', async (from) => {
    const amount = FOUR[from]
    const receiptId = await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      const line = { bankAccountId: `bank-${from}`, bankRef: `SUS-${from}`, payAmount: amount, payDate: day(-1), payer: 'nova' }
      const { id } = await entities.save('fin.unclaimedReceipt', line)
      for (const step of ['submit', 'check']) await entities.transition('fin.unclaimedReceipt', String(id), step, {})
      return String(id)
    })
    const lines = linesFrom(from).map((line, index) => ({ ...line, rate: rateOf(from, CODES[index]!).toFixed() }))
    const form = { subKind: 'claim', customerId: 'nova', receiptId, companyEntityId: 'hk', payCurrency: from, payAmount: amount }
    const reason = 'The payer wrote that it is his money'
    const moved = await moves('manualRecharge', [`SUS@hk:${from}`, ...own], { ...form, lines, reason }, {}, 'holder')
    expect(moved).toEqual([plain(`-${amount}`), ...CODES.map((to) => plain(given(from, to)))])
  })

  it.each(CODES)('a transfer takes %s and gives each of the others', async (from) => {
    const others = CODES.filter((code) => code !== from)
    const payAmount = new Decimal(AMOUNT[from]).times(3).toFixed()
    const form = {
      customerId: 'nova',
      rechargeType: 'transfer',
      fromAccountId: `nova-${from}`,
      payCurrency: from,
      payAmount,
      lines: linesFrom(from, others),
    }
    const moved = await moves('recharge', [`nova-${from}`, ...others.map((code) => `nova-${code}`)], form)
    expect(moved).toEqual([plain(`-${payAmount}`), ...others.map((to) => plain(given(from, to)))])
  })

  it.each(CODES)('an allocation of the main account in %s gives an account in each of them', async (from) => {
    // what is there comes first: a receipt whose rest goes to the main account
    const rest = receipt(from, {
      lines: linesFrom(from, [from]),
      payAmount: new Decimal(AMOUNT[from]).times(5).toFixed(),
      restToMain: true,
    })
    expect(await moves('recharge', [`main-${from}`], rest, { receivables: { bankRef: `MAIN-${from}` } })).toEqual([
      plain(FOUR[from]),
    ])
    const form = {
      customerId: 'nova',
      rechargeType: 'allocate',
      mainAccountId: `main-${from}`,
      payCurrency: from,
      payAmount: FOUR[from],
      lines: linesFrom(from),
    }
    const moved = await moves('recharge', [`main-${from}`, ...own], form)
    expect(moved).toEqual([plain(`-${FOUR[from]}`), ...CODES.map((to) => plain(given(from, to)))])
  })

  it.each(ACROSS)('a bank account in %s pays a supplier in %s', async (bank, to) => {
    const form = {
      paymentKind: 'prepayTraffic',
      supplierId: 'sp1',
      supplierAccountId: `sup-${to}`,
      companyEntityId: 'hk',
      currency: to,
      amount: AMOUNT[to],
      invoiceState: 'later',
      invoiceBy: day(20),
      payeeName: 'BlueRoute',
      payeeAccount: 'DE89370400440532013000',
      payeeBank: 'Commerzbank',
      payBefore: day(3),
      chargeBearer: 'SHA',
      reason: 'Traffic of December',
    }
    const moved = await moves('payment', [`sup-${to}`, `bank-${bank}`], form, {
      payables: { payeeChecked: true, calledPerson: 'Ms Roy', calledAt: `${day(-1)}T08:00:00.000Z` },
      cashier: {
        bankAccountId: `bank-${bank}`,
        paidAt: day(0),
        bankRef: `OUT-${bank}-${to}`,
        slipFile: files.holder!.pop(),
        actualFee: '0',
        actualRate: rateOf(bank, to).toFixed(),
      },
    })
    const taken = inCurrency(new Decimal(AMOUNT[to]).div(rateOf(bank, to)), bank)
    expect(moved).toEqual([plain(AMOUNT[to]), plain(`-${taken}`)])
  })

  it.each(ACROSS)('a hedge sets off a supplier in %s against a customer in %s', async (supplier, customer) => {
    const form = {
      hedgeKind: 'customerSupplier',
      companyEntityId: 'hk',
      leg1CustomerAccountId: `owes-${customer}`,
      leg2SupplierAccountId: `sup-${supplier}`,
      leg2Amount: AMOUNT[supplier],
      agreedRate: rateOf(supplier, customer).toFixed(),
      leg1Amount: given(supplier, customer),
      advance: true,
      agreementNo: 'T-1',
      agreementDate: day(-3),
      agreementFile: files.applicant!.pop(),
      effectiveDate: day(0),
      reason: 'Three parties agreed',
    }
    const moved = await moves('hedge', [`owes-${customer}`, `sup-${supplier}`], form, {
      legal: { agreementOk: true, partiesMatch: true },
    })
    expect(moved).toEqual([plain(given(supplier, customer)), plain(AMOUNT[supplier])])
  })

  it('leaves books that balance in each currency and in the base, clearing accounts at base 0, and no amount finer than its currency', async () => {
    const legs = `from fin_ledger_entry e join fin_posting p on p.id = e.posting_id`
    expect(
      await sql(
        `select e.posting_id, e.currency ${legs} group by 1, 2 having sum(case when direction = 'debit' then amount else -amount end) <> 0`,
      ),
    ).toEqual([])
    expect(
      await sql(
        `select e.posting_id ${legs} group by 1 having sum(case when direction = 'debit' then base_amount else -base_amount end) <> 0`,
      ),
    ).toEqual([])
    expect(
      await sql(
        `select split_part(account_id, '@', 1) as account from fin_ledger_entry where account_id like 'FXC%' or account_id like 'HDG%' group by 1 having sum(case when direction = 'debit' then base_amount else -base_amount end) <> 0`,
      ),
    ).toEqual([])
    const fine = CODES.map((code) => `when '${code}' then ${DIGITS[code]}`).join(' ')
    expect(
      await sql(`select currency, amount::text from fin_ledger_entry where amount <> round(amount, case currency ${fine} end)`),
    ).toEqual([])
    expect(await sql(`select status, count(*)::int as count from wf_instance group by 1`)).toEqual([
      { status: 'done', count: CODES.length * 5 + ACROSS.length * 2 },
    ])
  })
})

describe('What would fail after approval', () => {
  const errors = async (code: string, formData: object): Promise<{ field?: string; text: { en: string } }[]> =>
    (
      await as.applicant.post<{ errors: { field?: string; text: { en: string } }[] }>('/v2/workflow/operate/start', {
        code,
        formData,
        dryRun: true,
      })
    ).data.errors

  it('a payment in another currency than the account is refused when it is filled in', async () => {
    const form = {
      paymentKind: 'prepayTraffic',
      supplierId: 'sp1',
      supplierAccountId: 'sup-JPY',
      companyEntityId: 'hk',
      currency: 'USD',
      amount: '10.00',
      invoiceState: 'later',
      invoiceBy: day(20),
      payeeName: 'BlueRoute',
      payeeAccount: 'DE89',
      payeeBank: 'Commerzbank',
      payBefore: day(3),
      chargeBearer: 'SHA',
      reason: 'Traffic of December',
    }
    expect(await errors('payment', form)).toMatchObject([
      { field: 'currency', text: { en: expect.stringContaining('kept in JPY') } },
    ])
    expect(await errors('payment', { ...form, currency: 'JPY', amount: '10.5' })).toMatchObject([
      { field: 'amount', text: { en: expect.stringContaining('JPY has at most 0 decimals') } },
    ])
    expect(await errors('payment', { ...form, currency: 'JPY', amount: '10' })).toEqual([])
  })

  it('a transfer of more than the account has, is refused at its field, a receipt of a day without a rate with what is missing', async () => {
    const form = {
      customerId: 'nova',
      rechargeType: 'transfer',
      fromAccountId: 'nova-USD',
      payCurrency: 'USD',
      payAmount: '10.00',
      lines: [{ accountId: 'nova-JPY', amount: inCurrency(rateOf('USD', 'JPY').times(10), 'JPY') }],
    }
    expect(await errors('recharge', form)).toEqual([])
    expect(await errors('recharge', { ...form, payCurrency: 'CNY' })).toMatchObject([
      { field: 'payCurrency' },
      { field: 'lines' },
    ])
    const early = { code: 'recharge', formData: receipt('USD', { payDate: day(-9) }), dryRun: true }
    const { code, msg } = await as.applicant.post('/v2/workflow/operate/start', early)
    expect([code, msg]).toEqual([10010005, expect.stringContaining(`没有 ${day(-9)} 或之前的 USD 兑 CNY 汇率，请先维护汇率`)])
  })
})
