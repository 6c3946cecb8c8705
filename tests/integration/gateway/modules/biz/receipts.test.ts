import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLocked, lockDays, locksWait } from '../../../../../gateway/modules/biz/lock/lock'
import { postCharges } from '../../../../../gateway/modules/fin'
import { verifyLedger } from '../../../../../gateway/modules/fin/ledger/verify'
import { buildFacts } from '../../../../../gateway/modules/rpt/facts/build'
import { verifyFacts } from '../../../../../gateway/modules/rpt/verify'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { systemContext } from '../../../../../gateway/platform/http'
import type { Caller, TestGateway } from '../../../../support/gateway'
import { openCompany, type Company } from '../fin/books'

type Row = Record<string, unknown> & { id: string }
interface Answered {
  applied: number
  late: number
  unchanged: number
  refused: number
  rows: { row: number; msgId: string; result: string; reason?: string }[]
}

const HOUR = 3_600_000
const PATH = '/v2/biz/smsRecord'
let company: Company
let test: TestGateway
let operator: Caller
const now = (): Date => test.clock.now()
const ago = (hours: number): string => new Date(now().getTime() - hours * HOUR).toISOString()

beforeAll(async () => {
  company = await openCompany()
  ;({ test } = company)
  const keys = ['biz:record:view', 'biz:record:import', 'qm:cost:view', 'crm:customer:viewProfit', 'rpt:fact:view']
  const menus = ['businessInquiry:sendRcdQuery']
  await test.addStaff({ id: 'op', jobNumber: 'R1', keys, menus, scopes: { '*': ['all'] } })
  await test.addStaff({ id: 'reader', jobNumber: 'R2', keys: ['biz:record:view'], menus, scopes: { '*': ['all'] } })
  await test.addStaff({ id: 'other', jobNumber: 'R3', keys, menus, scopes: { '*': ['own'] } })
  operator = await test.signIn('R1')
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  const rate = (id: string, rateKey: string, billingMode: string, more: object) => ({
    ...stamp,
    ...{ id, rateKey, billingMode, product: 'sms', price: '0.01', effectiveFrom: '2026-01-01T00:00:00.000Z' },
    ...{ status: 'active', unit: 'segment', source: 'opening', ...more },
  })
  const customer = { accountId: 'A01', customerId: 'c-A01', currency: 'USD' }
  const supplier = { supplierAccountId: 'S01', supplierId: 'sp1', currency: 'EUR', price: '0.004' }
  await test.gateway.engine.transaction(systemContext({ now: now() }), async (entities) => {
    await entities.insertMany('qm.customerRate', [
      rate('r-us', 'sms|US|*|direct', 'delivered', customer),
      rate('r-br', 'sms|BR|*|direct', 'deliveredUnknown', customer),
    ])
    await entities.insertMany('qm.supplierRate', [
      rate('s-us', 'sms|US|*|direct', 'delivered', supplier),
      rate('s-br', 'sms|BR|*|direct', 'sent', supplier),
    ])
  })
})
afterAll(() => test.close())

const COLUMNS = [
  'submittedAt',
  'msgId',
  'accountId',
  'toNumber',
  'country',
  'content',
  'status',
  'sentAt',
  'supplierAccountId',
  'failReason',
] as const
type Given = Partial<Record<(typeof COLUMNS)[number], string>>
const message = (msgId: string, more: Given = {}): Given => ({
  ...{ msgId, submittedAt: ago(2), sentAt: ago(2), accountId: 'A01', toNumber: '+14155550123', country: 'US', content: 'Hello' },
  ...{ status: 'sent', supplierAccountId: 'S01', ...more },
})
const send = async (messages: readonly Given[]) => {
  const file = [COLUMNS, ...messages.map((one) => COLUMNS.map((name) => one[name] ?? ''))]
    .map((row) => row.map((cell) => JSON.stringify(cell)).join(','))
    .join('\n')
  const form = new FormData()
  form.append('file', new Blob([file]), 'records.csv')
  const headers = { 'accept-language': 'en' }
  const seen = await operator.raw('POST', `${PATH}/import/preview`, { method: 'POST', body: form, headers })
  const { data } = (await seen.json()) as { data: { importId: string; errors: { row: number; message: string }[] } }
  const commit = await operator.post<{ created: number }>(`${PATH}/import/commit`, { importId: data.importId, skipFaulty: true })
  return { created: commit.data?.created ?? 0, errors: data.errors.map(({ message: text }) => text) }
}
const one = async (msgId: string): Promise<Row> => {
  const where = [{ field: 'msgId', operator: 'eq', value: msgId }]
  const { data } = await operator.post<{ records: Row[] }>(`${PATH}/queryPage`, { where })
  return data.records[0]!
}
const receipt = (msgId: string, status: string, more: object = {}) => ({ msgId, status, dlrAt: ago(1.5), ...more })
const receive = (rows: readonly object[], by = operator) =>
  by.post<Answered>(`${PATH}/receipts`, { rows }, { 'accept-language': 'en' })
