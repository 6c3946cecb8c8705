import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const COLUMNS = ['submittedAt', 'msgId', 'accountId', 'toNumber', 'country', 'mccmnc', 'content', 'status', 'sentAt', 'dlrAt', 'supplierAccountId', 'failReason', 'testFlag'] as const // prettier-ignore
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
    for (const unpriced of ['m-blocked', 'm-unknown']) expect(await one(unpriced)).toMatchObject({ price: null, revenue: null, billable: false }) // prettier-ignore
    expect(await one('m-before')).toMatchObject({ price: '0.008', segments: 1, revenue: '0.008', costAmount: '0.005', rateId: 'r1', customerId: 'c-A01', supplierId: 'sp1' }) // prettier-ignore
    expect(await one('m-after')).toMatchObject({ price: '0.009', segments: 2, encoding: 'gsm7', revenue: '0.018', costAmount: '0.01', costCurrency: 'EUR' }) // prettier-ignore
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
    { now, day: now.toISOString().slice(0, 10), dry: false, startedBy: null },
    () => undefined,
  )
  return { dropped: report.rows, made: report.figures.find(({ id }) => id === 'made')?.value ?? 0 }
}
