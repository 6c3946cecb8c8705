import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { similarity } from '../../../../gateway/duplicates'
import { addDays, dayOf, instantAt } from '../../../../gateway/platform/calendar'
import { startGateway, type Answer, type Caller, type TestGateway } from '../../../support/gateway'
import { walksOf } from '../../../support/walkPart'

const { walksAll } = walksOf(import.meta.filename)

/** Every edge row of CRM that the demo world promises, in a gateway that was filled with it. */

const ZONE = 'Asia/Shanghai'
/** A small world has a tenth of the long history, and of the rest some. */
const FOLLOW_UPS = walksAll ? 5000 : 500
type Row = Record<string, unknown> & { id: string }
interface Quota {
  daily: { used: number; limit: number }
  holding: { used: number; limit: number }
}

let test: TestGateway
let chief: Caller
let today: string
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: walksAll ? '1' : '0.1' } })
  chief = await test.signIn('S0001', DEMO_PASSWORD)
  today = dayOf(test.clock.now(), ZONE)
})
afterAll(() => test.close())

const rows = async (sql: string, params: unknown[] = []): Promise<Row[]> =>
  (await test.gateway.database.query<Row>(sql, params)).rows
const count = async (from: string, params: unknown[] = []): Promise<number> =>
  Number((await rows(`select count(*) as id from ${from}`, params))[0]?.id)
const customer = async (code: string): Promise<Row> => {
  const { data } = await chief.post<{ records: Row[] }>('/v2/crm/customer/queryPage', {
    where: [{ field: 'code', operator: 'eq', value: code }],
  })
  expect(data.records, code).toHaveLength(1)
  return data.records[0] as Row
}
const quota = async (jobNumber: string): Promise<Quota> =>
  (await (await test.signIn(jobNumber, DEMO_PASSWORD)).get<Quota>('/v2/crm/customer/claimQuota')).data

