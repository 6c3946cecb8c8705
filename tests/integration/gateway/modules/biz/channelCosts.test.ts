import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChannelCosts } from '../../../../../gateway/modules/biz/costs'
import { openCharges } from '../../../../../gateway/modules/fin/charges/open'
import { routeStep } from '../../../../../gateway/modules/qm/routes'
import { buildFacts } from '../../../../../gateway/modules/rpt/facts/build'
import { verifyFacts } from '../../../../../gateway/modules/rpt/verify'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import type { Caller, TestGateway } from '../../../../support/gateway'
import { openCompany, type Company } from '../fin/books'

type Row = Record<string, unknown> & { id: string }

const MINUTE = 60_000
let company: Company
let test: TestGateway
let operator: Caller
const ago = (minutes: number): string => new Date(test.clock.now().getTime() - minutes * MINUTE).toISOString()
const SINCE = '2026-01-01T00:00:00.000Z'

/** One supplier account (S01, EUR) with channels a, b (own costs), c (none), d (blocked); another (S02, USD) with channel z, and gateways g, h. */
beforeAll(async () => {
  company = await openCompany()
  ;({ test } = company)
  const keys = [
    'biz:record:view',
    'biz:record:import',
    'biz:gateway:view',
    'qm:cost:view',
    'qm:cost:import',
    'qm:intake:confirm',
    'crm:customer:viewProfit',
  ]
  const menus = [
    'businessInquiry:sendRcdQuery',
    'businessInquiry:voiceRecordQuery',
    'offerManage:offerManage',
    'businessInquiry:channelManagement',
  ]
  await test.addStaff({ id: 'op', jobNumber: 'C1', keys, menus, scopes: { '*': ['all'] } })
  operator = await test.signIn('C1')
  const stamp = { createdAt: SINCE, createdBy: null }
  const since = { effectiveFrom: SINCE, effectiveTo: null, status: 'active', source: 'opening' }
  const cost = (id: string, account: string, rateKey: string, price: string | null, more: object = {}) => ({
    ...{ ...stamp, ...since, id, rateKey, price, supplierAccountId: account, supplierId: 'sp1', unit: 'segment' },
    ...{ product: rateKey.split('|')[0], country: rateKey.split('|')[1], routeClass: 'direct', billingMode: 'sent' },
    ...{ currency: account === 'S02' ? 'USD' : 'EUR', ...more },
  })
  const route = (id: string, account: string) => ({
    ...stamp,
    id,
    code: `X-${id}`,
    name: `Route ${id}`,
    supplierAccountId: account,
    supplierId: 'sp1',
    status: 'online',
  })
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
    await entities.insertMany('srm.supplierAccount', [
      {
        ...stamp,
        id: 'S02',
        code: 'S02',
        name: 'New York',
        supplierId: 'sp1',
        kind: 'sms',
        currency: 'USD',
        timezone: 'America/New_York',
        payMode: 'prepaid',
        status: 'active',
        balance: '0',
      },
    ])
    await entities.insertMany(
      'biz.channel',
      ['a', 'b', 'c', 'd', 'z'].map((id) => ({
        ...route(id, id === 'z' ? 'S02' : 'S01'),
        alias: id.toUpperCase(),
        routeClass: 'direct',
      })),
    )
    await entities.insertMany(
      'biz.gateway',
      ['g', 'h'].map((id) => ({ ...route(id, 'S01'), kind: 'vosLanding' })),
    )
    await entities.insertMany('qm.customerRate', [
      {
        ...stamp,
        ...since,
        id: 'price',
        rateKey: 'sms|IN|*|direct',
        price: '0.0100',
        accountId: 'A01',
        customerId: 'c-A01',
        product: 'sms',
        currency: 'USD',
        unit: 'segment',
        billingMode: 'sent',
      },
      {
        ...stamp,
        ...since,
        id: 'call',
        rateKey: 'voice|44|cli',
        price: '0.0600',
        accountId: 'A05',
        customerId: 'c-A05',
        product: 'voice',
        currency: 'USD',
        unit: 'minute',
        prefix: '44',
        incFirst: 60,
        incNext: 60,
      },
    ])
    await entities.insertMany('qm.supplierRate', [
      cost('of-all', 'S01', 'sms|IN|*|direct', '0.0036'),
      cost('of-network', 'S01', 'sms|IN|40445|direct', '0.0099', { mccmnc: '40445' }),
      cost('of-a', 'S01', 'sms|IN|*|direct', '0.0030', { channelId: 'a' }),
      cost('of-b', 'S01', 'sms|IN|*|direct', '0.0050', { channelId: 'b' }),
      cost('of-d', 'S01', 'sms|IN|*|direct', null, { channelId: 'd', changeFlag: 'blocked' }),
      cost('of-g', 'S01', 'voice|44|cli', '0.0090', { gatewayId: 'g', prefix: '44', country: null, routeClass: 'cli' }),
      cost('of-z', 'S02', 'sms|IN|*|direct', '0.0040', { channelId: 'z' }),
    ])
    const app = { ...stamp, status: 'enabled', product: 'sms', accountId: 'A01', customerId: 'c-A01' }
    await entities.insertMany('biz.application', [{ ...app, id: 'app', code: 'AP1', name: 'App', appKey: 'k1' }])
  })
})
afterAll(() => test.close())

