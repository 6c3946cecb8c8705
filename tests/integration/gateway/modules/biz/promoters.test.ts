import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refreshPromoterCommissions } from '../../../../../gateway/modules/biz/commissions'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { askReport } from '../../../../support/askReport'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }

const PAGE = '/businessInquiry/star-promoter-performance'
const WITHDRAWAL = '/reportAnalysis/profit-withdrawal'
let test: TestGateway
let manager: Caller
let sales: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const menus = ['businessInquiry:star-promoter-performance', 'reportAnalysis:profit-withdrawal']
  const keys = ['biz:promoter:view', 'crm:agent:viewCommission', 'crm:customer:viewProfit']
  await test.addStaff({ id: 'manager', jobNumber: 'P1', menus, keys, scopes: { '*': ['own'] } })
  ;[manager, sales] = [await test.signIn('P1'), await test.signIn('S0006', DEMO_PASSWORD)]
})
afterAll(() => test.close())

const sql = async <R = Row>(text: string, params: readonly unknown[] = []): Promise<R[]> =>
  (await test.gateway.database.query<R & object>(text, params)).rows
const run = (today: string) =>
  test.gateway.database.transaction((tx) => refreshPromoterCommissions(tx, { now: test.clock.now(), today }))

describe('the commission of star promoters', () => {
  const fact = (day: string, revenue: string, cost: string) =>
    sql(
      `insert into rpt_traffic_day (id, created_at, updated_at, created_by, updated_by, version, taken_over, day, bill_day, cost_day, customer_id, account_id, product, currency, cost_currency, units, revenue, cost)
       select 'f-' || $1 || '-' || $2, now(), now(), '', '', 1, false, $1::date, $1::date, $1::date, c.id, null, 'sms', 'USD', 'USD', 100, $2::numeric, $3::numeric from crm_customer c where c.id = $4`,
      [day, revenue, cost, brought],
    )
  const rows = () =>
    sql(
      `select month::text, revenue::text, profit::text, earned::text, first_use as first, status from biz_commission where customer_id = $1 and promoter_id = 'sp-t' order by month`,
      [brought],
    )
  const row = (month: string, revenue: string, profit: string, earned: string, status: string, first = false) => ({
    ...{ month, revenue, profit, earned, first, status },
  })
  let brought = ''

  it('is profit by the rate since they joined, never under 0, and stays once its month is locked (m60)', async () => {
    const [customer] = await sql(
      `select id from crm_customer where party_type = 'customer' and deleted_at is null and not exists (select from rpt_traffic_day f where f.customer_id = crm_customer.id) limit 1`,
    )
    brought = customer!.id
    await sql(
      `insert into biz_star_promoter (id, created_at, updated_at, version, job_number, partner_name, name, commission_rate, level, joined_at, status)
       values ('sp-t', now(), now(), 1, 'T0001', 'Tester', 'Tester', 10, 'gold', '2031-03-10', 'on')`,
    )
    await sql(`update crm_customer set promoter_id = 'sp-t' where id = $1`, [brought])
    await fact('2031-03-09', '999', '1') // before he joined
    await fact('2031-03-20', '3000', '1400')
    await fact('2031-03-21', '300', '100')
    await fact('2031-04-02', '10', '70')
    await run('2031-03-31')
    const march = row('2031-03-01', '3300.00', '1800.00', '180.00', 'earning', true)
    expect(await rows()).toEqual([march])

    // the last days of March are not locked yet: March is still counted, beside an April that loses
    await fact('2031-03-31', '20', '10')
    await run('2031-04-04')
    const later = row('2031-03-01', '3320.00', '1810.00', '181.00', 'earning', true)
    const april = row('2031-04-01', '10.00', '-60.00', '0.00', 'earning')
    expect(await rows()).toEqual([later, april])
    expect((await run('2031-04-05')).locked).toBeGreaterThan(0)
    await fact('2031-03-30', '500', '0')
    await run('2031-04-06')
    await run('2031-04-06')
    expect(await rows()).toEqual([{ ...later, status: 'locked' }, april])

    // whose customer it is no more loses what is open, and keeps what is locked
    await sql(`update crm_customer set promoter_id = null where id = $1`, [brought])
    expect((await run('2031-04-07')).lost).toBe(1)
    expect(await rows()).toEqual([{ ...later, status: 'locked' }])
  })

  it('leaves the rows of agents to their own job', async () => {
    const agents = () => sql(`select id, status, earned::text from biz_commission where party_kind = 'agent' order by id`)
    const before = await agents()
    expect(before.length).toBeGreaterThan(0)
    await run('2031-04-08')
    expect(await agents()).toEqual(before)
  })
})

