import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RateBook, type Rate } from '../../../../gateway/modules/biz/rating/rates'
import { startGateway, type Caller, type TestGateway } from '../../../support/gateway'

interface Page {
  records: Record<string, unknown>[]
  total: number
}

let test: TestGateway
/** Sees everything and may do everything here; sells without a sight of costs; has nothing to do with prices. */
let boss: Caller
let seller: Caller
let stranger: Caller
const KEYS = [
  'qm:cost:view',
  'qm:rate:import',
  'qm:cost:import',
  'qm:rate:close',
  'qm:notice:override',
  'qm:limit:edit',
  'qm:group:edit',
  'qm:agentRate:edit',
  'qm:intake:confirm',
  'qm:sheet:edit',
]
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  await test.addStaff({ id: 'boss', jobNumber: 'Q1', keys: KEYS, menus: ['offerManage:offerManage'], scopes: { '*': ['all'] } })
  await test.addStaff({ id: 'seller', jobNumber: 'Q2', keys: ['qm:sheet:edit'], scopes: { '*': ['all'] } })
  await test.addStaff({ id: 'stranger', jobNumber: 'Q3', scopes: { '*': ['own'] } })
  ;[boss, seller, stranger] = await Promise.all([test.signIn('Q1'), test.signIn('Q2'), test.signIn('Q3')])
}, 240_000)
afterAll(() => test.close())

const query = async <T extends object>(statement: string, values: unknown[] = []) =>
  (await test.gateway.database.query<T>(statement, values)).rows

const path = (entity: string): string => `/v2/qm/${entity}`
const listed = async (by: Caller, entity: string, where: object[] = [], more: object = {}): Promise<Page> => {
  const { code, msg, data } = await by.post<Page>(`${path(entity)}/queryPage`, { pageNo: 1, pageSize: 50, where, ...more })
  expect([entity, code, msg]).toEqual([entity, 0, expect.anything()])
  return data
}
const is = (field: string, value: unknown, operator = 'eq') => ({ field, operator, value })
const saved = (by: Caller, entity: string, values: object) =>
  by.post<{ id: string; record: Record<string, unknown> }>(`${path(entity)}/save`, values)
const act = (by: Caller, entity: string, id: unknown, transition: string, values: object = {}) =>
  by.post<{ refused?: { reason: string }[] }>(`${path(entity)}/stateUpdate`, { ids: [id], transition, ...values })
const inDays = (days: number): string => new Date(test.clock.now().getTime() + days * 86_400_000).toISOString()

const COUNTRIES = ['IN', 'ID', 'BR', 'PH', 'US', 'MX', 'VN', 'NG', 'TH', 'DE']

describe('the prices of the demo company', () => {
  it.each([
    ['qm_customer_rate', 'account_id'],
    ['qm_supplier_rate', 'supplier_account_id'],
  ])('rate a message to each country since the account was opened (%s)', async (table, account) => {
    const rows = await query<Record<string, string | null>>(
      `select id, ${account} as account, rate_key as "rateKey", price::text as price, currency, effective_from::text as "from", effective_to::text as until
         from ${table} t where product = 'sms' and status in ('active', 'expired', 'pending') and to_jsonb(t)->>'channel_id' is null`,
    )
    const books = new Map<string, Rate[]>()
    for (const { account: of, from, until, ...rate } of rows) {
      const own = books.get(String(of)) ?? []
      books.set(String(of), own)
      own.push({ ...(rate as unknown as Rate), from: Date.parse(String(from)), until: until ? Date.parse(until) : Infinity })
    }
    expect(books.size).toBeGreaterThan(3)
    const now = test.clock.now().getTime()
    for (const rates of books.values()) {
      const book = new RateBook(rates)
      const opened = Math.min(...rates.map(({ from }) => from))
      for (const at of [opened, (opened + now) / 2, now])
        for (const country of COUNTRIES)
          expect(book.find({ product: 'sms', country, routeClass: 'direct' }, at), `${country} at ${at}`).toHaveProperty('rate')
    }
  })
})