const results = async (rows: readonly object[], by = operator): Promise<string[]> =>
  (await receive(rows, by)).data.rows.map(({ result }) => result)

const database = () => test.gateway.database
const built = () => database().transaction((tx) => buildFacts(tx, now()))
const posted = () => postCharges({ engine: test.gateway.engine, database: test.gateway.database, now: now(), isLocked })
const entries = (types: readonly string[]) =>
  company.rows<{ type: string; account: string; amount: string; day: string }>(
    `select type, account_id as account, trim_scale(-signed_amount)::text as amount, biz_date::text as day from fin_ledger_entry where account_kind in ('customer', 'supplier') and type = any($1) order by type, posted_at, id`,
    [types],
  )
const sum = async (table: string, columns: readonly string[]): Promise<Record<string, string>> => {
  const [row] = await company.rows<Record<string, string>>(
    `select ${columns.map((name) => `trim_scale(coalesce(sum(${name}), 0)::numeric)::text as ${name}`).join(', ')} from ${table} where deleted_at is null`,
  )
  return row!
}
const COUNTED = [
  'submitted',
  'sent',
  'delivered',
  'failed',
  'finished',
  'unknown',
  'late',
  'bill_seg',
  'cost_seg',
  'latency_count',
  'revenue',
  'cost',
]
/** What reconcile finds. */
const drifted = async (): Promise<string[]> => [
  ...(await verifyFacts(database())).filter((drift) => drift.drifted > 0).map(({ field }) => field),
  ...(await verifyLedger(database(), { fix: false })).filter((drift) => drift.drifted > 0).map(({ field }) => field),
]
const zone = 'Asia/Hong_Kong'

