import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LiveSchemas } from '../../../../gateway/pages'
import { serviceNames } from '../../../../gateway/services'
import type { ListPage } from '../../../../src/schema/generated/page'
import type { Change } from '../../../../src/schema/overlay'
import type { Caller, TestGateway } from '../../../support/gateway'
import { startGateway } from '../../../support/gateway'

const PAGE = 'page:crm/my-client'
const PATH = '/crm/client-partner/my-client'
const MENU = 'crm:client-partner:my-client'
const GRAY = { 'x-gray-version': '1' }

let gateway: TestGateway
let admin: Caller
let second: Caller
let sales: Caller
beforeAll(async () => {
  gateway = await startGateway({})
  const keys = ['setModule:pages', 'setModule:pages:release', 'crm:customer:add', 'crm:customer:edit']
  await gateway.addStaff({ id: 'admin', jobNumber: 'T0001', name: '管理员', keys, menus: [MENU], scopes: { '*': ['all'] } })
  await gateway.addStaff({ id: 'second', jobNumber: 'T0002', name: '李四', keys })
  await gateway.addStaff({
    id: 'sales',
    jobNumber: 'T0003',
    menus: [MENU],
    keys: ['crm:customer:add'],
    scopes: { 'crm.customer': ['own'] },
  })
  admin = await gateway.signIn('T0001')
  second = await gateway.signIn('T0002')
  sales = await gateway.signIn('T0003')
})
afterAll(() => gateway.close())

interface State {
  base: ListPage
  released: { number: number; changes: Change[] } | null
  draft: { version: number; changes: Change[] } | null
  revisions: { number: number; kind: string; reason: string; by: { name: { zh: string; en: string } } }[]
  others: { by: { name: { zh: string; en: string } } }[]
}
const stateOf = async (caller: Caller, target = PAGE) =>
  (await caller.get<State>(`/v2/sys/schema/target?target=${encodeURIComponent(target)}`)).data
const bundle = async (caller: Caller, headers?: Record<string, string>) =>
  (
    await caller.get<{ page: ListPage; revision: string; entities: Record<string, { properties: object }> }>(
      `/v2/sys/page/bundle?path=${PATH}`,
      headers,
    )
  ).data
const widthOf = (page: ListPage, field: string) => page.columns?.find((column) => column.field === field)?.width

const pageSizeIn = (live: LiveSchemas) => (live.page(PATH)?.document as ListPage | undefined)?.pageSize

async function draft(changes: Change[], options: { target?: string; role?: string; caller?: Caller; version?: number } = {}) {
  const { target = PAGE, role = null, caller = admin, version = 0 } = options
  return caller.post<{ version: number; problems: { code: string }[]; outcomes: string[] }>('/v2/sys/schema/draft/save', {
    target,
    role,
    version,
    changes,
  })
}
const release = (body: object = {}, target = PAGE, role: string | null = null) =>
  admin.post<{ releaseId: string; revisions: { number: number }[] }>('/v2/sys/schema/release', {
    drafts: [{ target, role, version: 1 }],
    stage: 'all',
    title: '调整',
    reason: '销售提出',
    accepted: [],
    ...body,
  })

describe('an admin changes what people are told', () => {
  const target = 'template:crm.opportunityReceived'
  const title = (en: string) => ({ zh: '商机交给您：{{ name }}', en })
  const said = () => JSON.stringify(gateway.gateway.registry.woven.find(({ name }) => name === 'crm.opportunity'))

  it('in the words of a template, which is checked and released as a page is', async () => {
    const wrong = await draft([{ at: 'title', set: title('Yours: {{ nmae }}') }], { target })
    expect(wrong.data.problems).toMatchObject([{ code: 'expression-root', at: '/title/en' }])
    await draft([{ at: 'title', set: title('Yours now: {{ name }}') }], { target, version: 1 })
    expect((await release({ drafts: [{ target, role: null, version: 2 }] })).code).toBe(0)
    expect(said()).toContain('Yours now: {{ name }}')
    const { targets } = (
      await admin.get<{ targets: { target: string; kind: string; released?: object }[] }>('/v2/sys/schema/targets')
    ).data
    expect(targets.find((one) => one.target === target)).toMatchObject({ kind: 'template', released: { changes: 1 } })
    await admin.post('/v2/sys/schema/rollback', { target, number: 0, reason: '试验结束' })
    expect(said()).not.toContain('Yours now: {{ name }}')
  })
})

