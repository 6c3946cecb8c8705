import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { demoAccounts } from '../../../gateway/world'
import {
  Caller,
  STATE,
  beginSignIn,
  codeFrom,
  exchangeCode,
  hiddenField,
  sendPassword,
  startGateway,
} from '../../support/gateway'

const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gw-start-'))
  folders.push(folder)
  return folder
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

describe('an empty start', () => {
  it('makes one administrator with a one-time password, and a new password as long as nobody signed in', async () => {
    const folder = await newFolder()
    const first = await startGateway({ folder })
    const before = first.gateway.world.administrator
    await first.close()
    const test = await startGateway({ folder })
    const administrator = test.gateway.world.administrator
    expect(administrator?.jobNumber).toBe('A0001')
    expect((await test.anybody.get<{ database: string }>('/ready')).data.database).toBe('embedded')
    expect(administrator?.password).not.toBe(before?.password)
    const asked = await sendPassword(test.base, {
      request: await beginSignIn(test.base),
      name: 'A0001',
      password: administrator?.password ?? '',
    })
    const proof = hiddenField(await asked.text(), 'proof')
    const body = new URLSearchParams({ proof, password: 'my-own-secret-5', repeat: 'my-own-secret-5' })
    const { code } = codeFrom(
      await fetch(`${test.base}/auth/identity/new-password`, { method: 'POST', body, redirect: 'manual' }),
    )
    const { data } = await exchangeCode(test.base, { code, state: STATE })
    const admin = new Caller(test.base, data.token)
    expect((await admin.get<unknown[]>('/v2/sys/menuResource/tree')).data.length).toBeGreaterThan(5)
    const roles = await test.gateway.database.query<{ nameEn: string }>('select name_en as "nameEn" from sys_role')
    expect(roles.rows.map(({ nameEn }) => nameEn)).toEqual(expect.arrayContaining(['Sales', 'Finance', 'Administrator']))
    expect((await admin.post('/v2/sys/role/save', { code: 'nightDesk', name: '夜班' })).code).toBe(0)
    await test.close()
    const third = await startGateway({ folder })
    expect(third.gateway.world).toEqual({ demo: false, demoPassword: null, administrator: null })
    await third.close()
  })
})

describe('a gateway with the demo world', () => {
  it('offers its people by department on the identity page (R003)', async () => {
    const test = await startGateway({ demo: true, environment: { DEMO_SIGN_IN: 'true', DEMO_SCALE: '0.1' } })
    const accounts = await demoAccounts(test.gateway.database)
    expect(accounts.length).toBeGreaterThanOrEqual(5)
    const request = await beginSignIn(test.base)
    const html = await (await fetch(`${test.base}/auth/identity?request=${request}`)).text()
    expect(html.match(/name="staffId"/g)?.length).toBeGreaterThan(20)
    const staffId = new RegExp(`value="([^"]+)" data-text="[^"]*${accounts[0]?.jobNumber.toLowerCase()}`).exec(html)?.[1] ?? ''
    const chosen = await fetch(`${test.base}/auth/identity/demo`, {
      method: 'POST',
      body: new URLSearchParams({ request, staffId }),
      redirect: 'manual',
    })
    const { data } = await exchangeCode(test.base, codeFrom(chosen))
    const caller = new Caller(test.base, data.token)
    expect((await caller.get<{ jobNumber: string }>('/v2/sys/staff/overseas/getUserInfo')).data.jobNumber).toBe(
      accounts[0]?.jobNumber,
    )
    expect((await caller.post<{ total: number }>('/v2/crm/customer/queryPage', { pageSize: 5 })).data.total).toBeGreaterThan(0)
    expect(
      (
        await fetch(`${test.base}/auth/identity/demo`, {
          method: 'POST',
          body: new URLSearchParams({ request, staffId: 'nobody' }),
          redirect: 'manual',
        })
      ).status,
    ).toBe(200)
    const signedIn = await test.signIn(accounts[1]?.jobNumber ?? '', test.gateway.world.demoPassword ?? '')
    expect(signedIn.token).not.toBeNull()
    await test.close()
  })
})
