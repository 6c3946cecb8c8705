import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../gateway/world'
import { beginSignIn, sendPassword, startGateway, type Caller, type TestGateway } from '../../support/gateway'

/** What an attack from outside tried: each is refused, and the gateway goes on. */
let test: TestGateway
let admin: Caller
let sales: Caller
beforeAll(async () => {
  test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
  await test.addStaff({
    id: 'designer',
    jobNumber: 'T0001',
    menus: ['setModule.pages'],
    keys: ['setModule:pages', 'setModule:pages:release'],
    scopes: {},
  })
  admin = await test.signIn('T0001')
  sales = await test.signIn('S0006', DEMO_PASSWORD)
})
afterAll(() => test.close())

interface Refused {
  errors: { field?: string; message: string }[]
}
const names = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`nam${at}`, 1]))

describe('A body that nobody could have written', () => {
  it('with more names than any record has is refused before it is looked at', async () => {
    const { code, data } = await sales.post<Refused>('/v2/crm/customer/save', { name: 'x', ...names(200_000) })
    expect(code).toBe(10010001)
    expect(data.errors).toEqual([{ message: 'has more than 5000 properties' }])
    const inside = await sales.post<Refused>('/v2/crm/customer/save', { name: 'x', tags: { a: names(6_000) } })
    expect(inside.data.errors[0]?.field).toBe('tags.a')
  })

  it('with thousands of unknown names is told of the first fifty, and what was meant for five', async () => {
    const { code, data, text } = await sales.post<Refused>('/v2/crm/customer/save', names(5_000))
    expect(code).toBe(10010001)
    expect(data.errors).toHaveLength(50)
    expect(data.errors.filter(({ message }) => /did you mean|是否想写/.test(message))).toHaveLength(5)
    expect(text.length).toBeLessThan(10_000)
  })
})

describe('A draft that is no document', () => {
  const target = 'entity:crm.customer'
  const save = (changes: object[]) =>
    admin.post<{ version: number }>('/v2/sys/schema/draft/save', { target, version: 0, changes })
  const look = () =>
    admin.get<{ draft: { version: number; changes: object[] } | null; problems?: object[] }>(
      `/v2/sys/schema/target?target=${target}`,
    )
  const discard = (version: number) => admin.post('/v2/sys/schema/draft/discard', { target, version })

  it.each([
    [[{ at: 'x-scope', set: null }]],
    [[{ at: 'properties', set: null }]],
    [[{ at: 'x-states', set: [null] }]],
    [[{ at: 'x-lookups', set: [] }]],
    [[{ at: '', set: null }]],
    [[{ at: '', set: { name: 'crm.customer' } }]],
  ])('is refused with the place, or can be looked at, checked and discarded: %j', async (changes) => {
    const saved = await save(changes)
    expect([0, 10010005]).toContain(saved.code)
    const { code, data } = await look()
    expect(code).toBe(0)
    expect(data.draft === null).toBe(saved.code !== 0)
    if (saved.code !== 0) return
    const checked = await admin.post<{ problems: object[] }>('/v2/sys/schema/check', { drafts: [{ target, version: 1 }] })
    expect(checked.data.problems.length).toBeGreaterThan(0)
    expect((await discard(data.draft!.version)).code).toBe(0)
  })

  it.each([
    ['properties/__proto__/polluted', '__proto__'],
    ['constructor/prototype/polluted', 'constructor'],
  ])('has no way to what all objects have: %s', async (at, id) => {
    expect((await save([{ at, set: 1 }])).code).toBe(10010001)
    expect((await save([{ at: 'properties', add: { type: 'string' }, id }])).code).toBe(10010001)
    expect((await look()).data.draft).toBeNull()
  })

  it('kept from before is looked at as it stands, and discarded', async () => {
    const changes = [{ at: 'x-states', set: [null] }]
    await test.gateway.database.query(
      `insert into schema_draft (target, role, changes, version, by, at) values ($1, '', $2, 1, 'designer', now())`,
      [target, JSON.stringify(changes)],
    )
    const { code, data } = await look()
    expect(code).toBe(0)
    expect(data.draft?.changes).toEqual(changes)
    expect((await discard(1)).code).toBe(0)
    expect((await look()).data.draft).toBeNull()
  })
})