describe('an admin changes a page', () => {
  it('as a draft that nobody else gets, releases it to all, and rolls it back to the file', async () => {
    const before = await bundle(sales)
    const { data: saved } = await draft([
      { at: 'columns/level/width', set: 333 },
      { at: 'pageSize', set: 50 },
    ])
    expect(saved).toMatchObject({ version: 1, problems: [], outcomes: ['kept', 'kept'] })
    expect((await bundle(sales)).revision).toBe(before.revision)
    expect((await release()).data.revisions).toEqual([{ target: PAGE, role: '', number: 1 }])
    const after = await bundle(sales)
    expect([widthOf(after.page, 'level'), after.page.pageSize]).toEqual([333, 50])
    const state = await stateOf(admin)
    expect(state.draft).toBeNull()
    expect(state.released?.number).toBe(1)
    expect(state.revisions[0]).toMatchObject({ kind: 'release', reason: '销售提出', by: { name: { zh: '管理员 (T0001)' } } })
    expect((await admin.post('/v2/sys/schema/rollback', { target: PAGE, number: 0, reason: '试验结束' })).code).toBe(0)
    expect((await bundle(sales)).revision).toBe(before.revision)
    expect((await admin.post('/v2/sys/schema/rollback', { target: PAGE, number: 1, reason: '还是要' })).code).toBe(0)
    expect(widthOf((await bundle(sales)).page, 'level')).toBe(333)
    expect((await stateOf(admin)).revisions.map(({ number, kind }) => [number, kind])).toEqual([
      [3, 'rollback'],
      [2, 'reset'],
      [1, 'release'],
    ])
  })

  it('first for gray browsers only', async () => {
    await draft([{ at: 'columns/level/width', set: 111 }])
    expect((await release({ stage: 'gray' })).code).toBe(0)
    expect(widthOf((await bundle(sales, GRAY)).page, 'level')).toBe(111)
    expect(widthOf((await bundle(sales)).page, 'level')).toBe(333)
    await admin.post('/v2/sys/schema/rollback', { target: PAGE, number: 0, reason: '清理' })
    expect(widthOf((await bundle(sales, GRAY)).page, 'level')).not.toBe(111)
  })

  it('for one role, on top of the page for everybody', async () => {
    await draft([{ at: 'columns/level/hidden', set: true }], { role: 'role-T0003' })
    expect((await release({}, PAGE, 'role-T0003')).code).toBe(0)
    const hidden = async (caller: Caller) => (await bundle(caller)).page.columns?.find(({ field }) => field === 'level')?.hidden
    expect(await hidden(sales)).toBe(true)
    expect(await hidden(admin)).toBeUndefined()
    await admin.post('/v2/sys/schema/rollback', { target: PAGE, role: 'role-T0003', number: 0, reason: '清理' })
    expect(await hidden(sales)).toBeUndefined()
  })

  it('at a time that was set: what waits is told by the clock of the gateway', async () => {
    await draft([{ at: 'pageSize', set: 100 }])
    const effectiveAt = new Date(gateway.clock.now().getTime() + 3_600_000).toISOString()
    const { data } = await release({ effectiveAt, title: '整点生效' })
    const told = async () => {
      // A session does not last as long as the clock is moved.
      const caller = await gateway.signIn('T0001')
      const { releases } = (await caller.get<{ releases: { id: string; status: string }[] }>('/v2/sys/schema/releases')).data
      const { targets } = (
        await caller.get<{ targets: { target: string; scheduled?: object; released?: object }[] }>('/v2/sys/schema/targets')
      ).data
      const own = targets.find(({ target }) => target === PAGE)
      return [releases.find(({ id }) => id === data.releaseId)?.status, own?.scheduled !== undefined, own?.released !== undefined]
    }
    expect(await told()).toEqual(['scheduled', true, false])
    gateway.clock.forward(7_200)
    const later = await told()
    gateway.clock.forward(-7_200)
    expect(later).toEqual(['live', false, true])
    expect((await admin.post('/v2/sys/schema/cancel', { releaseId: data.releaseId })).code).toBe(0)
  })

  it('at a time that was set, also when that comes while another release is being taken over', async () => {
    const { database, registry } = gateway.gateway
    const begins = gateway.clock.now().getTime() + 3_600_000
    let now = gateway.clock.now()
    const validation = { services: serviceNames() }
    const other = await LiveSchemas.open({ database, files: registry.files, validation, now: () => now, warn: () => undefined })
    await draft([{ at: 'pageSize', set: 100 }])
    expect((await release()).code).toBe(0)
    await draft([{ at: 'pageSize', set: 20 }])
    const { data } = await release({ effectiveAt: new Date(begins).toISOString() })
    now = gateway.clock.now()
    const sizes: unknown[] = []
    other.onChange(() => {
      sizes.push(pageSizeIn(other))
      // whoever hears of the first release takes longer than the second one waits
      now = new Date(begins + 1_000)
    })
    await other.reload()
    await expect.poll(() => sizes, { timeout: 5_000 }).toEqual([100, 20])
    expect((await admin.post('/v2/sys/schema/cancel', { releaseId: data.releaseId })).code).toBe(0)
    await admin.post('/v2/sys/schema/rollback', { target: PAGE, number: 0, reason: '清理' })
  })

  it('at a time that was set, or not when it is cancelled', async () => {
    await draft([{ at: 'pageSize', set: 100 }])
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const { data } = await release({ effectiveAt: later })
    expect((await bundle(sales)).page.pageSize).not.toBe(100)
    await draft([{ at: 'pageSize', set: 20 }])
    const refused = await release()
    expect(refused.code).toBe(10010005)
    expect(refused.msg).toContain('定时发布')
    expect((await admin.post('/v2/sys/schema/cancel', { releaseId: data.releaseId })).code).toBe(0)
    expect((await release()).code).toBe(0)
    expect((await bundle(sales)).page.pageSize).toBe(20)
    await admin.post('/v2/sys/schema/rollback', { target: PAGE, number: 0, reason: '清理' })
  })
})

