import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../../../gateway/modules/biz/jobs/channel-scores/job'
import { dayOf } from '../../../../../gateway/platform/calendar'
import { readConfiguration } from '../../../../../gateway/platform/configuration'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway, type Caller, type TestGateway } from '../../../../support/gateway'

/** Channels, solutions, applications and numbers of the demo world: asked for, operated, and closed to those whom they are not for. */

type Row = Record<string, unknown> & { id: string; version: number }
let test: TestGateway
const callers = new Map<string, Caller>()
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const { rows } = await test.gateway.database.query<{ code: string; number: string }>(
    `select distinct on (r.code) r.code, s.job_number as number from sys_role_member m join sys_role r on r.id = m.role_id
       join sys_staff s on s.id = m.staff_id where s.status = 'active' order by r.code, s.job_number`,
  )
  for (const { code, number } of rows) callers.set(code, await test.signIn(number, DEMO_PASSWORD))
})
afterAll(() => test.close())

const caller = (role: string): Caller => {
  const found = callers.get(role)
  if (!found) throw new Error(`Nobody has the role ${role}.`)
  return found
}
const list = async (role: string, entity: string, where: object[] = []): Promise<Row[]> => {
  const { code, data } = await caller(role).post<{ records: Row[] }>(`/v2/biz/${entity}/queryPage`, { where, pageSize: 100 })
  expect(code, `${role} ${entity}`).toBe(0)
  return data.records
}

describe('the world of channels', () => {
  it('has rows in every list of operations', async () => {
    for (const entity of [
      'channel',
      'channelSenderId',
      'channelRecommend',
      'marketChannel',
      'mixSolution',
      'application',
      'numberAsset',
    ])
      expect((await list('operations', entity)).length, entity).toBeGreaterThan(5)
  })

  it('shows sales neither supplier, name nor host of a channel', async () => {
    const [channel] = await list('sales', 'channel')
    expect(channel).toMatchObject({ alias: expect.any(String) })
    const clear = await list('operations', 'channel')
    const named = clear.map(({ name }) => String(name))
    expect(JSON.stringify(await list('sales', 'channel'))).not.toMatch(/carrier\.example/)
    for (const name of named) expect(JSON.stringify(await list('sales', 'channel'))).not.toContain(name)
  })

  it('tells blended cost and delivery of solutions to those who may see costs', async () => {
    const [india] = await list('operations', 'mixSolution', [{ field: 'name', operator: 'eq', value: 'India OTP' }])
    expect(Number(india?.blendedCost)).toBeGreaterThan(0)
    expect(Number(india?.blendedDelivery)).toBeGreaterThan(0)
  })
})

describe('operating them', () => {
  it('pauses a channel with a reason, writes the event, and takes it back online', async () => {
    const [channel] = await list('operations', 'channel', [{ field: 'alias', operator: 'eq', value: 'Brazil Direct' }])
    const move = (transition: string, values: object = {}) =>
      caller('operations').post('/v2/biz/channel/stateUpdate', { ids: [channel!.id], transition, values })
    expect((await move('pause')).code).not.toBe(0)
    expect((await move('pause', { pausedReason: 'maintenance' })).code).toBe(0)
    expect((await move('resume')).code).toBe(0)
    const events = await list('operations', 'channelEvent', [{ field: 'channelId', operator: 'eq', value: channel!.id }])
    expect(events.map(({ toStatus, reason }) => [toStatus, reason]).slice(0, 2)).toEqual([
      ['online', null],
      ['paused', 'maintenance'],
    ])
    expect(
      (await caller('sales').post('/v2/biz/channel/stateUpdate', { ids: [channel!.id], transition: 'takeOffline' })).code,
    ).not.toBe(0)
  })

  it('keeps a version of a solution whenever its lines change, and goes back to one', async () => {
    const [solution] = await list('operations', 'mixSolution', [{ field: 'name', operator: 'eq', value: 'Indonesia blend' }])
    const { data } = await caller('operations').get<{ record: Row & { lines: Row[] } }>(
      `/v2/biz/mixSolution/view/${solution!.id}`,
    )
    const lines = data.record.lines.map(({ id, channelId, weight, priority, failover }, index) => ({
      ...{ id, channelId, priority, failover },
      weight: Number(weight) + (index === 0 ? 10 : 0),
    }))
    const save = (rows: object[]) =>
      caller('operations').post('/v2/biz/mixSolution/save', { id: solution!.id, version: data.record.version, lines: rows })
    expect((await save(lines)).code).not.toBe(0)
    expect((await save(lines.map((line, index) => ({ ...line, weight: index === 0 ? 70 : 30 })))).code).toBe(0)
    const versions = await list('operations', 'mixVersion', [{ field: 'solutionId', operator: 'eq', value: solution!.id }])
    expect(versions.map(({ number, status }) => [number, status])).toEqual([
      [2, 'current'],
      [1, 'past'],
    ])
    const back = { ids: [versions[1]!.id], transition: 'rollBack' }
    expect((await caller('operations').post('/v2/biz/mixVersion/stateUpdate', back)).code).toBe(0)
    const [last] = await list('operations', 'mixVersion', [{ field: 'solutionId', operator: 'eq', value: solution!.id }])
    expect(last).toMatchObject({ number: 3, status: 'current', summary: versions[1]!.summary })
  })

  it('gives an application its alias and key, and refuses one that is taken with a free one', async () => {
    const [known] = (await list('operations', 'application')).filter(({ alias }) => alias !== null)
    const values = { name: 'Second', accountId: known!.accountId, product: known!.product }
    const taken = await caller('operations').post<{ alias: string }>('/v2/biz/application/save', {
      ...values,
      alias: known!.alias,
    })
    expect(taken.code).toBe(10050016)
    const made = await caller('operations').post<Row>('/v2/biz/application/save', { ...values, alias: taken.data.alias })
    expect(made.code).toBe(0)
    const [stored] = await list('operations', 'application', [{ field: 'alias', operator: 'eq', value: taken.data.alias }])
    expect(stored).toMatchObject({ status: 'applying', appKey: expect.stringMatching(/^ak_/), customerId: known!.customerId })
  })

  it('scores channels by what was sent over them, and keeps what is pinned', async () => {
    const [first] = await list('operations', 'channelRecommend')
    const pin = { ids: [first!.id], transition: 'pin' }
    expect((await caller('operations').post('/v2/biz/channelRecommend/stateUpdate', pin)).code).toBe(0)
    const now = test.clock.now()
    const { engine, database } = test.gateway
    await job({ engine, database, configuration: readConfiguration({}) }).run(
      { now, day: dayOf(now, 'Asia/Shanghai'), dry: false, startedBy: null },
      () => undefined,
    )
    const [again] = await list('operations', 'channelRecommend', [{ field: 'id', operator: 'eq', value: first!.id }])
    expect(again).toMatchObject({ place: 'pinned' })
  })
})
