import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEMO_PASSWORD } from '../../../../gateway/world'
import { addDays, dayOf, instantAt } from '../../../../gateway/platform/calendar'
import { Scheduler } from '../../../../gateway/platform/jobs'
import { Queue } from '../../../../gateway/platform/queue'
import { levelJob } from '../../../../gateway/modules/crm/jobs/level/job'
import { startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'

interface Run {
  id: string
  status: string
  dry: boolean
  error: string | null
  report: { figures: { id: string; value: number }[]; rows: Record<string, unknown>[] }
}

const ZONE = 'Asia/Shanghai'
let test: TestGateway
let admin: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  admin = await signInAsAdmin()
})
afterAll(() => test.close())

const signInAsAdmin = async (): Promise<Caller> => {
  const { rows } = await test.gateway.database.query<{ jobNumber: string }>(
    `select s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id join sys_role r on r.id = m.role_id
     where r.code = 'administrator' order by s.job_number limit 1`,
  )
  return test.signIn(rows[0]?.jobNumber ?? '', DEMO_PASSWORD)
}
/** Turns the clock to that time of the day, so many days ahead: what a job finds depends on the hour of the company's day. */
const turnTo = (days: number, time: string): void => {
  const now = test.clock.now()
  const then = instantAt(addDays(dayOf(now, ZONE), days), time, ZONE)
  test.clock.forward((then.getTime() - now.getTime()) / 1000)
}
const run = async (job: string, body: object): Promise<Run> => {
  const { code, msg, data } = await admin.post<Run>('/v2/sys/job/run', { job, ...body })
  if (code !== 0) throw new Error(msg)
  return data
}
const figure = (report: Run['report'], id: string): number => report.figures.find((one) => one.id === id)?.value ?? -1
const count = async (sql: string): Promise<number> =>
  Number((await test.gateway.database.query<{ n: number }>(`select count(*) as n from (${sql}) as found`)).rows[0]?.n ?? -1)
const broken = {
  ownersInSea: `select 1 from crm_customer where (holding = 'sea') <> (owner_id is null) and holding <> 'frozen' and deleted_at is null`,
  openStays: `select customer_id from crm_sea_record where left_at is null and deleted_at is null group by customer_id having count(*) > 1`,
}

