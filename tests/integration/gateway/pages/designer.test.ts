import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { FormPage, ListPage } from '../../../../src/schema/generated/page'
import type { Change } from '../../../../src/schema/overlay'
import { menuChange, newPage } from '../../../../src/widgets/page-designer/targets/newPage'
import { customerRow } from '../../../support/customerFile'
import type { Caller, TestGateway } from '../../../support/gateway'
import { sheetsOf } from '../../../support/workbook'
import { startGateway } from '../../../support/gateway'

const MENU = 'crm:client-partner:my-client'

let gateway: TestGateway
let admin: Caller
let sales: Caller
beforeAll(async () => {
  gateway = await startGateway({})
  const keys = ['add', 'edit', 'export', 'import', 'manage'].map((key) => `crm:customer:${key}`)
  await gateway.addStaff({
    id: 'admin',
    jobNumber: 'T0001',
    name: '管理员',
    keys: ['setModule:pages', 'setModule:pages:release', ...keys],
    menus: [MENU],
    scopes: { '*': ['all'] },
  })
  await gateway.addStaff({
    id: 'sales',
    jobNumber: 'T0003',
    menus: [MENU],
    keys: ['crm:customer:add', 'crm:customer:edit'],
    scopes: { 'crm.customer': ['own'] },
  })
  admin = await gateway.signIn('T0001')
  sales = await gateway.signIn('T0003')
})
afterAll(() => gateway.close())

interface Checked {
  problems: { code: string; where: string }[]
  differences: { id: string; risk: boolean; kind: string; text: { zh: string } }[]
}
interface Draft {
  target: string
  role?: string | null
  version: number
}

/** Checks the drafts and releases them to all, with every risk confirmed. */
async function release(drafts: readonly Draft[]): Promise<Checked> {
  const { data } = await admin.post<Checked>('/v2/sys/schema/check', { drafts })
  expect(data.problems).toEqual([])
  const accepted = data.differences.filter(({ risk }) => risk).map(({ id }) => id)
  const answer = await admin.post('/v2/sys/schema/release', { drafts, stage: 'all', title: '调整', reason: '销售提出', accepted })
  expect(answer.msg).toBe('OK')
  return data
}
const save = async (target: string, changes: readonly Change[], version = 0) =>
  (await admin.post<{ version: number; problems: { code: string }[] }>('/v2/sys/schema/draft/save', { target, version, changes }))
    .data
const page = async <T>(caller: Caller, path: string) =>
  (await caller.get<{ page: T; revision: string }>(`/v2/sys/page/bundle?path=${path}`)).data