describe('the lists of quotation', () => {
  it('have rows for who may see them, without costs for who may not, and none for a stranger', async () => {
    const entities = [
      'customerRate',
      'rateSheet',
      'rateSheetRecipient',
      'quoteLink',
      'quoteMail',
      'quoteGroup',
      'quoteGroupMember',
      'smsPriceLimit',
      'agentRate',
      'specialPrice',
    ]
    for (const entity of entities) {
      expect((await listed(boss, entity)).total, entity).toBeGreaterThan(0)
      expect((await listed(seller, entity)).total, entity).toBeGreaterThan(0)
    }
    for (const entity of entities.filter((one) => one !== 'smsPriceLimit'))
      expect((await listed(stranger, entity)).total, entity).toBe(0)
    const sold = [is('product', 'sms'), is('status', ['active'], 'in'), is('country', 'IN')]
    const { records } = await listed(boss, 'customerRate', sold)
    expect(records.length).toBeGreaterThan(5)
    for (const { cost, margin } of records) expect([cost, margin]).toEqual([expect.any(String), expect.any(String)])
    for (const record of (await listed(seller, 'customerRate', sold)).records) {
      for (const hidden of ['cost', 'margin']) expect(['***', undefined, null]).toContain(record[hidden])
    }
    for (const entity of ['supplierRate', 'quoteIntake']) {
      expect((await listed(boss, entity)).total).toBeGreaterThan(0)
      expect((await seller.post(`${path(entity)}/queryPage`, { pageNo: 1, pageSize: 5 })).code, entity).not.toBe(0)
    }
    const costs = await listed(boss, 'supplierRate', [is('rateKey', 'sms|ID|*|direct'), is('status', ['active'], 'in')])
    expect(costs.records.filter(({ cheapest }) => cheapest)).toHaveLength(1)
    expect(Math.max(...costs.records.map(({ affectedCustomers }) => Number(affectedCustomers)))).toBeGreaterThan(0)
  })

  it('are asked for a day, a number, a limit', async () => {
    const [{ total: now }, { total: before }] = await Promise.all([
      listed(boss, 'customerRate', [is('effectiveAt', inDays(0).slice(0, 10))]),
      listed(boss, 'customerRate', [is('effectiveAt', '2020-01-01')]),
    ])
    expect([now > 0, before]).toEqual([true, 0])
    const covering = await listed(boss, 'customerRate', [is('coversNumber', '447012345678'), is('status', ['active'], 'in')])
    expect([...new Set(covering.records.map(({ prefix }) => prefix))].sort()).toEqual(['44', '447', '4470'])
    const limits = (await listed(boss, 'smsPriceLimit')).records
    const broken = limits.filter(({ violations }) => Number(violations) > 0)
    expect(broken.length).toBeGreaterThan(0)
    for (const { id, violations } of broken)
      expect((await listed(boss, 'customerRate', [is('brokenLimit', id)])).total).toBe(violations)
  })
})