describe('what is not safe', () => {
  it('is saved as a draft and never released: a document that the validator refuses', async () => {
    const { data } = await draft([{ at: 'columns', add: { field: 'levle' } }])
    expect(data.problems).toMatchObject([{ code: 'unknown-field', hint: 'level' }])
    const refused = await release()
    expect(refused.code).toBe(10010005)
    expect(refused.data).toMatchObject({ problems: [{ code: 'unknown-field' }] })
    expect((await admin.post('/v2/sys/schema/draft/discard', { target: PAGE, version: 1 })).code).toBe(0)
  })

  it('asks for a second look: a column that goes', async () => {
    await draft([{ at: 'columns/level', remove: true }])
    const refused = await release()
    const { differences } = refused.data as unknown as { differences: { id: string; text: { zh: string } }[] }
    expect(differences.map(({ text }) => text.zh)).toEqual(['列“客户等级”：移除'])
    expect((await release({ accepted: differences.map(({ id }) => id) })).code).toBe(0)
    expect((await bundle(sales)).page.columns?.some(({ field }) => field === 'level')).toBe(false)
    await admin.post('/v2/sys/schema/rollback', { target: PAGE, number: 0, reason: '清理' })
  })

  it('is refused to people without the key, and hostile changes change nothing', async () => {
    expect((await sales.get('/v2/sys/schema/targets')).code).toBe(10010003)
    expect((await draft([], { caller: sales })).code).toBe(10010003)
    expect((await draft([{ at: '__proto__/polluted', set: true }])).code).toBe(10010001)
    expect((await draft([], { target: 'page:../../etc' })).code).not.toBe(0)
    const huge = await draft([{ at: 'title/zh', set: '长'.repeat(1_000_000) }])
    expect(huge.data?.problems?.length ?? huge.code).not.toBe(0)
    const { version } = (await stateOf(admin)).draft ?? { version: 0 }
    await admin.post('/v2/sys/schema/draft/discard', { target: PAGE, version })
  })
})

