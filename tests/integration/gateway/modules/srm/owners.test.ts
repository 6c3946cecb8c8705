import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DEMO_PASSWORD } from '../../../../../gateway/world'
import { startGateway } from '../../../../support/gateway'
import type { Caller, TestGateway } from '../../../../support/gateway'

type Record_ = Record<string, unknown> & { id: string }
interface Bulk {
  done: string[]
  refused: { id: string; reason: string }[]
}

let test: TestGateway
let buyer: Caller
let colleague: Caller
let lead: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  // a small world has fewer of them than these tests hand out
  await test.gateway.database.query(
    `insert into srm_supplier select (jsonb_populate_record(s, jsonb_build_object('id', s.id || '-2', 'code', s.code || '-2', 'name', s.name || ' 2', 'name_key', s.name_key || '2', 'alias', s.alias || '2'))).*
     from srm_supplier s where holding = 'sea' and deleted_at is null`,
  )
  ;[buyer, colleague, lead] = await Promise.all([enter('S0046'), enter('S0047'), enter('S0045')])
})
afterAll(() => test.close())

const turnForward = (seconds: number): void => {
  test.clock.forward(seconds)
  onTestFinished(() => test.clock.forward(-seconds))
}
const move = (caller: Caller, ids: readonly string[], transition: string, values: object = {}, entity = 'supplier') =>
  caller.post<Bulk>(`/v2/srm/${entity}/stateUpdate`, { ids, transition, values })
const view = async (caller: Caller, id: string): Promise<Record_> =>
  (await caller.get<{ record: Record_ }>(`/v2/srm/supplier/view/${id}`)).data.record
const inSea = async (caller: Caller): Promise<Record_[]> =>
  (await caller.post<{ records: Record_[] }>('/v2/srm/supplier/queryPage', { view: 'sea', pageNo: 1, pageSize: 200 })).data
    .records
const free = async (caller: Caller, count: number): Promise<string[]> =>
  (await inSea(caller))
    .filter((one) => one.claimRefusedBecause === null)
    .slice(0, count)
    .map(({ id }) => id)
const own = async (caller: Caller, count: number): Promise<string[]> => {
  const page = await caller.post<{ records: Record_[] }>('/v2/srm/supplier/queryPage', {
    view: 'mine',
    pageNo: 1,
    pageSize: count,
  })
  return page.data.records.map(({ id }) => id)
}
async function setRule(key: string, params: object): Promise<void> {
  const { data } = await lead.get<{ params: object; newest: number }>(`/v2/sys/rule/read/${key}`)
  const body = { params: { ...data.params, ...params }, reason: 'for the test', basedOn: data.newest }
  expect((await lead.post(`/v2/sys/rule/save/${key}`, body)).msg).toBe('OK')
}

