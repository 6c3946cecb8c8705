import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLocked } from '../../../../../gateway/modules/biz/lock/lock'
import { postCharges } from '../../../../../gateway/modules/fin'
import { buildFacts } from '../../../../../gateway/modules/rpt/facts/build'
import { buildContents, staleContents } from '../../../../../gateway/modules/rpt/facts/contents'
import { findStarts } from '../../../../../gateway/modules/rpt/facts/starts'
import { verifyFacts } from '../../../../../gateway/modules/rpt/verify'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { ensureDays } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import type { Caller, TestGateway } from '../../../../support/gateway'
import { openCompany } from '../fin/books'

type Row = Record<string, unknown> & { id: string }

const HOUR = 3_600_000
const PATH = '/v2/biz/smsRecord'
let test: TestGateway
let operator: Caller
let seller: Caller
const ago = (hours: number): string => new Date(test.clock.now().getTime() - hours * HOUR).toISOString()

beforeAll(async () => {
  ;({ test } = await openCompany())
  const keys = [
    'biz:record:view',
    'biz:record:import',
    'biz:record:export',
    'biz:content:view',
    'qm:cost:view',
    'crm:customer:viewProfit',
    'rpt:fact:view',
    'rpt:revenue:view',
    'rpt:cost:view',
  ]
  await test.addStaff({ id: 'op', jobNumber: 'B1', keys, menus: ['businessInquiry:sendRcdQuery'], scopes: { '*': ['all'] } })
  await test.addStaff({
    id: 'seller',
    jobNumber: 'B2',
    keys: ['biz:record:view'],
    menus: ['businessInquiry:sendRcdQuery'],
    scopes: { '*': ['own'] },
  })
  ;[operator, seller] = await Promise.all([test.signIn('B1'), test.signIn('B2')])
  const stamp = { createdAt: '2026-01-01T00:00:00.000Z', createdBy: null }
  const rate = (id: string, rateKey: string, price: string | null, more: object = {}) => ({
    ...stamp,
    ...{ id, rateKey, price, product: 'sms', accountId: 'A01', customerId: 'c-A01', currency: 'USD', billingMode: 'delivered' },
    ...{ effectiveFrom: '2026-01-01T00:00:00.000Z', effectiveTo: null, status: 'active', unit: 'segment', source: 'opening' },
    ...more,
  })
  await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
    await entities.insertMany('qm.customerRate', [
      rate('r1', 'sms|US|*|direct', '0.008', { effectiveTo: ago(30) }),
      rate('r2', 'sms|US|*|direct', '0.009', { effectiveFrom: ago(30) }),
      rate('r3', 'sms|US|310260|direct', '0.0095'),
      rate('r4', 'sms|BR|72405|direct', null),
      rate('r5', 'sms|BR|*|direct', '0.018'),
    ])
    await entities.insertMany('qm.supplierRate', [
      {
        ...stamp,
        ...{
          id: 's1',
          rateKey: 'sms|US|*|direct',
          price: '0.005',
          product: 'sms',
          supplierAccountId: 'S01',
          supplierId: 'sp1',
          currency: 'EUR',
        },
        ...{
          billingMode: 'sent',
          effectiveFrom: '2026-01-01T00:00:00.000Z',
          status: 'active',
          unit: 'segment',
          source: 'opening',
        },
      },
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
  'mccmnc',
  'content',
  'status',
  'sentAt',
  'dlrAt',
  'supplierAccountId',
  'failReason',
  'testFlag',
] as const
type Given = Partial<Record<(typeof COLUMNS)[number], string>>
const message = (more: Given): Given => ({
  ...{ submittedAt: ago(2), accountId: 'A01', toNumber: '+14155550123', country: 'US', mccmnc: '310410', content: 'Hello' },
  ...{ status: 'delivered', sentAt: ago(2), dlrAt: ago(1.999), supplierAccountId: 'S01' },
  ...more,
})
const send = async (messages: readonly Given[]) => {
  const file = [COLUMNS, ...messages.map((one) => COLUMNS.map((name) => one[name] ?? ''))]
    .map((row) => row.map((cell) => JSON.stringify(cell)).join(','))
    .join('\n')
  const form = new FormData()
  form.append('file', new Blob([file]), 'records.csv')
  const seen = await operator.raw('POST', `${PATH}/import/preview`, {
    method: 'POST',
    body: form,
    headers: { 'accept-language': 'en' },
  })
  const { data } = (await seen.json()) as {
    data: { importId: string; valid: number; errors: { row: number; message: string }[] }
  }
  const commit = await operator.post<{ created: number }>(`${PATH}/import/commit`, { importId: data.importId, skipFaulty: true })
  return { created: commit.data?.created ?? 0, errors: data.errors }
}
const list = async (where: object[] = [], by = operator) => {
  const { code, msg, data } = await by.post<{ records: Row[]; total: number }>(`${PATH}/queryPage`, { where, pageSize: 100 })
  return { code, msg, records: data?.records ?? [], total: data?.total ?? 0 }
}
const one = async (msgId: string): Promise<Row> => (await list([{ field: 'msgId', operator: 'eq', value: msgId }])).records[0]!

describe('records of messages', () => {
  it('come in by a file and are rated by the price that held at their moment, at the mode of each side (quotes 5.2, 5.4)', async () => {
    const { created, errors } = await send([
      message({ msgId: 'm-before', submittedAt: ago(40), sentAt: ago(40), dlrAt: ago(39.999) }),
      message({ msgId: 'm-after', content: 'x'.repeat(161) }),
      message({ msgId: 'm-network', mccmnc: '310260' }),
      message({ msgId: 'm-failed', status: 'failed', failReason: 'absent', dlrAt: '' }),
      message({ msgId: 'm-refused', status: 'rejected', failReason: 'noRoute', sentAt: '', dlrAt: '' }),
      message({ msgId: 'm-blocked', country: 'BR', mccmnc: '72405', supplierAccountId: '' }),
      message({ msgId: 'm-unknown', country: 'DE', mccmnc: '26201', supplierAccountId: '' }),
      message({ msgId: 'm-test', country: 'DE', mccmnc: '26201', supplierAccountId: '', testFlag: 'true' }),
      message({ msgId: 'm-later', submittedAt: ago(-2) }),
    ])
    expect(errors.map(({ row }) => row)).toEqual([10])
    expect(errors[0]?.message).toContain('not submitted yet')
    expect(created).toBe(8)
    // what has no price says so, and is no zero
    for (const unpriced of ['m-blocked', 'm-unknown'])
      expect(await one(unpriced)).toMatchObject({ price: null, revenue: null, billable: false })
    expect(await one('m-before')).toMatchObject({
      price: '0.008',
      segments: 1,
      revenue: '0.008',
      costAmount: '0.005',
      rateId: 'r1',
      customerId: 'c-A01',
      supplierId: 'sp1',
    })
    expect(await one('m-after')).toMatchObject({
      price: '0.009',
      segments: 2,
      encoding: 'gsm7',
      revenue: '0.018',
      costAmount: '0.01',
      costCurrency: 'EUR',
    })
    expect(await one('m-network')).toMatchObject({ price: '0.0095', revenue: '0.0095' })
    // not delivered: the customer pays on delivery, the supplier is paid for what it took
    expect(await one('m-failed')).toMatchObject({ billable: false, revenue: '0', costBillable: true, costAmount: '0.005' })
    expect(await one('m-refused')).toMatchObject({ billable: false, revenue: '0', costBillable: false, costAmount: '0' })
    expect(await one('m-test')).toMatchObject({ billable: false, revenue: '0', testFlag: true })
  })

  it('stand in a table of their day, are read at most 7 days at once, and by a number in all days', async () => {
    await send([
      message({
        msgId: 'm-old',
        submittedAt: ago(24 * 30),
        sentAt: ago(24 * 30),
        dlrAt: '',
        status: 'sent',
        toNumber: '+14155550999',
      }),
    ])
    const { rows } = await test.gateway.database.query<{ days: number }>(
      `select count(*)::int as days from pg_inherits where inhparent = 'biz_sms_record'::regclass`,
    )
    expect(rows[0]?.days).toBeGreaterThanOrEqual(3)
    const recent = await list()
    expect(recent.total).toBe(8)
    const wide = await list([{ field: 'submittedAt', operator: 'between', value: [ago(24 * 31), ago(0)] }])
    expect([wide.code, wide.msg]).toEqual([10010001, expect.stringContaining('7')])
    const month = await list([{ field: 'submittedAt', operator: 'between', value: [ago(24 * 32), ago(24 * 28)] }])
    expect(month.records.map(({ msgId }) => msgId)).toEqual(['m-old'])
    expect((await list([{ field: 'toNumber', operator: 'eq', value: '+14155550999' }])).total).toBe(1)
  })

  it('are seen by whoever sees their customer; without the keys no cost, and numbers only masked', async () => {
    expect((await list([], seller)).total).toBe(0)
    await test.gateway.database.query(`update crm_customer set owner_id = 'seller', holding = 'private' where id = 'c-A01'`)
    const { records, total } = await list([], seller)
    expect(total).toBe(8)
    for (const record of records) {
      expect(String(record.toNumber)).toContain('*')
      expect(record.content ?? '***').not.toContain('Hello')
      expect(record.costAmount ?? '***').toBe('***')
    }
    expect((await list([{ field: 'toNumber', operator: 'eq', value: '+14155550123' }], seller)).code).not.toBe(0)
  })
})

describe('facts of traffic', () => {
  const now = (): Date => test.clock.now()
  const built = () => test.gateway.database.transaction((tx) => buildFacts(tx, now()))
  const posted = () => postCharges({ engine: test.gateway.engine, database: test.gateway.database, now: now(), isLocked })
  const entries = async (kind: string): Promise<string> => {
    const { rows } = await test.gateway.database.query<{ amount: string }>(
      sql`select coalesce(trim_scale(sum(-signed_amount)), 0)::text as amount from fin_ledger_entry where account_kind = ${kind} and type in ('usage', 'cost')`,
    )
    return rows[0]!.amount
  }
  const of = async (table: string, column: string): Promise<string> => {
    const { rows } = await test.gateway.database.query<{ amount: string }>(
      sql`select trim_scale(sum(${sql.raw(column)}))::text as amount from ${sql.raw(table)} where deleted_at is null`,
    )
    return rows[0]!.amount
  }

  it('are the counts and sums of records, hour by hour and day by day, and a report tells them with what is made of them (quotes 7.2, 7.3 E1)', async () => {
    const at = ago(3)
    const some = (count: number, more: Given): Given[] =>
      Array.from({ length: count }, (_, index) =>
        message({
          msgId: `e1-${more.status}-${more.failReason ?? ''}-${index}`,
          submittedAt: at,
          sentAt: at,
          dlrAt: '',
          content: 'x'.repeat(161),
          mccmnc: '310260',
          ...more,
        }),
      )
    const messages = [
      ...some(2, { status: 'rejected', failReason: 'noRoute', sentAt: '' }),
      ...some(2, { status: 'expired', failReason: 'timeout', sentAt: '' }),
      ...some(90, { status: 'delivered', dlrAt: ago(2.999) }),
      ...some(5, { status: 'failed', failReason: 'absent' }),
      ...some(3, { status: 'unknown' }),
    ]
    expect(await send(messages)).toEqual({ created: 102, errors: [] })
    expect((await built()).hours).toBeGreaterThan(1)
    const { data } = await operator.post<{ rows: { measures: Record<string, unknown> }[] }>('/v2/rpt/smsHour/aggregate', {
      where: [
        { field: 'mccmnc', operator: 'eq', value: '310260' },
        { field: 'hourAt', operator: 'lte', value: ago(3) },
      ],
      measures: [
        ...['submitted', 'rejected', 'accepted', 'sent', 'delivered', 'failed', 'unknown', 'segSent', 'billSeg'].map((id) => ({
          id,
          sum: id,
        })),
        { id: 'rate', ratio: ['delivered', 'sent'] },
        { id: 'revenue', sum: 'revenue', currency: 'convert:USD', day: 'day' },
      ],
    })
    expect(data?.rows[0]?.measures).toEqual({
      submitted: 102,
      rejected: 2,
      accepted: 100,
      sent: 98,
      delivered: 90,
      failed: 5,
      unknown: 3,
      segSent: 196,
      billSeg: 180,
      rate: '0.9183673469',
      revenue: '1.71',
    })
    expect((await verifyFacts(test.gateway.database)).filter(({ drifted }) => drifted > 0)).toEqual([])
    // the same again changes nothing, and nothing waits
    expect((await built()).hours).toBe(0)
    expect(await of('rpt_traffic_day', 'revenue')).toBe(await of('rpt_sms_hour', 'revenue'))
  })

  it('follow a record that changes, and a fact that somebody touched is found and made anew (quotes 7.6 R1)', async () => {
    const before = Number(await of('rpt_sms_hour', 'delivered'))
    await test.gateway.database.query(`update biz_sms_record set status = 'delivered' where msg_id = 'm-failed'`)
    expect((await built()).hours).toBe(1)
    expect(Number(await of('rpt_sms_hour', 'delivered'))).toBe(before + 1)
    await test.gateway.database.query(
      `update rpt_sms_hour set delivered = delivered + 1 where id = (select min(id) from rpt_sms_hour)`,
    )
    const drifted = async (fix = false) =>
      (await verifyFacts(test.gateway.database, { fix })).filter((drift) => drift.drifted > 0).map(({ field }) => field)
    expect(await drifted(true)).toContain('rpt.smsHour = biz.smsRecord (R1)')
    expect(await drifted()).toEqual([])
  })

  it('and the ledger are the same to the last digit: each batch posts what is not posted yet, for both sides, and a change as its difference (quotes 7.1, 7.6 R2)', async () => {
    const first = await posted()
    expect(first).toEqual({ revenue: expect.any(Number), cost: expect.any(Number), refused: [] })
    expect(Math.min(first.revenue, first.cost)).toBeGreaterThan(0)
    const records = async (column: string): Promise<string> => {
      const { rows } = await test.gateway.database.query<{ amount: string }>(
        sql`select trim_scale(sum(${sql.raw(column)}))::text as amount from biz_sms_record where not test_flag`,
      )
      return rows[0]!.amount
    }
    expect(await entries('customer')).toBe(await records('revenue'))
    expect(await entries('supplier')).toBe(await records('cost_amount'))
    test.clock.forward(300)
    expect(await posted()).toEqual({ revenue: 0, cost: 0, refused: [] })
    await test.gateway.database.query(`update biz_sms_record set revenue = revenue - 0.001 where msg_id = 'm-after'`)
    test.clock.forward(300)
    expect((await posted()).revenue).toBe(1)
    expect(await entries('customer')).toBe(await records('revenue'))
  })

  it('tell an account that starts in a country (quotes 7.4)', async () => {
    const today = dayOf(new Date(now().getTime() + 24 * HOUR), test.gateway.database.companyTimeZone)
    const thresholds = { firstSegments: 1, firstMinutes: 60, rampFactor: 3, rampSegments: 1000, rampMinutes: 600 }
    await test.gateway.database.transaction((tx) => findStarts(tx, today, thresholds, now()))
    const { rows } = await test.gateway.database.query<{ kind: string; country: string }>(
      'select kind, country from rpt_traffic_start',
    )
    expect(rows).toContainEqual({ kind: 'firstUse', country: 'US' })
  })

  it('tell what messages of a day said by template, without what names a receiver, and count rare texts without their words (quotes 7.2 contentDay)', async () => {
    const zone = test.gateway.database.companyTimeZone
    const at = ago(20)
    const said = (count: number, content: (index: number) => string): Given[] =>
      Array.from({ length: count }, (_, index) =>
        message({
          msgId: `c-${content(0).length}-${index}`,
          submittedAt: at,
          sentAt: at,
          dlrAt: ago(19.9),
          content: content(index),
        }),
      )
    const link = (index: number): string =>
      `Code ${731000 + index}: see https://x.example/${index}a, or ask u${index}@post.example`
    expect((await send([...said(6, link), ...said(2, () => 'Dear Ada Lovelace, we called you')])).created).toBe(8)
    await built()
    const day = dayOf(new Date(at), zone)
    const tomorrow = dayOf(new Date(Date.parse(at) + 24 * HOUR), zone)
    const stale = () => staleContents(test.gateway.database, tomorrow)
    expect(await stale()).toContain(day)
    for (const one of await stale()) await test.gateway.database.transaction((tx) => buildContents(tx, one, now()))
    expect(await stale()).toEqual([])
    const { data } = await operator.post<{ records: Row[] }>('/v2/rpt/contentDay/queryPage', {
      where: [{ field: 'day', operator: 'eq', value: day }],
      pageSize: 100,
    })
    const texts = data?.records.map(({ sampleText }) => sampleText)
    expect(data?.records.find(({ sampleText }) => sampleText === 'Code #: see {link} or ask {email}')).toMatchObject({
      messages: 6,
      delivered: 6,
      country: 'US',
    })
    expect(texts).toContain(null)
    expect(texts?.join(' ')).not.toContain('Ada')
    const drifted = async (fix = false) =>
      (await verifyFacts(test.gateway.database, { fix })).filter((drift) => drift.drifted > 0).map(({ field }) => field)
    expect(await drifted()).toEqual([])
    await test.gateway.database.query(`update rpt_content_day set messages = messages + 1 where sample_text like 'Code%'`)
    expect(await drifted(true)).toEqual(['rpt.contentDay = rpt.smsHour (R1)'])
    expect(await drifted()).toEqual([])
    // a record that changes makes its day stale once the facts of its hour are made anew
    test.clock.forward(60)
    await test.gateway.database.query(`update biz_sms_record set status = 'failed' where msg_id like 'c-%-0'`)
    await built()
    expect(await stale()).toEqual([day])
  })
})

describe('days of records', () => {
  it('are made once, though two write the first record of a day at the same time', async () => {
    const { database } = test.gateway
    const at = Date.parse('2031-05-06T07:08:09Z')
    let isMade = (): void => undefined
    const made = new Promise<void>((resolve) => (isMade = resolve))
    const first = database.transaction(async (tx) => {
      const count = await ensureDays(tx, 'biz_sms_record', [at])
      isMade()
      // the other one waits at the same door
      const waiting = `select 1 from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database() and not l.granted`
      await expect.poll(async () => (await tx.query(waiting)).rowCount, { timeout: 20_000 }).toBeGreaterThan(0)
      return count
    })
    await made
    const second = database.transaction((tx) => ensureDays(tx, 'biz_sms_record', [at]))
    expect(await Promise.all([first, second])).toEqual([1, 0])
  })

  it('are dropped by whole days once they are not kept any more, and the coming days are made before', async () => {
    test.clock.forward(70 * 24 * 3600)
    operator = await test.signIn('B1')
    const data = await runDays()
    expect(data.dropped).toHaveLength(1)
    expect(data.made).toBeGreaterThanOrEqual(4)
    expect((await list([{ field: 'msgId', operator: 'eq', value: 'm-old' }])).total).toBe(0)
    expect((await list([{ field: 'msgId', operator: 'eq', value: 'm-after' }])).total).toBe(1)
  })
})

const runDays = async () => {
  const now = test.clock.now()
  const report = await test.gateway.engine.recordDays.run(
    { now, day: dayOf(now, 'Asia/Shanghai'), dry: false, startedBy: null },
    () => undefined,
  )
  return { dropped: report.rows, made: report.figures.find(({ id }) => id === 'made')?.value ?? 0 }
}
