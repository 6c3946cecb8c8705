import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../../gateway/platform/http'
import { PASSWORD, startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

let test: TestGateway
let operator: Caller
let seller: Caller
let buyer: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const { database } = test.gateway
  const { rows } = await database.query<{ position: string; id: string; number: string }>(
    `select distinct on (position) position, id, job_number as number from sys_staff where status = 'active' and position in ('noc', 'buyer', 'sales') order by position, job_number`,
  )
  const person = (position: string) => rows.find((row) => row.position === position)!
  await database.query(
    `update crm_customer set owner_id = $1 where id = (select customer_id from biz_gateway where kind = 'vosDocking' order by code limit 1)`,
    [person('sales').id],
  )
  await database.query(
    `update srm_supplier set owner_id = $1 where id = (select supplier_id from biz_gateway where kind = 'vosLanding' order by code limit 1)`,
    [person('buyer').id],
  )
  await test.gateway.sessions.setPassword(
    database,
    rows.map(({ id }) => id),
    PASSWORD,
  )
  operator = await test.signIn(person('noc').number, PASSWORD)
  seller = await test.signIn(person('sales').number, PASSWORD)
  buyer = await test.signIn(person('buyer').number, PASSWORD)
}, 240_000)
afterAll(() => test.close())

const list = async (by: Caller, thing: string, where: object[] = []) => {
  const { code, msg, data } = await by.post<{ records: Row[]; total: number }>(`/v2/biz/${thing}/queryPage`, {
    where,
    pageSize: 100,
  })
  return { code, msg, records: data?.records ?? [], total: data?.total ?? 0 }
}
const eq = (field: string, value: unknown): object => ({ field, operator: 'eq', value })
const take = (by: Caller, thing: string, id: string, transition: string, values: object = {}) =>
  by.post<unknown>(`/v2/biz/${thing}/stateUpdate`, { ids: [id], transition, ...values }, { 'accept-language': 'en' })