describe('two admins', () => {
  it('see each other, and the slower one gets the newer draft instead of overwriting it', async () => {
    await draft([{ at: 'pageSize', set: 50 }])
    expect((await stateOf(second)).others).toMatchObject([{ by: { name: { zh: '管理员 (T0001)' } } }])
    expect((await draft([{ at: 'pageSize', set: 100 }], { caller: second, version: 1 })).code).toBe(0)
    const slower = await draft([{ at: 'summary', set: true }], { version: 1 })
    expect(slower.code).toBe(10010006)
    expect(slower.msg).toContain('李四')
    expect(slower.data).toMatchObject({ draft: { version: 2, changes: [{ at: 'pageSize', set: 100 }] } })
    await admin.post('/v2/sys/schema/draft/discard', { target: PAGE, version: 2 })
  })
})

/** What the API document says of saving a customer. */
const described = async () => {
  const document = (await (await admin.raw('GET', '/docs/api.json')).json()) as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { schema: { properties: Record<string, object> } }> } } }
    >
  }
  return document.paths['/v2/crm/customer/save']!.post.requestBody.content['application/json']!.schema
}

describe('a browser that cannot show a page', () => {
  const before = async (caller: Caller, revision: string) =>
    caller.get<{ page: ListPage; revision: string; number?: number } | null>(
      `/v2/sys/page/bundle?path=${PATH}&before=${encodeURIComponent(revision)}`,
    )
  const ofWidth = async (width: number) => {
    await draft([{ at: 'columns/level/width', set: width }])
    expect((await release()).code).toBe(0)
    return (await bundle(sales)).revision
  }

  it('gets the revision before the newest release, with its number; one that stands no more, what stands', async () => {
    const first = await ofWidth(211)
    const numberOf = async () => (await stateOf(admin)).released?.number
    const firstNumber = await numberOf()
    const second = await ofWidth(212)
    const { data } = await before(sales, second)
    expect([widthOf(data!.page, 'level'), data?.revision, data?.number]).toEqual([211, first, firstNumber])
    expect((await before(sales, first)).data?.revision).toBe(second)
    expect((await bundle(sales)).revision).toBe(second)
  })

  it('gets it also where a field of its entity was the change, and not where the release concerned another page or role', async () => {
    const stood = await bundle(sales)
    const entity = 'entity:crm.customer'
    await draft([{ at: 'properties/website/x-label', set: { zh: '官方网址', en: 'Site' } }], { target: entity })
    expect((await release({}, entity)).code).toBe(0)
    const changed = await bundle(sales)
    expect(changed.revision).not.toBe(stood.revision)
    await draft([{ at: 'pageSize', set: 50 }], { target: 'page:crm/leads' })
    await draft([{ at: 'pageSize', set: 50 }], { role: 'role-T0001' })
    for (const [target, role] of [
      ['page:crm/leads', null],
      [PAGE, 'role-T0001'],
    ] as const)
      expect((await release({ drafts: [{ target, role, version: 1 }] })).code).toBe(0)
    expect((await before(sales, changed.revision)).data?.revision).toBe(stood.revision)
    // for the other role its own variant was the change
    const own = await bundle(admin)
    expect((await before(admin, own.revision)).data?.revision).toBe(changed.revision)
    for (const [target, role] of [
      [PAGE, 'role-T0001'],
      [PAGE, null],
      ['page:crm/leads', null],
      [entity, null],
    ])
      await admin.post('/v2/sys/schema/rollback', { target, role, number: 0, reason: '清理' })
  })

  it('gets none where nothing was ever released, and no page that it may not open', async () => {
    const plain = await admin.get<{ revision: string }>('/v2/sys/page/bundle?name=crm/follow-up')
    const none = await admin.get(`/v2/sys/page/bundle?name=crm/follow-up&before=${encodeURIComponent(plain.data.revision)}`)
    expect([none.code, none.msg]).toEqual([10010004, '这个页面没有更早的版本。'])
    expect((await sales.get(`/v2/sys/page/bundle?path=/crm/leads&before=x`)).code).toBe(10010003)
    for (const refused of ['/crm/leads', '/no/page'])
      expect((await sales.raw('GET', `/v2/sys/page/bundle?path=${refused}&early=true`)).status).toBe(204)
  })
})