describe('suppliers without an owner', () => {
  it('are claimed up to five a day, masked before (9.3)', async () => {
    const ids = await free(buyer, 6)
    expect(ids.length).toBe(6)
    const before = (await inSea(buyer)).find(({ id }) => id === ids[0])
    expect([before?.bankInfo ?? null, before?.remark ?? null]).toEqual([null, null])
    for (const id of ids.slice(0, 5)) expect((await move(buyer, [id], 'claim')).msg).toBe('OK')
    expect((await move(buyer, [ids[5]!], 'claim')).msg).toContain('今日领取次数已用完')
    expect(await view(buyer, ids[0]!)).toMatchObject({ holding: 'private', ownerId: 'st-s0046', gainedBy: 'claim' })
    const quota = await buyer.get<{ daily: object }>('/v2/srm/supplier/claimQuota')
    expect(quota.data.daily).toEqual({ used: 5, limit: 5 })
  })

  it('are handed out by a manager, evenly to several, and each is noted', async () => {
    const ids = await free(lead, 4)
    expect((await move(buyer, ids.slice(0, 1), 'spread', { receivers: ['st-s0046'], spreadReason: 'no' })).code).toBe(10010003)
    const spread = await move(lead, ids, 'spread', { receivers: ['st-s0048', 'st-s0049'], spreadReason: '新人练习' })
    expect(spread.data.done.length).toBe(4)
    const owners = await Promise.all(ids.map(async (id) => (await view(lead, id)).ownerId))
    expect(owners.filter((one) => one === 'st-s0048').length).toBe(2)
    expect(owners.filter((one) => one === 'st-s0049').length).toBe(2)
    const noted = await lead.post<{ records: Record_[] }>('/v2/srm/distribute/queryPage', { pageNo: 1, pageSize: 50 })
    expect(noted.data.records.filter(({ supplierId }) => ids.includes(String(supplierId))).length).toBe(4)
  })

  it('go evenly to who may work on them, and above the cap of one only with a reason (9.4)', async () => {
    const ids = await free(lead, 3)
    const spread = (receivers: string[], more: object = {}) => move(lead, ids, 'spread', { receivers, all: ids, ...more })
    expect((await spread(['st-s0047', 'st-s0050'])).data.refused.map(({ reason }) => reason)).toEqual(
      Array(3).fill(expect.stringContaining('没有供应商管理的权限')),
    )
    const holding = async (): Promise<number> =>
      Number(
        (
          await test.gateway.database.query<{ n: string }>(
            `select count(*) as n from srm_supplier where owner_id = 'st-s0048' and holding = 'private' and level <> 'a' and deleted_at is null`,
          )
        ).rows[0]?.n,
      )
    const held = await holding()
    await setRule('srm.retention', { default: held + 1, senior: held + 1, newcomer: held + 1 })
    onTestFinished(() => setRule('srm.retention', { default: 60, senior: 100, newcomer: 30 }))
    expect((await spread(['st-s0047', 'st-s0048'])).data.refused[0]?.reason).toContain(
      `的保有量为 ${held}/${held + 1}，分配后会超出上限`,
    )
    expect(await holding()).toBe(held)
    const done = await spread(['st-s0048', 'st-s0047'], { spreadReason: '接手离职同事' })
    expect(done.data.done.length).toBe(3)
    expect(await holding()).toBe(held + 2)
    // who got it called: the record of the hand-out says when
    const about = { supplierId: ids[1], way: 'phone', content: '询问了线路容量和测试安排，对方周五回复', result: 'interested' }
    expect((await colleague.post('/v2/srm/followUp/save', about)).msg).toBe('OK')
    const where = [{ field: 'supplierId', operator: 'in', value: ids }]
    const noted = await lead.post<{ records: Record_[] }>('/v2/srm/distribute/queryPage', { where, pageSize: 50 })
    const touched = noted.data.records.filter(({ touchedAt }) => touchedAt !== null)
    expect(touched.map(({ supplierId }) => supplierId)).toEqual([ids[1]])
  })

  it('stop a buyer at his cap, which the settings say (9.4, R105)', async () => {
    await setRule('srm.retention', { default: 1, senior: 1, newcomer: 1, manager: 150 })
    const name = '北海孤帆通信有限公司'
    const body = { name, supplierType: 'operator', products: ['sms'], countryCode: 'CN', platform: 'main' }
    expect((await colleague.post('/v2/srm/supplier/save', body)).code).toBe(10030002)
    await setRule('srm.retention', { default: 60, senior: 100, newcomer: 30, manager: 150 })
    expect((await colleague.post('/v2/srm/supplier/save', body)).msg).toBe('OK')
  })
})

