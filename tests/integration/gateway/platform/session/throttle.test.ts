import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../../gateway/platform/http'
import { SignInThrottle } from '../../../../../gateway/platform/session/throttle'
import type { Attempt } from '../../../../../gateway/platform/session/throttle'
import { PASSWORD, VERIFIER, beginSignIn, codeFrom, startGateway } from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'
import { gatewayDatabase } from '../../../testDatabase'
import type { TestDatabase } from '../../../testDatabase'

let shared: TestDatabase
let a: TestGateway
let b: TestGateway
beforeAll(async () => {
  shared = await gatewayDatabase()
  const environment = { DATABASE_URL: shared.url, TRUST_PROXY: 'true' }
  a = await startGateway({ environment })
  b = await startGateway({ environment, now: a.clock.now })
  for (const [id, jobNumber] of [
    ['wang', 'S0042'],
    ['li', 'S0043'],
    ['zhao', 'S0044'],
    ['sun', 'S0045'],
  ] as const)
    await a.addStaff({ id, jobNumber })
})
afterAll(async () => {
  await Promise.all([a.close(), b.close()])
  await shared.drop()
})

const WRONG = 'wrong-password-1'
/** One try at the identity page from an address, perhaps with the cookies of a browser. */
const attempt = async (gateway: TestGateway, name: string, password: string, from: string, cookie = '') => {
  const body = new URLSearchParams({ request: await beginSignIn(gateway.base), name, password })
  const headers = { 'x-forwarded-for': from, cookie }
  const response = await fetch(`${gateway.base}/auth/identity/password`, { method: 'POST', body, headers, redirect: 'manual' })
  return { status: response.status, html: await response.text(), cookies: response.headers.getSetCookie(), response }
}
const throttles = () => [a, b].map(({ gateway }) => new SignInThrottle(gateway.database, a.clock.now))
/** Tries passwords at once; tells how many were looked at and how many refused. */
const tries = async (attempts: readonly Attempt[], right: (index: number) => boolean = () => false) => {
  const gateways = throttles()
  let [looked, refused] = [0, 0]
  await Promise.all(
    attempts.map(async (each, index) => {
      try {
        await gateways[index % 2]!.attempt(each, async () => {
          looked += 1
          await new Promise((wake) => setTimeout(wake, 2))
          return { right: right(index) }
        })
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 429) throw error
        refused += 1
      }
    }),
  )
  return { looked, refused }
}
const stranger = (person: string, ip: string): Attempt => ({ person, ip, device: null, knownAddress: false })

