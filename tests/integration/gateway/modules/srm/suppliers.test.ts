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
let seller: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  const enter = (jobNumber: string): Promise<Caller> => test.signIn(jobNumber, DEMO_PASSWORD)
  ;[buyer, colleague, lead, seller] = await Promise.all([enter('S0046'), enter('S0047'), enter('S0045'), enter('S0006')])
})
afterAll(() => test.close())

let count = 0
const supplier = async (caller: Caller, more: object = {}): Promise<string> => {
  count += 1
  const saved = await caller.post<{ id: string }>('/v2/srm/supplier/save', {
    name: `珠海汇川${'甲乙丙丁戊己庚辛壬癸'[count % 10]}${count}通信有限公司`,
    supplierType: 'aggregator',
    products: ['sms'],
    countryCode: 'CN',
    platform: 'main',
    ...more,
  })
  expect(saved.msg).toBe('OK')
  return saved.data.id
}
const view = async (caller: Caller, entity: string, id: string): Promise<Record_> =>
  (await caller.get<{ record: Record_ }>(`/v2/srm/${entity}/view/${id}`)).data.record
const move = (caller: Caller, entity: string, id: string, transition: string, values: object = {}) =>
  caller.post<Bulk>(`/v2/${entity}/stateUpdate`, { ids: [id], transition, values })
const turnForward = (seconds: number): void => {
  test.clock.forward(seconds)
  onTestFinished(() => test.clock.forward(-seconds))
}
const clue = async (caller: Caller, name: string, more: object = {}): Promise<string> => {
  const saved = await caller.post<{ id: string }>('/v2/srm/clue/save', {
    name,
    countryCode: 'CN',
    products: ['sms'],
    coverCountries: ['TH'],
    routeType: 'direct',
    source: 'inbound',
    email: `sales${count++}@line-${count}.example`,
    ...more,
  })
  expect(saved.msg).toBe('OK')
  return saved.data.id
}
const follow = (caller: Caller, about: object) =>
  caller.post<{ id: string }>('/v2/srm/followUp/save', {
    way: 'phone',
    content: `介绍了泰国直连线路的价格与到达率 ${count++}`,
    result: 'interested',
    ...about,
  })