const save = (module: string, entity: string, values: object) =>
  operator.post<Row>(`/v2/${module}/${entity}/save`, values, { 'accept-language': 'en' })
const list = async (module: string, entity: string, field: string, value: unknown): Promise<Row[]> => {
  const where = [{ field, operator: 'eq', value }]
  return (await operator.post<{ records: Row[] }>(`/v2/${module}/${entity}/queryPage`, { where, pageSize: 100 })).data.records
}
const saved = async (entity: string, values: object): Promise<Row> => {
  const { code, msg, data } = await save('biz', entity, values)
  expect([code, msg], JSON.stringify(values)).toEqual([0, expect.anything()])
  return (await list('biz', entity, 'id', data.id))[0]!
}
let sent = 0
const message = (more: object = {}): Promise<Row> =>
  saved('smsRecord', {
    ...{ msgId: `k${(sent += 1)}`, submittedAt: ago(30), sentAt: ago(30), accountId: 'A01', appId: 'app' },
    ...{ toNumber: '+919810000002', country: 'IN', routeClass: 'direct', content: 'Sale', status: 'delivered', ...more },
  })

describe('the cost of a channel', () => {
  it.each([
    ['a', null, '0.003', 'of-a'],
    ['b', null, '0.005', 'of-b'],
    ['c', null, '0.0036', 'of-all'],
    ['a', '40445', '0.0099', 'of-network'],
    ['d', null, null, null],
  ])('over %s to the network %s it is %s', async (channelId, mccmnc, costAmount, costRateId) => {
    expect(await message({ channelId, mccmnc })).toMatchObject({
      costAmount,
      costRateId,
      supplierAccountId: 'S01',
      costCurrency: 'EUR',
    })
  })

  it('is the landing gateway’s for calls, and never another gateway’s', async () => {
    const call = (landingGatewayId: string) =>
      saved('callRecord', {
        callId: `call-${landingGatewayId}`,
        startAt: ago(10),
        answerAt: ago(9),
        endAt: ago(8),
        accountId: 'A05',
        callee: '+442079460000',
        landingGatewayId,
        routeClass: 'cli',
        releaseCause: 'normal',
      })
    expect(await call('g')).toMatchObject({ costRateId: 'of-g', cost: '0.009' })
    expect(await call('h')).toMatchObject({ costRateId: null, cost: null, costAmount: null })
  })

  it('is what solutions and recommendations reckon with, by the same order', async () => {
    const costs = await ChannelCosts.read(test.gateway.database, test.clock.now().toISOString().slice(0, 10))
    const euro = (id: string, mccmnc = ''): string | null => {
      const usd = costs.of(id, 'IN', mccmnc)
      return usd === null ? null : Number(costs.inCurrency(usd, 'EUR')).toFixed(4)
    }
    expect([euro('a'), euro('b'), euro('c'), euro('d'), euro('a', '40445')]).toEqual([
      '0.0030',
      '0.0050',
      '0.0036',
      null,
      '0.0099',
    ])
    expect(costs.all.filter(({ channelId, mccmnc }) => channelId === 'd' && mccmnc === '')).toEqual([])
  })
})

