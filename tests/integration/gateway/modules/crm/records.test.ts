import { sql as sqlOf, type SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { newId, type Transaction } from '../../../../../gateway/platform/database'
import { systemContext } from '../../../../../gateway/platform/http'
import type { JobDefinition, TellProgress } from '../../../../../gateway/platform/jobs'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

type Row = Record<string, unknown> & { id: string }
const EN = { 'accept-language': 'en' }
/** China team 1: its lead and one of its sales people. */
const [LEAD, SALES] = ['S0005', 'S0006']
let test: TestGateway
let sales: Caller
let lead: Caller
let admin: Caller
let partnerOwner: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  ;[sales, lead] = await Promise.all([test.signIn(SALES, DEMO_PASSWORD), test.signIn(LEAD, DEMO_PASSWORD)])
  const [first] = await sql<{ jobNumber: string }>(
    `select s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id join sys_role r on r.id = m.role_id
     where r.code = 'administrator' order by s.job_number limit 1`,
  )
  admin = await test.signIn(first?.jobNumber ?? '', DEMO_PASSWORD)
  const [owner] = await sql<{ jobNumber: string }>(
    `select s.job_number as "jobNumber" from crm_partner_profile p join crm_customer c on c.id = p.customer_id join sys_staff s on s.id = c.owner_id
     where p.deleted_at is null and s.status = 'active' group by 1 order by count(*) desc, 1 limit 1`,
  )
  partnerOwner = await test.signIn(owner?.jobNumber ?? '', DEMO_PASSWORD)
})
afterAll(() => test.close())

const sql = async <T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
  (await test.gateway.database.query<T>(text, values)).rows
const list = async (caller: Caller, path: string, body: object = {}): Promise<Row[]> =>
  (await caller.post<{ records: Row[] }>(`${path}/queryPage`, { pageSize: 500, ...body })).data.records
/** The company's day. */
const today = (): string => dayOf(test.clock.now(), 'Asia/Shanghai')
const ids = (rows: readonly Row[]): string[] => rows.map(({ id }) => id).sort()

describe('the views of the account track', () => {
  it('show a salesperson the accounts of his own and shared customers, a lead those of his department', async () => {
    const path = '/v2/fin/customerAccount'
    const mine = await list(sales, path, { view: 'mine' })
    const owned = await sql<Row>(
      `select a.id from fin_customer_account a join crm_customer c on c.id = a.customer_id
       where a.deleted_at is null and c.deleted_at is null and (c.owner_id = 'st-s0006' or c.id in (select customer_id from crm_share
         where deleted_at is null and status = 'accepted' and (until is null or until >= $1::date) and (to_staff_id = 'st-s0006' or to_dept_id = 'dp-s-cn1')))`,
      [today()],
    )
    expect(mine.length).toBeGreaterThan(0)
    expect(ids(mine)).toEqual(ids(owned))
    const department = await list(lead, path, { view: 'department' })
    const all = ids(await list(lead, path))
    expect(department.length).toBeGreaterThan(mine.length)
    expect(ids(department).every((id) => all.includes(id))).toBe(true)
    const foreign = await sql<Row>(
      `select a.id from fin_customer_account a join crm_customer c on c.id = a.customer_id where c.owner_dept_id not like 'dp-s-cn1%' and a.deleted_at is null`,
    )
    const others = new Set(ids(foreign))
    expect(ids(department).filter((id) => others.has(id))).toEqual([])
  })
})

