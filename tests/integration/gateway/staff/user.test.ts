import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepUsage } from '../../../../gateway/staff'
import { startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'

interface Node {
  id: string
  international: string
  router: string | null
  children: Node[]
}

let test: TestGateway
let wang: Caller
let nobody: Caller
beforeAll(async () => {
  test = await startGateway({
    environment: {
      PROMOTION_PAGES: '{"官网": "https://www.example.com/start?from=card"}',
      REGISTER_URL: 'https://www.example.com/join',
      EXTERNAL_IMFS_URL: 'https://imfs.example.com',
    },
  })
  await test.addStaff({
    id: 'wang',
    jobNumber: 'S0042',
    name: '王伟',
    email: 'wang@example.com',
    menus: ['crm:client-partner:my-client', 'setModule:systemLog'],
    keys: ['crm:customer:add'],
    scopes: { 'crm.customer': ['own'] },
    fieldRules: { 'crm.customer.remark': 'hide' },
  })
  await test.addStaff({ id: 'nobody', jobNumber: 'S0043' })
  wang = await test.signIn('S0042')
  nobody = await test.signIn('S0043')
})
afterAll(() => test.close())

const flat = (nodes: Node[]): string[] => nodes.flatMap((node) => [node.international, ...flat(node.children)])

describe('the signed-in person', () => {
  it('is told who they are (R143)', async () => {
    const { data } = await wang.get<Record<string, unknown>>('/v2/sys/staff/overseas/getUserInfo')
    expect(data).toMatchObject({
      userId: 'wang',
      staffId: 'wang',
      name: '王伟',
      jobNumber: 'S0042',
      avatar: null,
      jobTime: null,
      deptNames: ['总部'],
    })
    const english = await wang.get<{ deptNames: string[] }>('/v2/sys/staff/overseas/getUserInfo', { 'accept-language': 'en' })
    expect(english.data.deptNames).toEqual(['Headquarters'])
  })

  it('gets the granted menus with the groups above them, and nothing else (R144, R299, R301)', async () => {
    const { data } = await wang.get<Node[]>('/v2/sys/staff/overseas/getResourceByMenu?mobileFlag=false')
    expect(flat(data)).toEqual([
      'crm:crm',
      'crm:client-partner',
      'crm:client-partner:my-client',
      'setModule:setModule',
      'setModule:systemLog',
    ])
    expect((await nobody.get<Node[]>('/v2/sys/staff/overseas/getResourceByMenu?mobileFlag=false')).data).toEqual([])
    expect((await wang.get<Node[]>('/v2/sys/staff/overseas/getResourceByMenu?mobileFlag=true')).data).toEqual([])
  })

  it('gets the held permission keys (R301, R317)', async () => {
    const { data } = await wang.get<{ international: string }[]>('/v2/sys/staff/overseas/getResourceByBtn?mobileFlag=false')
    expect(data.map((button) => button.international)).toEqual(['crm:customer:add'])
    expect((await nobody.get<unknown[]>('/v2/sys/staff/overseas/getResourceByBtn')).data).toEqual([])
  })

  it('gets the rules of the fields of an entity', async () => {
    const { data } = await wang.post<{ fields: Record<string, string> }>('/v2/sys/staff/resource/field/get', {
      entity: 'crm.customer',
    })
    expect(data.fields['remark']).toBe('hide')
    const staff = await wang.post<{ fields: Record<string, string> }>('/v2/sys/staff/resource/field/get', { entity: 'sys.staff' })
    expect(staff.data.fields).toEqual({ phone: 'mask' })
    expect((await wang.post('/v2/sys/staff/resource/field/get', { entity: 'sys.nothing' })).code).toBe(10010004)
    expect((await wang.post('/v2/sys/staff/resource/field/get', {})).code).toBe(10010001)
  })

  it('gets the departments to choose from', async () => {
    const { data } = await wang.get<{ id: string; title: string }[]>('/v2/srm/supplier/select/get/dept', {
      'accept-language': 'en',
    })
    expect(data).toMatchObject([{ title: 'Headquarters', code: 'HQ', parentId: null }])
  })

  it('is told of the last sign-in and the age of the password (R324)', async () => {
    test.clock.forward(60)
    const again = await test.signIn('S0042')
    const { data } = await again.get<{ lastSignInAt: string; passwordAgeDays: number }>(
      '/v2/sys/staff/sysLoginPrompt/genQuery/one',
    )
    expect(data).toMatchObject({
      lastSignInAt: expect.stringMatching(/^\d{4}-/),
      lastSignInIp: '127.0.0.1',
      lastSignInWay: 'password',
      passwordAgeDays: 0,
      passwordOld: false,
    })
  })
})

describe('a module outside the portal', () => {
  it('is a menu resource when it has an address, and in the answer of those alone who were granted it (R071, R299)', async () => {
    const known = await test.gateway.database.query<{ key: string }>(
      `select international as key from sys_menu_resource where international in ('imfs:imfs', 'nwp:nwp')`,
    )
    expect(known.rows).toEqual([{ key: 'imfs:imfs' }])
    await test.addStaff({ id: 'trader', jobNumber: 'S0044', menus: ['imfs:imfs'] })
    const trader = await test.signIn('S0044')
    const menusOf = async (caller: Caller) =>
      flat((await caller.get<Node[]>('/v2/sys/staff/overseas/getResourceByMenu?mobileFlag=false')).data)
    expect(await menusOf(trader)).toEqual(['imfs:imfs'])
    expect(await menusOf(wang)).not.toContain('imfs:imfs')
  })
})

describe('usage tracking', () => {
  const stored = async () =>
    (
      await test.gateway.database.query<Record<string, string>>(
        'select job_number, name, visit, path from usage_event order by at, path',
      )
    ).rows

  it('keeps which pages were opened, under job number and name of the session, for the days that are set (R303)', async () => {
    const batch = {
      visit: 'Abc12345',
      events: [
        { path: '/home', ago: 2000 },
        { path: '/crm/my-client', ago: 0 },
      ],
    }
    expect((await wang.post('/v2/sys/staff/usage', batch)).code).toBe(0)
    const person = { job_number: 'S0042', name: '王伟', visit: 'Abc12345' }
    expect(await stored()).toEqual([
      { ...person, path: '/home' },
      { ...person, path: '/crm/my-client' },
    ])
    const now = new Date(test.clock.now().getTime() + 89 * 86_400_000)
    await sweepUsage(test.gateway.database, 90, now)
    expect(await stored()).toHaveLength(2)
    await sweepUsage(test.gateway.database, 90, new Date(now.getTime() + 2 * 86_400_000))
    expect(await stored()).toEqual([])
  })

  it('takes paths alone, from people with a session', async () => {
    for (const body of [
      { visit: 'short', events: [] },
      { visit: 'Abc12345', events: [{ path: '/home?name=x', ago: 0 }] },
      { visit: 'Abc12345', events: [{ path: '/home', ago: 0, jobNumber: 'S0001' }] },
      { visit: 'Abc12345', events: Array.from({ length: 101 }, () => ({ path: '/home', ago: 0 })) },
    ])
      expect((await wang.post('/v2/sys/staff/usage', body)).code).toBe(10010001)
    const stranger = await fetch(`${wang.base}/v2/sys/staff/usage`, { method: 'POST', body: '{}' })
    expect(stranger.status).toBeGreaterThanOrEqual(400)
    expect(await stored()).toEqual([])
  })
})

describe('settings of a person', () => {
  it('are kept by key, any JSON, for that person alone', async () => {
    const key = encodeURIComponent('list:/crm/client-partner/my-client')
    for (const value of [{ value: 1, columns: ['a'] }, 'text', 0, false, []]) {
      expect((await wang.post(`/v2/sys/staff/preference/${key}`, { value })).code).toBe(0)
      expect((await wang.get<{ value: unknown }>(`/v2/sys/staff/preference/${key}`)).data.value).toEqual(value)
    }
    expect((await nobody.get<{ value: unknown }>(`/v2/sys/staff/preference/${key}`)).data.value).toBeNull()
    await wang.post(`/v2/sys/staff/preference/${key}`, { value: null })
    expect((await wang.get<{ value: unknown }>(`/v2/sys/staff/preference/${key}`)).data.value).toBeNull()
  })

  it('have bounds', async () => {
    expect((await wang.post('/v2/sys/staff/preference/big', { value: 'x'.repeat(70_000) })).status).toBe(413)
    expect((await wang.post(`/v2/sys/staff/preference/${'k'.repeat(250)}`, { value: 1 })).code).toBe(10010001)
    expect((await wang.post('/v2/sys/staff/preference/none', {})).code).toBe(10010001)
  })
})

describe('quick entries (R321, R322)', () => {
  it('are kept in their order and shown while they are granted', async () => {
    const { data: tree } = await wang.get<Node[]>('/v2/sys/staff/overseas/getResourceByMenu')
    const withRoute = (nodes: Node[]): Node[] =>
      nodes.flatMap((node) => [...(node.router ? [node] : []), ...withRoute(node.children)])
    const ids = withRoute(tree)
      .map((node) => node.id)
      .reverse()
    expect((await wang.post('/v2/sys/staff/quickEntrance/patchSaveQuickEntrance', { ids })).code).toBe(0)
    const { data } = await wang.get<{ id: string }[]>('/v2/sys/staff/quickEntrance/getUserQuickEntranceList')
    expect(data.map((entry) => entry.id)).toEqual(ids)
    expect((await nobody.post('/v2/sys/staff/quickEntrance/patchSaveQuickEntrance', { ids })).code).toBe(10010005)
    expect((await nobody.get<unknown[]>('/v2/sys/staff/quickEntrance/getUserQuickEntranceList')).data).toEqual([])
  })
})

describe('the home page', () => {
  const home = async (caller: Caller): Promise<{ id: string; title: string; address: string | null; shown: boolean }[]> =>
    (await caller.get<{ cards: [] }>('/v2/sys/staff/home', { 'accept-language': 'en' })).data.cards

  it('H2 has cards of pages that the person may open, of roles first, and says nothing of the others', async () => {
    expect(await home(nobody)).toEqual([])
    const offered = await home(wang)
    expect(offered.map(({ id, shown }) => [id, shown])).toEqual([
      ['crm.today', false],
      ['crm.recycling', false],
      ['crm.silent', false],
      ['sys.log', false],
    ])
    expect(offered[0]).toMatchObject({ title: 'To follow today', address: '/crm/client-partner/my-client?view=today' })
    expect((await test.anybody.get('/v2/sys/staff/home')).code).toBe(11008)
  })

  it('H1 H2 begins with what is for the roles of the person, in their order, less what their rights keep back', async () => {
    const shownTo = async (jobNumber: string, role: string): Promise<string[]> => {
      await test.addStaff({ id: jobNumber, jobNumber })
      const join = `update sys_role_member set role_id = (select id from sys_role where code = $2) where staff_id = $1`
      await test.gateway.database.query(join, [jobNumber, role])
      return (await home(await test.signIn(jobNumber))).flatMap(({ id, shown }) => (shown ? [id] : []))
    }
    expect(await shownTo('S0074', 'generalManager')).toEqual([
      ...['rpt.revenue', 'rpt.cost', 'rpt.profit', 'rpt.margin', 'rpt.trend', 'rpt.customers', 'fin.receivables'],
      ...['ew.alarms', 'wf.todo'],
    ])
    // a lead may not see costs: nothing tells of the cards that would
    const lead = await shownTo('S0075', 'salesManager')
    expect(lead.slice(0, 5)).toEqual(['rpt.revenue', 'crm.week', 'wf.todo', 'rpt.ranking', 'crm.pipeline'])
    expect(lead.filter((id) => /cost|profit|margin/.test(id))).toEqual([])
  })

  it('is released for a role by designers of pages: what its holders may see, until they arrange their own', async () => {
    await test.addStaff({ id: 'homes', jobNumber: 'S0145', menus: ['setModule:pages'] })
    const designer = await test.signIn('S0145')
    interface Home {
      cards: { id: string; span: number; shown: boolean }[]
      version: number
    }
    const ofRole = async (): Promise<Home> => (await designer.get<Home>('/v2/sys/staff/home/role?role=salesManager')).data
    const release = (cards: unknown, version: number, caller = designer) =>
      caller.post<{ version: number }>('/v2/sys/staff/home/release', { role: 'salesManager', cards, version })
    const lead = await test.signIn('S0075')
    const shown = async () => (await home(lead)).flatMap(({ id, shown: stands }) => (stands ? [id] : []))

    const shipped = await ofRole()
    expect(shipped.version).toBe(0)
    expect(shipped.cards.filter((card) => card.shown).map(({ id }) => id)).toEqual(await shown())
    expect(shipped.cards.filter(({ id }) => /cost|profit|margin/.test(id))).toEqual([])
    const chosen = [
      { id: 'crm.pipeline', span: 4 },
      { id: 'wf.todo', span: 2 },
    ]
    expect((await release(chosen, 0, lead)).code).toBe(10010003)
    expect((await release([{ id: 'rpt.margin', span: 1 }], 0)).msg).toContain('rpt.margin')
    expect((await release([...chosen, chosen[0]], 0)).msg).toContain('crm.pipeline')
    expect((await release(chosen, 0)).data).toEqual({ version: 1 })
    expect(await shown()).toEqual(['crm.pipeline', 'wf.todo'])
    expect((await home(lead))[0]).toMatchObject({ id: 'crm.pipeline', span: 4 })
    expect((await release(chosen, 0)).msg).toContain('别处')
    expect((await release(chosen.slice(1), 1)).data).toEqual({ version: 2 })
    expect(await shown()).toEqual(['wf.todo'])
    expect((await release(null, 2)).data).toEqual({ version: 0 })
    expect((await ofRole()).cards).toEqual(shipped.cards)
    expect((await designer.get('/v2/sys/staff/home/role?role=nobody')).code).not.toBe(0)
  })
})

describe('promotion links', () => {
  it('are the configured pages with the job number of a member of staff (R320)', async () => {
    const links = (query: string) => wang.get(`/v2/crm/index/promotionLink${query}`)
    const mine = [
      { name: '注册页', link: 'https://www.example.com/join?promoterNo=S0042' },
      { name: '官网', link: 'https://www.example.com/start?from=card&promoterNo=S0042' },
    ]
    expect((await links('')).data).toEqual(mine)
    expect((await links('?jobNumber=S0042')).data).toEqual(mine)
    expect((await links('?jobNumber=S0043')).data).toMatchObject([
      { link: expect.stringContaining('promoterNo=S0043') as string },
      {},
    ])
    expect((await links('?jobNumber=S9999')).code).toBe(10010004)
    expect((await test.anybody.get('/v2/crm/index/promotionLink')).code).toBe(11008)
  })

  it('end with the person (R320)', async () => {
    await test.gateway.database.query(`update sys_staff set status = 'left' where id = 'nobody'`)
    expect((await wang.get('/v2/crm/index/promotionLink?jobNumber=S0043')).data).toEqual([])
  })
})

describe('saved views of a list', () => {
  const LIST = 'crm/customers'
  interface View {
    id: string
    title: string
    version: number
    editable: boolean
    first: boolean
    sharedBy?: string
    roles: string[]
  }
  const views = async (caller: Caller, list = LIST): Promise<{ settings: unknown; views: View[] }> =>
    (await caller.get<{ settings: unknown; views: View[] }>(`/v2/sys/staff/views?list=${encodeURIComponent(list)}`)).data
  const view = (more: object = {}) => ({
    ...{
      list: LIST,
      title: '欠费客户',
      query: 'f.state=in%3Aoverdue&layout=board',
      settings: null,
      roles: [],
      opensFirst: false,
    },
    ...more,
  })
  const keep = (caller: Caller, more: object = {}) =>
    caller.post<{ id: string; version: number }>('/v2/sys/staff/views/save', view(more))
  const role = async (caller: Caller): Promise<string> =>
    (await caller.get<{ code: string }[]>('/v2/sys/staff/views/roles')).data[0]!.code

  it('are of whoever keeps them, with the settings of the list in one answer', async () => {
    await wang.post(`/v2/sys/staff/preference/${encodeURIComponent(`list:${LIST}`)}`, { value: { density: 'compact' } })
    const { id } = (await keep(wang, { settings: { hidden: { phone: true } } })).data
    expect(await views(wang)).toMatchObject({
      settings: { density: 'compact' },
      views: [{ id, title: '欠费客户', editable: true, first: false, settings: { hidden: { phone: true } } }],
    })
    expect((await views(wang, 'crm/others')).views).toEqual([])
    expect((await views(nobody)).views).toEqual([])
    expect((await nobody.post('/v2/sys/staff/views/remove', { id, version: 1 })).code).toBe(10010004)
    expect((await keep(nobody, { id, version: 1, title: '我的了' })).code).toBe(10010004)
    expect((await keep(wang, { id, version: 1, title: '欠费的' })).data.version).toBe(2)
    // of two that change it at once the second one is told
    expect((await keep(wang, { id, version: 1, title: '另一台设备' })).msg).toContain('已在别处被修改')
    expect((await wang.post('/v2/sys/staff/views/remove', { id, version: 2 })).code).toBe(0)
    expect((await views(wang)).views).toEqual([])
  })

  it('are shared with roles of the person only; with which one a list opens is decided by designers of pages', async () => {
    const his = await role(wang)
    const { id } = (await keep(wang, { roles: [his] })).data
    expect((await views(nobody)).views).toEqual([])
    expect((await keep(wang, { roles: ['administrators'] })).code).toBe(10010003)
    expect((await keep(wang, { roles: [his], opensFirst: true })).code).toBe(10010003)
    await test.addStaff({ id: 'designer', jobNumber: 'S0144', menus: ['setModule:pages'] })
    const designer = await test.signIn('S0144')
    expect((await keep(designer, { id, version: 1, title: '本组欠费', roles: [his], opensFirst: true })).code).toBe(0)
    expect((await views(wang)).views).toMatchObject([{ id, title: '本组欠费', editable: true, first: true }])
    await wang.post('/v2/sys/staff/views/remove', { id, version: 2 })
  })

  it('have bounds', async () => {
    for (const more of [
      { title: ' ' },
      { title: 'x'.repeat(61) },
      { query: 'x'.repeat(4001) },
      { roles: 'all' },
      { list: 'a b' },
    ])
      expect((await keep(wang, more)).code, JSON.stringify(more).slice(0, 60)).toBe(10010001)
    expect((await keep(wang, { settings: { order: ['x'.repeat(70_000)] } })).status).toBe(413)
  })
})