describe('receipts before the lock', () => {
  it('change state, moment, latency and reason, and the money of delivered modes on the day of the message (quotes 2.4, 5.4, 7.1)', async () => {
    const all = ['d', 'f', 'e', 'u'].map((id) => message(`m-${id}`)).concat(message('m-b', { country: 'BR', status: 'unknown' }))
    expect(await send(all)).toEqual({ created: 5, errors: [] })
    await posted()
    await built()
    expect(await entries(['usage'])).toMatchObject([{ account: 'A01', amount: '0.01' }])
    expect(await sum('rpt_sms_hour', COUNTED)).toMatchObject({
      sent: '5',
      delivered: '0',
      unknown: '5',
      revenue: '0.01',
      cost: '0.004',
    })
    const sentAt = Date.parse(String((await one('m-d')).sentAt))
    const { data } = await receive([
      receipt('m-d', 'delivered', { dlrAt: new Date(sentAt + 4_000).toISOString() }),
      receipt('m-f', 'failed', { errorCode: '27' }),
      receipt('m-e', 'expired'),
      receipt('m-b', 'failed'),
    ])
    expect(data).toMatchObject({ applied: 4, late: 0, unchanged: 0, refused: 0 })
    expect(await one('m-d')).toMatchObject({
      status: 'delivered',
      latency: 4,
      failReason: null,
      billable: true,
      revenue: '0.01',
      costBillable: true,
      costAmount: '0.004',
      late: false,
    })
    expect(await one('m-f')).toMatchObject({
      status: 'failed',
      failReason: 'undeliverable',
      errorCode: '27',
      billable: false,
      revenue: '0',
      costAmount: '0',
    })
    expect(await one('m-e')).toMatchObject({ status: 'expired', failReason: 'timeout' })
    // unknown was charged; a failure is not, though its supplier took it
    expect(await one('m-b')).toMatchObject({ status: 'failed', billable: false, revenue: '0', costAmount: '0.004' })
    await built()
    expect(await sum('rpt_sms_hour', COUNTED)).toMatchObject({
      sent: '5',
      delivered: '1',
      failed: '3',
      unknown: '1',
      bill_seg: '1',
      revenue: '0.01',
      cost: '0.008',
    })
  })

  it('reach the ledger with the next batch as a difference, of the day of the message', async () => {
    test.clock.forward(300)
    await posted()
    const cost = (await entries(['cost'])).map(({ amount }) => amount)
    expect(cost).toEqual(['0.004', '0.004'])
    expect((await entries(['usage'])).map(({ amount }) => amount)).toEqual(['0.01'])
    expect(await entries(['adjustment', 'costAdjust'])).toEqual([])
    expect(await drifted()).toEqual([])
  })

  it('are answered row by row: the same again changes nothing, a final state stays, what is not there or was not sent is refused (quotes 2.4)', async () => {
    await send([
      message('m-refused', { status: 'rejected', sentAt: '', failReason: 'noRoute' }),
      message('m-x', { status: 'unknown' }),
    ])
    const { data } = await receive([
      receipt('m-d', 'delivered'),
      receipt('m-d', 'failed'),
      receipt('nobody', 'delivered'),
      receipt('m-refused', 'delivered'),
      receipt('m-x', 'expired'),
      receipt('m-u', 'delivered', { dlrAt: ago(-1) }),
      receipt('m-u', 'delivered', { dlrAt: 'yesterday' }),
      receipt('m-u', 'sent'),
      receipt('m-x', 'delivered'),
      receipt('m-x', 'delivered'),
    ])
    expect(data.rows.map(({ row, result, reason }) => [row, result, reason?.slice(0, 24)])).toEqual([
      [1, 'unchanged', undefined],
      [2, 'refused', 'The message is "Delivere'],
      [3, 'refused', 'There is no record of th'],
      [4, 'refused', 'The message was not sent'],
      [5, 'refused', 'The message is "Unknown"'],
      [6, 'refused', 'A receipt cannot be late'],
      [7, 'refused', 'The moment of the receip'],
      [8, 'refused', 'The status has to be one'],
      [9, 'applied', undefined],
      [10, 'unchanged', undefined],
    ])
  })

  it('change the last try of a message, and the message by what that try costs more (quotes 5.4)', async () => {
    await send([message('m-t')])
    await test.gateway.engine.transaction(systemContext({ now: now() }), (entities) =>
      entities.createMany('biz.smsAttempt', [
        { msgId: 'm-t', attemptNo: 1, supplierAccountId: 'S01', sentAt: ago(2), status: 'failed' },
        { msgId: 'm-t', attemptNo: 2, supplierAccountId: 'S01', sentAt: ago(2), status: 'sent' },
      ]),
    )
    expect(await one('m-t')).toMatchObject({ attempts: 2, costAmount: '0' })
    expect(await results([receipt('m-t', 'delivered')])).toEqual(['applied'])
    expect(await one('m-t')).toMatchObject({ costAmount: '0.004', revenue: '0.01' })
    expect(
      await company.rows(
        `select status, trim_scale(cost_amount)::text as cost from biz_sms_attempt where msg_id = 'm-t' order by attempt_no`,
      ),
    ).toEqual([
      { status: 'failed', cost: '0' },
      { status: 'delivered', cost: '0.004' },
    ])
  })

  it('are for whoever may import records, and only of messages that he sees', async () => {
    const [reader, other] = [await test.signIn('R2'), await test.signIn('R3')]
    expect((await receive([receipt('m-u', 'delivered')], reader)).code).toBe(10010003)
    expect((await receive([receipt('m-u', 'delivered')], other)).data.rows).toEqual([
      { row: 1, msgId: 'm-u', result: 'refused', reason: 'There is no record of this message that you see.' },
    ])
    expect((await one('m-u')).status).toBe('sent')
    await company.rows(`update crm_customer set owner_id = 'other', holding = 'private' where id = 'c-A01'`)
    expect(await results([receipt('m-u', 'delivered')], other)).toEqual(['applied'])
    expect((await receive(Array.from({ length: 5001 }, (_, index) => receipt(`m-${index}`, 'delivered')))).code).not.toBe(0)
  })
})

