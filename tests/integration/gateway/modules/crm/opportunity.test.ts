import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { refreshAccountTracks } from '../../../../../gateway/modules/crm/services/market/refreshTracks'
import { addDays, dayOf } from '../../../../../gateway/platform/calendar'
import { newId } from '../../../../../gateway/platform/database'
import { funnelOf, type StageStep } from '../../../../support/funnel'
import { systemContext } from '../../../../../gateway/platform/http'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { askReport, type ReportRow } from '../../../../support/askReport'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }
interface Page {
  records: Row[]
  total: number
}
interface Funnel {
  funnel: Record<string, number | string | null>[]
  totals: Record<string, number>[]
  owners: Record<string, number | string>[]
  pipeline: { stage: string; currency: string; openHere: number; amount: string; weighted: string }[]
}

let test: TestGateway
let sales: Caller
let colleague: Caller
let lead: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[sales, colleague, lead] = await Promise.all([enter('S0006'), enter('S0014'), enter('S0004')])
})
afterAll(() => test.close())

const BO = '/v2/crm/opportunity'
const page = async (caller: Caller, base: string, body: object = {}): Promise<Page> =>
  (await caller.post<Page>(`${base}/queryPage`, { pageNo: 1, pageSize: 1000, ...body })).data
const move = (caller: Caller, base: string, id: string, transition: string, values: object = {}) =>
  caller.post<{ done: string[] }>(`${base}/stateUpdate`, { ids: [id], transition, values })
const view = async (caller: Caller, base: string, id: string): Promise<Row> =>
  (await caller.get<{ record: Row }>(`${base}/view/${id}`)).data.record
const mine = async (caller: Caller, where: object[] = []): Promise<Row> => {
  const [customer] = (await page(caller, '/v2/crm/customer', { view: 'mine', where })).records
  if (!customer) throw new Error('The demo world gives this person no customer.')
  return customer
}
const fresh = (customerId: string, more: object = {}) => ({
  name: '短信 ID 直连',
  customerId,
  product: 'sms',
  countries: ['ID'],
  monthlyVolume: 100_001,
  currency: 'USD',
  expectedPrice: '0.012345',
  expectedOn: '2027-01-31',
  ...more,
})
const log = async (caller: Caller, id: string): Promise<Row[]> =>
  (
    await page(caller, '/v2/crm/opportunityStageLog', {
      where: [{ field: 'opportunityId', operator: 'eq', value: id }],
      sort: [{ field: 'at', order: 'asc' }],
    })
  ).records