describe('the status of a supplier (9.12)', () => {
  it('asks for what the rule names, step by step, and is moved by transitions alone (R103)', async () => {
    const id = await supplier(buyer)
    expect(await view(buyer, 'supplier', id)).toMatchObject({ status: 'potential', level: 'n', ownerId: 'st-s0046' })
    expect((await buyer.post('/v2/srm/supplier/save', { id, version: 1, status: 'cooperating' })).code).toBe(10010005)
    expect((await move(buyer, 'srm/supplier', id, 'openTest')).msg).toContain('值班')
    const noc = { supplierId: id, name: 'Ploy', role: 'noc', email: `noc@huichuan-${count}.example` }
    expect((await buyer.post('/v2/srm/supplierContact/save', noc)).msg).toBe('OK')
    expect((await move(buyer, 'srm/supplier', id, 'openTest')).msg).toBe('OK')
    const test1 = { testMessages: 50, testDlr: '82.5' }
    expect((await move(buyer, 'srm/supplier', id, 'cooperate', test1)).msg).toContain('合同')
    const { version } = await view(buyer, 'supplier', id)
    const method = await lead.post<{ id: string }>('/v2/srm/paymentMethod/save', {
      name: `电汇${count}`,
      nameEn: `Wire ${count}`,
      kind: 'transfer',
      days: 30,
    })
    const terms = {
      contractFrom: '2026-01-01',
      contractTo: '2030-01-01',
      ourCompany: 'hk',
      paymentMethodId: method.data.id,
      settleCurrency: 'USD',
      settleCycle: 'monthly',
      bankInfo: 'HSBC 000-111',
    }
    expect((await buyer.post('/v2/srm/supplier/save', { id, version, ...terms })).msg).toBe('OK')
    // the contract file itself can be asked for no longer
    await setRule('srm.status', { needsContract: false })
    expect((await move(buyer, 'srm/supplier', id, 'cooperate', { testMessages: 19, testDlr: '99' })).msg).toContain('测试未通过')
    expect((await move(buyer, 'srm/supplier', id, 'cooperate', { testMessages: 20, testDlr: '69.99' })).msg).toContain(
      '测试未通过',
    )
    expect((await move(buyer, 'srm/supplier', id, 'cooperate', { testMessages: 20, testDlr: '70' })).msg).toBe('OK')
    expect((await move(buyer, 'srm/supplier', id, 'suspend')).code).toBe(10010005)
    expect((await move(buyer, 'srm/supplier', id, 'suspend', { stopReason: 'quality' })).msg).toBe('OK')
    expect((await move(buyer, 'srm/supplier', id, 'resume', { resumeNote: '已更换路由' })).msg).toBe('OK')
    expect(await view(buyer, 'supplier', id)).toMatchObject({ status: 'cooperating', stopReason: null, testDlr: '70' })
  })

  it('lets a manager end it once the accounts are closed, and reopen it into a test', async () => {
    const id = await supplier(buyer)
    const account = await buyer.post<{ id: string }>('/v2/srm/supplierAccount/save', {
      supplierId: id,
      name: 'SMS USD',
      kind: 'sms',
      currency: 'USD',
      payMode: 'prepaid',
    })
    expect(account.msg).toBe('OK')
    expect((await move(buyer, 'srm/supplier', id, 'terminate', { stopReason: 'business' })).code).toBe(10010003)
    expect((await move(lead, 'srm/supplier', id, 'terminate', { stopReason: 'business' })).msg).toContain('1 个未销的账户')
    expect((await move(lead, 'srm/supplierAccount', account.data.id, 'close')).msg).toBe('OK')
    expect((await move(lead, 'srm/supplier', id, 'terminate', { stopReason: 'business' })).msg).toBe('OK')
    expect((await move(lead, 'srm/supplier', id, 'reopen')).msg).toBe('OK')
    expect(await view(lead, 'supplier', id)).toMatchObject({ status: 'testing' })
  })

  it('is merged with its duplicate by a manager: people, talks and accounts go over, the number that stays is told', async () => {
    const [stays, goes] = [
      await supplier(buyer, { tags: ['direct'] }),
      await supplier(buyer, { tags: ['backup'], address: '珠海' }),
    ]
    await buyer.post('/v2/srm/supplierContact/save', {
      supplierId: goes,
      name: 'Ploy',
      role: 'noc',
      email: `ploy${count}@one.example`,
    })
    await follow(buyer, { supplierId: goes })
    await follow(buyer, { supplierId: stays })
    const account = { supplierId: goes, name: 'SMS USD', kind: 'sms', currency: 'USD', payMode: 'prepaid' }
    expect((await buyer.post('/v2/srm/supplierAccount/save', account)).msg).toBe('OK')
    const body = { targetId: stays, loserIds: [goes], fields: { address: goes, tags: 'all' }, reason: '同一家公司' }
    expect((await buyer.post('/v2/srm/supplier/merge', body)).code).toBe(10010003)
    const preview = await lead.post<{ children: { entity: string; counts: number[] }[] }>('/v2/srm/supplier/merge/preview', {
      ids: [stays, goes],
    })
    expect(preview.data.children).toContainEqual(expect.objectContaining({ entity: 'srm.supplierAccount', counts: [0, 1] }))
    const merged = await lead.post<{ moved: Record<string, number> }>('/v2/srm/supplier/merge', body)
    expect(merged.data?.moved).toMatchObject({ 'srm.supplierContact': 1, 'srm.followUp': 1, 'srm.supplierAccount': 1 })
    expect(await view(lead, 'supplier', stays)).toMatchObject({ address: '珠海', tags: ['direct', 'backup'], followCount: 2 })
    const { rows } = await test.gateway.database.query<object>(
      'select duplicate_of_id as pointer, deleted_at is not null as deleted from srm_supplier where id = $1',
      [goes],
    )
    expect(rows).toEqual([{ pointer: stays, deleted: true }])
    const barred = await supplier(buyer)
    expect((await move(lead, 'srm/supplier', barred, 'bar', { barReason: '虚假回执' })).msg).toBe('OK')
    expect((await lead.post('/v2/srm/supplier/merge', { ...body, fields: {}, loserIds: [barred] })).msg).toContain('不能合并')
  })

  it('takes a supplier whose test stands still back to potential', async () => {
    const id = await supplier(buyer)
    await buyer.post('/v2/srm/supplierContact/save', { supplierId: id, name: 'Noc', role: 'noc', im: 'Skype noc' })
    expect((await move(buyer, 'srm/supplier', id, 'openTest')).msg).toBe('OK')
    turnForward(32 * 86_400)
    await runJob('sys.deadlines')
    const { rows } = await test.gateway.database.query<{ status: string }>('select status from srm_supplier where id = $1', [id])
    expect(rows).toEqual([{ status: 'potential' }])
  })
})