describe('a new page with its menu entry', () => {
  const target = 'page:crm/key-customers'
  const terms = {
    kind: 'list',
    name: 'key-customers',
    title: { zh: '重点客户', en: 'Key customers' },
    path: '/crm/key-customers',
    permission: 'crm:key-customers',
  } as const
  const drafts = () => {
    const entity = gateway.gateway.registry.entity('crm.customer') as EntityDocument
    const entry = menuChange(terms, {
      group: ['client-partner'],
      after: 'client-partner.my-client',
      icon: 'star',
      roles: ['role-T0003'],
    })
    return [
      { target, changes: [{ at: '', set: newPage(terms, entity) }] },
      { target: 'module:crm', changes: [entry] },
    ]
  }
  interface Node {
    router: string | null
    international: string
    children: Node[]
  }
  const menuOf = async (caller: Caller): Promise<string[]> => {
    const { data } = await caller.get<Node[]>('/v2/sys/staff/overseas/getResourceByMenu')
    const walk = (nodes: readonly Node[]): string[] =>
      nodes.flatMap(({ router, children }) => [...(router ? [router] : []), ...walk(children)])
    return walk(data)
  }

  it('is one set of drafts: previewed before the release, released together, and then in the menu of the roles that get it', async () => {
    const made = await admin.post<{ drafts: Draft[] }>('/v2/sys/schema/draft/set', { drafts: drafts() })
    expect(made.data.drafts).toMatchObject([
      { target, version: 1 },
      { target: 'module:crm', version: 1 },
    ])
    const state = await admin.get<{ bundle: { page: ListPage } | null; companions: { target: string; together: boolean }[] }>(
      `/v2/sys/schema/target?target=${target}`,
    )
    expect(state.data.bundle?.page.title.zh).toBe('重点客户')
    expect(state.data.companions).toMatchObject([{ target: 'module:crm', together: true, title: { zh: '客户管理' } }])
    // The key of the page is known because the menu entry is looked at along with it.
    const saved = await save(target, drafts()[0]!.changes as Change[], 1)
    expect(saved.problems).toEqual([])
    expect((await page(sales, terms.path))?.page).toBeUndefined()
    expect(await menuOf(sales)).not.toContain(terms.path)

    const { differences } = await release([
      { target, version: 2 },
      { target: 'module:crm', version: 1 },
    ])
    expect(differences.find(({ kind }) => kind === 'permissionWidened')?.text.zh).toContain('授予 role-T0003')
    expect((await page<ListPage>(sales, terms.path)).page.title.zh).toBe('重点客户')
    const entries = await menuOf(sales)
    expect(entries.indexOf(terms.path)).toBe(entries.indexOf('/crm/client-partner/my-client') + 1)
    expect(await menuOf(admin)).not.toContain(terms.path)
  })

  it('can be granted where permissions are managed, as any other entry', async () => {
    const { rows } = await gateway.gateway.database.query<{ id: string }>(
      `select id from sys_menu_resource where international = 'crm:key-customers'`,
    )
    expect(rows).toHaveLength(1)
  })

  it('takes no name that is used, and its menu entry goes with its draft', async () => {
    expect((await admin.post('/v2/sys/schema/draft/set', { drafts: drafts() })).msg).toContain('已经存在')
    const other = { ...terms, name: 'second', path: '/crm/second', permission: 'crm:second' }
    const entity = gateway.gateway.registry.entity('crm.customer') as EntityDocument
    const second = 'page:crm/second'
    const made = await admin.post('/v2/sys/schema/draft/set', {
      drafts: [
        { target: second, changes: [{ at: '', set: newPage(other, entity) }] },
        { target: 'module:crm', changes: [menuChange(other, { group: ['client-partner'], roles: [] })] },
      ],
    })
    expect(made.code).toBe(0)
    expect((await admin.post('/v2/sys/schema/draft/discard', { target: second, version: 1 })).code).toBe(0)
    const { data } = await admin.get<{ draft: unknown }>('/v2/sys/schema/target?target=module:crm')
    expect(data.draft).toBeNull()
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
    'x-backfill': 'OLD',
    pattern: '^[A-Z]+[0-9]*$',
  }
  const customer = { countryCode: 'CN', customerType: 'enterprise', source: 'website' }
  const columns = [
    { field: 'name', title: '客户名称' },
    { field: 'industryCode', title: '行业代码' },
  ]

  it('fills the rows that are there and works in list, filter, sort, form, detail, import template, import, export, audit and API', async () => {
    const old = await admin.post<{ id: string }>('/v2/crm/customer/save', { ...customer, name: '老客户有限公司' })
    expect(old.msg).toBe('OK')
    const { version } = await save(target, [{ at: 'properties', add: field, id: 'industryCode' }])
    const { differences } = await release([{ target, version }])
    expect(differences.map(({ text }) => text.zh)).toContain('字段“行业代码”：已有记录填入（OLD）')

    // list, filter, sort
    const fresh = await admin.post<{ id: string; record: { industryCode: string } }>('/v2/crm/customer/save', {
      ...customer,
      name: '新客户有限公司',
      industryCode: 'J65',
    })
    expect(fresh.data.record.industryCode).toBe('J65')
    const query = async (body: object) =>
      (await admin.post<{ records: { name: string; industryCode: string | null }[] }>('/v2/crm/customer/queryPage', body)).data
        .records
    const paging = { pageNo: 1, pageSize: 20 }
    const filtered = await query({ ...paging, where: [{ field: 'industryCode', operator: 'eq', value: 'OLD' }] })
    expect(filtered.map(({ name }) => name)).toEqual(['老客户有限公司'])
    const sorted = await query({ ...paging, sort: [{ field: 'industryCode', order: 'desc' }] })
    expect(sorted.map(({ industryCode }) => industryCode)).toEqual(['OLD', 'J65'])
    expect(await query({ ...paging, keyword: 'J65' })).toHaveLength(1)

    // its rule holds; a page that shows the rest of its entity shows it
    const wrong = await admin.post<{ errors: { field: string }[] }>('/v2/crm/customer/save', {
      ...customer,
      name: '错误有限公司',
      industryCode: 'j',
    })
    expect(wrong.data.errors.map((one) => one.field)).toEqual(['industryCode'])
    const texts = await Promise.all(
      ['page:crm/customer', 'page:crm/my-client-details', 'page:crm/my-client'].map(async (name) =>
        JSON.stringify((await admin.get<{ base: object }>(`/v2/sys/schema/target?target=${name}`)).data.base),
      ),
    )
    expect(texts.map((text) => text.includes('industryCode'))).toEqual([true, true, true])

    // import template, import, export
    const file = await (await admin.raw('GET', '/v2/crm/customer/import/template')).arrayBuffer()
    expect(sheetsOf(new Uint8Array(file))[0]!.rows[0]).toContain('行业代码')
    const form = new FormData()
    const lines = ['客户名称,客户性质,国家/地区,来源,行业代码', '导入客户有限公司,enterprise,CN,website,K70']
    form.append('file', new Blob([lines.join('\n')]), 'customers.csv')
    const seen = (await (await admin.raw('POST', '/v2/crm/customer/import/preview', { body: form })).json()) as {
      data: { importId: string; valid: number; errors: unknown[] }
    }
    expect(seen.data).toMatchObject({ valid: 1, errors: [] })
    expect((await admin.post('/v2/crm/customer/import/commit', { importId: seen.data.importId })).data).toMatchObject({
      created: 1,
    })
    const exported = await admin.raw('POST', '/v2/crm/customer/export', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'csv', columns }),
    })
    const csv = await exported.text()
    for (const value of ['行业代码', 'OLD', 'J65', 'K70']) expect(csv).toContain(value)

    // detail and audit
    const view = await admin.get<{ record: { industryCode: string; version: number } }>(`/v2/crm/customer/view/${fresh.data.id}`)
    expect(view.data.record.industryCode).toBe('J65')
    await admin.post('/v2/crm/customer/save', {
      id: fresh.data.id,
      version: view.data.record.version,
      industryCode: 'L1',
    })
    const log = await admin.get(`/v2/crm/customer/log/${fresh.data.id}`)
    expect(log.text).toContain('industryCode')
    expect(log.text).toContain('L1')
  })

  it('is retired, keeps its data, and comes back', async () => {
    const { version } = await save(target, [{ at: 'properties', add: { ...field, 'x-retired': true }, id: 'industryCode' }])
    const { differences } = await release([{ target, version }])
    expect(differences.map(({ kind }) => kind)).toEqual(['retired'])
    const list = async () =>
      JSON.stringify((await admin.get<{ base: object }>('/v2/sys/schema/target?target=page:crm/my-client')).data.base)
    expect(await list()).not.toContain('industryCode')
    const again = await save(target, [{ at: 'properties', add: field, id: 'industryCode' }])
    await release([{ target, version: again.version }])
    expect(await list()).toContain('industryCode')
    const { rows } = await gateway.gateway.database.query<{ value: string }>(
      'select industry_code as value from crm_customer where industry_code is not null order by 1',
    )
    expect(rows.map(({ value }) => value)).toEqual(['K70', 'L1', 'OLD'])
  })
})