describe('the opening cost of a channel', () => {
  const opening = (more: object) => ({
    ...{ supplierId: 'sp1', supplierAccountId: 'S01', product: 'sms', country: 'IN', routeClass: 'direct', unit: 'segment' },
    ...{ price: '0.0041', currency: 'EUR', effectiveFrom: ago(60), ...more },
  })

  it('is taken where others of its account have one, and once', async () => {
    expect((await save('qm', 'supplierRate', opening({ channelId: 'c' }))).code).toBe(0)
    expect(await list('qm', 'supplierRate', 'channelId', 'c')).toMatchObject([{ status: 'active', rateKey: 'sms|IN|*|direct' }])
    expect(await message({ channelId: 'c' })).toMatchObject({ costAmount: '0.0041' })
    expect((await save('qm', 'supplierRate', opening({ channelId: 'c' }))).code).not.toBe(0)
    expect((await save('qm', 'supplierRate', opening({}))).code).not.toBe(0)
  })

  it('names a channel of its account, and for messages alone', async () => {
    const refused = async (more: object) => JSON.stringify((await save('qm', 'supplierRate', opening(more))).data)
    expect(await refused({ channelId: 'z' })).toContain('channelId')
    expect(await refused({ gatewayId: 'g' })).toContain('Only calls are priced by their gateway')
  })

  it('finds its channel by the code in an imported file', async () => {
    const columns = [
      'supplierId',
      'supplierAccountId',
      'channelId',
      'product',
      'country',
      'routeClass',
      'unit',
      'price',
      'currency',
      'effectiveFrom',
    ]
    const line = ['SP1', 'S01', 'X-b', 'sms', 'ID', 'direct', 'segment', '0.0300', 'EUR', ago(60)]
    const form = new FormData()
    form.append('file', new Blob([[columns, line].map((row) => row.join(',')).join('\n')]), 'costs.csv')
    const seen = await operator.raw('POST', '/v2/qm/supplierRate/import/preview', { method: 'POST', body: form })
    const { data } = (await seen.json()) as { data: { importId: string; errors: unknown[] } }
    expect(data.errors).toEqual([])
    await operator.post('/v2/qm/supplierRate/import/commit', { importId: data.importId })
    expect(await list('qm', 'supplierRate', 'channelId', 'b')).toMatchObject([{ rateKey: 'sms|ID|*|direct' }, { id: 'of-b' }])
  })
})

