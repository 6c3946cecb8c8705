import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemContext } from '../../../../gateway/platform/http'
import { ADMIN_KEYS, ADMIN_MENUS, PASSWORD, sendPassword, beginSignIn, startGateway } from '../../../support/gateway'
import type { Caller, TestGateway } from '../../../support/gateway'

let test: TestGateway
let admin: Caller
let wang: Caller
let human: Caller
beforeAll(async () => {
  test = await startGateway()
  await test.addStaff({ id: 'admin', jobNumber: 'S0001', keys: ADMIN_KEYS, menus: ADMIN_MENUS })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', name: '王伟' })
  await test.addStaff({
    id: 'human',
    jobNumber: 'S0050',
    keys: ['setModule:authManage:user:edit'],
    menus: ['setModule:authManage:user'],
  })
  admin = await test.signIn('S0001')
  wang = await test.signIn('S0042')
  human = await test.signIn('S0050')
  // The administrator of the first start would make every guard below pass.
  await test.gateway.database.query(`update sys_staff set sign_in_disabled = true where job_number = 'A0001'`)
})
afterAll(() => test.close())

const me = (caller: Caller) => caller.get('/v2/sys/staff/overseas/getUserInfo')
const query = async <T extends object>(statement: string, values: unknown[] = []) =>
  (await test.gateway.database.query<T>(statement, values)).rows
const roleOf = async (jobNumber: string) =>
  (await query<{ id: string; version: number }>('select id, version from sys_role where code = $1', [`role-${jobNumber}`]))[0]
const keysOf = async (caller: Caller) => {
  const { data } = await caller.get<{ international: string }[]>('/v2/sys/staff/overseas/getResourceByBtn')
  return data.map((button) => button.international).sort()
}

interface Waiting {
  id: string
  waiting: boolean
  confirmers: string[]
}
/** The administrator confirms what waits. */
const confirmed = ({ data }: { data: Waiting }) =>
  admin.post<{ password?: { password: string } }>('/v2/sys/staff/access/decide', { id: data.id, agree: true })

describe('every management call needs its permission (R299)', () => {
  const calls: [string, string, unknown?][] = [
    ['GET', '/v2/sys/menuResource/tree'],
    ['GET', '/v2/sys/menuResource/routerCheck?router=/x'],
    ['POST', '/v2/sys/menuResource/reorder', { moves: [{ id: 'x', parentId: null, sortNo: 1 }] }],
    ['POST', '/v2/sys/menuResource/save', { name: 'x', international: 'x:y', kind: 'menu' }],
    ['GET', '/v2/sys/menuResource/delete/x'],
    ['POST', '/v2/sys/resourceButton/save', { key: 'x:y:z', menuId: 'x', zh: 'x', en: 'x' }],
    ['GET', '/v2/sys/role/catalogue'],
    ['GET', '/v2/sys/role/whoHas?key=crm:customer:add'],
    ['GET', '/v2/sys/role/compare?a=x&b=y'],
    ['POST', '/v2/sys/role/save', { name: 'x', code: 'x' }],
    ['POST', '/v2/sys/role/queryPage', {}],
    ['POST', '/v2/sys/roleMember/save', { staffId: 'wang', roleId: 'x' }],
    ['POST', '/v2/sys/roleMember/queryPage', {}],
    ['POST', '/v2/sys/staff/user/save', { id: 'wang', name: 'x' }],
    ['POST', '/v2/sys/staff/user/stateUpdate', { ids: ['wang'], transition: 'leave' }],
    ['POST', '/v2/sys/staff/user/disable', { id: 'admin', disabled: true }],
    ['POST', '/v2/sys/staff/user/resetPassword', { id: 'admin' }],
    ['POST', '/v2/sys/staff/user/assignRoles', { staffId: 'wang', grants: [] }],
    ['GET', '/v2/sys/staff/user/grants/wang'],
    ['GET', '/v2/sys/staff/user/effective/wang'],
  ]
  it.each(calls)('%s %s', async (method, path, body) => {
    const refused = await wang.call(method, path, body)
    expect([refused.status, refused.code]).toEqual([200, 10010003])
    expect((await test.anybody.call(method, path, body)).status).toBe(401)
  })
})