describe('A start that is only tried', () => {
  it('tells nothing of the record of somebody else, and neither does a draft about it', async () => {
    const { rows } = await test.gateway.database.query<{ id: string; name: string }>(
      `select c.id, c.name from crm_customer c where c.owner_id <> (select id from sys_staff where job_number = 'S0006') and c.deleted_at is null order by c.code limit 20`,
    )
    const reads = await Promise.all(rows.map(({ id }) => sales.get(`/v2/crm/customer/view/${id}`)))
    const [foreign] = rows.filter((_, index) => reads[index]!.code === 10010004)
    expect(foreign).toBeDefined()
    for (const code of ['classA', 'crmAlias', 'crmBlacklist']) {
      const ask = (call: string, more: object = {}) =>
        sales.post<{ path: unknown[]; errors: { field?: string }[] }>(`/v2/workflow/operate/${call}`, {
          code,
          // what is wrong besides does not hide it
          formData: { customerId: foreign!.id, nothing: 1 },
          ...more,
        })
      const tried = await ask('start', { dryRun: true })
      if (tried.code === 10010003 || tried.code === 10010004) continue
      expect([code, tried.data.path, tried.data.errors.map(({ field }) => field)]).toEqual([code, [], ['customerId']])
      const draft = await ask('saveDraft')
      expect([code, draft.code]).toEqual([code, 10010005])
      for (const { text } of [tried, draft]) expect(text).not.toContain(foreign!.name)
    }
  })
})

describe('Somebody who opens stream after stream', () => {
  it('holds ten of them', async () => {
    const abort = new AbortController()
    const open = () => sales.raw('GET', '/v2/sys/mc/sse/connection', { signal: abort.signal })
    const opened = await Promise.all(Array.from({ length: 10 }, open))
    expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]))
    const refused = await sales.get('/v2/sys/mc/sse/connection')
    expect([refused.status, refused.code, refused.msg]).toEqual([429, 10010011, expect.stringContaining('10')])
    abort.abort()
  })
})

describe('The form of sign-in', () => {
  it('is taken from our own pages alone, though the password is right', async () => {
    const request = await beginSignIn(test.base)
    const send = async (headers: Record<string, string>) =>
      (
        await fetch(`${test.base}/auth/identity/password`, {
          method: 'POST',
          body: new URLSearchParams({ request, name: 'S0006', password: DEMO_PASSWORD }),
          redirect: 'manual',
          headers,
        })
      ).status
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site', origin: test.base },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect([headers, await send(headers)]).toEqual([headers, 403])
    expect(await send({ origin: test.base })).toBe(303)
    expect(await send({ 'sec-fetch-site': 'same-origin', origin: 'null' })).toBe(303)
  })
})