describe('opportunities', () => {
  it('are made for an own customer, with amounts in the currency and the first step in the log (R053)', async () => {
    const customer = await mine(sales)
    const saved = await sales.post<{ record: Row }>(`${BO}/save`, fresh(customer.id))
    expect(saved.code).toBe(0)
    expect(saved.data.record).toMatchObject({
      stage: 's1',
      winRate: '10',
      amount: '1234.51',
      weighted: '123.45',
      ownerId: 'st-s0006',
      stale: false,
    })
    expect(await log(sales, saved.data.record.id)).toMatchObject([{ fromStage: null, toStage: 's1', byId: 'st-s0006' }])
    const foreign = await colleague.post(`${BO}/save`, fresh(customer.id))
    expect([foreign.code, foreign.msg]).toEqual([10010005, expect.stringContaining('客户')])
    expect((await colleague.get(`${BO}/view/${saved.data.record.id}`)).code).toBe(10010004)
  })

  it('go forth and back with days in the stage, are lost with a reason only, and reopened by a manager', async () => {
    const customer = await mine(sales)
    const { id } = (await sales.post<{ record: Row }>(`${BO}/save`, fresh(customer.id))).data.record
    test.clock.forward(3 * 86_400)
    onTestFinished(() => test.clock.forward(-3 * 86_400))
    const later = await test.signIn('S0006', DEMO_PASSWORD)
    expect((await move(later, BO, id, 'toS3')).code).toBe(0)
    expect((await move(later, BO, id, 'toS2')).code).toBe(0)
    expect(await view(later, BO, id)).toMatchObject({ stage: 's2', winRate: '25', weighted: '308.63' })
    expect((await move(later, BO, id, 'lose')).code).toBe(10010005)
    expect((await move(later, BO, id, 'lose', { loseReason: 'price', loseNote: 'too dear' })).code).toBe(0)
    expect(await view(later, BO, id)).toMatchObject({ stage: 'lost', winRate: '0', weighted: '0', loseReason: 'price' })
    expect((await later.post(`${BO}/save`, { id, name: 'changed' })).code).toBe(10010007)
    expect((await move(later, BO, id, 'reopen', { reopenReason: 'they called' })).code).toBe(10010003)
    expect((await move(await test.signIn('S0004', DEMO_PASSWORD), BO, id, 'reopen', { reopenReason: 'they called' })).code).toBe(
      0,
    )
    expect(await view(later, BO, id)).toMatchObject({ stage: 's2', loseReason: null, lostAt: null })
    expect((await log(later, id)).map((row) => [row.fromStage, row.toStage, row.daysInStage])).toEqual([
      [null, 's1', null],
      ['s1', 's3', 3],
      ['s3', 's2', 0],
      ['s2', 'lost', 0],
      ['lost', 's2', 0],
    ])
  })

  it('are won only with an active account of the product', async () => {
    const { rows } = await test.gateway.database.query<{ customer: string; product: string }>(
      `select a.customer_id as customer, a.product from fin_customer_account a join crm_customer c on c.id = a.customer_id
       where c.owner_id is not null and c.holding = 'private' and a.status = 'active' and a.product in ('sms', 'voice', 'number', 'whatsapp') limit 1`,
    )
    const { rows: owners } = await test.gateway.database.query<{ job: string }>(
      `select s.job_number as job from sys_staff s join crm_customer c on c.owner_id = s.id where c.id = $1`,
      [rows[0]?.customer],
    )
    const owner = await test.signIn(owners[0]?.job ?? '', DEMO_PASSWORD)
    const make = async (product: string): Promise<string> =>
      (await owner.post<{ record: Row }>(`${BO}/save`, fresh(rows[0]?.customer ?? '', { product }))).data.record.id
    const customer = rows[0]?.customer ?? ''
    await test.gateway.database.query(`update crm_customer set alias = null where id = $1`, [customer])
    expect((await move(owner, BO, await make(rows[0]?.product ?? ''), 'win')).code).toBe(0)
    // with the first deal the customer gets the name under which operations and suppliers know it, and keeps it
    const { alias, countryCode } = await view(owner, '/v2/crm/customer', customer)
    expect(alias).toMatch(new RegExp(`^${String(countryCode)}[ACDEFGHJKLMNPQRTUVWXY34679]{4}$`))
    expect((await move(owner, BO, await make(rows[0]?.product ?? ''), 'win')).code).toBe(0)
    expect((await view(owner, '/v2/crm/customer', customer)).alias).toBe(alias)
    const without = await test.gateway.database.query<{ product: string }>(
      `select p as product from unnest(array['sms', 'voice', 'number', 'whatsapp']) p
       where p not in (select product from fin_customer_account where customer_id = $1) limit 1`,
      [rows[0]?.customer],
    )
    const refused = await move(owner, BO, await make(without.rows[0]?.product ?? ''), 'win')
    expect([refused.code, refused.msg]).toEqual([10010007, expect.stringContaining('请先开户')])
  })

  it('are found by the name and the code of their customer, by whoever has the customer', async () => {
    const customer = await mine(sales)
    const saved = await sales.post<{ id: string }>(`${BO}/save`, fresh(customer.id, { name: '跨境通知' }))
    for (const keyword of [String(customer.name), String(customer.code)]) {
      const found = (caller: Caller) => page(caller, BO, { keyword }).then(({ records }) => records.map(({ id }) => id))
      expect(await found(sales)).toContain(saved.data.id)
      expect(await found(lead)).toContain(saved.data.id)
      expect(await found(colleague)).toEqual([])
    }
  })

  it('may be lowered in their win rate by hand and never raised', async () => {
    const { id } = (await sales.post<{ record: Row }>(`${BO}/save`, fresh((await mine(sales)).id))).data.record
    expect((await sales.post(`${BO}/save`, { id, winRate: '11' })).code).toBe(10010005)
    expect((await sales.post<{ record: Row }>(`${BO}/save`, { id, winRate: '5' })).data.record).toMatchObject({
      winRate: '5',
      weighted: '61.73',
    })
  })
})