describe('attempts at a password', () => {
  it('are counted before the password is looked at, over all gateways: of forty at once ten are tried', async () => {
    const forty = Array.from({ length: 40 }, () => stranger('?forty', '198.51.100.1'))
    expect(await tries(forty)).toEqual({ looked: 10, refused: 30 })
    const answers = await Promise.all(forty.map((_, index) => attempt(index % 2 === 0 ? a : b, 'S0042', WRONG, '198.51.100.2')))
    const tried = answers.filter(({ html }) => html.includes('用户名或密码不正确')).length
    expect(tried).toBeLessThanOrEqual(10)
    expect(tried).toBeGreaterThan(0)
    // The others were refused, or asked for a verification code that they did not have.
    for (const { status, html } of answers)
      expect(status === 429 || html.includes('用户名或密码不正确') || html.includes('验证码格式不正确')).toBe(true)
    const { rows } = await shared.database.query<{ count: number }>(
      `select count from auth_failure where subject = 'place:wang 198.51.100.2'`,
    )
    expect(rows[0]?.count).toBeLessThanOrEqual(10)
  })

  it('of a whole network of addresses (IPv6) count as those of one', async () => {
    const attempts = Array.from({ length: 40 }, (_, index) => stranger('?network', `2001:db8:0:7:${index}::1`))
    expect(await tries(attempts)).toEqual({ looked: 10, refused: 30 })
    expect(await tries([stranger('?network', '2001:db8:0:8::1')])).toEqual({ looked: 1, refused: 0 })
  })

  it('are few for one address, however many names it tries', async () => {
    const attempts = Array.from({ length: 260 }, (_, index) => stranger(`?spray-${index}`, '198.51.100.3'))
    expect(await tries(attempts)).toEqual({ looked: 200, refused: 60 })
  })

  it('of strangers slow a person down and never lock him out; his own browser and address are not held at all', async () => {
    const known = await attempt(a, 'S0043', PASSWORD, '203.0.113.1')
    expect(known.status).toBe(303)
    const query = new URLSearchParams({ ...codeFrom(known.response), code_verifier: VERIFIER }).toString()
    const entered = await a.anybody.get(`/auth/oauth/dingAuth?${query}`, { 'x-forwarded-for': '203.0.113.1' })
    expect(entered.code).toBe(0)
    const device = known.cookies.map((cookie) => cookie.split(';')[0]).join('; ')
    expect(known.cookies.join()).toMatch(
      /^switchboard_device=[^;]+; Path=\/auth\/identity; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    )
    const strangers = Array.from({ length: 120 }, (_, index) => stranger('li', `192.0.2.${index}`))
    // One or two more than thirty: the first waits are of seconds, and this takes some.
    expect((await tries(strangers)).looked).toBeLessThanOrEqual(36)
    for (let round = 0; round < 7; round += 1) {
      a.clock.forward(61)
      expect((await tries([stranger('li', `192.0.3.${round}`), stranger('li', `192.0.4.${round}`)])).looked).toBe(1)
    }
    // Nor does the whole count of his office hold him, once his browser is known.
    const office = Array.from({ length: 260 }, (_, index) => stranger(`?office-${index}`, '203.0.113.9'))
    expect((await tries(office)).refused).toBe(60)

    expect((await attempt(b, 'S0043', PASSWORD, '203.0.113.9', device)).status).toBe(303)
    expect((await attempt(b, 'S0043', PASSWORD, '203.0.113.1')).status).toBe(303)
    // Elsewhere he waits a little, like everybody, and has to show that he is no script.
    const held = stranger('li', '203.0.113.77')
    await expect(throttles()[0]!.attempt(held, () => Promise.resolve({ right: true }))).rejects.toMatchObject({
      status: 429,
      text: { en: expect.stringMatching(/in \d\d seconds/) as string },
    })
    a.clock.forward(61)
    expect(await tries([held], () => true)).toEqual({ looked: 1, refused: 0 })
  })

  it('of somebody with the browser of another person are those of a stranger', async () => {
    const { cookies } = await attempt(a, 'S0044', PASSWORD, '203.0.113.2')
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    for (const forged of [cookie, cookie.slice(0, -4), 'switchboard_device=x'])
      await attempt(a, 'S0045', WRONG, '198.51.100.4', forged)
    const { rows } = await shared.database.query<{ subject: string; count: number }>(
      `select subject, count from auth_failure where subject like '%sun%' order by subject`,
    )
    expect(rows).toEqual([
      { subject: 'name:sun', count: 3 },
      { subject: 'place:sun 198.51.100.4', count: 3 },
    ])
  })

  it('of five hundred people behind one address in a minute are all taken, mistakes included', async () => {
    const people = Array.from({ length: 500 }, (_, index) => stranger(`office-${index}`, '203.0.113.3'))
    const withMistakes = [...people.filter((_, index) => index % 5 === 0), ...people]
    const mistakes = withMistakes.length - people.length
    expect(await tries(withMistakes, (index) => index >= mistakes)).toEqual({ looked: 600, refused: 0 })
    const [throttle] = throttles()
    await Promise.all(people.map(() => throttle!.countCall('/auth/oauth/dingAuth', '203.0.113.3')))
  })

  it('at the own old password are bounded in the same way', async () => {
    const caller = await a.signIn('S0044')
    const change = () => caller.post('/v2/sys/staff/user/changePassword', { oldPassword: WRONG, newPassword: 'another-secret-9' })
    const codes = (await Promise.all(Array.from({ length: 40 }, change))).map(({ code }) => code)
    expect(codes.filter((code) => code === 10020001)).toHaveLength(10)
    expect(codes.filter((code) => code === 10010011)).toHaveLength(30)
  })
})

it('Calls of sign-in are counted over all gateways, and refused without asking the database once there were too many', async () => {
  await shared.database.query(
    `insert into auth_failure (subject, count, window_ends_at) values ('calls:/auth/oauth/dingAuth 203.0.113.5', 2999, $1)`,
    [new Date(a.clock.now().getTime() + 50_000).toISOString()],
  )
  const call = (gateway: TestGateway) =>
    gateway.anybody.get('/auth/oauth/dingAuth?code=x&state=y', { 'x-forwarded-for': '203.0.113.5' })
  expect((await call(a)).code).toBe(10010001)
  for (const gateway of [a, b, a]) {
    const refused = await call(gateway)
    expect([refused.status, refused.code]).toEqual([429, 10010011])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  a.clock.forward(61)
  expect((await call(b)).code).toBe(10010001)
})
