import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measure, type Configured } from '../../../../../gateway/modules/ew/measure'
import { SOURCES } from '../../../../../gateway/modules/ew/sources'
import { systemContext } from '../../../../../gateway/platform/http'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

/** Early warning and release notices in a demo company: from records to samples, alarms, messages and back. */

const PAGES = ['basiclibrary', 'configlibrary', 'monitoring', 'alrmrules', 'alarmdata'].map((page) => `heavenlyWarning:${page}`)
let test: TestGateway
let keeper: Caller
let reader: Caller

beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  await test.addStaff({
    id: 'ew-keeper',
    jobNumber: 'T0901',
    name: '周预警',
    menus: PAGES,
    keys: ['ew:rule:edit', 'ew:alarm:ack', 'sys:notice:manage'],
  })
  await test.addStaff({
    id: 'ew-reader',
    jobNumber: 'T0902',
    name: '李读者',
    menus: ['message:notification', 'message:publicnotice:timeaxis'],
  })
  keeper = await test.signIn('T0901')
  reader = await test.signIn('T0902')
})
afterAll(() => test.close())

type Row = Record<string, unknown> & { id: string }
const sql = async (text: string, values: readonly unknown[] = []): Promise<Row[]> =>
  (await test.gateway.database.query<Row>(text, values)).rows
const run = async (job: string): Promise<void> => {
  const { scheduler } = test.gateway
  await scheduler.runNow(scheduler.find(job)!, { dry: false, startedBy: null })
}
const saved = async (path: string, body: object): Promise<string> => {
  const answer = await keeper.post<{ id: string }>(path, body)
  expect([answer.code, answer.msg, answer.data]).toEqual([0, expect.anything(), expect.anything()])
  return answer.data.id
}
const move = async (caller: Caller, path: string, id: string, transition: string, values: object = {}): Promise<number> => {
  const { code } = await caller.post(`${path}/stateUpdate`, { ids: [id], transition, values })
  return code
}
const total = async (caller: Caller, path: string) => {
  const { code, data } = await caller.post<{ total: number } | null>(`${path}/queryPage`, {})
  return code === 0 ? (data?.total ?? 0) : code
}

describe('indicators', () => {
  /** What each indicator rests on when it is not told apart. */
  const rested = new Map<string, number>()

  it.each(Object.entries(SOURCES))('%s is measured as a whole and by each of its dimensions', async (code, source) => {
    const { engine } = test.gateway
    const measured = (groupBy: readonly string[]) => {
      const common = { id: 'x', code, name: code, window: '7d', every: '1h', compare: 'none', minSamples: 0 }
      const config: Configured = { ...common, groupBy }
      return measure(engine, config, test.clock.now(), 'Asia/Shanghai')
    }
    const whole = await measured([])
    expect(whole.length).toBeLessThanOrEqual(1)
    for (const { dims, value } of whole) expect([dims, Number.isFinite(value)]).toEqual([{}, true])
    rested.set(code, whole[0]?.samples ?? 0)
    for (const name of Object.keys(source.dimensions)) {
      const series = await measured([name])
      for (const { dims, value } of series) expect([Object.keys(dims), Number.isFinite(value)], name).toEqual([[name], true])
      expect(new Set(series.map(({ dims }) => dims[name])).size, name).toBe(series.length)
      const parts = series.reduce((sum, { samples }) => sum + samples, 0)
      // rows that name nobody are in the whole alone
      if (whole[0]) expect(parts, name).toBeLessThanOrEqual(whole[0].samples)
    }
  })

  it('rest on records in the demo company, most of them', () => {
    const empty = [...rested].flatMap(([code, samples]) => (samples > 0 ? [] : [code]))
    expect(rested.size).toBe(Object.keys(SOURCES).length)
    expect(empty.length, empty.join()).toBeLessThan(rested.size / 2)
  })

  it('shows the library, what is configured, samples, rules and alarms to whoever holds their keys, and nothing to others', async () => {
    for (const thing of ['indicator', 'configured', 'sample', 'rule', 'alarm']) {
      expect(await total(keeper, `/v2/ew/${thing}`), thing).toBeGreaterThan(0)
      expect([0, 10010003], thing).toContain(await total(reader, `/v2/ew/${thing}`))
    }
  })
})