describe('visits', () => {
  const VS = '/v2/crm/visit'
  const plan = async (more: object = {}): Promise<Row> => {
    const customer = await mine(sales)
    const plannedAt = new Date(test.clock.now().getTime() + 3_600_000).toISOString()
    const saved = await sales.post<{ record: Row }>(`${VS}/save`, {
      customerId: customer.id,
      visitType: 'onsite',
      plannedAt,
      purpose: '新国家开通沟通',
      ...more,
    })
    expect(saved.code).toBe(0)
    return saved.data.record
  }

  it('start with a stamp and finish with a result that becomes one effective follow-up', async () => {
    const visit = await plan()
    expect((await move(sales, VS, visit.id, 'start')).code).toBe(0)
    expect((await move(sales, VS, visit.id, 'finish', { visitResult: 'interested' })).code).toBe(10010005)
    const result = `客户确认十二月开通印尼线路，量级约一百万 ${visit.id}`
    expect((await move(sales, VS, visit.id, 'finish', { result, visitResult: 'noAnswer' })).code).toBe(10010007)
    expect((await move(sales, VS, visit.id, 'finish', { result, visitResult: 'interested' })).code).toBe(0)
    const done = await view(sales, VS, visit.id)
    expect(done.status).toBe('done')
    expect(done.startedAt && done.endedAt).toBeTruthy()
    const followUps = (
      await page(sales, '/v2/crm/followUp', { where: [{ field: 'customerId', operator: 'eq', value: visit.customerId }] })
    ).records
    expect(followUps.filter((row) => row.content === result)).toMatchObject([
      { id: done.followUpId, effective: true, way: 'visit' },
    ])
    expect((await move(sales, VS, visit.id, 'cancel', { cancelReason: 'late' })).code).toBe(10010007)
  })

  it('take the position of the browser once they have started, and nothing else in its place', async () => {
    const visit = await plan()
    const at = test.clock.now().toISOString()
    const geo = { latitude: 31.23041234, longitude: 121.4737, accuracy: 12.4, at, speed: 3 }
    const early = await move(sales, VS, visit.id, 'locate', { geo })
    expect([early.code, early.msg]).toEqual([10010007, expect.stringContaining('开始拜访后')])
    expect((await move(sales, VS, visit.id, 'start')).code).toBe(0)
    expect((await view(sales, VS, visit.id)).geo).toBeNull()
    expect((await move(sales, VS, visit.id, 'locate')).code).toBe(10010005)
    for (const wrong of [
      { ...geo, latitude: 91 },
      { ...geo, accuracy: -1 },
      { ...geo, at: 'now' },
      { longitude: 1 },
      'here',
      [1, 2],
    ])
      expect((await move(sales, VS, visit.id, 'locate', { geo: wrong })).code, JSON.stringify(wrong)).not.toBe(0)
    expect((await move(sales, VS, visit.id, 'locate', { geo })).code).toBe(0)
    const kept = { latitude: 31.230412, longitude: 121.4737, accuracy: 12, at }
    expect((await view(sales, VS, visit.id)).geo).toEqual(kept)
    // it is no field of the form: a save leaves it as it is
    expect((await sales.post(`${VS}/save`, { id: visit.id, geo: null, place: '外滩' })).code).not.toBe(10010007)
    expect((await view(sales, VS, visit.id)).geo).toEqual(kept)
    // a file says it as the page does
    const file = await sales.raw('POST', `${VS}/export`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: [visit.id], columns: [{ field: 'geo', title: 'Position' }], format: 'csv' }),
    })
    expect(
      (await file.text())
        .replace(/^\uFEFF/, '')
        .trim()
        .split(/\r?\n/),
    ).toEqual(['Position', '"31.23041, 121.47370 ±12 m"'])
    const result = `到访完成，客户确认线路与价格 ${visit.id}`
    expect((await move(sales, VS, visit.id, 'finish', { result, visitResult: 'interested' })).code).toBe(0)
    expect((await move(sales, VS, visit.id, 'locate', { geo })).code).toBe(10010007)
  })

  it('are moved to the future, cancelled with a reason, and overdue a day after their time', async () => {
    const moved = await plan()
    const past = new Date(test.clock.now().getTime() - 1000).toISOString()
    expect((await move(sales, VS, moved.id, 'reschedule', { newTime: past })).code).toBe(10010007)
    const next = new Date(test.clock.now().getTime() + 5 * 86_400_000).toISOString()
    expect((await move(sales, VS, moved.id, 'reschedule', { newTime: next })).code).toBe(0)
    const cancelled = await plan()
    expect((await move(sales, VS, cancelled.id, 'cancel')).code).toBe(10010005)
    expect((await move(sales, VS, cancelled.id, 'cancel', { cancelReason: '客户出差' })).code).toBe(0)
    const missed = await plan()
    const night = new Date(test.clock.now().getTime() + 26 * 3_600_000)
    const run = async (dry: boolean): Promise<number> => {
      const run = { now: night, day: dayOf(night, 'Asia/Shanghai'), dry, startedBy: null }
      const report = await test.gateway.scheduler.find('sys.deadlines')?.run(run, () => undefined)
      return report?.figures.find(({ id }) => id === 'crm.visit.missed')?.value ?? 0
    }
    const dry = await run(true)
    expect(dry).toBeGreaterThan(0)
    expect(await run(false)).toBe(dry)
    expect(await run(false)).toBe(0)
    const states = await Promise.all([moved, cancelled, missed].map(async ({ id }) => (await view(sales, VS, id)).status))
    expect(states).toEqual(['planned', 'cancelled', 'overdue'])
    // a new time makes an overdue one a planned one again; what is over stays as it is
    expect((await sales.post(`${VS}/save`, { id: missed.id, plannedAt: next })).code).toBe(0)
    expect((await view(sales, VS, missed.id)).status).toBe('planned')
    const late = await sales.post(`${VS}/save`, { id: cancelled.id, place: '外滩' })
    expect([late.code, late.msg]).toEqual([10010007, expect.stringContaining('不能修改')])
  })

  it('name contacts and opportunities of their own customer only', async () => {
    const visit = await plan()
    const { rows } = await test.gateway.database.query<{ contact: string; opportunity: string }>(
      `select (select c.id from crm_contact c join crm_customer k on k.id = c.customer_id where k.owner_id = 'st-s0006' and k.id <> $1 and c.left_at is null limit 1) as contact,
         (select o.id from crm_opportunity o where o.owner_id = 'st-s0006' and o.customer_id <> $1 and o.deleted_at is null limit 1) as opportunity`,
      [visit.customerId],
    )
    expect(rows[0]).toEqual({ contact: expect.any(String), opportunity: expect.any(String) })
    const own = (await sales.post<{ id: string }>(`${BO}/save`, fresh(String(visit.customerId)))).data.id
    const save = async (values: object): Promise<number> => (await sales.post(`${VS}/save`, { id: visit.id, ...values })).code
    expect(await save({ contactIds: [rows[0]?.contact] })).toBe(10010005)
    expect(await save({ opportunityId: rows[0]?.opportunity })).toBe(10010005)
    expect(await save({ opportunityId: own })).toBe(0)
  })
})