describe('the nightly recycling', () => {
  const TAKEN = 'crm.customer.recycle'
  /** Rows of customers: suppliers are recycled to an open sea of their own under the same words. */
  const takenIn = ({ report }: Run, customers: ReadonlyMap<string, string>): Record<string, unknown>[] =>
    report.rows.filter(
      ({ id, deadline }) => customers.has(String(id)) && (deadline as { en: string }).en === 'Recycling to the open sea',
    )

  it('takes nobody from the demo world on its own day, neither dry nor for real', async () => {
    const dry = await run('sys.deadlines', { dry: true })
    expect(dry).toMatchObject({ status: 'done', dry: true })
    expect(figure(dry.report, TAKEN)).toBe(-1)
    const real = await run('sys.deadlines', { dry: false })
    expect(figure(real.report, TAKEN)).toBe(-1)
  })

  it('previews another day, then with the clock moved takes the same customers, oldest deadline first, and tells the owners', async () => {
    const { database } = test.gateway
    // the night of that day is over: whoever is reminded now has at least a day left
    turnTo(12, '12:00')
    const since = test.clock.now().toISOString()
    admin = await signInAsAdmin()
    await run('sys.renewal', { dry: false })
    const before = await count(`select 1 from crm_sea_record where left_at is null`)
    const dry = await run('sys.deadlines', { dry: true })
    expect(figure(dry.report, TAKEN)).toBeGreaterThan(0)
    expect(await count(`select 1 from crm_sea_record where left_at is null`)).toBe(before)
    const days = new Map(
      (
        await database.query<{ id: string; on: string }>(
          `select id, recycle_on::text as on from crm_customer where recycle_on is not null`,
        )
      ).rows.map(({ id, on }) => [id, on]),
    )
    const previewed = takenIn(dry, days).map(({ id }) => String(id))
    expect(previewed.map((id) => days.get(id))).toEqual(previewed.map((id) => days.get(id)).sort())

    const real = await run('sys.deadlines', { dry: false })
    expect([real.status, real.error]).toEqual(['done', null])
    const taken = takenIn(real, days).filter(({ status }) => (status as { en: string }).en !== 'Reminded')
    expect(takenIn(real, days).map(({ id }) => id)).toEqual(previewed)
    expect(figure(real.report, TAKEN)).toBe(taken.length)
    // each says why it went
    expect(new Set(taken.map(({ error }) => (error as { en: string } | null)?.en))).not.toContain(undefined)
    const ids = taken.map((row) => `'${String(row.id)}'`).join(',')
    expect(await count(`select 1 from crm_sea_record where left_at is null`)).toBe(before + taken.length)
    expect(
      await count(
        `select 1 from crm_customer where id in (${ids}) and holding = 'sea' and owner_id is null and recycle_on is null and sea_reason is not null`,
      ),
    ).toBe(taken.length)
    expect(await count(`select 1 from crm_owner_log where action = 'recycle' and customer_id in (${ids}) and at > now()`)).toBe(
      taken.length,
    )
    expect(await count(`select 1 from sys_todo where kind = 'recycled' and subject_id in (${ids})`)).toBe(taken.length)
    expect(await count(`select 1 from crm_share where customer_id in (${ids}) and status in ('pending', 'accepted')`)).toBe(0)
    expect(
      await count(
        `select 1 from crm_sea_record where customer_id in (${ids}) and left_at is null and due_on is not null and rule_version is not null and reason_note is null
           and claimable_from > now() and held_days > 0`,
      ),
    ).toBe(taken.length)
    expect(await count(broken.ownersInSea)).toBe(0)
    expect(await count(broken.openStays)).toBe(0)

    const again = await run('sys.deadlines', { dry: false })
    expect(figure(again.report, TAKEN)).toBe(-1)
    const { rows } = await database.query<{ days: number }>(
      `select distinct (split_part(unique_key, '/', 4))::int as days from sys_todo where kind = 'recycleSoon' and unique_key like 'recycleSoon/%/%/%/%' and created_at >= $1 order by 1`,
      [since],
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ days: left }) => Number(left) >= 1 && Number(left) <= 7)).toBe(true)
    expect(figure(again.report, `${TAKEN}.remind`)).toBe(-1)
  })

  it('says "today" to whoever hears in the night itself, before two o’clock', async () => {
    const { database } = test.gateway
    turnTo(1, '01:00')
    admin = await signInAsAdmin()
    const { rows } = await database.query<{ id: string; on: string }>(
      `update crm_customer set recycle_on = $1 where id = (select id from crm_customer where holding = 'private' and owner_id is not null
         and deleted_at is null and recycle_on > $1 order by recycle_on desc, id limit 1) returning id, recycle_on::text as on`,
      [dayOf(test.clock.now(), ZONE)],
    )
    const [{ id, on } = { id: '', on: '' }] = rows
    expect(figure((await run('sys.deadlines', { dry: false })).report, `${TAKEN}.remind`)).toBeGreaterThan(0)
    const { rows: told } = await database.query<{ zh: string; en: string }>(
      `select title_zh as zh, title_en as en from sys_todo where kind = 'recycleSoon' and subject_id = $1 and unique_key like '%/0/' || $2::text`,
      [id, on],
    )
    expect(told).toEqual([
      {
        zh: expect.stringContaining(`将于今天（${on}）回收到公海`),
        en: expect.stringContaining(`goes to the open sea today (${on})`),
      },
    ])
  })

  it('shows runs only to whoever holds the key', async () => {
    const sales = await test.signIn('S0006', DEMO_PASSWORD)
    expect((await sales.post('/v2/sys/job/run', { job: 'crm.churn', dry: true })).code).toBe(10010003)
    expect((await sales.get('/v2/sys/job/list')).code).toBe(10010003)
    expect((await admin.post('/v2/sys/job/run', { job: 'crm.churn', dry: false, day: '2027-01-01' })).code).toBe(10010001)
    const { data } = await admin.get<{ name: string; nextAt: string }[]>('/v2/sys/job/list')
    const nights = [
      'crm.campaignDelivered',
      'crm.churn',
      'crm.commission',
      'crm.level',
      'crm.accountTrack',
      'sys.renewal',
      'sys.recordDays',
      'sys.deadlines',
      'sys.reports',
    ]
    expect(data.map(({ name }) => name).filter((name) => /^(crm|sys)\./.test(name))).toEqual(nights)
  })
})