describe('an alarm', () => {
  it('fires once, tells people and groups, is escalated until it is acknowledged, and ends by itself', async () => {
    const { engine } = test.gateway
    const now = test.clock.now().toISOString()
    await engine.transaction(systemContext({ now: test.clock.now() }), async (entities) => {
      const made = { version: 1, createdAt: now, createdBy: '' }
      await entities.insertMany('wf.noticeService', [
        {
          id: 'ew-group',
          name: '值班群',
          kind: 'webhook',
          address: 'https://chat.example/hook',
          events: ['alarmFired'],
          enabled: true,
          quiet: false,
          language: 'zh',
          ...made,
        },
      ])
      await entities.insertMany('sys.exchangeRate', [
        {
          id: 'ew-jump',
          base: 'NOK',
          quote: 'CNY',
          date: now.slice(0, 10),
          rate: '0.7',
          kind: 'xe',
          jumpPct: '5',
          status: 'active',
          ...made,
        },
      ])
    })
    const refused = await keeper.post('/v2/ew/configured/save', {
      name: '不通',
      indicatorId: 'ewi-pdd_high',
      window: '1d',
      every: '1h',
      compare: 'none',
      ownerId: 'ew-keeper',
    })
    expect(refused.code).toBe(10010005)
    const configuredId = await saved('/v2/ew/configured/save', {
      ...{
        name: '汇率跳变',
        indicatorId: 'ewi-rate_jump',
        groupBy: ['currency'],
        window: '1d',
        every: '1h',
        compare: 'none',
        ownerId: 'ew-keeper',
      },
    })
    const rule = {
      ...{
        name: '汇率跳变超过 3%',
        configuredId,
        forTimes: 1,
        ofTimes: 1,
        severity: 'P2',
        resolveTimes: 1,
        tellOwner: false,
        chat: true,
      },
      ...{ receiverIds: ['ew-keeper'], ownerId: 'ew-keeper', escalations: [{ afterMin: 15, staffIds: ['ew-reader'] }] },
    }
    expect((await keeper.post('/v2/ew/rule/save', { ...rule, expr: 'v >' })).code).toBe(10010005)
    const ruleId = await saved('/v2/ew/rule/save', { ...rule, expr: "v > 3 && dims.currency === 'NOK'" })
    expect(await move(keeper, '/v2/ew/rule', ruleId, 'enable')).toBe(0)

    await run('ew.evaluate')
    await run('ew.evaluate')
    const fired = await sql('select * from ew_alarm where rule_id = $1', [ruleId])
    expect(fired).toHaveLength(1)
    const { id } = fired[0]!
    expect(fired[0]).toMatchObject({ status: 'firing', severity: 'P2', count: 1, currency: 'NOK' })
    expect(await sql('select type, kind from sys_message where subject_id = $1', [id])).toEqual([{ type: '4', kind: 'alarm' }])
    expect(await sql('select status from sys_todo where subject_id = $1', [id])).toEqual([{ status: 'open' }])
    expect(await sql(`select event from wf_notice_log where service_id = 'ew-group'`)).toEqual([{ event: 'alarmFired' }])

    // a person who was told, or to whom it is escalated, sees it without any key
    expect((await reader.post<{ total: number }>('/v2/ew/alarm/queryPage', {})).data?.total ?? 0).toBe(0)
    test.clock.forward(16 * 60)
    await run('ew.evaluate')
    expect(await sql('select escalated from ew_alarm where id = $1', [id])).toEqual([{ escalated: 1 }])
    expect(
      await sql(`select count(*)::int as id from sys_message where subject_id = $1 and receiver_id = 'ew-reader'`, [id]),
    ).toEqual([{ id: 1 }])

    expect(
      await move(keeper, '/v2/ew/alarm', id, 'snooze', {
        snoozeUntil: new Date(test.clock.now().getTime() + 30 * 3_600_000).toISOString(),
        comment: '太久',
      }),
    ).toBe(10010007)
    expect(await move(keeper, '/v2/ew/alarm', id, 'acknowledge', { ackNote: '已核对中行牌价' })).toBe(0)
    expect(await sql(`select status from sys_todo where subject_id = $1 and staff_id = 'ew-keeper'`, [id])).toEqual([
      { status: 'done' },
    ])
    await sql(`update sys_exchange_rate set jump_pct = 0 where id = 'ew-jump'`)
    test.clock.forward(61 * 60)
    await run('ew.evaluate')
    expect(await sql('select status, minutes > 70 as id from ew_alarm where id = $1', [id])).toEqual([
      { status: 'resolved', id: true },
    ])

    expect(await move(keeper, '/v2/ew/rule', ruleId, 'tryOut')).toBe(0)
    expect(await sql('select dry_fires from ew_rule where id = $1', [ruleId])).toEqual([{ dry_fires: 1 }])
    expect(await move(keeper, '/v2/ew/configured', configuredId, 'disable')).toBe(0)
  })

  it('names its customer by alias to whoever may not read the name, and many at once are one message with a count', async () => {
    const { engine, database } = test.gateway
    const { rows } = await database.query<{ id: string; name: string; alias: string }>(
      'select id, name, alias from crm_customer where alias is not null and deleted_at is null order by id limit 25',
    )
    const [rule] = await sql('select id, configured_id as "configuredId" from ew_rule order by id limit 1')
    await test.addStaff({
      id: 'ew-blind',
      jobNumber: 'T0903',
      name: '吴运营',
      menus: [...PAGES, 'message:notification'],
      fieldRules: { 'crm.customer.name': 'mask' },
    })
    const blind = await test.signIn('T0903')
    const open = (some: typeof rows) =>
      engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
        entities.createMany(
          'ew.alarm',
          some.map(({ id }) => ({
            ...{
              title: '送达率过低',
              ruleId: rule!.id,
              configuredId: String(rule!['configuredId']),
              severity: 'P2',
              customerId: id,
            },
            ...{ dedupeKey: `blind|${id}`, firstAt: test.clock.now().toISOString(), value: '78.5', receiverIds: ['ew-blind'] },
          })),
        ),
      )
    const told = async (caller: Caller) =>
      (await caller.post<{ records: { title: string; link: string }[] }>('/v2/sys/mc/message/query/home/message/list', {})).data
        .records
    const [first, ...others] = rows
    await open([first!])
    const [message] = await told(blind)
    expect(message!.title).toContain('送达率过低')
    expect(message!.title).toContain(first!.alias)
    expect(message!.title).toContain('78.5')
    expect(message!.title).not.toContain(first!.name)
    await open(others)
    const all = await told(blind)
    expect(all).toHaveLength(2)
    expect(all[0]).toMatchObject({ link: '/heavenlyWarning/alarmdata' })
    expect(all[0]!.title).toMatch(/23/)
    const { data } = await blind.post<{ records: Row[] }>('/v2/ew/alarm/queryPage', {
      where: [{ field: 'customerId', operator: 'in', value: [first!.id] }],
    })
    expect(data.records[0]).toMatchObject({ about: first!.alias })
    expect(String(data.records[0]!['reading'])).toMatch(/^78\.5 /)
    // an account is told by whose it is, never by its id
    const [account] = await sql(
      'select a.id, c.alias from fin_customer_account a join crm_customer c on c.id = a.customer_id where c.alias is not null and a.deleted_at is null order by a.id limit 1',
    )
    const ofAccount = {
      title: '账单逾期',
      ruleId: rule!.id,
      configuredId: String(rule!['configuredId']),
      severity: 'P2',
      accountId: account!.id,
    }
    await engine.transaction(systemContext({ now: test.clock.now() }), (entities) =>
      entities.createMany('ew.alarm', [
        {
          ...ofAccount,
          dedupeKey: 'blind|account',
          firstAt: test.clock.now().toISOString(),
          value: '16',
          receiverIds: ['ew-blind'],
        },
      ]),
    )
    const asked = await blind.post<{ records: Row[] }>('/v2/ew/alarm/queryPage', {
      where: [{ field: 'accountId', operator: 'eq', value: account!.id }],
    })
    expect(String(asked.data.records.find(({ title }) => title === '账单逾期')!['about'])).toContain(String(account!['alias']))
    expect(String(asked.data.records.find(({ title }) => title === '账单逾期')!['about'])).not.toContain(account!.id)
  })
})