describe('a message that was tried over two suppliers', () => {
  /** 02:00 in Shanghai of a day is 14:00 (13:00) of the day before in New York; at no hour of now it is today, when others have sent. */
  let submittedAt = ''
  beforeAll(() => {
    submittedAt = `${dayOf(new Date(Date.parse(ago(0)) - 60 * 60 * MINUTE), 'UTC')}T18:00:00.000Z`
  })
  const later = (seconds: number): string => new Date(Date.parse(submittedAt) + seconds * 1000).toISOString()
  const attempt = (msgId: string, attemptNo: number, channelId: string, status: string) =>
    saved('smsAttempt', { msgId, attemptNo, channelId, sentAt: later(attemptNo), status })

  it('is owed to each of them, in his currency and on his day; the message has a sum only in one currency', async () => {
    const before = await openCharges(test.gateway.database, { side: 'cost' })
    const over = (some: typeof before, accountId: string, day: string) =>
      some
        .filter((one) => one.accountId === accountId && one.day === day)
        .map(({ entity, records, amount, unrated }) => ({ entity, records, amount, unrated }))
    const { id, msgId } = (await message({ submittedAt, sentAt: later(1), channelId: 'z' })) as Row & { msgId: string }
    const [shanghai, newYork] = [dayOf(submittedAt, 'Asia/Shanghai'), dayOf(submittedAt, 'America/New_York')]
    expect(shanghai > newYork).toBe(true)
    const read = async (): Promise<Row> => (await list('biz', 'smsRecord', 'id', id))[0]!
    expect(await attempt(msgId, 1, 'b', 'failed')).toMatchObject({
      supplierAccountId: 'S01',
      costAmount: '0.005',
      costCurrency: 'EUR',
      costDay: shanghai,
      product: 'sms',
      accountId: 'A01',
    })
    expect(await read()).toMatchObject({ channelId: 'b', supplierAccountId: 'S01', costAmount: '0.005', costByAttempts: true })
    expect(await attempt(msgId, 2, 'a', 'failed')).toMatchObject({ costAmount: '0.003' })
    expect(await read()).toMatchObject({ attempts: 2, channelId: 'a', costAmount: '0.008', costCurrency: 'EUR' })
    expect(await attempt(msgId, 3, 'z', 'delivered')).toMatchObject({
      supplierAccountId: 'S02',
      costAmount: '0.004',
      costCurrency: 'USD',
      costDay: newYork,
    })
    expect(await read()).toMatchObject({
      attempts: 3,
      channelId: 'z',
      supplierAccountId: 'S02',
      costAmount: null,
      revenue: '0.01',
    })
    const owed = await openCharges(test.gateway.database, { side: 'cost' })
    expect(over(before, 'S01', shanghai)).toEqual([])
    expect(over(owed, 'S01', shanghai)).toEqual([{ entity: 'biz.smsAttempt', records: 2, amount: '0.008', unrated: 0 }])
    expect(over(owed, 'S02', newYork)).toEqual([{ entity: 'biz.smsAttempt', records: 1, amount: '0.004', unrated: 0 }])
  })

  it('counts once, on its last channel; its tries and their costs count on their own', async () => {
    await test.gateway.database.transaction((tx) => buildFacts(tx, test.clock.now()))
    const { rows } = await test.gateway.database.query(
      `select channel_id as channel, sum(submitted)::int as submitted, sum(attempts)::int as attempts, sum(cost_seg)::int as segments, sum(uncosted)::int as uncosted, trim_scale(sum(cost))::text as cost, min(cost_currency) as currency
        from rpt_sms_hour where hour_at = date_trunc('hour', $1::timestamptz, 'UTC') and deleted_at is null group by 1 order by 1`,
      [submittedAt],
    )
    expect(rows).toEqual([
      { channel: 'a', submitted: 0, attempts: 1, segments: 1, uncosted: 0, cost: '0.003', currency: 'EUR' },
      { channel: 'b', submitted: 0, attempts: 1, segments: 1, uncosted: 0, cost: '0.005', currency: 'EUR' },
      { channel: 'z', submitted: 1, attempts: 1, segments: 1, uncosted: 0, cost: '0.004', currency: 'USD' },
    ])
    const { rows: blocked } = await test.gateway.database.query(
      `select sum(submitted)::int as submitted, sum(uncosted)::int as uncosted, sum(cost)::float8 as cost from rpt_sms_hour where channel_id = 'd' and deleted_at is null`,
    )
    expect(blocked).toEqual([{ submitted: 1, uncosted: 1, cost: 0 }])
    const drifted = async () =>
      (await verifyFacts(test.gateway.database)).filter((one) => one.drifted > 0).map(({ field }) => field)
    expect(await drifted()).toEqual([])
    await test.gateway.database.query(`update rpt_sms_hour set channel_id = 'b' where channel_id = 'a'`)
    expect(await drifted()).toEqual(['rpt.smsHour by channel = cost of messages and tries (R1)'])
    await test.gateway.database.query(
      `update rpt_sms_hour set channel_id = 'a' where channel_id = 'b' and cost in (0.003, 0.0099)`,
    )
  })

  it('has no sum where a try has no cost rate, and says so', async () => {
    const { id, msgId } = (await message({ channelId: 'a' })) as Row & { msgId: string }
    expect(await saved('smsAttempt', { msgId, attemptNo: 1, channelId: 'd', sentAt: ago(29), status: 'failed' })).toMatchObject({
      costAmount: null,
      costBillable: false,
    })
    expect(await saved('smsAttempt', { msgId, attemptNo: 2, channelId: 'd', sentAt: ago(29), status: 'rejected' })).toMatchObject(
      { costAmount: '0' },
    )
    expect(
      await saved('smsAttempt', { msgId, attemptNo: 3, channelId: 'a', sentAt: ago(28), status: 'delivered' }),
    ).toMatchObject({ costAmount: '0.003' })
    expect((await list('biz', 'smsRecord', 'id', id))[0]).toMatchObject({
      costAmount: null,
      channelId: 'a',
      costByAttempts: true,
    })
  })
})