describe('leads', () => {
  const CL = '/v2/csc/clue'
  const leads = async (caller: Caller): Promise<Row[]> =>
    (await page(caller, CL, { view: 'mine', where: [{ field: 'status', operator: 'in', value: ['assigned', 'following'] }] }))
      .records
  /** Of somebody who may hold more customers: three stand at their limits. */
  const someLead = async (): Promise<{ caller: Caller; clue: Row; job: string }> => {
    const { rows } = await test.gateway.database.query<{ job: string }>(
      `select s.job_number as job from csc_clue c join sys_staff s on s.id = c.owner_id where c.status in ('assigned', 'following')
       and s.job_number not in ('S0042', 'S0043', 'S0044') group by 1 order by count(*) desc, 1 limit 1`,
    )
    const job = rows[0]?.job ?? ''
    const caller = await test.signIn(job, DEMO_PASSWORD)
    const [clue] = await leads(caller)
    if (!clue) throw new Error('The demo world has no open lead.')
    // of a company that is no customer yet
    await test.gateway.database.query(`update csc_clue set email = $2 where id = $1`, [clue.id, `${clue.id}@no-customer.example`])
    return { caller, clue, job }
  }
  const convert = { customerType: 'enterprise', tradeType: 'direct', customerNameEn: 'Converted Company Ltd' }

  it('are followed and become a customer with its contact and history in one step', async () => {
    const { caller, clue } = await someLead()
    const content = '电话沟通了量级和目的国家，愿意先测试'
    expect((await move(caller, CL, clue.id, 'follow', { way: 'phone', content, result: 'interested' })).code).toBe(0)
    expect(await view(caller, CL, clue.id)).toMatchObject({ status: 'following', followCount: 1 })
    const answer = await move(caller, CL, clue.id, 'convert', { ...convert, customerName: `北辰转化测试 ${clue.id}` })
    expect([answer.code, answer.msg]).toEqual([0, expect.anything()])
    const converted = await view(caller, CL, clue.id)
    expect(converted.status).toBe('converted')
    const customer = await view(caller, '/v2/crm/customer', String(converted.customerId))
    expect(customer).toMatchObject({ clueId: clue.id, gainedBy: 'convert', stage: 'following', holding: 'private' })
    const of = { where: [{ field: 'customerId', operator: 'eq', value: customer.id }] }
    expect((await page(caller, '/v2/crm/contact', of)).records).toMatchObject([{ name: clue.contactName, isPrimary: true }])
    expect((await page(caller, '/v2/crm/followUp', of)).records).toMatchObject([{ content }])
    expect((await page(caller, '/v2/crm/ownerLog', of)).records).toMatchObject([{ action: 'create' }])
  })

  it('are not converted into a customer that exists already', async () => {
    const { caller, clue } = await someLead()
    const { rows } = await test.gateway.database.query<{ name: string; country: string }>(
      `select name, country_code as country from crm_customer where holding = 'private' and country_code = $1 limit 1`,
      [clue.countryCode],
    )
    const known = rows[0]
    if (!known) throw new Error('No customer of that country.')
    const answer = await move(caller, CL, clue.id, 'convert', { ...convert, customerName: known.name })
    expect(answer.code).toBe(10030001)
    expect(answer.data).not.toHaveProperty('appeal')
    expect((await view(caller, CL, clue.id)).status).not.toBe('converted')
  })

  it('are not converted while the blacklist bars their name, mail or phone; the attempt is written down as a conversion', async () => {
    const { database } = test.gateway
    const { caller, clue } = await someLead()
    const bar = async (values: object): Promise<{ id: string }> => {
      const entry = {
        id: newId(),
        name: 'Barred By Test',
        nameKey: 'barredbytest',
        reason: 'competitor',
        scope: 'all',
        status: 'active',
        ...values,
      }
      await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
        entities.insertMany('crm.blacklist', [entry]),
      )
      return entry
    }
    const hits = async (id: string) =>
      (
        await database.query<{ place: string; rule: string }>(
          `select place, rule from crm_blacklist_hit where blacklist_id = $1`,
          [id],
        )
      ).rows
    const cases = [
      { rule: 'nameKey', customerName: 'Barred By Test Ltd', entry: {} },
      { rule: 'email', customerName: `邮箱测试 ${clue.id}`, entry: { nameKey: 'nobodyone', emails: [clue.email] } },
      { rule: 'phone', customerName: `电话测试 ${clue.id}`, entry: { nameKey: 'nobodytwo', phones: [clue.phone] } },
    ]
    for (const { rule, customerName, entry } of cases) {
      const barred = await bar(entry)
      const answer = await move(caller, CL, clue.id, 'convert', { ...convert, customerName })
      expect([rule, answer.code]).toEqual([rule, 10030003])
      await expect.poll(() => hits(barred.id)).toEqual([{ place: 'convert', rule }])
      await database.query(`update crm_blacklist set status = 'lifted' where id = $1`, [barred.id])
    }
    expect((await view(caller, CL, clue.id)).status).not.toBe('converted')
  })

  it('are returned with a reason, marked invalid with one, and seen by nobody else', async () => {
    const { caller, clue } = await someLead()
    const stranger = (await page(colleague, CL)).records.some((row) => row.id === clue.id)
    expect(stranger).toBe(false)
    expect((await move(caller, CL, clue.id, 'giveBack')).code).toBe(10010005)
    expect((await move(caller, CL, clue.id, 'giveBack', { returnReason: '不在负责区域' })).code).toBe(0)
    expect((await caller.get(`${CL}/view/${clue.id}`)).code).toBe(10010004)
    const next = await someLead()
    expect((await move(next.caller, CL, next.clue.id, 'invalidate')).code).toBe(10010005)
    expect((await move(next.caller, CL, next.clue.id, 'invalidate', { invalidReason: 'spam' })).code).toBe(0)
    // whoever may hand out finds both, gives the one to somebody, and restores the other
    await test.addStaff({
      id: 'desk',
      jobNumber: 'T0920',
      menus: ['crm:leads'],
      keys: ['csc:clue:assign', 'csc:clue:restore'],
      scopes: { 'csc.clue': ['all'] },
    })
    const desk = await test.signIn('T0920')
    expect((await page(desk, CL, { view: 'pool' })).records.map(({ id }) => id)).toContain(clue.id)
    expect((await move(sales, CL, clue.id, 'distribute', { assignTo: 'st-s0008' })).code).not.toBe(0)
    expect((await move(desk, CL, clue.id, 'distribute', { assignTo: 'st-s0008' })).msg).toBe('OK')
    const given = await view(desk, CL, clue.id)
    expect(given).toMatchObject({ status: 'assigned', ownerId: 'st-s0008', returnCount: 1 })
    expect(String(given.respondBy) > test.clock.now().toISOString()).toBe(true)
    expect((await move(desk, CL, next.clue.id, 'restore')).msg).toBe('OK')
    expect(await view(desk, CL, next.clue.id)).toMatchObject({ status: 'pool', invalidReason: null })
  })

  it('are handed to the owner of the customer of their name, who has as long to respond as a new one', async () => {
    const { caller, clue, job } = await someLead()
    expect((await move(caller, CL, clue.id, 'handOver')).code).toBe(10010007)
    const { rows } = await test.gateway.database.query<{ nameKey: string; country: string; owner: string }>(
      `select c.name_key as "nameKey", c.country_code as country, c.owner_id as owner from crm_customer c join sys_staff s on s.id = c.owner_id
       where c.holding = 'private' and s.status = 'active' and s.job_number <> $1 and c.deleted_at is null and not coalesce(c.voided, false) limit 1`,
      [job],
    )
    const [same] = rows
    await test.gateway.database.query(`update csc_clue set name_key = $2, country_code = $3 where id = $1`, [
      clue.id,
      same?.nameKey,
      same?.country,
    ])
    expect((await move(caller, CL, clue.id, 'handOver')).msg).toBe('OK')
    const { rows: after } = await test.gateway.database.query<{ owner: string; status: string; late: boolean }>(
      `select owner_id as owner, status, respond_by <= $2 as late from csc_clue where id = $1`,
      [clue.id, test.clock.now().toISOString()],
    )
    expect(after).toEqual([{ owner: same?.owner, status: 'assigned', late: false }])
  })

  it('of who leaves go by the plan while they are in work, and to the pool without one', async () => {
    const { database } = test.gateway
    const { rows } = await database.query<{ id: string; open: number; done: number }>(
      `select c.owner_id as id, count(*) filter (where c.status in ('assigned', 'following')) as open, count(*) filter (where c.status = 'converted') as done
       from csc_clue c join sys_staff s on s.id = c.owner_id and s.status = 'active' where s.position = 'sales' and s.id not in ('st-s0006', 'st-s0008')
       group by 1 having count(*) filter (where c.status in ('assigned', 'following')) > 0 order by 3 desc, 1`,
    )
    const [planned, unplanned] = rows
    const hr = await test.signIn('S0002', DEMO_PASSWORD)
    const ids = async (owner: string): Promise<string[]> =>
      (
        await database.query<{ id: string }>(
          `select id from csc_clue where owner_id = $1 and status in ('assigned', 'following')`,
          [owner],
        )
      ).rows.map(({ id }) => id)
    const now = async (of: readonly string[]) =>
      (
        await database.query(
          `select distinct owner_id as owner, status, respond_by is null as free from csc_clue where id = any($1::text[])`,
          [of],
        )
      ).rows
    const [first, second] = [await ids(planned!.id), await ids(unplanned!.id)]
    const path = `/v2/sys/staff/user/handover/${planned!.id}`
    const plan = { mode: 'one', successorIds: ['st-s0008'] }
    const preview = await hr.post<{ leads: object[] }>(path, { ...plan, preview: true })
    expect(preview.data.leads).toMatchObject([{ id: 'st-s0008', count: Number(planned!.open) }])
    expect((await hr.post(path, plan)).msg).toBe('OK')
    expect(await now(first)).toEqual([{ owner: 'st-s0008', status: 'assigned', free: false }])
    expect((await hr.post('/v2/sys/staff/user/stateUpdate', { ids: [unplanned!.id], transition: 'leave' })).msg).toBe('OK')
    expect(await now(second)).toEqual([{ owner: null, status: 'pool', free: true }])
    const { rows: left } = await database.query(
      `select c.id from csc_clue c join sys_staff s on s.id = c.owner_id where s.status = 'left' union all
       select c.id from srm_clue c join sys_staff s on s.id = c.owner_id where s.status = 'left'`,
    )
    expect(left).toEqual([])
  })
})