describe('the traffic line of a customer', () => {
  it('holds each product day by day, as the days of his accounts say, and nothing for whoever does not see him', async () => {
    const [busy] = await sql<{ id: string; job: string; stranger: string }>(
      `select c.id, s.job_number as job, (select o.job_number from sys_staff o where o.main_dept_id = 'dp-s-cn1' and o.id <> c.owner_id
           and o.id <> (select leader_id from sys_department where id = 'dp-s-cn1') and o.status = 'active' order by 1 limit 1) as stranger
       from crm_customer c join sys_staff s on s.id = c.owner_id join fin_customer_account a on a.customer_id = c.id join fin_account_day d on d.account_id = a.id
       where s.status = 'active' and d.day >= current_date - 60 and d.volume > 0 and not coalesce(d.test, false)
         and c.id not in (select customer_id from crm_share) group by 1, 2, 3 order by count(distinct a.product) desc, 1 limit 1`,
    )
    const owner = await test.signIn(busy?.job ?? '', DEMO_PASSWORD)
    const path = `/v2/crm/customer/traffic/${busy?.id}`
    const lines = (await owner.get<{ product: string; label: object; days: { day: string; volume: number }[] }[]>(path)).data
    const stored = await sql<{ product: string; sum: number }>(
      `select a.product, sum(d.volume)::float8 as sum from fin_customer_account a join fin_account_day d on d.account_id = a.id
       where a.customer_id = $1 and not coalesce(d.test, false) and d.day < $2::date and d.day >= $2::date - 90 group by 1 having sum(d.volume) > 0 order by 1`,
      [busy?.id, today()],
    )
    expect(stored.length).toBeGreaterThan(0)
    expect(lines.map(({ product, days }) => ({ product, sum: days.reduce((total, { volume }) => total + volume, 0) }))).toEqual(
      stored,
    )
    for (const { days } of lines) {
      expect(days).toHaveLength(90)
      expect(new Set(days.map(({ day }) => day)).size).toBe(90)
      expect((days.at(-1)?.day ?? '') < today()).toBe(true)
    }
    const stranger = await test.signIn(busy?.stranger ?? '', DEMO_PASSWORD)
    expect((await stranger.get(path)).data).toEqual([])
  })
})

describe('an opportunity on its own page', () => {
  it('offers the hand-over to its owner, is handed to somebody who sees the customer, and says so in its log', async () => {
    const [mine] = await list(sales, '/v2/crm/customer', {
      view: 'mine',
      where: [
        { field: 'holding', operator: 'eq', value: 'private' },
        { field: 'ownerId', operator: 'eq', value: 'st-s0006' },
      ],
    })
    await sales.post('/v2/crm/opportunity/save', {
      name: '短信 ID 直连',
      customerId: mine?.id,
      product: 'sms',
      countries: ['ID'],
      monthlyVolume: 100_000,
      currency: 'USD',
      expectedPrice: '0.0125',
      expectedOn: '2030-01-31',
    })
    const [own] = await list(sales, '/v2/crm/opportunity', {
      where: [
        { field: 'ownerId', operator: 'eq', value: 'st-s0006' },
        { field: 'stage', operator: 'in', value: ['s1', 's2', 's3'] },
      ],
    })
    if (!own) throw new Error('The demo world gives this person no open opportunity.')
    const page = await sales.get<{ page: { header: { actions: { id: string; transition?: string }[] } } }>(
      '/v2/sys/page/bundle?path=/crm/BODetail',
    )
    expect(page.data.page.header.actions).toContainEqual(expect.objectContaining({ id: 'handOver' }))
    const seen = await sales.get<{ can: { transitions: Record<string, string | null> } }>(`/v2/crm/opportunity/view/${own.id}`)
    expect(seen.data.can.transitions.handOver).toBeNull()
    const hand = (toStaffId: string, reason: string) =>
      sales.post<{ done: string[] }>('/v2/crm/opportunity/stateUpdate', {
        ids: [own.id],
        transition: 'handOver',
        version: own.version,
        values: { handOverTo: toStaffId, handOverReason: reason },
      })
    expect((await hand('st-s0014', '客户不可见')).code).not.toBe(0)
    const done = await hand('st-s0005', '转由组长跟进')
    expect([done.code, done.msg, done.data]).toMatchObject([0, expect.anything(), { done: [own.id] }])
    const { record } = (await lead.get<{ record: Row }>(`/v2/crm/opportunity/view/${own.id}`)).data
    expect(record.ownerId).toBe('st-s0005')
    const log = await lead.get<{ records: { changes: { field: string; after: unknown }[] }[] }>(
      `/v2/crm/opportunity/log/${own.id}`,
    )
    expect(log.data.records.flatMap(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ field: 'ownerId', after: 'st-s0005' }),
    )
  })
})