describe('the star promoter of a customer', () => {
  const convert = async (promoterNo: string, customerName: string): Promise<string | null> => {
    const [clue] = await sql(
      `update csc_clue set status = 'following', email = 'hello@' || md5(id) || '.example', phone = null, promoter_no = $1, owner_id = 'st-s0006', owner_dept_id = 'dp-s-cn1', country_code = 'CN'
       where id = (select id from csc_clue where status = 'following' and customer_id is null order by id limit 1) returning id`,
      [promoterNo],
    )
    const { code, msg } = await sales.post('/v2/csc/clue/stateUpdate', {
      ids: [clue?.id],
      transition: 'convert',
      values: { customerName, tradeType: 'direct', customerType: 'enterprise' },
    })
    expect(code, msg).toBe(0)
    const [made] = await sql<{ promoterId: string | null }>(
      `select promoter_id as "promoterId" from crm_customer where clue_id = $1`,
      [clue?.id],
    )
    return made?.promoterId ?? null
  }

  it('comes with a lead whose promotion link carries the job number of an active one', async () => {
    const of = (status: string) =>
      sql<{ id: string; number: string }>(
        `select id, job_number as number from biz_star_promoter where status = $1 and staff_id is not null order by id limit 1`,
        [status],
      )
    const [[on], [off]] = [await of('on'), await of('off')]
    expect(await convert(on!.number, '青海湖畔民宿预订通知有限公司')).toBe(on?.id)
    expect(await convert(off!.number, '祁连山牧场会员短信有限公司')).toBeNull()
    expect(await convert('S0006', '塔尔寺文旅票务提醒有限公司')).toBeNull()
  })

  it('is named by hand only by whoever may change agents', async () => {
    const [own] = await sql(
      `select id from crm_customer where owner_id = 'st-s0006' and party_type = 'customer' and holding = 'private' and promoter_id is null and deleted_at is null limit 1`,
    )
    const [promoter] = await sql(`select id from biz_star_promoter where status = 'on' and id <> 'sp-t' order by id limit 1`)
    const refused = await sales.post(
      '/v2/crm/customer/save',
      { id: own?.id, promoterId: promoter?.id },
      { 'accept-language': 'en' },
    )
    expect([refused.code, refused.text]).toEqual([10010005, expect.stringContaining('needs the permission crm:agent:rebind')])
    expect(await sql(`select promoter_id as "of" from crm_customer where id = $1`, [own?.id])).toEqual([{ of: null }])
  })
})

describe('pages of star promoters', () => {
  it('rank them by what they earned, and show their withdrawals beside those of agents', async () => {
    const page = await askReport(manager, PAGE)
    const ranking = page?.parts.ranking?.rows ?? []
    expect(ranking.length).toBeGreaterThan(1)
    const table = page?.parts.table?.rows ?? []
    for (const name of ['customers', 'revenue', 'earned', 'withdrawn'])
      expect(
        table.map((one) => Number(one[name])).some((value) => value > 0),
        name,
      ).toBe(true)
    const withdrawal = await askReport(manager, WITHDRAWAL)
    expect(withdrawal?.parts.promoters?.rows.length).toBeGreaterThan(1)
  })

  it('tell of others only to whoever sees all promoters: a promoter sees what is his', async () => {
    const [mine] = await sql<{ id: string; number: string; staff: string }>(
      `select p.id, p.job_number as number, p.staff_id as staff from biz_star_promoter p where p.staff_id is not null and exists (select from biz_commission k where k.promoter_id = p.id) order by p.id limit 1`,
    )
    const caller = await test.signIn(mine!.number, DEMO_PASSWORD)
    const where = [{ field: 'partyKind', operator: 'eq', value: 'promoter' }]
    const { data } = await caller.post<{ records: Row[]; total: number }>('/v2/biz/commission/queryPage', {
      where,
      pageSize: 200,
    })
    const [all] = await sql<{ n: number }>(
      `select count(*)::int as n from biz_commission where promoter_id = $1 and deleted_at is null`,
      [mine!.id],
    )
    expect([data.total, new Set(data.records.map(({ promoterId }) => promoterId))]).toEqual([all?.n, new Set([mine!.id])])
  })
})