describe('a new field of an entity', () => {
  const target = 'entity:crm.customer'
  const field = {
    type: 'string',
    maxLength: 40,
    'x-label': { zh: '行业代码', en: 'Industry code' },
    'x-list': true,
    'x-filter': true,
    'x-search': true,
  }

  it('works at once in the table, the save call, the list and its page', async () => {
    await draft([{ at: 'properties', add: field, id: 'industryCode' }], { target })
    const released = await release({}, target)
    expect(released.msg).toBe('OK')
    expect((await bundle(admin)).entities['crm.customer']?.properties).toHaveProperty('industryCode')
    const saved = await admin.post<{ id: string; record: { industryCode: string } }>('/v2/crm/customer/save', {
      name: '新字段测试有限公司',
      countryCode: 'CN',
      customerType: 'enterprise',
      source: 'website',
      industryCode: 'J65',
    })
    expect(saved.data?.record?.industryCode ?? saved.msg).toBe('J65')
    const found = await admin.post<{ total: number }>('/v2/crm/customer/queryPage', {
      pageNo: 1,
      pageSize: 20,
      where: [{ field: 'industryCode', operator: 'eq', value: 'J65' }],
    })
    expect(found.data.total).toBe(1)
  })

  it('is described by the API document at once, without a restart', async () => {
    const { properties } = await described()
    expect(properties['industryCode']).toMatchObject({ maxLength: 40, description: expect.stringContaining('Industry code') })
    expect(properties).not.toHaveProperty('notReleased')
  })

  it('can be retired and comes back, and is never removed or turned into another kind', async () => {
    const add: Change = { at: 'properties', add: field, id: 'industryCode' }
    await draft([], { target })
    expect((await release({}, target)).msg).toContain('不能移除')
    await draft([{ at: 'properties', add: { ...field, type: 'integer', maxLength: undefined }, id: 'industryCode' }], {
      target,
      version: 1,
    })
    expect((await release({ drafts: [{ target, version: 2 }] }, target)).msg).toContain('类型不能再改')
    await draft([{ ...add, add: { ...field, 'x-retired': true } }], { target, version: 2 })
    const asked = await release({ drafts: [{ target, version: 3 }] })
    const { differences } = asked.data as unknown as { differences: { id: string }[] }
    expect((await release({ drafts: [{ target, version: 3 }], accepted: differences.map(({ id }) => id) })).code).toBe(0)
    const { rows } = await gateway.gateway.database.query<{ value: string }>(
      'select industry_code as value from crm_customer where industry_code is not null',
    )
    expect(rows).toEqual([{ value: 'J65' }])
  })

  it('is still there after a restart, although no file has it', async () => {
    const columns = async () =>
      (
        await gateway.gateway.database.query(
          `select 1 from information_schema.columns where table_name = 'crm_customer' and column_name = 'industry_code'`,
        )
      ).rowCount
    expect(await columns()).toBe(1)
    expect(gateway.gateway.registry.entity('crm.customer')?.properties).toHaveProperty('industryCode')
  })
})