describe('what is done with quotations', () => {
  it('closes a price with the notice that the rules ask for', async () => {
    const [rate] = (await listed(boss, 'customerRate', [is('product', 'number'), is('status', ['active'], 'in')])).records
    const short = await act(boss, 'customerRate', rate?.id, 'close', { effectiveTo: inDays(3) })
    expect(short.msg).toContain('7')
    expect((await act(seller, 'customerRate', rate?.id, 'close', { effectiveTo: inDays(30) })).code).not.toBe(0)
    expect((await act(boss, 'customerRate', rate?.id, 'closeNow', { effectiveTo: inDays(3), reason: '客户要求' })).msg).toBe('OK')
    expect((await act(boss, 'customerRate', rate?.id, 'close', { effectiveTo: inDays(20) })).code).not.toBe(0)
  })

  it('takes prices over once, and never into the past of what is there', async () => {
    const [account] = await query<{ id: string; customerId: string; currency: string }>(
      `select id, customer_id as "customerId", currency from fin_customer_account where product = 'sms' and status = 'active' order by id desc limit 1`,
    )
    const rate = {
      accountId: account?.id,
      customerId: account?.customerId,
      currency: account?.currency,
      product: 'sms',
      country: 'KE',
      routeClass: 'direct',
      unit: 'segment',
    }
    const first = await saved(boss, 'customerRate', { ...rate, price: '0.02', effectiveFrom: inDays(-10) })
    expect([first.msg, first.data.record.status, first.data.record.source]).toEqual(['OK', 'active', 'opening'])
    expect((await saved(boss, 'customerRate', { ...rate, price: '0.03', effectiveFrom: inDays(-5) })).code).not.toBe(0)
    const next = await saved(boss, 'customerRate', { ...rate, price: '0.03', effectiveFrom: inDays(9) })
    expect([next.msg, next.data.record.status]).toEqual(['OK', 'pending'])
    const spans = await query<{ ended: boolean }>(
      `select effective_to is not null as ended from qm_customer_rate where account_id = $1 and country = 'KE' order by effective_from`,
      [account?.id],
    )
    expect(spans.map(({ ended }) => ended)).toEqual([true, false])
    expect(
      (await saved(boss, 'customerRate', { ...rate, product: 'voice', prefix: '254', price: '0.1', effectiveFrom: inDays(1) }))
        .code,
    ).not.toBe(0)
  })

  it('reckons the prices of a group from cost, and lets an account be in one of a kind', async () => {
    const group = {
      name: '试',
      kind: 'quote',
      product: 'sms',
      routeClass: 'direct',
      currency: 'USD',
      level: 'standard',
      ruleType: 'margin',
      ruleValue: '20',
    }
    const made = await saved(boss, 'quoteGroup', {
      ...group,
      lines: [
        { country: 'IN', price: '0.004' },
        { country: 'KE', price: '0.02' },
      ],
    })
    expect(made.msg).toBe('OK')
    const { rows } = await test.gateway.database.query<{
      key: string
      cost: string | null
      suggested: string | null
      margin: string | null
    }>(
      `select rate_key as key, cost::text, suggested::text, margin::text from qm_quote_group_line where group_id = $1 order by position`,
      [made.data.id],
    )
    expect(rows.map(({ key }) => key)).toEqual(['sms|IN|*|direct', 'sms|KE|*|direct'])
    const [india, kenya] = rows
    expect([kenya?.cost, kenya?.suggested]).toEqual([null, null])
    expect(Number(india?.suggested)).toBeCloseTo(Number(india?.cost) / 0.8, 4)
    const [member] = (await listed(boss, 'quoteGroupMember', [is('groupId', 'qg-1')])).records
    const twice = await saved(boss, 'quoteGroupMember', { groupId: made.data.id, accountId: member?.accountId })
    expect(twice.code).not.toBe(0)
    expect((await act(boss, 'quoteGroupMember', member?.id, 'leave')).msg).toBe('OK')
    expect((await saved(boss, 'quoteGroupMember', { groupId: made.data.id, accountId: member?.accountId })).msg).toBe('OK')
    const [detail] = (await listed(boss, 'quoteGroup', [is('id', made.data.id)])).records
    expect([detail?.memberCount, detail?.lineCount, detail?.coverage]).toEqual([1, 2, expect.stringMatching(/^1\//)])
  })

  it('turns what a supplier quoted into offers, once nothing is doubtful', async () => {
    const [intake] = (await listed(boss, 'quoteIntake', [is('status', ['review'], 'in')])).records
    expect(Number(intake?.rowsDoubtful)).toBe(2)
    expect((await act(boss, 'quoteIntake', intake?.id, 'confirm')).code).not.toBe(0)
    const { data } = await boss.get<{ record: { lines: Record<string, unknown>[]; version: number } }>(
      `${path('quoteIntake')}/view/${String(intake?.id)}`,
    )
    const lines = data.record.lines.map(({ id, level }) => ({ id, ...(level === 'doubtful' ? { checked: 'rejected' } : {}) }))
    expect((await saved(boss, 'quoteIntake', { id: intake?.id, version: data.record.version, lines })).msg).toBe('OK')
    expect((await act(boss, 'quoteIntake', intake?.id, 'confirm')).msg).toBe('OK')
    const [after] = (await listed(boss, 'quoteIntake', [is('id', intake?.id)])).records
    expect([after?.status, after?.sheetId]).toEqual(['confirmed', expect.any(String)])
    const offers = (await listed(boss, 'supplierRate', [is('sheetId', after?.sheetId)])).records
    expect(offers).toHaveLength(Number(after?.rowsMatched))
    expect(new Set(offers.map(({ status }) => status))).toEqual(new Set(['offered']))
    const [cheaper, dearer] = ['decrease', 'increase'].map((flag) => offers.find(({ changeFlag }) => changeFlag === flag)?.id)
    expect((await act(boss, 'supplierRate', dearer, 'take')).code).not.toBe(0)
    expect((await act(boss, 'supplierRate', cheaper, 'take')).msg).toBe('OK')
  })

  it('lets no two limits of a destination hold at a time', async () => {
    const limit = {
      product: 'sms',
      country: 'KE',
      routeClass: 'direct',
      currency: 'USD',
      mode: 'approve',
      minPrice: '0.01',
      effectiveFrom: inDays(-1),
      reason: '底线',
    }
    expect((await saved(seller, 'smsPriceLimit', limit)).code).not.toBe(0)
    const made = await saved(boss, 'smsPriceLimit', limit)
    expect(made.msg).toBe('OK')
    expect((await saved(boss, 'smsPriceLimit', { ...limit, minPrice: '0.02', effectiveFrom: inDays(5) })).code).not.toBe(0)
    expect((await act(boss, 'smsPriceLimit', made.data.id, 'disable')).msg).toBe('OK')
    expect((await saved(boss, 'smsPriceLimit', { ...limit, minPrice: '0.02', effectiveFrom: inDays(5) })).msg).toBe('OK')
  })
})