describe('exports', () => {
  /** The sales lead whose department has the most of these rows: which one has any is another on other days. */
  const leadWith = async (rows: string): Promise<{ caller: Caller; staffId: string }> => {
    const [found] = await sql<{ id: string; jobNumber: string }>(
      `select s.id, s.job_number as "jobNumber" from ${rows} join sys_department d on d.id = c.owner_dept_id join sys_staff s on s.id = d.leader_id
       where c.deleted_at is null and s.position = 'salesLead' and s.status = 'active' group by 1, 2 order by count(*) desc, 1 limit 1`,
    )
    if (!found) throw new Error('No sales lead of the demo world has such rows.')
    return { caller: await test.signIn(found.jobNumber, DEMO_PASSWORD), staffId: found.id }
  }
  const lines = (text: string): string[] =>
    text
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
  it.each([
    ['shares', '/v2/crm/share', 'customerId', () => leadWith('crm_share x join crm_customer c on c.id = x.customer_id')],
    ['transfers', '/v2/crm/transfer', 'code', () => leadWith('crm_transfer c')],
    [
      'alias changes',
      '/v2/crm/aliasRecord',
      'code',
      () => leadWith('crm_alias_record x join crm_customer c on c.id = x.customer_id'),
    ],
    ['partners', '/v2/crm/partnerProfile', 'customerId', () => Promise.resolve({ caller: partnerOwner, staffId: null })],
  ])('of %s hold the rows that the list shows, in words, and are noted in the log', async (_, path, field, who) => {
    const { caller, staffId } = await who()
    const rows = await list(caller, path)
    expect(rows.length).toBeGreaterThan(0)
    const body = {
      format: 'csv',
      columns: [
        { field, title: 'First' },
        { field: 'status', title: 'State' },
      ],
    }
    const columns = path.endsWith('partnerProfile') ? body.columns.slice(0, 1) : body.columns
    const answer = await caller.raw('POST', `${path}/export`, {
      body: JSON.stringify({ ...body, columns }),
      headers: { 'content-type': 'application/json', ...EN },
    })
    const file = lines(await answer.text())
    expect(file).toHaveLength(rows.length + 1)
    expect(file[0]).toBe(columns.map(({ title }) => title).join(','))
    if (columns.length > 1) {
      // states stand in words, not as codes
      const codes = new Set(rows.map(({ status }) => String(status)))
      expect(file.slice(1).some((line) => codes.has(line.split(',')[1] ?? ''))).toBe(false)
    }
    if (field === 'code') {
      const exported = file.slice(1).map((line) => line.split(',')[0])
      expect(exported.sort()).toEqual(rows.map(({ code }) => String(code)).sort())
    }
    const [noted] = await sql<{ reason: string; staffId: string }>(
      `select reason, staff_id as "staffId" from sys_audit_log where action = 'export' order by id desc limit 1`,
    )
    expect(noted).toEqual({
      reason: `${rows.length} rows, csv`,
      staffId: staffId ?? (expect.stringMatching(/^st-/) as unknown),
    })
  })
})

describe('the page of duplicate checks', () => {
  it('stands for administrators with what was typed and met, and is closed to others', async () => {
    const [known] = await list(sales, '/v2/crm/customer', { view: 'mine' })
    const met = await sales.post('/v2/crm/customer/save', {
      ...{ name: known?.name, countryCode: known?.countryCode, customerType: 'enterprise', source: 'website' },
      ...{ partyType: 'customer', tradeType: 'direct', platform: 'main' },
    })
    expect(met.code).toBe(10030001)
    const page = await admin.get<{ page: { entity: string; columns: { value?: string }[] } }>(
      '/v2/sys/page/bundle?path=/crm/duplicate-checks',
    )
    expect(page.data.page.entity).toBe('crm.dupCheck')
    // it is written after the answer, in a transaction of its own
    const written = async () =>
      (await list(admin, '/v2/crm/dupCheck')).find(
        ({ checkedById, input }) => checkedById === 'st-s0006' && (input as { name?: string }).name === known?.name,
      )
    await expect.poll(written).toMatchObject({
      decision: 'blocked',
      hits: expect.arrayContaining([expect.objectContaining({ name: known?.name, code: known?.code })]) as unknown,
    })
    expect((await sales.get('/v2/sys/page/bundle?path=/crm/duplicate-checks')).code).toBe(10010003)
    expect((await sales.post('/v2/crm/dupCheck/queryPage', {})).code).toBe(10010003)
  })
})

describe('the churn night', () => {
  it('tells of products by their names in both languages, and its to-dos open the tab of falls', async () => {
    test.clock.forward(86_400)
    const { scheduler } = test.gateway
    await scheduler.runNow(scheduler.find('crm.churn') as JobDefinition, { dry: false, startedBy: null })
    const codes = ['sms', 'voice', 'aiVoice', 'number', 'whatsapp', 'otpSms', 'otpVoice']
    const records = await sql<{ customerId: string; product: string }>(
      `select customer_id as "customerId", product from crm_churn_record where product is not null and at > $1`,
      [new Date(test.clock.now().getTime() - 3_600_000).toISOString()],
    )
    const todos = await sql<{ zh: string; en: string; link: string; subject: string }>(
      `select title_zh as zh, title_en as en, link, subject_id as subject from sys_todo where kind in ('churn', 'churnCause') and created_at > $1`,
      [new Date(test.clock.now().getTime() - 3_600_000).toISOString()],
    )
    expect(records.length).toBeGreaterThan(0)
    expect(todos.length).toBeGreaterThan(0)
    for (const { zh, en, link, subject } of todos) {
      expect(link).toBe(`/crm/client-partner/my-client/details?id=${subject}&tab=churn`)
      const words = `${zh} ${en}`.split(/[^A-Za-z]+/)
      expect(
        codes.filter((code) => words.includes(code)),
        en,
      ).toEqual([])
    }
    const names = test.gateway.engine
    const told = records.filter(({ customerId, product }) => {
      const name = names.dictionaryLabel('product', product)
      return todos.some(({ subject, zh, en }) => subject === customerId && zh.includes(name.zh) && en.includes(name.en))
    })
    expect(told.length).toBeGreaterThan(0)
  })
})