describe('the edge rows of the demo world', () => {
  it(`CU2300017 has ${FOLLOW_UPS} follow-ups by four owners, and is class A for 21 more days`, async () => {
    const row = await customer('CU2300017')
    expect(await count('crm_follow_up where customer_id = $1', [row.id])).toBe(FOLLOW_UPS)
    expect(await count('(select distinct created_by from crm_follow_up where customer_id = $1) as authors', [row.id])).toBe(4)
    expect([row.level, row.classA, row.classAValidTo, row.recycleOn]).toEqual(['a', true, addDays(today, 21), null])
    expect(
      await count(`crm_class_apply where customer_id = $1 and status = 'approved' and granted_to = $2`, [
        row.id,
        row.classAValidTo,
      ]),
    ).toBe(1)
  })

  it('pages them on demand: every one once, newest first, though one is added in between', async () => {
    const { id } = await customer('CU2300017')
    const found: Row[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const body: object = { where: [{ field: 'customerId', operator: 'eq', value: id }], cursor, pageSize: FOLLOW_UPS / 10 }
      const answer: Answer<{ records: Row[]; next: string | null }> = await chief.post('/v2/crm/followUp/queryPage', body)
      found.push(...answer.data.records)
      cursor = answer.data.next
      await test.gateway.database.query(
        `insert into crm_follow_up (id, customer_id, way, content, result, effective, auto, created_at, updated_at, version)
         values ($1, $2, 'phone', '中途新增的跟进', 'interested', true, false, now() + interval '1 second', now(), 1)`,
        [`added-${found.length}`, id],
      )
    }
    await test.gateway.database.query(`delete from crm_follow_up where id like 'added-%'`)
    expect(found.length).toBe(FOLLOW_UPS)
    expect(new Set(found.map((one) => one.id)).size).toBe(FOLLOW_UPS)
    const moments = found.map((one) => String(one.createdAt))
    expect(moments).toEqual([...moments].sort().reverse())
  })

  it('CU2400101 to CU2400106 are hard to write: quotes, 200 characters, a formula, markup, two directions, emoji', async () => {
    expect((await customer('CU2400101')).name).toBe(`O'Neil & Sons "Fast" SMS Ltd`)
    expect(String((await customer('CU2400102')).name)).toMatch(/^Gesellschaft\S{150,}/)
    expect((await customer('CU2400103')).name).toBe('=SUM(A1:A9) Trading LLC')
    expect((await customer('CU2400104')).name).toBe('<b>Bold</b> Media')
    const noor = await customer('CU2400105')
    expect(noor.remark).toMatch(/[\u0600-\u06ff].*WhatsApp/)
    expect(await count(`crm_contact where customer_id = $1 and name like 'عبد%'`, [noor.id])).toBe(1)
    expect(String((await customer('CU2400106')).name)).toMatch(/🚀.*\u0301/u)
  })

  it('CU2400107 and CU2400108 have one match key in two countries and were saved with a reason', async () => {
    const keys = await rows(`select name_key as id from crm_customer where code in ('CU2400107', 'CU2400108')`)
    expect(keys.map((one) => one.id)).toEqual(['acmetelecom', 'acmetelecom'])
    expect((await customer('CU2400107')).duplicateReason).toBeTruthy()
  })

  it('Falcon Gulf Messaging FZE is barred: an entry, a refused attempt, an invalid clue, and a live name that is only near', async () => {
    const [entry] = await rows(`select id, name_key as key, status from crm_blacklist where name = 'Falcon Gulf Messaging FZE'`)
    expect(entry?.status).toBe('active')
    expect(await count(`crm_blacklist_hit where blacklist_id = $1 and refused`, [entry?.id])).toBeGreaterThan(0)
    expect(await count(`crm_dup_check where decision = 'blocked' and input->>'name' = 'Falcon Gulf Messaging FZE'`)).toBe(1)
    const [clue] = await rows(`select id, invalid_reason as reason from csc_clue where company = 'Falcon Gulf Messaging FZE'`)
    expect(clue?.reason).toBe('blacklist')
    const [near] = await rows(`select id, name_key as key from crm_customer where name = 'Falcon Gulf Messagings FZE'`)
    expect(similarity(String(entry?.key), String(near?.key))).toBeCloseTo(36 / 37, 6)
  })

  it('CU2400110 to CU2400113 stand at the borders of recycling: one day, three days, a balance above and at the exempt one', async () => {
    expect((await customer('CU2400110')).recycleOn).toBe(addDays(today, 1))
    expect((await customer('CU2400111')).recycleOn).toBe(addDays(today, 3))
    const [above, at] = [await customer('CU2400112'), await customer('CU2400113')]
    expect([Number(above.balance), above.recycleOn]).toEqual([100.01, null])
    expect([Number(at.balance), at.recycleOn]).toEqual([100, addDays(today, 7)])
  })

  it('CU2400114 was in the sea three times in half a year: only a manager may assign it', async () => {
    const row = await customer('CU2400114')
    expect(await count(`crm_sea_record where customer_id = $1 and entered_at > now() - interval '180 days'`, [row.id])).toBe(3)
    const seller = await test.signIn('S0006', DEMO_PASSWORD)
    const { data } = await seller.post<{ records: Row[] }>('/v2/crm/customer/queryPage', { view: 'sea', ids: [row.id] })
    expect(data.records[0]?.claimRefusedBecause).toBe('多次入海，只能由主管分配')
  })

  it('CU2400115 changes its alias: what would touch it answers 10050027', async () => {
    const row = await customer('CU2400115')
    const director = await test.signIn('S0003', DEMO_PASSWORD)
    const answer = await director.post('/v2/crm/transfer/save', {
      customerIds: [row.id],
      toStaffId: 'st-s0006',
      reason: 'region',
    })
    expect(answer.code).toBe(10050027)
    expect(answer.data).toMatchObject({ subjectCode: 'CU2400115', tasksTotal: 4 })
  })

  it('CU2400116 belongs to somebody whose last day is today', async () => {
    const row = await customer('CU2400116')
    expect(await count(`sys_staff where id = $1 and left_on = $2 and status <> 'left'`, [row.ownerId, today])).toBe(1)
  })

  it('CU2400117 was claimed by two in the same second: one has it, the other stands in the dossier', async () => {
    const row = await customer('CU2400117')
    const [stay] = await rows(
      `select id, left_at as "leftAt", claimed_by_id as by, attempts from crm_sea_record where customer_id = $1`,
      [row.id],
    )
    const [attempt] = stay?.attempts as { staffId: string; at: string; refusedBecause: string }[]
    expect(stay?.by).toBe(row.ownerId)
    expect([Date.parse(attempt?.at ?? ''), attempt?.refusedBecause]).toEqual([Date.parse(String(stay?.leftAt)), 'notInSea'])
    expect(attempt?.staffId).not.toBe(row.ownerId)
  })

  it('CU2400118 shares a whitelisted domain with two companies of its group, and none is a duplicate', async () => {
    const group = await rows(
      `select code as id, duplicate_of_id as other from crm_customer where domains ? 'orbit-group.example'`,
    )
    expect(group.map((one) => one.id).sort()).toEqual(['CU2400118', 'CU2400122', 'CU2400123'])
    expect(group.every((one) => one.other === null)).toBe(true)
    const seller = await test.signIn('S0006', DEMO_PASSWORD)
    const fourth = await seller.post('/v2/crm/customer/save', {
      name: 'Velvet Harbour Ticketing Pte Ltd',
      nameEn: 'Velvet Harbour Ticketing Pte Ltd',
      website: 'https://www.orbit-group.example',
      countryCode: 'SG',
      customerType: 'enterprise',
      source: 'website',
    })
    expect([fourth.code, fourth.msg]).toEqual([0, 'OK'])
    const [saved] = await rows(
      `select id, duplicate_of_id as other from crm_customer where name = 'Velvet Harbour Ticketing Pte Ltd'`,
    )
    expect(saved).toMatchObject({ other: null })
  })

  it('CU2400124 and CU2400125 are voided: frozen, with their history', async () => {
    for (const code of ['CU2400124', 'CU2400125']) {
      const row = await customer(code)
      expect([row.holding, row.voided, row.followCount, row.recycleOn]).toEqual(['frozen', true, 1, null])
    }
  })

  it('S0042 is at 150 of 150, S0043 owns 171 and counts 148, S0044 has claimed ten times today', async () => {
    expect((await quota('S0042')).holding).toMatchObject({ used: 150, limit: 150 })
    const { rows: near } = await test.gateway.database.query<{ owned: number; a: number }>(
      `select count(*) as owned, count(*) filter (where level = 'a') as a from crm_customer where owner_id = 'st-s0043' and deleted_at is null`,
    )
    expect([Number(near[0]?.owned), Number(near[0]?.a)]).toEqual([171, 9])
    expect((await quota('S0043')).holding).toMatchObject({ used: 148, limit: 150 })
    expect((await quota('S0044')).daily).toEqual({ used: 10, limit: 10 })
  })

  it('S0004 leads and sells: own customers, opportunities, follow-ups and visits', async () => {
    const lead = await test.signIn('S0004', DEMO_PASSWORD)
    for (const [path, least] of [
      ['customer', 2],
      ['opportunity', 2],
    ] as const) {
      const { data } = await lead.post<{ total: number }>(`/v2/crm/${path}/queryPage`, { view: 'mine' })
      expect(data.total, path).toBeGreaterThanOrEqual(least)
    }
    expect(await count(`crm_follow_up where created_by = 'st-s0004'`)).toBeGreaterThan(5)
    expect(await count(`crm_visit where created_by = 'st-s0004'`)).toBeGreaterThan(0)
  })

  it('CU2400126 and CU2400127 are Buka agents, one below the other, with commission in every state that S0006 sees', async () => {
    const sales = await test.signIn('S0006', DEMO_PASSWORD)
    const commissions = async (agent: Row, where: object[] = []): Promise<Row[]> => {
      const body = { where: [{ field: 'partyId', operator: 'eq', value: agent.id }, ...where], pageSize: 200 }
      return (await sales.post<{ records: Row[] }>('/v2/biz/commission/queryPage', body)).data.records
    }
    const [first, second] = [await customer('CU2400126'), await customer('CU2400127')]
    expect([first.platform, first.partyType, second.platform, second.partyType]).toEqual(['buka', 'partner', 'buka', 'partner'])
    expect(await count('crm_partner_profile where customer_id = $1 and parent_agent_id = $2', [second.id, first.id])).toBe(1)
    const own = await commissions(first)
    expect([...new Set(own.map(({ status }) => status))].sort()).toEqual(['earning', 'locked', 'paid', 'requested'])
    for (const row of own.filter(({ status }) => status === 'paid')) expect(row.withdrawn).toBe(row.earned)
    const brought = await rows('select id, owner_id, platform from crm_customer where agent_id = $1', [first.id])
    expect(brought.map(({ platform }) => platform)).not.toContain('main')
    expect(new Set(brought.map(({ owner_id: owner }) => owner === 'st-s0006'))).toEqual(new Set([true, false]))
    expect(await count(`crm_buka_account where agent_id = $1 and registered_by = 'agent'`, [first.id])).toBe(brought.length)
    // the second belongs to somebody else
    expect(await commissions(second)).toEqual([])
    if (walksAll) expect(await count('biz_commission where party_id = $1', [second.id])).toBeGreaterThan(3)
  })

  it('S0050 may nothing, S0051 has menus and no button', async () => {
    const [nobody, menus] = [await test.signIn('S0050', DEMO_PASSWORD), await test.signIn('S0051', DEMO_PASSWORD)]
    expect((await nobody.post('/v2/crm/customer/queryPage', {})).code).toBe(10010003)
    expect((await menus.post('/v2/crm/customer/queryPage', {})).code).toBe(0)
    expect((await menus.post('/v2/crm/customer/save', { name: 'Nobody Ltd' })).code).toBe(10010003)
  })

  it('a share ends today and a transfer lapses at 18:00', async () => {
    expect(await count(`crm_share where until = $1 and status = 'accepted'`, [today])).toBeGreaterThan(0)
    const six = instantAt(today, '18:00', ZONE).toISOString()
    expect(await count(`crm_transfer where expires_at = $1 and status = 'pending'`, [six])).toBe(1)
  })

  it.runIf(walksAll)(
    'counts: 600 opportunities with every stage, and transfers, shares, aliases, class A and blacklist in every state',
    async () => {
      expect(await count('crm_opportunity')).toBeGreaterThanOrEqual(600)
      const states = async (table: string, field = 'status'): Promise<unknown[]> =>
        (await rows(`select distinct ${field} as id from ${table}`)).map((one) => one.id).sort()
      expect(await states('crm_opportunity', 'stage')).toEqual(['lost', 's1', 's2', 's3', 's4', 's5', 'won'])
      expect(await states('crm_transfer')).toEqual(['accepted', 'cancelled', 'draft', 'expired', 'partly', 'pending', 'rejected'])
      expect(await states('crm_share')).toEqual(['accepted', 'ended', 'expired', 'pending', 'rejected'])
      expect(await states('crm_alias_record')).toEqual([
        'done',
        'draft',
        'failed',
        'pending',
        'rejected',
        'rolledBack',
        'syncing',
        'withdrawn',
      ])
      expect(await states('crm_class_apply')).toEqual(
        expect.arrayContaining(['approved', 'draft', 'ended', 'pending', 'rejected', 'revoked', 'withdrawn']),
      )
      expect(await states('crm_blacklist')).toEqual(expect.arrayContaining(['active', 'expired', 'lifted', 'pending']))
    },
  )
})