describe('channels that were texts', () => {
  it('become the channels of their account; what matches none is kept and holds for the account', async () => {
    const rows = await test.gateway.database.transaction(async (tx) => {
      for (const table of ['qm_supplier_rate', 'qm_quote_intake', 'qm_supplier_quote_apply'])
        await tx.query(`alter table ${table} add column if not exists channel text`)
      const { rows: constraints } = await tx.query<{ name: string; definition: string }>(
        `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'x' and conrelid = 'qm_supplier_rate'::regclass`,
      )
      const overlap = constraints[0]!
      await tx.query(`alter table qm_supplier_rate drop constraint ${overlap.name}`)
      const given = [
        ['by-code', 'sms', 'x-A', '2026-01-01'],
        ['by-name', 'sms', ' Route b ', '2026-01-01'],
        ['gateway', 'voice', 'X-g', '2026-01-01'],
        ['foreign', 'sms', 'X-z', '2026-01-01'],
        ['unknown', 'sms', 'LEFT-DIR', '2026-03-01'],
        ['none', 'sms', '', '2026-05-01'],
      ]
      for (const [id, product, channel, from] of given)
        await tx.query(
          `insert into qm_supplier_rate (id, supplier_id, supplier_account_id, product, rate_key, price, currency, status, effective_from, channel, created_at, updated_at, version)
            values ($1, 'sp1', 'S01', $2, 'old', 0.01, 'EUR', 'active', $3, $4, now(), now(), 1)`,
          [id, product, from, channel],
        )
      await tx.query('set constraints all immediate')
      await (routeStep.run as (given: typeof tx) => Promise<void>)(tx)
      // no two of them hold at once
      await tx.query(`alter table qm_supplier_rate add constraint ${overlap.name} ${overlap.definition}`)
      return (
        await tx.query(
          `select id, channel_id as channel, gateway_id as gateway, remark, status, effective_to::date::text as until from qm_supplier_rate where rate_key = 'old' order by id`,
        )
      ).rows
    })
    const kept = (text: string) => `原通道文字 / channel so far: ${text}`
    const free = { channel: null, gateway: null }
    expect(rows).toEqual([
      { id: 'by-code', channel: 'a', gateway: null, remark: null, status: 'active', until: null },
      { id: 'by-name', channel: 'b', gateway: null, remark: null, status: 'active', until: null },
      { id: 'foreign', ...free, remark: kept('X-z'), status: 'active', until: '2026-03-01' },
      { id: 'gateway', channel: null, gateway: 'g', remark: null, status: 'active', until: null },
      { id: 'none', ...free, remark: null, status: 'active', until: null },
      { id: 'unknown', ...free, remark: kept('LEFT-DIR'), status: 'active', until: '2026-05-01' },
    ])
  })
})
