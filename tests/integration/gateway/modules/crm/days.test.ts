import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownershipRules, subjectOf } from '../../../../../gateway/ownership'
import { usageOf } from '../../../../../gateway/ownership/usage'
import { ruleFor } from '../../../../../gateway/rules'
import { addDays, startOfDay } from '../../../../../gateway/platform/calendar'
import { newId } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import { parseQuery } from '../../../../../src/headless/list/query'
import { toQueryBody } from '../../../../../src/headless/list/request'
import { pageScope } from '../../../../../src/headless/scope'
import { askReport } from '../../../../support/askReport'
import { fakeHost } from '../../../../support/fakeHost'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'
import { filter, listBody } from '../../../../support/models'
import { privateCustomer } from '../../../../support/privateCustomer'
import { gatewayDatabase, type TestDatabase } from '../../../testDatabase'
import { RULE_DEFAULTS } from '../../../../../gateway/rules'

/** The server counts days in Los Angeles, the company in Shanghai: half past one of the 11th there is still the 10th everywhere else. */
const ZONE = 'Asia/Shanghai'
const NOW = new Date('2026-03-10T17:30:00Z')
const [YESTERDAY, TODAY] = ['2026-03-10', '2026-03-11']
const SELLER = 'st-days'

let own: TestDatabase
let test: TestGateway
let seller: Caller

beforeAll(async () => {
  own = await gatewayDatabase()
  const { rows } = await own.database.query<{ name: string }>('select current_database() as name')
  await own.database.query(`alter database ${rows[0]?.name} set timezone = 'America/Los_Angeles'`)
  test = await startGateway({ now: () => NOW, environment: { DATABASE_URL: own.url } })
  const keys = ['edit', 'export', 'viewDepartment'].map((key) => `crm:customer:${key}`)
  const menus = ['crm:client-partner:my-client', 'crm:market-analysis:overview', 'crm:client-partner']
  await test.addStaff({ id: SELLER, jobNumber: 'DAYS', keys, menus, scopes: { 'crm.customer': ['own'] } })
  seller = await test.signIn('DAYS')
})
afterAll(async () => {
  await test.close()
  await own.drop()
})

const insert = (entity: string, row: Record<string, unknown>): Promise<unknown> =>
  test.gateway.engine.transaction(systemContext({ now: NOW }), (entities) => entities.insertMany(entity, [row]))
let made = 0
async function customer(more: Record<string, unknown> = {}): Promise<string> {
  made += 1
  const id = newId()
  const owned = { ownerId: SELLER, ownedAt: startOfDay('2026-03-01', ZONE) }
  await insert('crm.customer', { ...privateCustomer({ id, code: `DY${1000 + made}`, name: `日界${made}`, ...owned }), ...more })
  return id
}