describe('the sales funnel', () => {
  const day = (offset: number): string => addDays(dayOf(test.clock.now(), 'Asia/Shanghai'), offset)
  const funnel = async (caller: Caller, where: object[]): Promise<Funnel> =>
    (await caller.post<Funnel>(`${BO}/funnel`, { where })).data
  const behind = (caller: Caller, figure: string, stage: string, where: object[]): Promise<Page> =>
    page(caller, BO, {
      where: [
        ...where,
        { field: 'funnelFigure', operator: 'eq', value: figure },
        { field: 'funnelStage', operator: 'eq', value: stage },
      ],
    })

  it('tells the same as the rows behind every number and as the log counted by hand, for a seller and a manager (R015)', async () => {
    for (const caller of [sales, lead]) {
      for (const [from, to] of [
        [-90, 0],
        [-400, -60],
        [-30, 1],
      ] as const) {
        const where = [{ field: 'funnelPeriod', operator: 'between', value: [day(from), day(to)] }]
        const told = await funnel(caller, where)
        const all = (await page(caller, BO)).records
        const ids = new Set(all.map((row) => row.id))
        const { rows: steps } = await test.gateway.database.query<StageStep & { at: Date | string }>(
          `select opportunity_id as "opportunityId", from_stage as "fromStage", to_stage as "toStage", at, days_in_stage::int as "daysInStage" from crm_opportunity_stage_log`,
        )
        const edge = (offset: string, plus: number): string =>
          new Date(Date.parse(`${offset}T00:00:00+08:00`) + plus * 86_400_000).toISOString()
        const counted = funnelOf(
          steps.filter((step) => ids.has(step.opportunityId)).map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
          { from: edge(day(from), 0), to: edge(day(to), 1) },
        )
        if (caller === lead) expect(counted.some((stage) => stage.entered.length > 0)).toBe(true)
        for (const stage of counted) {
          const row = told.funnel.find((one) => one.stage === stage.stage)
          expect(row).toMatchObject({
            entered: stage.entered.length,
            passed: stage.passed.length,
            lost: stage.lost.length,
            stayed: stage.stayed.length,
            left: stage.left.length,
          })
          expect(row?.medianDays === null ? null : Number(row?.medianDays)).toBe(stage.medianDays)
          for (const figure of ['entered', 'passed', 'lost', 'stayed', 'left'] as const)
            expect((await behind(caller, figure, stage.stage, where)).records.map(({ id }) => id).sort()).toEqual(stage[figure])
        }
        expect(told.totals[0]?.won).toBe((await behind(caller, 'entered', 'won', where)).total)
        expect(told.totals[0]?.lostAll).toBe((await behind(caller, 'entered', 'lost', where)).total)
        const filters = { funnelPeriod: { operator: 'between' as const, value: [day(from), day(to)] } }
        const { parts, leadsTo } = (await askReport(caller, '/crm/data-analysis/sales-funnels', filters))!
        expect(parts.reasons?.rows.reduce((sum, row) => sum + Number(row.lostFor), 0)).toBe(told.totals[0]?.lostAll)
        for (const group of parts.reasons?.groups ?? [])
          expect(await leadsTo('lostFor', group)).toBe(Number(group.figures.lostFor?.[0]?.value))
      }
    }
  })

  it('adds the open pipeline up to the rows, by stage, owner and currency', async () => {
    const told = await funnel(lead, [{ field: 'product', operator: 'in', value: ['sms', 'voice'] }])
    const open = (
      await page(lead, BO, {
        where: [
          { field: 'product', operator: 'in', value: ['sms', 'voice'] },
          { field: 'stage', operator: 'in', value: ['s1', 's2', 's3', 's4', 's5'] },
        ],
      })
    ).records
    const cents = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + Math.round(Number(row.weighted) * 100), 0)
    expect(open.length).toBeGreaterThan(5)
    for (const row of told.pipeline) {
      const rows = open.filter((one) => one.stage === row.stage && one.currency === row.currency)
      expect([row.openHere, Math.round(Number(row.weighted) * 100)]).toEqual([rows.length, cents(rows)])
    }
    expect(told.pipeline.reduce((sum, row) => sum + row.openHere, 0)).toBe(open.length)
    expect(told.owners.reduce((sum, row) => sum + Number(row.ownerOpen), 0)).toBe(open.length)
    expect(told.owners.reduce((sum, row) => sum + Math.round(Number(row.openWeighted) * 100), 0)).toBe(cents(open))
  })

  it('counts a step for whoever had the opportunity then, opens exactly these rows, and converts at the rate of the month', async () => {
    const where = [{ field: 'funnelPeriod', operator: 'between', value: [day(-90), day(0)] }]
    // a handed-over opportunity: its steps stay with the owner of then
    const { rows: moved } = await test.gateway.database.query<{ id: string; then: string }>(
      `update crm_opportunity o set owner_id = 'st-s0004' from (select l.opportunity_id as id, l.owner_id as then from crm_opportunity_stage_log l
         where l.to_stage = 'won' and l.at > now() - interval '80 days' and l.owner_id <> 'st-s0004' order by 1 limit 1) w where o.id = w.id returning o.id, w.then`,
    )
    const told = await funnel(lead, where)
    const { rows: rates } = await test.gateway.database.query<{ base: string; rate: string; date: string }>(
      `select base, rate::text as rate, date::text as date from sys_exchange_rate where kind = 'performance' order by date desc`,
    )
    const rateOf = (base: string, on: string): number =>
      base === 'CNY' ? 1 : Number(rates.find((one) => one.base === base && one.date <= on)?.rate)
    const usdOf = (row: Row, field: string, on: string): number =>
      row.currency === 'USD'
        ? Number(row[field])
        : Math.round(((Number(row[field]) * rateOf(String(row.currency), on)) / rateOf('USD', on)) * 100) / 100
    const dayOfStep = (at: unknown): string => dayOf(String(at), 'Asia/Shanghai')
    const open = (await page(lead, BO, { where: [{ field: 'stage', operator: 'in', value: ['s1', 's2', 's3', 's4', 's5'] }] }))
      .records
    expect(told.owners.length).toBeGreaterThan(1)
    let wonUsd = 0
    for (const owner of told.owners) {
      const his = (figure: string, stage: string) =>
        behind(lead, figure, stage, [
          ...where,
          { field: 'funnelOwner', operator: 'in', value: [owner.ownerId] },
          { field: 'currency', operator: 'in', value: [owner.currency] },
        ])
      const won = (await his('entered', 'won')).records
      expect([owner.ownerCreated, owner.ownerWon, owner.ownerLost]).toEqual([
        (await his('created', 's1')).total,
        won.length,
        (await his('entered', 'lost')).total,
      ])
      expect(Number(owner.wonAmount)).toBeCloseTo(
        won.reduce((sum, row) => sum + Number(row.amount), 0),
        2,
      )
      const converted = won.reduce((sum, row) => sum + usdOf(row, 'amount', dayOfStep(row.wonAt)), 0)
      expect(Math.abs(Number(owner.wonUsd) - converted)).toBeLessThan(0.02 * (won.length + 1))
      wonUsd += Number(owner.wonUsd)
      const openHere = open.filter((row) => row.ownerId === owner.ownerId && row.currency === owner.currency)
      expect(
        Math.abs(Number(owner.openUsd) - openHere.reduce((sum, row) => sum + usdOf(row, 'weighted', day(0)), 0)),
      ).toBeLessThan(0.02 * (openHere.length + 1))
    }
    expect(Number(told.totals[0]?.wonTotalUsd)).toBeCloseTo(wonUsd, 1)
    expect(told.totals[0]?.created).toBe((await behind(lead, 'created', 's1', where)).total)
    const [gone] = moved
    const ofThen = await behind(lead, 'entered', 'won', [
      ...where,
      { field: 'funnelOwner', operator: 'in', value: [gone?.then ?? ''] },
    ])
    expect(ofThen.records.map(({ id }) => id)).toContain(gone?.id)
  })

  it('shows what a won opportunity brought in 90 days as the days of its accounts add up', async () => {
    const { records } = await page(lead, BO, { where: [{ field: 'stage', operator: 'in', value: ['won'] }] })
    expect(records.length).toBeGreaterThan(0)
    for (const { id, wonAt, currency, customerId, product } of records.slice(0, 5)) {
      const from = dayOf(String(wonAt), 'Asia/Shanghai')
      const { rows } = await test.gateway.database.query<{ revenue: string }>(
        `select coalesce(sum(d.revenue), 0)::text as revenue from fin_account_day d join fin_customer_account a on a.id = d.account_id
         where a.customer_id = $1 and not d.test and d.currency = $2 and d.day >= $3::date and d.day < $3::date + 90
           and a.product = case $4 when 'otpSms' then 'otp' when 'otpVoice' then 'otp' when 'aiVoice' then 'voice' else $4 end`,
        [customerId, currency, from, product],
      )
      expect(Number((await view(lead, BO, id)).actual90)).toBe(Number(rows[0]?.revenue))
    }
  })

  it('refuses a question that means nothing', async () => {
    const answer = await sales.post(`${BO}/queryPage`, {
      pageNo: 1,
      pageSize: 10,
      where: [{ field: 'funnelFigure', operator: 'eq', value: 'entered' }],
    })
    expect(answer.code).toBe(10010001)
    expect(
      (await sales.post(`${BO}/queryPage`, { pageNo: 1, pageSize: 10, sort: [{ field: 'funnelStage', order: 'asc' }] })).code,
    ).toBe(10010001)
  })
})

