import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_PASSWORD } from '../../../gateway/world'
import { gatewayDatabase } from '../testDatabase'
import type { TestDatabase } from '../testDatabase'
import { ADMIN_KEYS, ADMIN_MENUS, Caller, startGateway } from '../../support/gateway'
import type { TestGateway } from '../../support/gateway'

let shared: TestDatabase
let a: TestGateway
let b: TestGateway
beforeAll(async () => {
  shared = await gatewayDatabase({ demo: true })
  const options = { demo: true, environment: { DATABASE_URL: shared.url, DEMO_SCALE: '0.1', DEMO_SIGN_IN: 'true' } }
  const both = await Promise.all([startGateway(options), startGateway(options)])
  a = both[0]
  b = both[1]
  await a.addStaff({ id: 'admin', jobNumber: 'T0001', keys: ADMIN_KEYS, menus: ADMIN_MENUS })
  await a.addStaff({ id: 'wang', jobNumber: 'T0042' })
})
afterAll(async () => {
  await Promise.all([a.close(), b.close()])
  await shared.drop()
})

const on = (gateway: TestGateway, caller: Caller) => new Caller(gateway.base, caller.token, caller.refreshToken)
const me = (caller: Caller) => caller.get('/v2/sys/staff/overseas/getUserInfo')
async function soon(check: () => Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < 40; count += 1) {
    if (await check()) return true
    await new Promise((done) => setTimeout(done, 25))
  }
  return false
}

describe('two gateways on one database', () => {
  it('know each other’s sessions and tell each other of their ends at once', async () => {
    const caller = await a.signIn('T0042')
    expect((await me(on(b, caller))).code).toBe(0)
    await caller.post('/v2/sys/staff/user/signOut', { everywhere: true })
    expect(await soon(async () => (await me(on(b, caller))).code === 11015)).toBe(true)
  })

  it('end the streams of a session that was ended on the other one', async () => {
    const caller = await a.signIn('T0042')
    const stream = await on(b, caller).raw('GET', '/v2/sys/mc/sse/connection')
    expect(stream.status).toBe(200)
    const text = stream.text()
    await caller.post('/v2/sys/staff/user/signOut', { everywhere: true })
    const late = new Promise((done) => setTimeout(() => done('late'), 5000))
    expect(await Promise.race([text, late])).toBe('data: {"event":"connection"}\n\n')
  })

  it('tell each other of changed rights at once', async () => {
    const [admin, caller] = [await a.signIn('T0001'), await b.signIn('T0042')]
    const keys = async () =>
      (await caller.get<{ international: string }[]>('/v2/sys/staff/overseas/getResourceByBtn')).data.map(
        (button) => button.international,
      )
    expect(await keys()).toEqual([])
    const { rows } = await shared.database.query<{ id: string }>(`select id from sys_role where code = 'role-T0042'`)
    expect((await admin.post('/v2/sys/role/save', { id: rows[0]?.id, buttonKeys: ['crm:customer:add'] })).code).toBe(0)
    expect(await soon(async () => (await keys()).includes('crm:customer:add'))).toBe(true)
  })

  it('run a request with one idempotence key once', async () => {
    const admin = await a.signIn('T0001')
    const body = { code: 'sharedRole', name: '共享' }
    const save = (gateway: TestGateway) =>
      on(gateway, admin).post<{ id: string }>('/v2/sys/role/save', body, { 'idempotency-key': 'on-two-gateways' })
    const answers = await Promise.all([save(a), save(b), save(a), save(b)])
    for (const answer of answers) expect([0, 10010010]).toContain(answer.code)
    expect((await save(b)).code).toBe(0)
    const { rowCount } = await shared.database.query(`select 1 from sys_role where code = 'sharedRole'`)
    expect(rowCount).toBe(1)
  })

  it('note a reading of contact data once a day when a page is opened on both at the same moment', async () => {
    const { rows } = await shared.database.query<{ id: string }>(
      `select k.id from crm_contact k join crm_customer c on c.id = k.customer_id
       where c.owner_id = 'st-s0006' and k.mobile is not null and k.deleted_at is null limit 8`,
    )
    expect(rows.length).toBeGreaterThan(2)
    const caller = await a.signIn('S0006', DEMO_PASSWORD)
    const opened = rows.flatMap(({ id }) => [a, b].map((gateway) => on(gateway, caller).get(`/v2/crm/contact/view/${id}`)))
    for (const answer of await Promise.all(opened)) expect(answer.code).toBe(0)
    const noted = await shared.database.query<{ id: string; times: number }>(
      `select record_id as id, count(*)::int as times from sys_audit_log where action = 'view' and entity = 'crm.contact' group by record_id`,
    )
    expect(noted.rows.map(({ times }) => times)).toEqual(rows.map(() => 1))
  })

  it('race with one refresh token and both win', async () => {
    const caller = await a.signIn('T0042')
    const query = new URLSearchParams({
      client_id: 'switchboard',
      scope: 'staff',
      refresh_token: caller.refreshToken ?? '',
    }).toString()
    const headers = { cookie: caller.companion }
    const answers = await Promise.all([a, b].map((gateway) => gateway.anybody.get(`/auth/oauth/token?${query}`, headers)))
    expect(answers.map((answer) => answer.code)).toEqual([0, 0])
  })
})