describe('menus (R144)', () => {
  it('are shown with keys, grants and a warning for a route that the portal does not have', async () => {
    const saved = await admin.post<{ id: string }>('/v2/sys/menuResource/save', {
      name: '试验',
      international: 'test:menu',
      kind: 'menu',
      router: '/nowhere/at-all',
    })
    expect(saved.code).toBe(0)
    const { data } =
      await admin.get<
        { international: string; grantedBy: number; warnings: { field: string; message: string }[]; buttons: unknown[] }[]
      >('/v2/sys/menuResource/tree')
    expect(data.find((node) => node.international === 'test:menu')).toMatchObject({
      grantedBy: 0,
      warnings: [{ field: 'router', message: expect.stringContaining('/nowhere/at-all') }],
    })
    const check = await admin.get<{ warnings: unknown[] }>('/v2/sys/menuResource/routerCheck?router=/home')
    expect(check.data.warnings).toEqual([])
  })

  it('are not deleted while roles grant them or entries stand below them', async () => {
    const [menu] = await query<{ id: string }>(
      `select id from sys_menu_resource where international = 'setModule:authManage:user'`,
    )
    const granted = await admin.get<{ reason: string; roles: string[] }>(`/v2/sys/menuResource/delete/${menu?.id}`)
    expect([granted.code, granted.data.reason]).toEqual([10060054, 'granted'])
    const [group] = await query<{ id: string }>(`select id from sys_menu_resource where international = 'setModule:email'`)
    const above = await admin.get<{ reason: string; referrers: { entity: string }[] }>(`/v2/sys/menuResource/delete/${group?.id}`)
    expect([above.code, above.data.reason, above.data.referrers[0]?.entity]).toEqual([10010007, 'referred', 'sys.menuResource'])
    const [free] = await query<{ id: string }>(`select id from sys_menu_resource where international = 'test:menu'`)
    expect((await admin.get(`/v2/sys/menuResource/delete/${free?.id}`)).code).toBe(0)
  })

  it('are moved all or none, and never below themselves', async () => {
    const [group] = await query<{ id: string; parentId: string; sortNo: number }>(
      `select id, parent_id as "parentId", sort_no as "sortNo" from sys_menu_resource where international = 'setModule:email'`,
    )
    const [child] = await query<{ id: string }>(
      `select id from sys_menu_resource where international = 'setModule:email:account'`,
    )
    if (!group || !child) throw new Error('the menus are not there')
    const refused = await admin.post('/v2/sys/menuResource/reorder', {
      moves: [
        { id: child.id, parentId: group.id, sortNo: 77 },
        { id: group.id, parentId: child.id, sortNo: 1 },
      ],
    })
    expect(refused.code).toBe(10010005)
    expect(await query('select sort_no from sys_menu_resource where id = $1 and sort_no = 77', [child.id])).toEqual([])
    expect(
      (await admin.post('/v2/sys/menuResource/reorder', { moves: [{ id: group.id, parentId: null, sortNo: 5 }] })).code,
    ).toBe(0)
    const { data } = await admin.get<{ international: string }[]>('/v2/sys/menuResource/tree')
    expect(data.map((node) => node.international)).toContain('setModule:email')
  })

  it('that an administrator deleted or changed stay so after the next start', async () => {
    const { seedResources } = await import('../../../../gateway/staff')
    await query(`update sys_menu_resource set name = '改名' where international = 'setModule:email:inbox'`)
    await query(`update sys_menu_resource set deleted_at = now() where international = 'setModule:email:signature'`)
    expect(await seedResources(test.gateway.engine, test.gateway.registry.modules)).toEqual({ menus: 0, buttons: 0 })
    expect(
      await query(`select 1 from sys_menu_resource where international = 'setModule:email:inbox' and name = '改名'`),
    ).toHaveLength(1)
    expect(await query(`select 1 from sys_menu_resource where international = 'setModule:email:signature'`)).toHaveLength(1)
  })
})