describe('the scheduler', () => {
  it('runs a missed night once, also when two gateways look at the same time', async () => {
    const { scheduler, database } = test.gateway
    await Promise.all([scheduler.runDue(), scheduler.runDue()])
    const runs = await count(`select 1 from sys_job_run where job = 'crm.churn' and not dry`)
    test.clock.forward(2 * 86_400)
    expect(await scheduler.runDue()).toContain('crm.churn')
    expect(await scheduler.runDue()).toEqual([])
    expect(await count(`select 1 from sys_job_run where job = 'crm.churn' and not dry`)).toBe(runs + 1)
    const { rows } = await database.query<{ slot: string }>(`select slot from sys_job_run where slot like 'crm.churn/%'`)
    expect(new Set(rows.map(({ slot }) => slot)).size).toBe(rows.length)
  })

  it('names all that it ran on demand, also when it looks at the clock by itself in the meantime', async () => {
    let now = new Date('2031-03-03T12:00:00Z')
    const { database } = test.gateway
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
    const queue = new Queue({ database, logger, now: () => now, schema: 'pgboss_tried' })
    const scheduler = new Scheduler({ database, queue, timeZone: ZONE, now: () => now, logger })
    const words = { title: { zh: '试', en: 'Try' }, description: { zh: '试', en: 'Try' } }
    const run = () => Promise.resolve({ figures: [], columns: [], rows: [], more: 0 })
    scheduler.register({ ...words, name: 'test.night', schedule: { every: 'day', at: '02:00' }, run })
    scheduler.register({
      ...words,
      name: 'test.soon',
      schedule: { every: 'seconds', seconds: 1 },
      waiting: async () => {
        await test.gateway.database.query('select 1')
        await scheduler.start()
        return true
      },
      run,
    })
    await queue.open()
    await scheduler.prepare()
    now = new Date('2031-03-04T12:00:00Z')
    expect(await scheduler.runDue()).toEqual(['test.soon', 'test.night'])
    await queue.stop()
  })

  it('runs a night once that two gateways have waited for, one that all of them missed, and one whose gateway died', async () => {
    const { database } = test.gateway
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }
    const name = 'test.shared'
    const ran: string[] = []
    let fails = false
    const open = async (gateway: string, now: string) => {
      const queue = new Queue({ database, logger, now: () => new Date(now), schema: 'pgboss_two' })
      const scheduler = new Scheduler({ database, queue, timeZone: ZONE, now: () => new Date(now), logger })
      scheduler.register({
        name,
        ...{ title: { zh: '试', en: 'Try' }, description: { zh: '试', en: 'Try' }, schedule: { every: 'day', at: '02:00' } },
        run: ({ day }) => {
          ran.push(`${gateway} ${day}`)
          if (fails) return Promise.reject(new Error('no'))
          return Promise.resolve({ figures: [], columns: [], rows: [], more: 0 })
        },
      })
      await queue.open()
      await scheduler.prepare()
      return { queue, scheduler }
    }
    const waits = (what: string, values = '') =>
      database.query(`update pgboss_two.job set ${what} where singleton_key = '${name}' and state < 'completed' ${values}`)
    const first = await open('one', '2032-03-03T12:00:00Z')
    // both were down for three nights; the database's clock has come to the first of them
    await first.queue.stop()
    await waits(`start_after = now() - interval '1 minute'`)
    const now = '2032-03-06T12:00:00Z'
    const both = [await open('one', now), await open('one', now)]
    await Promise.all(both.map(({ scheduler }) => scheduler.start()))
    await expect.poll(() => ran, { timeout: 10_000 }).toEqual(['one 2032-03-06'])
    await Promise.all(both.map(({ queue }) => queue.stop()))

    // a gateway took the next night and died of it
    await waits(`state = 'active', start_after = now(), started_on = now() - interval '1 hour'`)
    await database.query(
      `insert into sys_job_run (id, job, for_day, status, dry, started_at, slot, created_at, updated_at, version)
       values ('dead', $1, '2032-03-07', 'running', false, now(), 'x', now(), now() - interval '3 minutes', 1)`,
      [name],
    )
    const after = await open('two', '2032-03-07T12:00:00Z')
    await after.scheduler.start()
    await after.queue.stop()
    await waits(`state = 'retry', start_after = now() - interval '1 second'`)
    fails = true
    expect(await (await open('two', '2032-03-07T12:00:00Z')).scheduler.runDue()).toEqual([])
    fails = false
    expect(await (await open('two', '2032-03-07T12:29:59Z')).scheduler.runDue()).toEqual([])
    expect(await (await open('two', '2032-03-07T12:30:00Z')).scheduler.runDue()).toEqual([name])
    expect(ran.slice(1)).toEqual(['two 2032-03-07', 'two 2032-03-07'])
    const { rows } = await database.query(`select status, error from sys_job_run where job = $1 order by created_at, id`, [name])
    expect(rows.map(({ status }) => status).sort()).toEqual(['done', 'done', 'failed', 'failed'])
  })

  it('ends what ran out when the clock moves past it, writes such a run down only when something waited, and shows it dry first', async () => {
    const { database, scheduler } = test.gateway
    admin = await signInAsAdmin()
    const { rows } = await database.query<{ id: string; code: string }>(
      `update crm_blacklist set expires_at = $1 where id = (select id from crm_blacklist where status = 'active' and deleted_at is null limit 1) returning id, code`,
      [new Date(test.clock.now().getTime() + 3_600_000).toISOString()],
    )
    const entry = rows[0] ?? { id: '', code: '' }
    const status = async () =>
      (await database.query<{ status: string }>(`select status from crm_blacklist where id = $1`, [entry.id])).rows[0]?.status
    const runs = () => count(`select 1 from sys_job_run where job = 'sys.deadlines'`)
    // the night that was caught up may have renewed days of which somebody is reminded now, and of the demo world something may fall due
    let before: number
    let ran: readonly string[]
    let looks = 0
    do {
      before = await runs()
      test.clock.forward(120)
      ran = await scheduler.runDue()
      expect(await runs()).toBe(ran.includes('sys.deadlines') ? before + 1 : before)
      looks += 1
    } while (ran.includes('sys.deadlines') && looks < 10)
    expect(ran).not.toContain('sys.deadlines')
    const tomorrow = addDays(dayOf(test.clock.now(), ZONE), 1)
    const dry = await run('sys.deadlines', { dry: true, day: tomorrow })
    expect(dry.report.rows).toContainEqual({
      id: entry.id,
      deadline: { zh: '黑名单到期', en: 'Blacklist entries that run out' },
      code: entry.code,
      status: test.gateway.engine.dictionaryLabel('blackStatus', 'expired'),
      error: null,
    })
    expect(await status()).toBe('active')
    test.clock.forward(7_200)
    expect(await scheduler.runDue()).toContain('sys.deadlines')
    expect(await status()).toBe('expired')
    expect(await runs()).toBe(before + 2)
  })

  it('moves the clock in the environment test and runs what becomes due; the portal reads it from the answers', async () => {
    admin = await signInAsAdmin()
    const { data } = await admin.post<{ ran: string[] }>('/v2/sys/clock', { shiftSeconds: 3 * 86_400 })
    expect(data.ran).toEqual(expect.arrayContaining(['sys.renewal', 'crm.churn']))
    const date = (await fetch(`${test.base}/v2/sys/page/routes`)).headers.get('date') ?? ''
    expect(Math.abs(Date.parse(date) - test.gateway.clock.now().getTime())).toBeLessThan(60_000)
    admin = await signInAsAdmin()
    const goOn = async () => (await admin.post<{ ran: string[] }>('/v2/sys/clock', { shiftSeconds: 0 })).data.ran
    // what one job did may let a deadline fall due; then all is at rest
    expect(['', 'sys.deadlines']).toContain((await goOn()).join())
    expect(await goOn()).toEqual([])
  })
})