describe('a form that is filled in while it is released anew', () => {
  const target = 'page:crm/customer'
  const path = '/crm/client-partner/my-client/edit'
  const values = { countryCode: 'CN', customerType: 'enterprise', source: 'website' }
  const open = async () => {
    const { revision } = await page<FormPage>(admin, path)
    return { 'x-form-revision': `${encodeURIComponent(path)} ${encodeURIComponent(revision)}` }
  }
  const submit = (headers: Record<string, string>, body: object) =>
    admin.post<{ changes?: { field: string; kind: string }[] }>('/v2/crm/customer/save', { ...values, ...body }, headers)

  it('is refused with what changed where that matters, saves nothing then, and is taken where it does not', async () => {
    const opened = await open()
    const group = 'schema/properties/basic/properties'
    const { version } = await save(target, [
      { at: `${group}/website`, remove: true },
      { at: `${group}/city/required`, set: true },
      { at: `${group}/address/title`, set: { zh: '地址', en: 'Where' } },
    ])
    await release([{ target, version }])

    const refused = await submit(opened, { name: '填写中有限公司', website: 'https://a.example' })
    expect(refused.code).toBe(10010014)
    expect(refused.msg).toContain('没有保存任何内容')
    expect(refused.data.changes).toMatchObject([
      { field: 'city', kind: 'required' },
      { field: 'website', kind: 'removed' },
    ])
    const { rows } = await gateway.gateway.database.query(`select 1 from crm_customer where name = '填写中有限公司'`)
    expect(rows).toEqual([])
    // Nothing that was typed has lost its place: it is saved as before.
    expect((await submit(opened, { name: '填好了有限公司', city: '深圳' })).code).toBe(0)
    expect((await submit(await open(), { name: '新表单有限公司' })).code).toBe(0)
    await admin.post('/v2/sys/schema/rollback', { target, number: 0, reason: '清理' })
  })

  it('is either saved or refused as a whole when it is released in the middle of its submissions', async () => {
    const opened = await open()
    const { version } = await save(target, [{ at: 'schema/properties/basic/properties/website', remove: true }])
    const customers = Array.from({ length: 13 }, (_, index) => {
      const [name, , , , website] = customerRow(9_000 + index)
      return { name, website }
    })
    const submitted = customers.slice(1).map((customer) => submit(opened, customer))
    const [, ...answers] = await Promise.all([release([{ target, version }]), ...submitted])
    answers.push(await submit(opened, customers[0]!))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code !== 0 && code !== 10010014)).toEqual([])
    expect(codes.at(-1)).toBe(10010014)
    const { rows } = await gateway.gateway.database.query<{ website: string | null }>(
      'select website from crm_customer where name = any($1::text[])',
      [customers.map(({ name }) => name)],
    )
    expect(rows).toHaveLength(codes.filter((code) => code === 0).length)
    expect(rows.every(({ website }) => website !== null)).toBe(true)
    await admin.post('/v2/sys/schema/rollback', { target, number: 0, reason: '清理' })
  })

  it('is known by the other gateways and after a restart', async () => {
    const { rows } = await gateway.gateway.database.query<{ count: number }>(
      `select count(*)::int as count from schema_form where page = 'crm/customer'`,
    )
    expect(rows[0]?.count).toBe(3)
  })
})