describe('a day is a day of the company, whoever asks and wherever the server counts', () => {
  it('holds for every connection of the database: none follows the zone of the server', async () => {
    const { database } = test.gateway
    const zones = await Promise.all(
      [1, 2, 3].map(() => database.query<{ zone: string }>(`select current_setting('TimeZone') as zone, pg_sleep(0.05)`)),
    )
    expect(zones.map(({ rows }) => rows[0]?.zone)).toEqual(['UTC', 'UTC', 'UTC'])
  })

  it('lists, counts, exports and reports the same rows of a day for viewers in Shanghai, Berlin and Honolulu', async () => {
    const start = Date.parse(startOfDay(YESTERDAY, ZONE))
    const end = Date.parse(startOfDay(TODAY, ZONE))
    const rows = await Promise.all(
      [start - 1, start, end - 1, end].map((at) => customer({ createdAt: new Date(at).toISOString(), stage: 'following' })),
    )
    const inside = rows.slice(1, 3).sort()
    const body = listBody({ filters: [filter('createdAt', 'dateTime')] })
    for (const timeZone of [ZONE, 'Europe/Berlin', 'Pacific/Honolulu']) {
      const host = fakeHost({ now: NOW, overrides: { timeZone, companyTimeZone: ZONE } })
      for (const asked of [`f.createdAt=between:${YESTERDAY},${YESTERDAY}`, `f.createdAt=eq:${YESTERDAY}`]) {
        const request = toQueryBody(body, parseQuery(body, asked, {}), 50, { scope: pageScope(host, '/') })
        const list = await seller.post<{ records: { id: string }[]; total: number }>('/v2/crm/customer/queryPage', request)
        expect(list.data.records.map(({ id }) => id).sort(), `${timeZone} ${asked}`).toEqual(inside)
        const columns = [{ field: 'id', title: 'id' }]
        const file = await seller.raw('POST', '/v2/crm/customer/export', {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...request, columns, format: 'csv' }),
        })
        const exported = parse(await file.text(), { bom: true, columns: true })
        expect((exported as { id: string }[]).map(({ id }) => id).sort()).toEqual(inside)
        const report = await askReport(seller, '/crm/market-analysis/overview', parseQuery(body, asked, {}).filters)
        expect(report?.parts.totals?.rows[0]?.customers).toBe(inside.length)
      }
    }
  })

  it('ends an exception of a rule with its last day in the company', async () => {
    const exception = (until: string) =>
      insert('sys.ruleOverride', {
        id: newId(),
        ruleKey: 'crm.retention',
        targetType: 'staff',
        targetId: SELLER,
        params: { default: 7 },
        until,
        reason: 'a test',
      })
    const caps = async () => (await ruleFor(test.gateway.database, 'crm.retention', NOW, { staffId: SELLER })) as object
    const plain = await caps()
    await exception(YESTERDAY)
    expect(await caps()).toEqual(plain)
    await exception(TODAY)
    expect(await caps()).toMatchObject({ default: 7 })
  })

  it('writes down the day on which somebody leaves', async () => {
    await test.addStaff({ id: 'st-leaves', jobNumber: 'LEAVES' })
    const left = await test.gateway.engine.transaction(systemContext({ now: NOW }), (entities) =>
      entities.transition('sys.staff', 'st-leaves', 'leave'),
    )
    expect(left.leftOn).toBe(TODAY)
  })

  it('reminds a leader of a missing cause when the days for it are over in the company, not before', async () => {
    await test.addStaff({ id: 'st-lead', jobNumber: 'LEAD' })
    const { rows } = await test.gateway.database.query<{ id: string }>(`select id from sys_department where code = 'HQ'`)
    const ownerDeptId = rows[0]!.id
    await test.gateway.database.query(`update sys_department set leader_id = 'st-lead' where id = $1`, [ownerDeptId])
    const { causeWithinDays } = RULE_DEFAULTS['crm.churn'] as { causeWithinDays: number }
    const due = Date.parse(startOfDay(addDays(TODAY, -causeWithinDays), ZONE))
    const fell = async (at: number): Promise<string> => {
      const customerId = await customer({ ownerDeptId })
      await insert('crm.churnRecord', {
        id: newId(),
        customerId,
        kind: 'warning',
        at: new Date(at).toISOString(),
        baseline: '10',
        last30: '1',
        dropPct: '90',
      })
      return customerId
    }
    const [late, early] = [await fell(due - 1), await fell(due)]
    await test.gateway.scheduler.find('crm.churn')?.run({ now: NOW, day: TODAY, dry: false, startedBy: null }, () => undefined)
    const { rows: told } = await test.gateway.database.query<{ id: string }>(
      `select subject_id as id from sys_todo where staff_id = 'st-lead' and kind = 'churnCause' and unique_key like 'churnCause/%'`,
    )
    expect(told.map(({ id }) => id)).toContain(late)
    expect(told.map(({ id }) => id)).not.toContain(early)
  })

  it('says of a proposed cap what the cap counts', async () => {
    const rule = RULE_DEFAULTS['crm.retention'] as { dealtTrafficDays: number }
    const edge = Date.parse(startOfDay(addDays(TODAY, -rule.dealtTrafficDays), ZONE))
    for (const at of [edge - 1, edge]) await customer({ stage: 'dealt', lastTrafficAt: new Date(at).toISOString() })
    const { engine, database } = test.gateway
    const { effect } = ownershipRules({ engine, database, timeZone: ZONE })['crm.retention']!
    const report = await effect!(RULE_DEFAULTS['crm.retention'], { now: NOW })
    const counted = report.rows.find(({ id }) => id === SELLER)?.counted
    expect(counted).toBe((await usageOf(engine, subjectOf(engine, 'crm.customer'), database, SELLER, NOW)).counted)
  })
})