describe('a release notice', () => {
  const BASE = '/v2/sys/staff/version'
  it('is seen by nobody before it is published, opens a dialog until it was read, and counts who has read it (R361)', async () => {
    const body = { releaseNo: '9.9.9', kind: 'release', titleZh: '新版', contentZh: '第一条', audience: 'all', popup: true }
    expect((await reader.post(`${BASE}/saveOrUpdateVersion`, body)).code).toBe(10010003)
    const id = (await keeper.post<{ id: string }>(`${BASE}/saveOrUpdateVersion`, body)).data.id
    expect((await keeper.get(`${BASE}/checkInnerVersionExist?version=9.9.9`)).data).toBe(true)
    expect((await keeper.post(`${BASE}/updateDoc`, { id, contentZh: '第一条\n第二条' })).code).toBe(0)
    const first = async () =>
      (await reader.post<{ records: { id: string; read: boolean }[] }>(`${BASE}/versionTimeAxisPage`)).data.records[0]
    expect((await first())?.id).not.toBe(id)
    expect((await reader.get(`${BASE}/getVersionDetail?id=${id}`)).code).toBe(10010004)

    expect(await move(keeper, '/v2/sys/releaseNotice', id, 'publish')).toBe(0)
    expect(await first()).toMatchObject({ id, read: false })
    const popup = async () => (await reader.get<{ popupState: number }>(`${BASE}/checkUserNeedPopupVersion`)).data
    expect(await popup()).toMatchObject({ popupState: 1, versionDetail: { id, content: '第一条\n第二条' } })
    for (let twice = 0; twice < 2; twice += 1) expect((await reader.post(`${BASE}/markRead`, { id })).code).toBe(0)
    expect(await popup()).toEqual({ popupState: 0, versionDetail: null })
    expect(await sql('select readers from sys_release_notice where id = $1', [id])).toEqual([{ readers: 1 }])
    expect((await keeper.post(`${BASE}/deleteDoc?id=${id}`)).code).not.toBe(0)

    const told = await reader.post<{ records: { id: string }[] }>('/v2/sys/mc/message/query/center/message/list', {
      where: [{ field: 'type', operator: 'eq', value: '6' }],
    })
    expect(told.data.records).toHaveLength(1)
    expect((await reader.get(`/v2/sys/message/delete/${told.data.records[0]!.id}`)).code).toBe(0)
    expect((await reader.get<{ serverTime: string }>('/v2/sys/mc/message/getServerTime')).data.serverTime).toMatch(/Z$/)
    expect((await reader.get<{ msgType: unknown[] }>('/v2/sys/mc/message/getDropList')).data.msgType).toHaveLength(7)

    expect(await move(keeper, '/v2/sys/releaseNotice', id, 'withdraw', { withdrawReason: '写错' })).toBe(0)
    expect((await keeper.post(`${BASE}/deleteDoc?id=${id}`)).code).toBe(0)
  })
})