const admin = (): Promise<Caller> => test.signIn('S0045', DEMO_PASSWORD)
async function setRule(key: string, params: object): Promise<void> {
  const caller = await admin()
  const { data } = await caller.get<{ params: object; newest: number }>(`/v2/sys/rule/read/${key}`)
  const saved = await caller.post(`/v2/sys/rule/save/${key}`, {
    params: { ...data.params, ...params },
    reason: 'for the test',
    basedOn: data.newest,
  })
  expect(saved.msg).toBe('OK')
}
async function runJob(name: string): Promise<void> {
  const { scheduler } = test.gateway
  await scheduler.runNow(scheduler.find(name)!, { dry: false, startedBy: null })
}

describe('contacts and follow-ups', () => {
  it('keep one primary contact, whoever comes and goes', async () => {
    const id = await supplier(buyer)
    const add = async (name: string, more: object = {}): Promise<string> =>
      (
        await buyer.post<{ id: string }>('/v2/srm/supplierContact/save', {
          supplierId: id,
          name,
          im: `WhatsApp ${name}`,
          ...more,
        })
      ).data.id
    const [first, second] = [await add('Ann'), await add('Bob', { isPrimary: true })]
    const primary = async (): Promise<unknown[]> => {
      const page = await buyer.post<{ records: Record_[] }>('/v2/srm/supplierContact/queryPage', {
        pageNo: 1,
        pageSize: 20,
        where: [{ field: 'supplierId', operator: 'eq', value: id }],
      })
      return page.data.records.filter((one) => one.isPrimary === true).map((one) => one.id)
    }
    expect(await primary()).toEqual([second])
    expect((await buyer.get(`/v2/srm/supplierContact/delete/${second}`)).msg).toBe('OK')
    expect(await primary()).toEqual([first])
  })

  it('move the supplier on when they count, and not when they are copies or nobody answered', async () => {
    const id = await supplier(buyer)
    const nextAt = new Date(test.clock.now().getTime() + 86_400_000).toISOString()
    expect((await follow(buyer, { supplierId: id, nextAt })).msg).toBe('OK')
    const touched = await view(buyer, 'supplier', id)
    expect(touched).toMatchObject({ followCount: 1, nextFollowAt: nextAt })
    expect(touched.lastFollowAt).not.toBeNull()
    const missed = await follow(buyer, { supplierId: id, result: 'noAnswer' })
    expect((await view(buyer, 'followUp', missed.data.id)).effective).toBe(false)
    expect((await follow(colleague, { supplierId: id })).code).not.toBe(0)
  })
})