describe('roles', () => {
  it('take effect at once, with keys, scopes and field rules (R299)', async () => {
    const role = await roleOf('S0042')
    const before = await wang.post('/v2/crm/customer/queryPage', {})
    expect(before.code).toBe(10010003)
    const saved = await admin.post('/v2/sys/role/save', {
      id: role?.id,
      version: role?.version,
      buttonKeys: ['crm:customer:add', 'crm:customer:edit'],
      scopes: { 'crm.customer': 'own' },
      fieldRules: { 'crm.customer.remark': 'hide' },
    })
    expect(saved.code).toBe(0)
    expect(await keysOf(wang)).toEqual(['crm:customer:add', 'crm:customer:edit'])
    expect((await wang.post('/v2/crm/customer/queryPage', {})).code).toBe(0)
    const log = await query<{ changes: { field: string }[] }>(
      `select changes from sys_audit_log where record_id = $1 and staff_id = 'admin'`,
      [role?.id],
    )
    expect(log.flatMap(({ changes }) => changes.map(({ field }) => field))).toEqual(
      expect.arrayContaining(['buttonKeys', 'scopes', 'fieldRules']),
    )
  })

  it('refuse what is no key, scope or rule, on its field', async () => {
    const role = await roleOf('S0042')
    for (const [field, value] of [
      ['buttonKeys', ['no key']],
      ['scopes', { 'crm.customer': ['everything'] }],
      ['scopes', { 'not an entity': ['own'] }],
      ['fieldRules', { 'crm.customer': 'hide' }],
      ['fieldRules', { 'crm.customer.name': 'burn' }],
    ] as const) {
      const answer = await admin.post<{ errors: { field: string }[] }>('/v2/sys/role/save', { id: role?.id, [field]: value })
      expect([field, value, answer.code, answer.data.errors?.[0]?.field]).toEqual([field, value, 10010005, field])
    }
  })

  it('tell who has a permission, and through what', async () => {
    const { data } = await admin.get<{ holders: { staffId: string; roles: { name: string }[] }[] }>(
      '/v2/sys/role/whoHas?key=crm:customer:add',
    )
    expect(data.holders).toMatchObject([{ staffId: 'wang', jobNumber: 'S0042', roles: [{ name: 'role of S0042' }] }])
  })

  it('are compared', async () => {
    const [a, b] = [await roleOf('S0042'), await roleOf('S0050')]
    const { data } = await admin.get<{
      permissions: { onlyA: string[]; onlyB: string[] }
      scopes: unknown[]
      fieldRules: unknown[]
    }>(`/v2/sys/role/compare?a=${a?.id}&b=${b?.id}`)
    expect(data.permissions.onlyA).toEqual(['crm:customer:add', 'crm:customer:edit'])
    expect(data.permissions.onlyB).toEqual(['setModule:authManage:user', 'setModule:authManage:user:edit'])
    expect(data.scopes).toEqual([{ name: 'crm.customer', a: ['own'], b: null }])
    expect(data.fieldRules).toEqual([{ name: 'crm.customer.remark', a: 'hide', b: null }])
    expect((await admin.get(`/v2/sys/role/compare?a=${a?.id}&b=none`)).code).toBe(10010004)
  })

  it('list everything that can be granted', async () => {
    const { data } = await admin.get<{
      menus: unknown[]
      buttons: unknown[]
      entities: { name: string; scopes: string[]; fields: { name: string; sensitive: boolean }[] }[]
    }>('/v2/sys/role/catalogue')
    expect(data.menus.length).toBeGreaterThan(100)
    expect(data.entities.find((entity) => entity.name === 'crm.customer')?.scopes).toContain('departmentTree')
    expect(data.entities.find((entity) => entity.name === 'sys.staff')?.fields).toContainEqual(
      expect.objectContaining({ name: 'phone', sensitive: true }),
    )
  })

  it('count their members', async () => {
    const { data } = await admin.post<{ records: { code: string; memberCount: number }[] }>('/v2/sys/role/queryPage', {
      pageSize: 50,
    })
    expect(data.records.find((role) => role.code === 'role-S0042')?.memberCount).toBe(1)
  })

  it('are not deleted while staff hold them', async () => {
    const role = await roleOf('S0042')
    expect((await admin.get<{ reason: string }>(`/v2/sys/role/delete/${role?.id}`)).data.reason).toBe('referred')
  })
})