describe('a change set as a file', () => {
  const leads = [{ at: 'columns/company/title', set: { zh: '企业', en: 'Firm' } }]
  const visits = [{ at: 'columns/purpose/title', set: { zh: '事由', en: 'Why' } }]
  const [first, second] = ['page:crm/leads', 'page:crm/visiting-records'] as const
  interface Exported {
    origin: { environment: string; title: string | null; by: { zh: string } }
    overlays: { target: string }[]
  }
  const exported = async (releaseId?: string) =>
    (await admin.get<Exported>(`/v2/sys/schema/export${releaseId ? `?releaseId=${releaseId}` : ''}`)).data
  const stateOf = async (target: string) =>
    (
      await admin.get<{
        draft: { version: number; origin: object | null; changes: Change[] } | null
        revisions: { releaseId: string; origin: object | null }[]
      }>(`/v2/sys/schema/target?target=${target}`)
    ).data

  it('is named by its address while its draft has no title, so that others can still be looked at', async () => {
    const nameless = 'page:crm/nameless'
    const { version } = await save(nameless, [{ at: '', set: {} }])
    const { data } = await admin.get<{ companions: object[] }>(`/v2/sys/schema/target?target=${first}`)
    expect(data.companions).toContainEqual(expect.objectContaining({ target: nameless, title: { zh: nameless, en: nameless } }))
    expect((await admin.post('/v2/sys/schema/draft/discard', { target: nameless, version })).code).toBe(0)
  })

  it('becomes drafts that are released together, and says in the history where it came from', async () => {
    const drafts = []
    for (const [target, changes] of [[first, leads] as const, [second, visits] as const])
      drafts.push({ target, version: (await save(target, changes)).version })
    await release(drafts)
    const { revisions } = await stateOf(first)
    expect(revisions[0]?.origin).toBeNull()
    const file = await exported(revisions[0]?.releaseId)
    expect(file.origin).toMatchObject({ environment: 'test', title: '调整', by: { zh: '管理员 (T0001)' } })
    expect(file.overlays.map(({ target }) => target).sort()).toEqual([first, second])
    for (const target of [first, second]) await admin.post('/v2/sys/schema/rollback', { target, number: 0, reason: '清理' })

    const origin = { ...file.origin, environment: 'production' }
    expect((await admin.post('/v2/sys/schema/import', { file: { ...file, origin } })).code).toBe(0)
    const { data } = await admin.get<{ companions: object[] }>(`/v2/sys/schema/target?target=${first}`)
    expect(data.companions).toMatchObject([{ target: second, together: true }])
    expect((await stateOf(first)).draft).toMatchObject({ origin, changes: leads })
    // Work on the draft does not make it forget where it came from.
    const { version } = await save(first, leads, 1)
    await release([
      { target: first, version },
      { target: second, version: 1 },
    ])
    expect((await stateOf(second)).revisions[0]?.origin).toEqual(origin)
  })

  it('is taken as a whole or not at all: an open draft is not overwritten', async () => {
    const { version } = await save(second, [])
    const file = { ...(await exported()), overlays: [first, second].map((target) => ({ target, role: '', changes: leads })) }
    const refused = await admin.post('/v2/sys/schema/import', { file })
    expect(refused.msg).toContain('page:crm/visiting-records')
    expect(refused.msg).toContain('没有导入任何内容')
    expect((await stateOf(first)).draft).toBeNull()
    await admin.post('/v2/sys/schema/draft/discard', { target: second, version })
    for (const target of [first, second]) await admin.post('/v2/sys/schema/rollback', { target, number: 0, reason: '清理' })
  })

  it('of before has no origin and is taken as well', async () => {
    const { overlays } = await exported()
    const file = {
      format: 'switchboard-changes',
      formatVersion: 2,
      overlays: [...overlays, { target: first, role: '', changes: leads }],
    }
    expect((await admin.post('/v2/sys/schema/import', { file })).code).toBe(0)
    expect((await stateOf(first)).draft?.origin).toBeNull()
    await admin.post('/v2/sys/schema/draft/discard', { target: first, version: 1 })
  })
})