describe('leads', () => {
  it('are claimed, followed up and converted with their follow-ups (9.15)', async () => {
    const id = await clue(lead, '广州云桥线路科技有限公司')
    expect(await view(lead, 'clue', id)).toMatchObject({ status: 'pool', ownerId: null })
    const inPool = await buyer.post<{ records: Record_[] }>('/v2/srm/clue/queryPage', { view: 'pool', pageNo: 1, pageSize: 50 })
    expect(String(inPool.data.records.find((one) => one.id === id)?.email)).toContain('***')
    expect((await move(buyer, 'srm/clue', id, 'claim')).msg).toBe('OK')
    expect((await move(colleague, 'srm/clue', id, 'claim')).code).not.toBe(0)
    expect((await follow(buyer, { clueId: id })).msg).toBe('OK')
    expect(await view(buyer, 'clue', id)).toMatchObject({ status: 'following', followCount: 1 })
    const made = await supplier(buyer, { name: '广州云桥线路科技有限公司', clueId: id })
    expect(await view(buyer, 'clue', id)).toMatchObject({ status: 'converted', supplierId: made })
    const followed = await buyer.post<{ records: Record_[] }>('/v2/srm/followUp/queryPage', {
      pageNo: 1,
      pageSize: 20,
      where: [{ field: 'supplierId', operator: 'eq', value: made }],
    })
    expect(followed.data.records.length).toBe(1)
  })

  it('go back to the pool untouched after 48 hours, cool down for whoever returned them, and are invalid after three returns', async () => {
    const id = await clue(lead, '佛山远帆语音有限公司')
    expect((await move(lead, 'srm/clue', id, 'distribute', { assignTo: 'st-s0046' })).msg).toBe('OK')
    turnForward(49 * 3600)
    await runJob('sys.deadlines')
    const [me, other, boss] = await Promise.all(['S0046', 'S0047', 'S0045'].map((one) => test.signIn(one, DEMO_PASSWORD)))
    expect(await view(boss!, 'clue', id)).toMatchObject({ status: 'pool', returnCount: 0 })
    expect((await move(me!, 'srm/clue', id, 'claim')).msg).toContain('您退回过该线索')
    for (const caller of [other!, boss!]) {
      expect((await move(caller, 'srm/clue', id, 'claim')).msg).toBe('OK')
      expect((await move(caller, 'srm/clue', id, 'giveBack', { returnReason: '联系不上对方' })).msg).toBe('OK')
    }
    expect((await move(boss!, 'srm/clue', id, 'distribute', { assignTo: 'st-s0046' })).msg).toBe('OK')
    expect((await move(me!, 'srm/clue', id, 'giveBack', { returnReason: '联系不上对方' })).msg).toBe('OK')
    expect(await view(boss!, 'clue', id)).toMatchObject({ status: 'invalid', invalidReason: 'maxReturns', ownerId: null })
    expect((await move(me!, 'srm/clue', id, 'restore')).code).toBe(10010003)
    expect((await move(boss!, 'srm/clue', id, 'restore')).msg).toBe('OK')
    expect(await view(boss!, 'clue', id)).toMatchObject({ status: 'pool', returnCount: 0, invalidReason: null })
  })

  it('go to the pool when their buyer leaves, and the hand-outs say why', async () => {
    const id = await clue(lead, '离职买手留下的线索有限公司')
    expect((await move(lead, 'srm/clue', id, 'distribute', { assignTo: 'st-s0049' })).msg).toBe('OK')
    const hr = await test.signIn('S0002', DEMO_PASSWORD)
    expect((await hr.post('/v2/sys/staff/user/stateUpdate', { ids: ['st-s0049'], transition: 'leave' })).msg).toBe('OK')
    expect(await view(lead, 'clue', id)).toMatchObject({ status: 'pool', ownerId: null, returnCount: 0 })
    const noted = await lead.post<{ records: Record_[] }>('/v2/srm/distribute/queryPage', {
      where: [{ field: 'clueId', operator: 'eq', value: id }],
    })
    expect(noted.data.records.map(({ mode, reason }) => [mode, reason ?? null])).toEqual(
      expect.arrayContaining([['return', '负责人离职']]),
    )
  })

  it('ask for the fields that the form rule names by product', async () => {
    const answer = await lead.post<{ errors: { field: string }[] }>('/v2/srm/clue/save', {
      name: '汕头蓝湾号码有限公司',
      countryCode: 'CN',
      products: ['voice'],
      source: 'inbound',
      im: 'WeChat',
    })
    expect([answer.code, answer.data.errors.map(({ field }) => field).sort()]).toEqual([10010005, ['codec', 'coverCountries']])
  })
})

describe('what sales sees', () => {
  it('is the catalogue: alias, products, countries and status, no name', async () => {
    const page = await seller.post<{ records: Record_[] }>('/v2/srm/supplier/queryPage', {
      pageNo: 1,
      pageSize: 20,
    })
    expect(page.data.records.length).toBeGreaterThan(0)
    for (const one of page.data.records) {
      expect(one.alias).toMatch(/^V\d{5}$/)
      expect([one.name ?? null, one.ownerId ?? null, one.bankInfo ?? null, one.remark ?? null]).toEqual([null, null, null, null])
      expect(['testing', 'cooperating']).toContain(one.status)
    }
    const contacts = await seller.post<{ records: Record_[] }>('/v2/srm/supplierContact/queryPage', { pageNo: 1, pageSize: 20 })
    for (const one of contacts.data.records) expect([one.name ?? null, one.email ?? null]).toEqual([null, null])
  })
})