describe('grants with dates', () => {
  it('hold from their first to their last moment', async () => {
    const role = await roleOf('S0050')
    const own = (
      await admin.get<{ id: string; roleId: string; from: string | null; until: string | null }[]>(
        '/v2/sys/staff/user/grants/wang',
      )
    ).data
    const at = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000).toISOString()
    const keep = own.map(({ id, roleId, from, until }) => ({ id, roleId, from, until }))
    const assigned = await admin.post('/v2/sys/staff/user/assignRoles', {
      staffId: 'wang',
      grants: [...keep, { roleId: role?.id, from: at(100), until: at(200) }],
    })
    expect([assigned.code, assigned.data]).toEqual([0, { added: 1, changed: 0, removed: 0 }])
    expect(await keysOf(wang)).not.toContain('setModule:authManage:user:edit')
    test.clock.forward(101)
    expect(await keysOf(wang)).toContain('setModule:authManage:user:edit')
    test.clock.forward(100)
    expect(await keysOf(wang)).not.toContain('setModule:authManage:user:edit')
  })

  it('of one role do not overlap', async () => {
    const role = await roleOf('S0042')
    const grants = (await admin.get<{ id: string; roleId: string }[]>('/v2/sys/staff/user/grants/wang')).data.map(
      ({ id, roleId }) => ({ id, roleId }),
    )
    expect(
      (await admin.post('/v2/sys/staff/user/assignRoles', { staffId: 'wang', grants: [...grants, { roleId: role?.id }] })).code,
    ).toBe(10010005)
  })

  it('are shown as the rights they make, with the roles they come from', async () => {
    const { data } = await admin.get<{ permissions: { key: string; roles: string[] }[]; scopes: unknown[] }>(
      '/v2/sys/staff/user/effective/wang',
    )
    expect(data.permissions).toEqual([
      { key: 'crm:customer:add', roles: ['role-S0042'] },
      { key: 'crm:customer:edit', roles: ['role-S0042'] },
    ])
    expect(data.scopes).toEqual([{ entity: 'crm.customer', scopes: ['own'], roles: ['role-S0042'] }])
    expect((await admin.get('/v2/sys/staff/user/effective/none')).code).toBe(10010004)
  })
})