describe('what browsers could not show', () => {
  it('is counted by revision and place, with the message', async () => {
    const fault = {
      where: 'schemas/crm/pages/my-client.json',
      at: '/columns/3',
      message: 'a cell failed',
      revision: 'sha256-old',
    }
    for (const person of [sales, admin]) expect((await person.post('/v2/sys/page/fault', fault)).code).toBe(0)
    const { data } = await admin.get<{ faults: { count: number; current: boolean }[] }>(
      '/v2/sys/schema/faults?page=crm/my-client',
    )
    expect(data.faults).toMatchObject([
      { revision: 'sha256-old', at: '/columns/3', message: 'a cell failed', count: 2, current: false },
    ])
    expect((await sales.get('/v2/sys/schema/faults?page=crm/my-client')).code).toBe(10010003)

    // Somebody from whom a field is hidden has revisions of his own: what he saw is what stands all the same.
    const keys = ['setModule:pages']
    const fieldRules = { 'crm.customer.level': 'hide' }
    const menus = ['crm:client-partner:my-client']
    await gateway.addStaff({ id: 'ruled', jobNumber: 'T0008', keys, menus, fieldRules, scopes: { '*': ['own'] } })
    const ruled = await gateway.signIn('T0008')
    const own = await ruled.get<{ revision: string; fieldRules: object }>('/v2/sys/page/bundle?name=crm/my-client')
    expect(own.data.fieldRules).toMatchObject(fieldRules)
    await ruled.post('/v2/sys/page/fault', { ...fault, at: '/columns/4', revision: own.data.revision })
    const seen = await ruled.get<{ faults: { at: string; current: boolean }[] }>('/v2/sys/schema/faults?page=crm/my-client')
    expect(seen.data.faults.map(({ at, current }) => [at, current])).toEqual([
      ['/columns/4', true],
      ['/columns/3', false],
    ])
  })
})

describe('presence', () => {
  it('tells who else has the draft open', async () => {
    const presence = '/v2/sys/schema/presence?target=page:crm/leads'
    expect((await admin.get(presence)).data).toEqual({ others: [] })
    await gateway.addStaff({ id: 'second', jobNumber: 'T0009', name: '李四', keys: ['setModule:pages'] })
    const second = await gateway.signIn('T0009')
    expect((await second.get(presence)).data).toMatchObject({ others: [{ by: { name: { zh: '管理员 (T0001)' } } }] })
    expect((await admin.get(presence)).data).toMatchObject({ others: [{ by: { name: { zh: '李四 (T0009)' } } }] })
  })
})

describe('somebody as whom a page is looked at', () => {
  it('comes with his roles and with the released variants of the page for them, for a role and for a person alike', async () => {
    const target = 'page:crm/leads'
    const changes = [{ at: 'pageSize', set: 50 }]
    await gateway.addStaff({ id: 'seen', jobNumber: 'T0007', keys: ['crm:leads'] })
    const role = 'role-T0007'
    const saved = await admin.post<{ version: number }>('/v2/sys/schema/draft/save', { target, role, version: 0, changes })
    const drafts = [{ target, role, version: saved.data.version }]
    const terms = { drafts, stage: 'all', title: '变体', reason: '测试', accepted: [] }
    expect((await admin.post('/v2/sys/schema/release', terms)).code).toBe(0)
    const viewer = async (query: string) =>
      (await admin.get<{ roles: string[]; variants: object[] }>(`/v2/sys/schema/viewer?${query}`)).data
    for (const who of ['staffId=seen', `role=${role}`]) {
      const { roles, variants } = await viewer(`${who}&target=${target}`)
      expect([roles, variants], who).toEqual([[role], [{ role, changes }]])
      expect((await viewer(`${who}&target=page:crm/my-client`)).variants, who).toEqual([])
    }
    await admin.post('/v2/sys/schema/rollback', { target, role, number: 0, reason: '清理' })
  })
})