describe('rule settings', () => {
  interface Rule {
    params: Record<string, unknown>
    newest: number
    versions: { versionNo: number; state: string; params: Record<string, unknown>; diff: { path: string }[] }[]
    overrides: { id: string; target: string }[]
  }
  const read = async (key: string): Promise<Rule> => (await admin.get<Rule>(`/v2/sys/rule/read/${key}`)).data

  it('previews what a rule would do, saves a version with its reason, refuses an outdated form, and goes back', async () => {
    const before = await read('crm.sea')
    const params = { ...before.params, noFollowDays: { ...(before.params.noFollowDays as object), testing: 5, quoted: 5 } }
    const preview = await admin.post<{ diff: { path: string }[]; effect: Run['report'] }>('/v2/sys/rule/preview/crm.sea', params)
    expect(preview.data.diff.map(({ path }) => path)).toEqual(['noFollowDays.testing', 'noFollowDays.quoted'])
    expect(figure(preview.data.effect, 'fresh')).toBeGreaterThan(0)
    expect((await read('crm.sea')).newest).toBe(before.newest)

    const body = { params, reason: '试行五天', basedOn: before.newest }
    expect((await admin.post('/v2/sys/rule/save/crm.sea', { ...body, params: { ...params, maxPerNight: -1 } })).code).toBe(
      10010005,
    )
    // three days' notice: nobody goes tonight because of the change
    const notice = addDays(dayOf(test.clock.now(), ZONE), 3)
    const nearer = () => count(`select 1 from crm_customer where holding = 'private' and recycle_on < '${notice}'`)
    const near = await nearer()
    const atNotice = await count(`select 1 from crm_customer where recycle_on = '${notice}'`)
    expect((await admin.post<{ versionNo: number }>('/v2/sys/rule/save/crm.sea', body)).data.versionNo).toBe(before.newest + 1)
    expect((await admin.post('/v2/sys/rule/save/crm.sea', body)).code).toBe(10010006)
    expect(await count(`select 1 from crm_customer where recycle_on = '${notice}'`)).toBeGreaterThan(atNotice)
    expect(await nearer()).toBe(near)

    const changed = await read('crm.sea')
    expect(changed.versions[0]).toMatchObject({ versionNo: before.newest + 1, state: 'current' })
    const back = { params: before.params, reason: '恢复', basedOn: changed.newest }
    expect((await admin.post('/v2/sys/rule/save/crm.sea', back)).code).toBe(0)
    expect((await read('crm.sea')).params).toEqual(before.params)
  })

  it('keeps an exception for one person and ends it', async () => {
    const { rows } = await test.gateway.database.query<{ id: string }>(`select id from sys_staff where job_number = 'S0006'`)
    const { params } = await read('crm.claim')
    const body = { targetType: 'staff', targetId: rows[0]?.id, reason: '展会', params: { ...params, dailyClaims: 33 } }
    const saved = await admin.post<{ params: object }>('/v2/sys/rule/override/crm.claim', body)
    expect(saved.data.params).toEqual({ dailyClaims: 33 })
    const limit = async (): Promise<number> => {
      const sales = await test.signIn('S0006', DEMO_PASSWORD)
      return (await sales.get<{ daily: { limit: number } }>('/v2/crm/customer/claimQuota')).data.daily.limit
    }
    expect(await limit()).toBe(33)
    const mine = (await read('crm.claim')).overrides.find(({ target }) => target.includes('S0006'))
    expect((await admin.post('/v2/sys/rule/endOverride/crm.claim', { id: mine?.id })).code).toBe(0)
    expect(await limit()).toBe(10)
  })

  it('tries the worked examples of the duplicate check on the test of the rule', async () => {
    const tried = async (nameA: string, countryA: string, nameB: string, countryB: string) => {
      const { data } = await admin.post<{ tone: string; lines: { label: { en: string }; value: string }[] }>(
        '/v2/sys/rule/test/crm.duplicate',
        { nameA, countryA, nameB, countryB },
      )
      const line = (label: string): string => data.lines.find((one) => one.label.en === label)?.value ?? ''
      return [line('Key of the first name'), line('Core of the first name'), line('Similarity'), data.tone]
    }
    expect(await tried('深圳市星河通信科技有限公司', 'CN', '星河（香港）通讯有限公司', 'HK')).toMatchObject([
      '深圳市星河通信科技',
      '星河',
      expect.any(String),
      'warning',
    ])
    expect(await tried('深圳市星和通信科技有限公司', 'CN', '深圳市星河通信科技有限公司', 'CN')).toEqual([
      '深圳市星和通信科技',
      '星和',
      '0.7500',
      'success',
    ])
    expect(await tried('Acme Télécom S.A.R.L.', 'FR', 'ACME TELECOM SARL', 'FR')).toEqual([
      'acmetelecom',
      'acme',
      '1.0000',
      'error',
    ])
    expect(await tried('Acme Telecoms Ltd', 'FR', 'Acme Télécom', 'FR')).toEqual([
      'acmetelecoms',
      'acmetelecoms',
      '0.9524',
      'warning',
    ])
    expect((await tried(`O'Neil & Sons "Fast" SMS Ltd`, 'GB', 'Other', 'GB'))[0]).toBe('oneilandsonsfastsms')
  })

  it('names people in its preview in the language of the reader', async () => {
    const { data } = await admin.post<{ effect: { rows: { staff: { zh: string; en: string } }[] } }>(
      '/v2/sys/rule/preview/crm.retention',
      (await admin.get<{ params: object }>('/v2/sys/rule/read/crm.retention')).data.params,
    )
    const { rows } = await test.gateway.database.query<{ zh: string; en: string }>(
      `select name || ' (' || job_number || ')' as zh, name_en || ' (' || job_number || ')' as en from sys_staff where name_en <> ''`,
    )
    expect(rows).toContainEqual(data.effect.rows[0]?.staff)
  })

  it('is closed to whoever does not hold the key', async () => {
    const sales = await test.signIn('S0006', DEMO_PASSWORD)
    expect((await sales.get('/v2/sys/rule/read/crm.sea')).code).toBe(10010003)
    expect((await sales.post('/v2/sys/rule/save/crm.sea', { params: {}, reason: 'no', basedOn: 0 })).code).toBe(10010003)
  })
})