describe('Whoever manages staff', () => {
  const FINANCE = 'finance'
  const person = async (role: string, except: readonly string[] = []): Promise<{ id: string; jobNumber: string }> => {
    const { rows } = await test.gateway.database.query<{ id: string; jobNumber: string }>(
      `select s.id, s.job_number as "jobNumber" from sys_staff s join sys_role_member m on m.staff_id = s.id join sys_role r on r.id = m.role_id
       where r.code = $1 and s.status = 'active' and s.sign_in_disabled is not true and not s.id = any($2::text[])
         and (select count(*) from sys_role_member o where o.staff_id = s.id and o.deleted_at is null) = 1 order by s.job_number limit 1`,
      [role, except],
    )
    return rows[0]!
  }
  const enters = async (jobNumber: string, password: string): Promise<boolean> =>
    (await sendPassword(test.base, { request: await beginSignIn(test.base), name: jobNumber, password })).status === 303
  interface Asked {
    id: string
    waiting?: true
    password?: string
    confirmers: string[]
    errors?: { field: string }[]
  }
  let hr: Caller
  let own: string
  let victim: { id: string; jobNumber: string }
  let colleague: { id: string; jobNumber: string }
  beforeAll(async () => {
    const human = await person('humanResources')
    own = human.id
    hr = await test.signIn(human.jobNumber, DEMO_PASSWORD)
    victim = await person(FINANCE)
    colleague = await person(FINANCE, [victim.id])
  })

  it('does not come by the password of somebody with other rights: a second one who has them confirms, and sees it alone', async () => {
    const asked = await hr.post<Asked>('/v2/sys/staff/user/resetPassword', { id: victim.id })
    expect([asked.code, asked.data.waiting, asked.data.password]).toEqual([0, true, undefined])
    expect(asked.data.confirmers.join()).toContain(colleague.jobNumber)
    expect(await enters(victim.jobNumber, DEMO_PASSWORD)).toBe(true)
    // neither the one who asked, nor the person, nor anybody without the rights
    const decide = (caller: Caller) => caller.post<Asked>('/v2/sys/staff/access/decide', { id: asked.data.id, agree: true })
    const target = await test.signIn(victim.jobNumber, DEMO_PASSWORD)
    for (const caller of [hr, target, sales]) expect((await decide(caller)).code).toBe(10010004)
    const second = await test.signIn(colleague.jobNumber, DEMO_PASSWORD)
    const { data } = await second.get<{ toDecide: { id: string; person: string }[] }>('/v2/sys/staff/access/list')
    expect(data.toDecide.map(({ id }) => id)).toContain(asked.data.id)
    const done = await second.post<{ password: { password: string } }>('/v2/sys/staff/access/decide', {
      id: asked.data.id,
      agree: true,
    })
    expect(done.data.password.password).toMatch(/^[a-z2-9]{12}$/)
    expect((await hr.get('/v2/sys/staff/access/list')).text).not.toContain(done.data.password.password)
    expect(await enters(victim.jobNumber, DEMO_PASSWORD)).toBe(false)
    expect((await decide(second)).code).toBe(10010007)
    const told = await test.gateway.database.query(`select 1 from sys_message where receiver_id = $1 and kind = 'access'`, [
      victim.id,
    ])
    expect(told.rowCount).toBe(2)
  })

  it('declined or too late, nothing is done', async () => {
    const asked = await hr.post<Asked>('/v2/sys/staff/user/resetPassword', { id: colleague.id })
    const second = await test.signIn(colleague.jobNumber, DEMO_PASSWORD)
    expect((await second.post('/v2/sys/staff/access/decide', { id: asked.data.id, agree: false })).code).toBe(10010004)
    await test.gateway.database.query(`update staff_access_request set expires_at = now() - interval '1 minute' where id = $1`, [
      asked.data.id,
    ])
    const general = await person('generalManager')
    const manager = await test.signIn(general.jobNumber, DEMO_PASSWORD)
    expect([10010004, 10010007]).toContain(
      (await manager.post('/v2/sys/staff/access/decide', { id: asked.data.id, agree: true })).code,
    )
    expect(await enters(colleague.jobNumber, DEMO_PASSWORD)).toBe(true)
  })

  it('changes neither the e-mail that such a person signs in with, nor opens the account again', async () => {
    const save = await hr.post<Asked>('/v2/sys/staff/user/save', { id: colleague.id, email: 'mine@example.com' })
    expect([save.code, save.data.errors?.[0]?.field]).toEqual([10010005, 'email'])
    const asked = await hr.post<Asked>('/v2/sys/staff/access/email', { id: colleague.id, email: 'mine@example.com' })
    expect([asked.code, asked.data.waiting]).toEqual([0, true])
    expect((await hr.post('/v2/sys/staff/user/disable', { id: colleague.id, disabled: true })).code).toBe(0)
    const opened = await hr.post<Asked>('/v2/sys/staff/user/disable', { id: colleague.id, disabled: false })
    expect([opened.code, opened.data.waiting]).toEqual([0, true])
    const { rows } = await test.gateway.database.query(
      `select 1 from sys_staff where id = $1 and (email = 'mine@example.com' or not sign_in_disabled)`,
      [colleague.id],
    )
    expect(rows).toEqual([])
    await test.gateway.database.query(`update sys_staff set sign_in_disabled = false where id = $1`, [colleague.id])
    test.gateway.directory.forget('*')
  })

  it('grants no role, and gives neither itself a place nor the lead of a department', async () => {
    const { rows } = await test.gateway.database.query<{ role: string; dept: string; main: string }>(
      `select (select id from sys_role where code = 'finance') as role, (select id from sys_department where parent_id is not null and leader_id <> $1 limit 1) as dept,
         (select id from sys_department where id <> (select main_dept_id from sys_staff where id = $1) and parent_id is not null limit 1) as main`,
      [own],
    )
    const { role, dept, main } = rows[0]!
    for (const staffId of [own, victim.id]) {
      expect((await hr.post('/v2/sys/roleMember/save', { staffId, roleId: role })).code).toBe(10010003)
      expect((await hr.post('/v2/sys/staff/user/assignRoles', { staffId, grants: [{ roleId: role }] })).code).toBe(10010003)
    }
    const led = await hr.post<Asked>('/v2/sys/department/save', { id: dept, leaderId: own })
    expect([led.code, led.data.errors?.[0]?.field]).toEqual([10010005, 'leaderId'])
    const moved = await hr.post<Asked>('/v2/sys/staff/user/save', { id: own, mainDeptId: main })
    expect([moved.code, moved.data.errors?.[0]?.field]).toEqual([10010005, 'mainDeptId'])
  })

  it('as an administrator of roles does not give itself, or an account of its making, what others have: the grant waits', async () => {
    const administrator = await person('administrator')
    const granter = await test.signIn(administrator.jobNumber, DEMO_PASSWORD)
    const { rows } = await test.gateway.database.query<{ role: string; dept: string }>(
      `select (select id from sys_role where code = 'finance') as role, (select id from sys_department where parent_id is null) as dept`,
    )
    const { role, dept } = rows[0]!
    const puppet = await granter.post<{ id: string }>('/v2/sys/staff/user/save', {
      jobNumber: 'X0001',
      name: '影子',
      mainDeptId: dept,
      position: 'dev',
    })
    for (const staffId of [administrator.id, puppet.data.id]) {
      const granted = await granter.post<{ id: string }>('/v2/sys/roleMember/save', { staffId, roleId: role })
      expect(granted.code).toBe(0)
      const rights = await test.gateway.directory.rightsOf(staffId, test.clock.now())
      expect(rights?.user.roleCodes).not.toContain('finance')
    }
    const reach = await test.gateway.database.query<{ id: string; resourceIds: string[]; buttonKeys: string[] }>(
      `select id, resource_ids as "resourceIds", button_keys as "buttonKeys" from sys_role where code = 'administrator'`,
    )
    const [mine] = reach.rows
    const widened = await granter.post<Asked>('/v2/sys/role/save', {
      id: mine!.id,
      scopes: { 'crm.customer': ['all'] },
      buttonKeys: [...mine!.buttonKeys, 'crm:customer:edit'],
    })
    expect([widened.code, widened.data.errors?.[0]?.field]).toEqual([10010005, 'buttonKeys'])
    const second = await test.signIn(colleague.jobNumber, DEMO_PASSWORD)
    const { data } = await second.get<{ toDecide: { id: string; kind: string; staffId: string }[] }>('/v2/sys/staff/access/list')
    const waiting = data.toDecide.filter(({ kind }) => kind === 'grant')
    expect(waiting.map(({ staffId }) => staffId).sort()).toEqual([administrator.id, puppet.data.id].sort())
    const [first, other] = waiting
    expect((await second.post('/v2/sys/staff/access/decide', { id: first!.id, agree: true })).code).toBe(0)
    expect((await second.post('/v2/sys/staff/access/decide', { id: other!.id, agree: false })).code).toBe(0)
    const holds = async (id: string) =>
      (await test.gateway.directory.rightsOf(id, test.clock.now()))?.user.roleCodes.includes('finance')
    expect([await holds(first!.staffId), await holds(other!.staffId)]).toEqual([true, false])
  })
})