describe('owners', () => {
  it('transfer to a colleague, who accepts; the supplier is his then', async () => {
    const [id] = await own(buyer, 1)
    const sent = await buyer.post<{ id: string }>('/v2/srm/transfer/save', {
      supplierIds: [id],
      toStaffId: 'st-s0047',
      reason: 'fit',
    })
    expect(sent.msg).toBe('OK')
    expect((await move(colleague, [sent.data.id], 'accept', {}, 'transfer')).msg).toBe('OK')
    expect(await view(colleague, id!)).toMatchObject({ ownerId: 'st-s0047', gainedBy: 'transfer' })
  })

  it('share with at most three people; a follow-up of an editing sharer counts (9.7, R108)', async () => {
    const [id] = await own(colleague, 1)
    const share = (toStaffId: string) =>
      colleague.post<{ id: string }>('/v2/srm/share/save', { supplierId: id, toStaffId, mode: 'edit', reason: '一起谈' })
    const first = await share('st-s0046')
    expect(first.msg).toBe('OK')
    expect((await share('st-s0048')).msg).toBe('OK')
    expect((await share('st-s0049')).msg).toBe('OK')
    expect((await share('st-s0045')).msg).toContain('3')
    expect((await move(buyer, [first.data.id], 'accept', {}, 'share')).msg).toBe('OK')
    const followed = await buyer.post<{ id: string }>('/v2/srm/followUp/save', {
      supplierId: id,
      way: 'phone',
      content: '与负责人一起确认了月结条款和授信额度',
      result: 'interested',
    })
    const { data } = await buyer.get<{ record: Record_ }>(`/v2/srm/followUp/view/${followed.data.id}`)
    expect(data.record.effective).toBe(true)
  })

  it('in the pool the department stands for who followed up', async () => {
    const [id] = await own(buyer, 1)
    const way = { way: 'phone', content: '问清了对方的结算周期与开户资料', result: 'interested' }
    expect((await buyer.post('/v2/srm/followUp/save', { supplierId: id, ...way })).msg).toBe('OK')
    expect((await move(buyer, [id!], 'release', { releaseReason: 'region' })).msg).toBe('OK')
    const where = [{ field: 'supplierId', operator: 'eq', value: id }]
    const { data } = await colleague.post<{ records: Record_[] }>('/v2/srm/followUp/queryPage', { view: 'sea', where })
    expect(data.records[0]?.authorDept).toEqual(expect.any(String))
    expect(data.records[0]?.createdBy).toBeUndefined()
  })

  it('are frozen out with the blacklist', async () => {
    const [id] = await own(buyer, 1)
    expect((await move(lead, [id!], 'bar', { barReason: '伪造回执' })).msg).toBe('OK')
    expect(await view(lead, id!)).toMatchObject({ status: 'blacklisted', holding: 'frozen' })
  })

  it('lose what nobody touches for thirty days, and get it back from nobody during the cool-down (9.2, 9.5)', async () => {
    const saved = await buyer.post<{ id: string }>('/v2/srm/supplier/save', {
      name: '防城港远潮通信有限公司',
      supplierType: 'operator',
      products: ['sms'],
      countryCode: 'CN',
      platform: 'main',
    })
    const { id } = saved.data
    const made = await view(buyer, id)
    expect(made.recycleOn).not.toBeNull()
    turnForward(40 * 86_400)
    const { scheduler } = test.gateway
    for (const job of ['sys.renewal', 'sys.deadlines'])
      await scheduler.runNow(scheduler.find(job)!, { dry: false, startedBy: null })
    const again = await test.signIn('S0046', DEMO_PASSWORD)
    const row = (await inSea(again)).find((one) => one.id === id)
    expect(row).toMatchObject({ holding: 'sea', ownerId: null, lastOwnerId: 'st-s0046' })
  })
})

describe('the rules of the duplicate check (9.1)', () => {
  it('are tried on two names, and tell how many suppliers and leads use a domain', async () => {
    const names = { nameA: 'Acme Télécom S.A.R.L.', countryA: 'FR', nameB: 'ACME TELECOM SARL', countryB: 'FR' }
    const tried = await lead.post<{ tone: string; lines: { value: unknown }[] }>('/v2/sys/rule/test/srm.duplicate', names)
    expect([tried.data.tone, tried.data.lines[0]?.value]).toEqual(['error', 'acmetelecom'])
    expect((await buyer.post('/v2/sys/rule/test/srm.duplicate', names)).code).toBe(10010003)
    const { data } = await lead.get<{ params: object }>('/v2/sys/rule/read/srm.domain')
    const preview = await lead.post<{ effect: { rows: Record<string, unknown>[] } }>(
      '/v2/sys/rule/preview/srm.domain',
      data.params,
    )
    expect(preview.data.effect.rows[0]).toMatchObject({ 'srm.supplier': expect.any(Number), 'srm.clue': expect.any(Number) })
  })
})