describe('the commission of agents', () => {
  const rows = async (sql: string): Promise<Record<string, string>[]> =>
    (await test.gateway.database.query<Record<string, string>>(sql)).rows

  /** An agent whose agreement runs brings in, too, whoever has figures of the running month or the one before and no agent. */
  const bindToAgent = async (month: string): Promise<void> => {
    const [agent] = await rows(
      `update crm_partner_profile set agreement_from = null, agreement_to = null where id = (
         select id from crm_partner_profile where status = 'active' and deleted_at is null and commission_rate is not null
           and commission_mode in ('revenueShare', 'profitShare') order by id limit 1) returning customer_id as id`,
    )
    await test.gateway.database.query(
      `update crm_customer set agent_id = $1 where agent_id is null and deleted_at is null and id <> $1 and id in (
         select customer_id from fin_customer_month where month >= $2::date - interval '1 month' and revenue > 0 and deleted_at is null)`,
      [agent?.id, month],
    )
  }

  it('is the share of the agreement in what each customer brought in a month, and locked when the month is over', async () => {
    const month = `${dayOf(test.clock.now(), ZONE).slice(0, 8)}01`
    await bindToAgent(month)
    await run('crm.commission', { dry: false })
    const counted = await rows(
      `select k.status, k.month::text, k.earned::text,
         round(case p.commission_mode when 'revenueShare' then m.revenue else greatest(m.profit, 0) end * p.commission_rate / 100, 2)::text as expected
       from biz_commission k join crm_partner_profile p on p.customer_id = k.party_id
       join fin_customer_month m on m.customer_id = k.customer_id and m.month = k.month and m.product = k.product`,
    )
    expect(counted.length).toBeGreaterThan(10)
    for (const row of counted) {
      expect(row.earned).toBe(row.expected)
      expect(row.status === 'earning', row.month).toBe(String(row.month) >= month)
    }
  })

  it('is counted again as long as the month runs, and never again once it is locked', async () => {
    const read = () =>
      rows(`select id, month::text, earned::text, status from biz_commission where party_kind = 'agent' order by id`)
    await run('crm.commission', { dry: false })
    const before = await read()
    await test.gateway.database.query(
      `update crm_partner_profile set commission_rate = commission_rate + 50 where commission_rate is not null`,
    )
    const dry = await run('crm.commission', { dry: true })
    expect(await read()).toEqual(before)
    const real = await run('crm.commission', { dry: false })
    expect(figure(real.report, 'earning')).toBe(figure(dry.report, 'earning'))
    const after = new Map((await read()).map((row) => [row.id, row]))
    for (const row of before) {
      if (row.status === 'earning' && Number(row.earned) > 0)
        expect(Number(after.get(row.id)?.earned)).toBeGreaterThan(Number(row.earned))
      else expect(after.get(row.id)).toEqual(row)
    }
    await test.gateway.database.query(
      `update crm_partner_profile set commission_rate = commission_rate - 50 where commission_rate is not null`,
    )
  })
})