describe('users', () => {
  it('who are disabled lose every session at once, and can come back', async () => {
    const caller = await test.signIn('S0042')
    expect((await me(caller)).code).toBe(0)
    expect((await human.post('/v2/sys/staff/user/disable', { id: 'wang', disabled: true, reason: '调查' })).code).toBe(0)
    expect((await me(caller)).code).toBe(11015)
    expect(
      (await sendPassword(test.base, { request: await beginSignIn(test.base), name: 'S0042', password: PASSWORD })).status,
    ).toBe(200)
    expect(
      await confirmed(await human.post<Waiting>('/v2/sys/staff/user/disable', { id: 'wang', disabled: false })),
    ).toMatchObject({
      code: 0,
    })
    expect((await me(caller)).code).toBe(11015)
    wang = await test.signIn('S0042')
    const log = await query(`select 1 from sys_audit_log where record_id = 'wang' and staff_id = 'human' and reason = '调查'`)
    expect(log).toHaveLength(1)
  })

  it('cannot disable themselves', async () => {
    expect(
      (await human.post<{ reason: string }>('/v2/sys/staff/user/disable', { id: 'human', disabled: true })).data.reason,
    ).toBe('oneself')
  })

  it('get a one-time password that is shown once, to whoever confirms, and kept nowhere', async () => {
    const asked = await human.post<Waiting>(
      '/v2/sys/staff/user/resetPassword',
      { id: 'wang' },
      { 'idempotency-key': 'reset-password-1' },
    )
    expect(asked.data).toMatchObject({ waiting: true, confirmers: ['S0001 (S0001)'] })
    expect((await me(wang)).code).toBe(0)
    const reset = (await confirmed(asked)).data.password!
    expect(reset.password).toMatch(/^[a-z2-9]{12}$/)
    expect((await me(wang)).code).toBe(11015)
    expect(test.logs.join('')).not.toContain(reset.password)
    expect(await query('select 1 from idempotence_key where answer::text like $1', [`%${reset.password}%`])).toEqual([])
    const entered = await sendPassword(test.base, {
      request: await beginSignIn(test.base),
      name: 'S0042',
      password: reset.password,
    })
    expect(await entered.text()).toContain('设置新密码')
    expect(await query(`select 1 from sys_audit_log where record_id = 'wang' and reason = '重置密码'`)).toHaveLength(1)
  })

  it('who edit users do not get at an administrator that way', async () => {
    const { code, data } = await human.post<{ reason: string }>('/v2/sys/staff/user/resetPassword', { id: 'admin' })
    expect([code, data.reason]).toEqual([10030002, 'nobodyConfirms'])
  })

  it('whose rights are all held by whoever resets get their password at once', async () => {
    await test.addStaff({ id: 'equal', jobNumber: 'S0061', keys: ['setModule:authManage:user:edit'] })
    const { data } = await human.post<{ password: string }>('/v2/sys/staff/user/resetPassword', { id: 'equal' })
    expect(data.password).toMatch(/^[a-z2-9]{12}$/)
    expect(await query(`select title_en from sys_message where receiver_id = 'equal' and kind = 'access'`)).toEqual([
      { title_en: 'Done to your account by S0050: password reset' },
    ])
  })

  it('who leave lose their sessions and may not sign in again', async () => {
    await test.addStaff({ id: 'leaver', jobNumber: 'S0060' })
    const leaver = await test.signIn('S0060')
    const left = await admin.post('/v2/sys/staff/user/stateUpdate', { ids: ['leaver'], transition: 'leave' })
    expect([left.code, left.msg]).toEqual([0, 'OK'])
    expect((await me(leaver)).code).toBe(11015)
    expect(await query(`select 1 from sys_staff where id = 'leaver' and sign_in_disabled and left_on is not null`)).toHaveLength(
      1,
    )
  })

  it('have a national phone number read as one of the company, because staff have no country', async () => {
    expect((await admin.post('/v2/sys/staff/user/save', { id: 'wang', phone: '138 1234 0077' })).code).toBe(0)
    expect(await query(`select phone from sys_staff where id = 'wang'`)).toEqual([{ phone: '+8613812340077' }])
  })

  it('have no managers in a circle', async () => {
    expect((await admin.post('/v2/sys/staff/user/save', { id: 'wang', managerId: 'human' })).code).toBe(0)
    const answer = await admin.post<{ errors: { field: string }[] }>('/v2/sys/staff/user/save', {
      id: 'human',
      managerId: 'wang',
    })
    expect([answer.code, answer.data.errors?.[0]?.field]).toEqual([10010005, 'managerId'])
  })
})