describe('market analysis', () => {
  it('counts accounts as the rows behind them, for everybody in his own scope', async () => {
    for (const caller of [sales, lead]) {
      const { parts, leadsTo } = (await askReport(caller, '/crm/market-analysis/account-track'))!
      const rows = (await page(caller, '/v2/fin/customerAccount')).records
      const states = parts.states?.rows ?? []
      expect(states.reduce((sum, row) => sum + Number(row.accounts), 0)).toBe(rows.length)
      for (const { track, accounts } of states) expect(rows.filter((row) => row.track === track).length).toBe(accounts)
      expect(parts.steps?.rows[0]?.started ?? 0).toBe(rows.filter((row) => row.firstTrafficAt).length)
      if (rows.length > 0)
        expect(parts.totals?.rows[0]).toMatchObject({
          accounts: rows.length,
          neverStarted: rows.filter((row) => !row.firstTrafficAt).length,
        })
      const counted = ['states', 'months', 'products'].flatMap((part) => parts[part]?.groups ?? [])
      for (const group of counted)
        for (const measure of ['accounts', 'opened', 'startedOfMonth', 'neverStarted'])
          if (group.figures[measure]?.[0])
            expect(await leadsTo(measure, group), `${measure} of ${String(group.keys[0])}`).toBe(
              Number(group.figures[measure][0].value),
            )
    }
  })

  it('tells the middle of the days between opening and first traffic', async () => {
    const { parts } = (await askReport(lead, '/crm/market-analysis/account-track'))!
    const days = (await page(lead, '/v2/fin/customerAccount')).records
      .filter((row) => row.firstTrafficAt && row.openedAt)
      .map((row) => (Date.parse(row.firstTrafficAt as string) - Date.parse(row.openedAt as string)) / 86_400_000)
      .sort((one, other) => one - other)
    const middle = ((days[Math.floor((days.length - 1) / 2)] ?? 0) + (days[Math.ceil((days.length - 1) / 2)] ?? 0)) / 2
    expect(days.length).toBeGreaterThan(3)
    expect(parts.totals?.rows[0]?.medianDays).toBeCloseTo(middle, 6)
  })

  it('keeps the figures of accounts when the nightly job runs again', async () => {
    const read = async () =>
      (
        await test.gateway.database.query(
          'select id, track, volume30, change_pct, profit30 from fin_customer_account order by id',
        )
      ).rows
    const before = await read()
    expect(new Set(before.map((row) => (row as { track: string }).track)).size).toBeGreaterThan(2)
    const at =
      (await test.gateway.database.query<{ at: string }>(`select max(created_at) as at from sys_staff`)).rows[0]?.at ?? ''
    await refreshAccountTracks(test.gateway.database, { now: new Date(at), timeZone: 'Asia/Shanghai' })
    expect(await read()).toEqual(before)
  })

  it('counts clues and customers, by source and by country, as the rows that every number opens', async () => {
    const COUNTS = {
      totals: ['clues', 'converted', 'invalid', 'customers', 'dealt', 'withTraffic'],
      clueSources: ['clues', 'converted'],
      countries: ['clues', 'customers', 'dealt'],
    }
    // a country of one entity alone has no figures of the other
    const nothingIsNone = (row: ReportRow | undefined) =>
      Object.fromEntries(['clues', 'customers', 'dealt', 'withTraffic'].map((id) => [id, row?.[id] ?? 0]))
    const eq = (field: string, value: unknown) =>
      value === null ? { field, operator: 'empty' } : { field, operator: 'in', value: [value] }
    const filled = (field: string) => ({ field, operator: 'notEmpty' })
    for (const [caller, given] of [
      [sales, []],
      [lead, []],
      [lead, [{ field: 'countryCode', operator: 'in' as const, value: ['CN'] }]],
    ] as const) {
      const filters = Object.fromEntries(given.map(({ field, operator, value }) => [field, { operator, value }]))
      const { parts, leadsTo } = (await askReport(caller, '/crm/market-analysis/overview', filters))!
      const told = (part: string) => parts[part]?.rows ?? []
      const total = async (entity: string, ...where: object[]): Promise<number> =>
        (await page(caller, entity, { pageSize: 1, where: [...given, ...where] })).total
      const clues = async (...where: object[]) => ({
        clues: await total('/v2/csc/clue', ...where),
        converted: await total('/v2/csc/clue', ...where, eq('status', 'converted')),
        invalid: await total('/v2/csc/clue', ...where, eq('status', 'invalid')),
      })
      const customers = async (...where: object[]) => ({
        customers: await total('/v2/crm/customer', ...where),
        dealt: await total('/v2/crm/customer', ...where, filled('firstDealAt')),
        withTraffic: await total('/v2/crm/customer', ...where, filled('lastTrafficAt')),
      })
      expect(told('totals')[0]).toMatchObject({ ...(await clues()), ...(await customers()) })
      for (const row of told('clueSources')) expect(row).toMatchObject(await clues(eq('source', row.clueSource)))
      for (const row of told('customerSources')) expect(row).toMatchObject(await customers(eq('source', row.source)))
      const [largest] = told('countries')
      for (const row of [largest, told('countries').at(-1)]) {
        const here = eq('countryCode', row?.country)
        expect(nothingIsNone(row)).toMatchObject({ ...(await customers(here)), clues: await total('/v2/csc/clue', here) })
      }
      const sum = (part: string, measure: string): number => told(part).reduce((all, row) => all + Number(row[measure]), 0)
      expect(sum('customerSources', 'customers')).toBe(told('totals')[0]?.customers)
      expect(sum('clueSources', 'clues')).toBe(told('totals')[0]?.clues)
      for (const [part, measures] of Object.entries(COUNTS))
        for (const group of parts[part]?.groups.slice(0, 4) ?? [])
          for (const measure of measures)
            // what one entity alone has is a zero of the other and leads nowhere
            if (group.leads?.[measure] && group.figures[measure]?.[0])
              expect(await leadsTo(measure, group), `${measure} of ${part}`).toBe(Number(group.figures[measure][0].value))
    }
  })
})