describe('a long night', () => {
  it('says in its row how far it is while it runs, and is read so by the page of jobs', async () => {
    const [signed] = await sql<{ jobNumber: string }>(
      `select s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id join sys_role r on r.id = m.role_id where r.code = 'administrator' order by s.job_number limit 1`,
    )
    admin = await test.signIn(signed?.jobNumber ?? '', DEMO_PASSWORD)
    let finish = (): void => undefined
    let say: TellProgress = () => undefined
    const job: JobDefinition = {
      name: 'test.long',
      title: { zh: '长任务', en: 'A long job' },
      description: { zh: '长', en: 'Long' },
      schedule: { every: 'month', monthDay: 1, at: '03:00' },
      run: (_run, tell) =>
        new Promise((resolve) => {
          say = tell
          finish = () => resolve({ figures: [], columns: [], rows: [], more: 0 })
        }),
    }
    const running = test.gateway.scheduler.runNow(job, { dry: false, startedBy: null })
    const row = async (): Promise<Row | undefined> =>
      (await list(admin, '/v2/sys/jobRun', { where: [{ field: 'job', operator: 'eq', value: 'test.long' }] }))[0]
    await expect.poll(async () => (await row())?.status).toBe('running')
    const stage = { zh: '更新回收日', en: 'Renewing recycling days' }
    say({ stage, done: 0, total: 1_000_000 })
    for (let done = 1; done <= 200; done += 1) say({ stage, done: done * 5_000, total: 1_000_000 })
    await expect.poll(async () => (await row())?.progress).toEqual({ stage, done: 1_000_000, total: 1_000_000 })
    finish()
    const id = await running
    expect((await admin.get<{ status: string; progress: unknown }>(`/v2/sys/job/run/${id}`)).data).toMatchObject({
      status: 'done',
      progress: null,
    })
  })

  it('of a night of recycling counts its rows: days that are renewed, then customers that go', async () => {
    const [owned] = await sql<{ rows: number }>(
      `select count(*)::int as rows from crm_customer where holding = 'private' and deleted_at is null`,
    )
    const told = new Map<string, { done: number; total: number }>()
    const now = test.clock.now()
    for (const job of ['sys.renewal', 'sys.deadlines'])
      await test.gateway.scheduler
        .find(job)
        ?.run({ now, day: today(), dry: false, startedBy: null }, ({ stage, ...rows }) => told.set(stage.en, rows))
    expect(told.get('Customer: Recycle on')?.total).toBe(owned?.rows)
    for (const { done, total } of told.values()) expect(done).toBe(total)
  })

  it.each([
    ['crm.accountTrack', 'Writing accounts', `select count(*)::int as rows from fin_customer_account where deleted_at is null`],
    [
      'crm.commission',
      'Counting the commission of agents',
      `select count(*)::int as rows from crm_partner_profile where status = 'active' and deleted_at is null`,
    ],
  ])('of %s counts its rows, and a dry run has nothing to write', async (name, stage, count) => {
    const [{ rows } = { rows: 0 }] = await sql<{ rows: number }>(count)
    expect(rows).toBeGreaterThan(0)
    const run = async (dry: boolean) => {
      const told: { stage: string; done: number; total: number }[] = []
      await test.gateway.scheduler
        .find(name)
        ?.run({ now: test.clock.now(), day: today(), dry, startedBy: null }, (word) =>
          told.push({ ...word, stage: word.stage.en }),
        )
      return told
    }
    expect(await run(true)).toEqual([])
    const told = await run(false)
    expect([told[0], told.at(-1)]).toEqual([
      { stage, done: 0, total: rows },
      { stage, done: rows, total: rows },
    ])
  })
})