describe('a change of the main department', () => {
  it('takes along whatever the person owns, of every owned entity, or nothing when it is refused', async () => {
    const { engine, database } = test.gateway
    await query(`insert into sys_department (id, created_at, updated_at, version, code, name, kind, path, enabled)
      values ('d-new', now(), now(), 1, 'NEW', '新部门', 'sales', '/d-new/', true)`)
    const tables = engine
      .names()
      .map((name) => engine.model(name))
      .filter((model) => model.scope.kind === 'owned')
    expect(tables.length).toBeGreaterThan(1)
    const [wangs] = await query<{ dept: string; version: number }>(
      `select main_dept_id as dept, version from sys_staff where id = 'wang'`,
    )
    await engine.transaction(systemContext(), async (entities) => {
      for (const { name } of tables)
        await entities.insertMany(name, [
          { id: `${name}-his`, ownerId: 'wang', ownerDeptId: wangs?.dept },
          { id: `${name}-other`, ownerId: 'human', ownerDeptId: wangs?.dept },
        ])
    })
    const departments = async (): Promise<string[]> => {
      const found: string[] = []
      for (const { name, table } of tables) {
        const { rows } = await database.query<{ dept: string; version: number }>(
          `select owner_dept_id as dept, version from "${table}" where id in ($1, $2) order by id`,
          [`${name}-his`, `${name}-other`],
        )
        found.push(rows.map(({ dept, version }) => `${dept === 'd-new' ? 'new' : 'old'} v${version}`).join(', '))
      }
      return [...new Set(found)]
    }
    const move = (values: object) => admin.post('/v2/sys/staff/user/save', { id: 'wang', mainDeptId: 'd-new', ...values })
    expect((await move({ managerId: 'wang' })).code).toBe(10010005)
    expect(await departments()).toEqual(['old v1, old v1'])
    expect((await move({})).code).toBe(0)
    expect(await departments()).toEqual(['new v1, old v1'])
    await move({ mainDeptId: wangs?.dept })
    expect(await departments()).toEqual(['old v1, old v1'])
  })
})

describe('the last administrator', () => {
  const reason = (answer: { code: number; data: { reason?: string } | null }) => [answer.code, answer.data?.reason]
  const refused = [10030002, 'lastAdministrator']

  it('cannot be locked out by any change of roles, grants or staff', async () => {
    const role = await roleOf('S0001')
    const [member] = await query<{ id: string }>(`select id from sys_role_member where staff_id = 'admin'`)
    const soon = new Date(Date.now() + 86_400_000).toISOString()
    expect(reason(await admin.post('/v2/sys/role/save', { id: role?.id, enabled: false }))).toEqual(refused)
    expect(
      reason(await admin.post('/v2/sys/role/save', { id: role?.id, buttonKeys: ['setModule:authManage:user:edit'] })),
    ).toEqual(refused)
    expect(reason(await admin.post('/v2/sys/role/save', { id: role?.id, resourceIds: [] }))).toEqual(refused)
    expect(reason(await admin.post('/v2/sys/roleMember/save', { id: member?.id, until: soon }))).toEqual(refused)
    expect(reason(await admin.get(`/v2/sys/roleMember/delete/${member?.id}`))).toEqual(refused)
    expect(reason(await admin.post('/v2/sys/staff/user/assignRoles', { staffId: 'admin', grants: [] }))).toEqual(refused)
    expect(reason(await human.post('/v2/sys/staff/user/disable', { id: 'admin', disabled: true }))).toEqual(refused)
    expect((await me(admin)).code).toBe(0)
    expect(await keysOf(admin)).toEqual([...ADMIN_KEYS].sort())
  })

  it('stays when two remove each other at the same moment', async () => {
    await test.addStaff({ id: 'second', jobNumber: 'S0002', keys: ADMIN_KEYS, menus: ADMIN_MENUS })
    const second = await test.signIn('S0002')
    const answers = await Promise.all([
      admin.post<{ reason?: string }>('/v2/sys/staff/user/assignRoles', { staffId: 'second', grants: [] }),
      second.post<{ reason?: string }>('/v2/sys/staff/user/assignRoles', { staffId: 'admin', grants: [] }),
    ])
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(answers.filter((answer) => answer.code !== 0).map(({ code }) => [10030002, 10010003].includes(code))).toEqual([true])
  })
})