describe('levels and churn', () => {
  // the test of the clock has run the jobs three days ahead; what they wrote is past now
  beforeAll(async () => {
    test.clock.forward(4 * 86_400)
    admin = await signInAsAdmin()
  })

  it('computes the same levels in batches of a few customers as all at once, and holds no more than a batch', async () => {
    const { database, engine } = test.gateway
    // some that rise and some that fall
    await database.query(
      `update crm_customer set level = case level when 'd' then 'c' else 'd' end where level in ('b', 'c', 'd') and id like '%3'`,
    )
    const now = test.clock.now()
    const run = { now, day: dayOf(now, ZONE), startedBy: null }
    const parts = { engine, database, timeZone: ZONE }
    const whole = await levelJob(parts, 100_000).run({ ...run, dry: true }, () => undefined)
    expect(whole.figures.find(({ id }) => id === 'up')?.value).toBeGreaterThan(0)
    const logs = `select 1 from crm_level_log where at = '${now.toISOString()}'`
    const read = vi.spyOn(database, 'query')
    const dry = await levelJob(parts, 7).run({ ...run, dry: true }, () => undefined)
    const answers = read.mock.calls.map(([text], index) => ({
      text: String(text),
      answer: read.mock.results[index]?.value as Promise<{ rows: unknown[] }>,
    }))
    read.mockRestore()
    const batches = await Promise.all(
      answers.filter(({ text }) => text.includes('from crm_customer c')).map(async ({ answer }) => (await answer).rows.length),
    )
    expect(Math.max(...batches)).toBe(7)
    expect(dry).toEqual(whole)
    expect(await count(logs)).toBe(0)
    const told: { done: number; total: number }[] = []
    const real = await levelJob(parts, 7).run({ ...run, dry: false }, (progress) => told.push(progress))
    expect(real).toEqual(whole)
    const computed = real.figures.find(({ id }) => id === 'computed')?.value
    expect(await count(logs)).toBe(computed)
    expect(told.at(-1)).toMatchObject({ done: computed, total: computed })
    const again = await levelJob(parts, 7).run({ ...run, dry: true }, () => undefined)
    expect(again.rows).toEqual([])
    expect(
      await count(
        `select 1 from crm_level_log l join crm_customer c on c.id = l.customer_id where l.at = '${now.toISOString()}' and c.level <> l.to_level`,
      ),
    ).toBe(0)
    await database.query(`delete from crm_level_log where at = '${now.toISOString()}'`)
  })

  it('computes levels dry without writing, then for real with a log of the inputs', async () => {
    const logs = await count(`select 1 from crm_level_log`)
    const dry = await run('crm.level', { dry: true })
    expect(await count(`select 1 from crm_level_log`)).toBe(logs)
    const real = await run('crm.level', { dry: false })
    expect(figure(real.report, 'computed')).toBe(figure(dry.report, 'computed'))
    expect(await count(`select 1 from crm_level_log`)).toBe(logs + figure(real.report, 'computed'))
  })

  it('tells each step of a falling customer once', async () => {
    // behind the days to which the test of the clock went and came back: a step that was told then is no later one
    test.clock.forward(4 * 86_400)
    admin = await signInAsAdmin()
    const first = await run('crm.churn', { dry: false })
    expect(first.error).toBeNull()
    const again = await run('crm.churn', { dry: false })
    expect(again.report.rows).toEqual([])
    expect(figure(again.report, 'stages')).toBe(0)
  })

  it('tells in the history of a warning that it is over', async () => {
    const { database } = test.gateway
    const { rows } = await database.query<{ id: string }>(
      `select id from crm_customer where deleted_at is null and first_deal_at is not null and owner_id is not null order by id limit 1`,
    )
    const grows = [rows[0]?.id, test.clock.now().toISOString()]
    await database.query(`update crm_customer set stage = 'dealt', last_traffic_at = $2 where id = $1`, grows)
    for (const table of ['crm_churn_record', 'fin_customer_month'])
      await database.query(`delete from ${table} where customer_id = $1`, [grows[0]])
    await database.query(
      `insert into fin_customer_month (id, created_at, updated_at, version, customer_id, month, product, revenue, profit, messages, overdue_days)
       select 'grows-' || back, now(), now(), 1, $1, date_trunc('month', $2::timestamptz at time zone 'Asia/Shanghai') - back * interval '1 month', 'sms', 1000, 1, 10, 0
       from generate_series(0, 6) back`,
      grows,
    )
    await database.query(
      `insert into crm_churn_record (id, created_at, updated_at, version, customer_id, product, kind, at, baseline, last30, drop_pct)
       select 'over-' || coalesce(product, ''), now(), now(), 1, $1, product, 'warning', $2::timestamptz - interval '40 days', 1, 1, 0 from unnest(array['sms', null]) product`,
      grows,
    )
    const { report, error } = await run('crm.churn', { dry: false })
    expect(error).toBeNull()
    const over = `select id, version from crm_churn_record where id like 'over-%' and recovered_at is not null`
    expect(figure(report, 'recovered')).toBeGreaterThan(0)
    expect(await count(over)).toBe(figure(report, 'recovered'))
    expect(
      await count(
        `select 1 from (${over}) o join sys_audit_log l on l.entity = 'crm.churnRecord' and l.record_id = o.id and l.record_version = o.version
         where l.reason = 'crm.churn' and l.changes @> '[{"field":"recoveredAt"}]'`,
      ),
    ).toBe(figure(report, 'recovered'))
  })
})