/** The plans of the statement that moves the follow-ups of a lead, in the transactions from now on. */
function explainMoves(): string[] {
  const plans: string[] = []
  const { database } = test.gateway
  const transaction = database.transaction.bind(database)
  const dialect = new PgDialect()
  const isMove = (statement: string | SQL): boolean =>
    (typeof statement === 'string' ? statement : dialect.sqlToQuery(statement).sql).startsWith(
      'update crm_follow_up set customer_id',
    )
  const explained = (tx: Transaction): Transaction =>
    new Proxy(tx, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        const call = member.bind(target) as (...given: unknown[]) => unknown
        if (name !== 'query') return call
        return async (statement: SQL, ...values: unknown[]) => {
          if (isMove(statement)) {
            // a small table is read whole whatever indexes there are: the question is whether one can be used
            await target.query(`set local enable_seqscan = off`)
            const { rows } = await target.query<{ 'QUERY PLAN': string }>(sqlOf`explain ${statement}`)
            await target.query(`set local enable_seqscan = on`)
            plans.push(rows.map((line) => line['QUERY PLAN']).join('\n'))
          }
          return call(statement, ...values)
        }
      },
    })
  vi.spyOn(database, 'transaction').mockImplementation((work, options) => transaction((tx) => work(explained(tx)), options))
  return plans
}

describe('a lead that is converted', () => {
  it('takes its follow-ups along by their index, not by reading all of them', async () => {
    const caller = await test.signIn(SALES, DEMO_PASSWORD)
    const clue = newId()
    const at = test.clock.now().toISOString()
    await test.gateway.engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      const more = {
        contactName: '何青',
        email: 'he@lead-plan.example',
        countryCode: 'CN',
        source: 'website',
        status: 'following',
      }
      await entities.insertMany('csc.clue', [
        { id: clue, code: 'CTPLAN1', ...more, ownerId: 'st-s0006', ownerDeptId: 'dp-s-cn1', ownedAt: at },
      ])
      const followUp = (id: string, clueId: string) => ({
        id,
        clueId,
        way: 'phone',
        content: '沟通需求与预算范围',
        result: 'interested',
      })
      await entities.insertMany('crm.followUp', [followUp(`${clue}-f`, clue)])
    })
    const plans = explainMoves()
    const answer = await caller.post('/v2/csc/clue/stateUpdate', {
      ids: [clue],
      transition: 'convert',
      values: { customerName: `青禾线索公司 ${clue.slice(-6)}`, customerType: 'enterprise', tradeType: 'direct' },
    })
    vi.restoreAllMocks()
    expect([answer.code, answer.msg]).toEqual([0, expect.anything()])
    const [moved] = await sql<{ customerId: string | null }>(
      `select customer_id as "customerId" from crm_follow_up where id = $1`,
      [`${clue}-f`],
    )
    expect(moved?.customerId).toBeTruthy()
    expect(plans).toHaveLength(1)
    expect(plans[0]).toContain('crm_follow_up_clue_id_idx')
    expect(plans[0]).not.toContain('Seq Scan')
  })
})

describe('a follow-up', () => {
  it('says with its row what it would refuse, and refuses just that', async () => {
    // the clock has moved past the life of the first token
    const author = await test.signIn(SALES, DEMO_PASSWORD)
    const [customer] = await list(author, '/v2/crm/customer', { view: 'mine' })
    const path = '/v2/crm/followUp'
    const saved = await author.post<{ id: string }>(`${path}/save`, {
      customerId: customer?.id,
      way: 'phone',
      content: '沟通了下季度的发送计划与预算',
      result: 'interested',
    })
    expect([saved.code, saved.msg]).toEqual([0, expect.anything()])
    const { id } = saved.data
    const read = async (): Promise<Row | undefined> => (await list(author, path, { ids: [id] }))[0]
    expect(await read()).not.toHaveProperty('$refused')
    await sql(`update crm_follow_up set created_at = created_at - interval '2 hours' where id = $1`, [id])
    const refused = { delete: '跟进只有作者在一小时内可以删除。' }
    expect((await read())?.$refused).toEqual(refused)
    expect(await author.get(`${path}/delete/${id}`)).toMatchObject({ code: 10010007, msg: refused.delete })
    await sql(`update crm_follow_up set created_at = created_at - interval '1 day' where id = $1`, [id])
    expect((await read())?.$refused).toEqual({ ...refused, edit: '跟进只有作者在24小时内可以修改。' })
    expect((await author.post(`${path}/save`, { id, result: 'noAnswer' })).msg).toBe('跟进只有作者在24小时内可以修改。')
  })
})