describe('receipts after the lock', () => {
  const LATE = ['l-us', 'l-us2', 'l-failed', 'l-br']
  let figures: Record<string, string>

  it('wait for it 72 hours after the end of the day in the zone of the account (quotes 7.1)', async () => {
    await send([
      message('l-us', { content: 'x'.repeat(161) }),
      message('l-us2'),
      message('l-failed'),
      message('l-br', { country: 'BR', status: 'unknown' }),
      message('l-open'),
    ])
    await company.rows(`update crm_customer set owner_id = 'op' where id = 'c-A01'`)
    await posted()
    await built()
    await database().transaction((tx) => lockDays(tx, now()))
    expect(await locksWait(database(), now())).toBe(false)
    const day = String(
      (await company.rows<{ day: string }>(`select bill_day::text as day from biz_sms_record where msg_id = 'l-us'`))[0]!.day,
    )
    const locksAt = Date.parse(`${day}T00:00:00+08:00`) + 96 * HOUR
    test.clock.forward((locksAt - now().getTime()) / 1000 - 60)
    operator = await test.signIn('R1')
    expect(await results([receipt('l-open', 'delivered')])).toEqual(['applied'])
    await posted()
    await built()
    test.clock.forward(90)
    expect(await locksWait(database(), now())).toBe(true)
    figures = await sum('rpt_sms_hour', COUNTED)
  })

  it('are late: counted as such alone, and what they would have charged is adjusted today for both sides, once (quotes 7.1, m11, m26, m27)', async () => {
    const before = await Promise.all(LATE.map(one))
    // the customer has somebody else now; what was achieved stays with whom it was
    await company.rows(`update crm_customer set owner_id = 'other' where id = 'c-A01'`)
    test.clock.forward(48 * 3600)
    operator = await test.signIn('R1')
    const rows = LATE.map((msgId) => receipt(msgId, msgId === 'l-failed' ? 'failed' : 'delivered'))
    // two callers at once, and one of them twice
    const twice = await Promise.all([receive([...rows, rows[0]!]), receive(rows)])
    const total = (of: 'late' | 'unchanged'): number => twice.reduce((all, { data }) => all + data[of], 0)
    expect([total('late'), total('unchanged')]).toEqual([4, 5])
    for (const [index, msgId] of LATE.entries()) {
      const { status, revenue, costAmount, billable, costBillable, failReason } = before[index]!
      expect(await one(msgId)).toMatchObject({ status, revenue, costAmount, billable, costBillable, failReason, late: true })
      expect(await one(msgId)).toMatchObject({ dlrAt: rows[index]!.dlrAt, latency: expect.any(Number) as number })
    }
    // three segments that were delivered; what was charged as unknown, and what failed, is not charged again
    const today = dayOf(now(), zone)
    const adjusted = [
      { type: 'adjustment', account: 'A01', amount: '0.03', day: today },
      { type: 'costAdjust', account: 'S01', amount: '-0.012', day: dayOf(now(), database().companyTimeZone) },
    ]
    const found = await entries(['adjustment', 'costAdjust'])
    expect(found.map(({ amount, ...rest }) => ({ ...rest, amount: amount.replace('-', '') }))).toEqual(
      adjusted.map(({ amount, ...rest }) => ({ ...rest, amount: amount.replace('-', '') })),
    )
    expect(await results(rows)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged'])
    await posted()
    expect(await entries(['adjustment', 'costAdjust'])).toEqual(found)
  })

  it('move nothing of their day but its late receipts, and reconcile finds nothing (quotes 7.6)', async () => {
    expect((await built()).hours).toBeGreaterThan(0)
    expect(await sum('rpt_sms_hour', COUNTED)).toEqual({ ...figures, late: '4' })
    expect(await company.rows(`select distinct owner_id from rpt_sms_hour where late > 0`)).toEqual([{ owner_id: 'op' }])
    expect(await drifted()).toEqual([])
    const { data } = await operator.post<{ rows: { measures: Record<string, unknown> }[] }>('/v2/rpt/smsHour/aggregate', {
      measures: [{ id: 'late', sum: 'late' }],
    })
    expect(data.rows[0]?.measures).toEqual({ late: 4 })
  })

  it('are refused for a closed account where they would charge something', async () => {
    await send([message('l-closed')])
    test.clock.forward(120 * 3600)
    operator = await test.signIn('R1')
    await company.rows(`update fin_customer_account set status = 'closed' where id = 'A01'`)
    const { data } = await receive([receipt('l-closed', 'delivered')])
    await company.rows(`update fin_customer_account set status = 'active' where id = 'A01'`)
    expect(data.rows[0]).toMatchObject({ result: 'refused', reason: expect.stringContaining('closed') as string })
  })
})

describe('records of a locked day', () => {
  it.each([
    `status = 'delivered'`,
    'revenue = 1',
    'cost_amount = 1',
    'billable = not billable',
    'cost_billable = not cost_billable',
    `account_id = 'A02'`,
    'bill_day = bill_day + 30',
    'deleted_at = now()',
  ])('are not changed by any statement: %s (quotes 7.1)', async (change) => {
    await expect(database().query(`update biz_sms_record set ${change} where msg_id = 'l-us'`)).rejects.toThrow(/locked/)
  })

  it('take marks of posting and late receipts, and those of open days take everything', async () => {
    await send([message('o-1')])
    const change = (text: string, msgId: string) =>
      database().query(sql`update biz_sms_record set ${sql.raw(text)} where msg_id = ${msgId}`)
    for (const text of [
      `usage_batch_id = 'b', posted_revenue = 0, posted_cost = 0, late = true, dlr_at = dlr_at, latency = latency`,
      'revenue = revenue',
    ])
      expect((await change(text, 'l-us')).rowCount).toBe(1)
    expect((await change(`status = 'delivered', revenue = 1`, 'o-1')).rowCount).toBe(1)
  })

  it('stay alone: no further record or try comes in for a day that was locked here, those of days before may be taken over', async () => {
    const locked = message('n-1', { submittedAt: ago(24 * 6), sentAt: ago(24 * 6) })
    const old = message('n-2', { submittedAt: ago(24 * 40), sentAt: ago(24 * 40) })
    const { created, errors } = await send([locked, old])
    expect(created).toBe(1)
    expect(errors).toEqual([expect.stringContaining('is locked for this account')])
    const tried = test.gateway.engine.transaction(systemContext({ now: now() }), (entities) =>
      entities.createMany('biz.smsAttempt', [
        { msgId: 'l-us', attemptNo: 1, supplierAccountId: 'S01', sentAt: ago(200), status: 'delivered' },
      ]),
    )
    await expect(tried).rejects.toThrow(/locked|锁账/)
  })

  it('are not cancelled with the queue in which they wait', async () => {
    await send([message('q-1', { status: 'queued', sentAt: '' })])
    const queue = {
      id: 'q1',
      batchId: 'B1',
      customerId: 'c-A01',
      product: 'sms',
      total: 1,
      status: 'waiting',
      enqueuedAt: ago(2),
      createdAt: ago(2),
      createdBy: null,
    }
    await test.gateway.engine.transaction(systemContext({ now: now() }), (entities) =>
      entities.insertMany('biz.apiQueue', [queue]),
    )
    await company.rows(`update biz_sms_record set queue_id = 'q1' where msg_id = 'q-1'`)
    test.clock.forward(120 * 3600)
    await posted()
    await database().transaction((tx) => lockDays(tx, now()))
    const cancelled = test.gateway.engine.transaction(systemContext({ now: now() }), (entities) =>
      entities.transition('biz.apiQueue', 'q1', 'cancelWaiting', { reason: 'old' }),
    )
    await expect(cancelled).rejects.toThrow(/锁账|locked/)
  })

  it('stay locked whatever zone or hours are set later', async () => {
    await company.rows(`update fin_bill_cycle set dlr_wait_hours = 240`)
    await company.rows(`update fin_customer_account set timezone = 'Pacific/Midway', bill_cycle_id = 'ten' where id = 'A01'`)
    await database().transaction((tx) => lockDays(tx, now()))
    await expect(database().query(`update biz_sms_record set revenue = 1 where msg_id = 'l-us'`)).rejects.toThrow(/locked/)
  })
})