describe('gateways of the demo company', () => {
  it('are seen by operations, docking ones by whoever owns the customer, landing ones by whoever owns the supplier', async () => {
    const all = await list(operator, 'gateway')
    expect(all.total).toBe(14)
    // each gateway that somebody sees is of a customer or a supplier that he sees
    for (const [by, kind] of [
      [seller, 'vosDocking'],
      [buyer, 'vosLanding'],
    ] as const) {
      const { records } = await list(by, 'gateway')
      expect(records.map((row) => row.kind)).toContain(kind)
      expect(records.length).toBeLessThan(all.total)
      // sales find suppliers in the catalogue, which opens nothing of their traffic
      if (by === seller) expect(records.filter((row) => row.kind === 'vosLanding')).toEqual([])
      for (const { customerId, supplierId } of records) {
        const [entity, id] = customerId ? ['/v2/crm/customer', customerId] : ['/v2/srm/supplier', supplierId]
        expect((await by.get(`${entity}/view/${String(id)}`)).code, `${kind}: ${entity} ${String(id)}`).toBe(0)
      }
    }
    expect((await list(seller, 'gatewaySample')).total).toBeLessThan((await list(operator, 'gatewaySample')).total)
    expect((await list(seller, 'gatewaySample')).total).toBeGreaterThan(0)
    // of the days that samples are kept
    expect(all.records.every(({ asr7, acd7 }) => Number(asr7) > 0 && Number(acd7) > 0)).toBe(true)
  })

  it('are found by a number that their prefixes begin, and by an address inside the blocks of their IPs', async () => {
    const carrying = await list(operator, 'gateway', [eq('covers', '+44 7012 345678'), eq('kind', 'vosLanding')])
    expect(carrying.records.map(({ name }) => name)).toEqual(['GB-Mobile'])
    const inside = await list(operator, 'gatewayIp', [eq('contains', '198.51.100.9')])
    expect(inside.records.map(({ ip, status }) => [ip, status])).toEqual([
      ['198.51.100.0/28', 'shared'],
      ['198.51.100.0/28', 'shared'],
    ])
    expect((await list(operator, 'gatewayIp', [eq('contains', '198.51.100.16')])).total).toBe(0)
  })

  it('follow the newest sample that a collector posts, and degrade below 15 % answered', async () => {
    const gateway = (await list(operator, 'gateway', [eq('name', 'GB-Fixed')])).records[0]!
    const at = test.clock.now().toISOString()
    const sample = { gatewayId: gateway.id, at, online: true, current: 200, attempts15: 100, answered15: 9, seconds15: 900 }
    expect(await operator.post('/v2/biz/gatewaySample/save', sample)).toMatchObject({ code: 0 })
    const [now] = (await list(operator, 'gateway', [eq('name', 'GB-Fixed')])).records
    expect(now).toMatchObject({ current: 200, usagePct: '100', asr15: '9', acd15: 100, status: 'degraded' })
    expect((await seller.post('/v2/biz/gatewaySample/save', sample)).code).toBe(10010003)
  })

  it('have a line of their day, as a credit limit has one over its changes', async () => {
    const [gateway] = (await list(operator, 'gateway')).records
    const line = await operator.post<{ groups: unknown[] }>('/v2/biz/gatewaySample/aggregate', {
      where: [eq('gatewayId', gateway!.id)],
      dimensions: [{ path: 'at' }],
      measures: [{ id: 'current', max: 'current' }],
    })
    expect(line).toMatchObject({ code: 0 })
    const { rows } = await test.gateway.database.query<{ limit: string; after: string }>(
      `select "limit"::text as "limit", after from fin_credit_record where action = 'grant'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { limit, after } of rows) expect(Number(limit)).toBe(Number(after))
  })

  it('are locked with a reason, by operations only', async () => {
    const gateway = (await list(operator, 'gateway', [eq('kind', 'vosDocking')])).records[0]!
    expect((await take(seller, 'gateway', gateway.id, 'lock', { lockType: 'all', reason: 'Fraud' })).code).not.toBe(0)
    expect((await take(operator, 'gateway', gateway.id, 'lock', { lockType: 'all', reason: 'Fraud' })).code).toBe(0)
    expect((await list(operator, 'gateway', [eq('id', gateway.id)])).records[0]).toMatchObject({ lockType: 'all' })
    const log = await seller.get<{ records: { action: string }[] }>(`/v2/biz/gateway/log/${gateway.id}`)
    expect(log.code === 0 || log.code === 10010004).toBe(true)
    const page = await seller.get<{ page: { kind: string; entity: string } }>('/v2/sys/page/bundle?name=record%3Abiz.gateway')
    expect(page.data.page).toMatchObject({ kind: 'detail', entity: 'biz.gateway' })
    expect((await seller.get('/v2/sys/page/bundle?name=record%3Abiz.deviceLog')).code).toBe(10010004)
  })
})

describe('devices of the demo company', () => {
  it('have a port that locks itself after 20 failures in a row, is unlocked by hand, and a log that tells both', async () => {
    const [port] = (await list(operator, 'devicePort', [eq('status', 'idle')])).records
    const { id, version } = port!
    const failed = await operator.post('/v2/biz/devicePort/save', { id, version, failedInRow: 20 })
    expect(failed.code).toBe(0)
    const seen = async () => (await list(operator, 'devicePort', [eq('id', id)])).records[0]
    expect(await seen()).toMatchObject({ status: 'locked', failedInRow: 20 })
    expect((await take(buyer, 'devicePort', id, 'unlock', { reason: 'Card changed' })).code).not.toBe(0)
    expect((await take(operator, 'devicePort', id, 'unlock', { reason: 'Card changed' })).code).toBe(0)
    expect(await seen()).toMatchObject({ status: 'idle', failedInRow: 0 })
    const log = (await list(operator, 'deviceLog', [eq('portId', id)])).records
    expect(log.filter(({ op }) => op === 'lock' || op === 'unlock').map(({ op, result }) => [op, result])).toEqual(
      expect.arrayContaining([
        ['lock', 'done'],
        ['unlock', 'recorded'],
      ]),
    )
  })

  it('go offline after 180 seconds without a heartbeat where they are monitored', async () => {
    const { engine, scheduler } = test.gateway
    const [device] = (await list(operator, 'device', [eq('status', 'online')])).records
    await engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.save('biz.device', { id: device!.id, monitored: true, lastHeartbeat: test.clock.now().toISOString() }),
    )
    const seen = async () => (await list(operator, 'device', [eq('id', device!.id)])).records[0]!.status
    expect(['online', 'partial']).toContain(await seen())
    test.clock.forward(200)
    await scheduler.runNow(scheduler.find('sys.deadlines')!, { dry: false, startedBy: null })
    expect(await seen()).toBe('offline')
  })
})

describe('VOS accounts', () => {
  it('take the balance of the day that is entered, and tell how far it is from our ledger', async () => {
    const { records } = await list(operator, 'vosAccount')
    expect(records.length).toBeGreaterThan(3)
    for (const { balance, ourBalance, difference } of records)
      expect(Number(difference)).toBeCloseTo(Number(balance) - Number(ourBalance), 4)
  })
})
