import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  Caller,
  PKCE,
  STATE,
  PASSWORD,
  beginSignIn,
  codeFrom,
  companionFrom,
  exchangeCode,
  hiddenField,
  sendPassword,
  signIn,
  startGateway,
} from '../../../../support/gateway'
import type { Answer, TestGateway, Tokens } from '../../../../support/gateway'

let test: TestGateway
beforeAll(async () => {
  test = await startGateway({ environment: { METRICS_TOKEN: 'scrape-me' } })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', name: '王伟', email: 'wei.wang@example.com' })
  await test.addStaff({ id: 'li', jobNumber: 'S0043', name: '李娜' })
})
afterAll(() => test.close())

const authorize = (changes: Record<string, string>) => {
  const query = {
    client_id: 'switchboard',
    redirect_uri: `${test.base}/authorize`,
    state: STATE,
    scope: 'staff',
    response_type: 'code',
    ...PKCE,
    ...changes,
  }
  return fetch(`${test.base}/auth/oauth/authorize?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })
}
const freshCode = async () =>
  codeFrom(await sendPassword(test.base, { request: await beginSignIn(test.base), name: 'S0042', password: PASSWORD }))
const exchange = (code: string, state: string) => exchangeCode(test.base, { code, state })
/** With what a browser holds: the token that scripts read and the cookie that they do not. */
const refresh = (held: Pick<Caller, 'refreshToken' | 'companion'>, changes: Record<string, string> = {}) => {
  const query = {
    client_id: 'switchboard',
    client_secret: '',
    scope: 'staff',
    refresh_token: held.refreshToken ?? '',
    ...changes,
  }
  return test.anybody.get<Tokens>(`/auth/oauth/token?${new URLSearchParams(query).toString()}`, { cookie: held.companion })
}
const heldAfter = ({ data, headers }: Answer<Tokens>) => ({
  refreshToken: data.refreshToken,
  companion: companionFrom(headers),
})
const me = (caller: Caller) => caller.get<{ staffId: string }>('/v2/sys/staff/overseas/getUserInfo')

describe('sign-in through the OAuth code flow (R003, R176)', () => {
  it('leads from the authorization endpoint over the identity page to a token that works (R149, R316)', async () => {
    const begun = await authorize({})
    expect(begun.status).toBe(302)
    expect(begun.headers.get('location')).toMatch(/^\/auth\/identity\?request=/)
    const entered = await sendPassword(test.base, { request: await beginSignIn(test.base), name: 'S0042', password: PASSWORD })
    expect(entered.status).toBe(303)
    expect(entered.headers.get('location')).toMatch(new RegExp(`^${test.base}/authorize\\?code=`))
    const { code, state } = codeFrom(entered)
    expect(state).toBe(STATE)
    const { code: answer, data } = await exchange(code, state)
    expect(answer).toBe(0)
    expect(data).toEqual({ tokenHead: 'Bearer', token: expect.any(String), expiresIn: 7200, refreshToken: expect.any(String) })
    expect((await me(new Caller(test.base, data.token))).data.staffId).toBe('wang')
  })

  it('takes the e-mail address as a name, in upper and lower case', async () => {
    const caller = await signIn(test.base, 'Wei.Wang@Example.com', PASSWORD)
    expect((await me(caller)).data.staffId).toBe('wang')
  })

  it('sends a code to /authorize of its own origin only, so there is no open redirect', async () => {
    const hostile = [
      'https://evil.example/authorize',
      '//evil.example/authorize',
      `${test.base}.evil.example/authorize`,
      `${test.base}/authorize?next=https://evil.example`,
      `${test.base}/home`,
      `${test.base}@evil.example/authorize`,
      'javascript:alert(1)',
      '/\\evil.example/authorize',
      '/authorize',
      '',
    ]
    for (const redirect of hostile) {
      const answer = await authorize({ redirect_uri: redirect })
      expect([redirect, answer.status, answer.headers.get('location')]).toEqual([redirect, 400, null])
    }
    expect((await authorize({})).status).toBe(302)
  })

  it('refuses an unknown client, a missing state, another scope or response type with a page', async () => {
    for (const changes of [{ client_id: 'other' }, { state: '' }, { scope: 'admin' }, { response_type: 'token' }] as Record<
      string,
      string
    >[]) {
      const answer = await authorize(changes)
      expect([changes, answer.status]).toEqual([changes, 400])
      expect(await answer.text()).toContain('class="notice error"')
    }
  })

  it('exchanges a code only with the state that it was made for', async () => {
    const { code, state } = await freshCode()
    const stolen = await exchange(code, 'another-state-000')
    expect(stolen.code).toBe(10010001)
    expect((await exchange(code, state)).code).toBe(0)
  })

  it('exchanges a code once; a later second use ends the session of the first', async () => {
    const { code, state } = await freshCode()
    const first = await exchange(code, state)
    const caller = new Caller(test.base, first.data.token)
    expect((await exchange(code, state)).code).toBe(10010001)
    expect((await me(caller)).code).toBe(0)
    test.clock.forward(15)
    expect((await exchange(code, state)).code).toBe(10010001)
    expect((await me(caller)).code).toBe(11015)
  })

  it('gives one session to two exchanges of a code at the same moment', async () => {
    const { code, state } = await freshCode()
    const answers = await Promise.all([exchange(code, state), exchange(code, state), exchange(code, state)])
    expect(answers.map((answer) => answer.code).sort()).toEqual([0, 10010001, 10010001])
  })

  it('lets a code expire after a minute', async () => {
    const { code, state } = await freshCode()
    test.clock.forward(61)
    expect((await exchange(code, state)).code).toBe(10010001)
  })

  it('shows an expired or forged identity request as a page that leads back', async () => {
    for (const request of ['', 'x.y.z', (await beginSignIn(test.base)).slice(0, -3) + 'abc']) {
      const answer = await sendPassword(test.base, { request, name: 'S0042', password: PASSWORD })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('href="/login"')
    }
  })

  it('speaks both languages on the identity page', async () => {
    const request = await beginSignIn(test.base)
    const page = async (headers: Record<string, string>, more = '') =>
      (await fetch(`${test.base}/auth/identity?request=${request}${more}`, { headers })).text()
    expect(await page({ 'accept-language': 'en-GB,en;q=0.9' })).toContain('<html lang="en">')
    expect(await page({ 'accept-language': 'zh-CN' })).toContain('工号或企业邮箱')
    expect(await page({ 'accept-language': 'zh-CN' }, '&lang=en')).toContain('Job number or e-mail')
  })

  it('escapes what a visitor typed', async () => {
    const html = await (
      await sendPassword(test.base, {
        request: await beginSignIn(test.base),
        name: '"><script>alert(1)</script>',
        password: 'whatever1',
      })
    ).text()
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&quot;&gt;&lt;script&gt;')
  })
})

describe('tokens (R195-R200)', () => {
  it('refreshes with the refresh token and turns it over', async () => {
    const caller = await test.signIn('S0042')
    const { code, data } = await refresh(caller)
    expect(code).toBe(0)
    expect(data.refreshToken).not.toBe(caller.refreshToken)
    expect((await me(new Caller(test.base, data.token))).code).toBe(0)
  })

  it('serves two tabs that refresh with the same token at the same moment', async () => {
    const caller = await test.signIn('S0042')
    const answers = await Promise.all([1, 2, 3].map(() => refresh(caller)))
    expect(answers.map((answer) => answer.code)).toEqual([0, 0, 0])
    for (const answer of answers) {
      expect((await refresh(heldAfter(answer))).code).toBe(0)
      expect((await me(new Caller(test.base, answer.data.token))).code).toBe(0)
    }
  })

  it('keeps two tabs signed in whose browser kept the token of one and the cookie of the other', async () => {
    const caller = await test.signIn('S0042')
    const [one, other] = (await Promise.all([1, 2].map(() => refresh(caller)))).map(heldAfter)
    const mixed = await refresh({ refreshToken: one?.refreshToken ?? '', companion: other?.companion ?? '' })
    expect(mixed.code).toBe(0)
  })

  it('refuses a refresh token without the cookie that came with it, and leaves the session alone', async () => {
    const [caller, other] = [await test.signIn('S0042'), await test.signIn('S0043')]
    const { refreshToken } = caller
    for (const companion of ['', 'TEST_companion=guessed', other.companion]) {
      const answer = await refresh({ refreshToken, companion })
      expect([answer.code, answer.headers.getSetCookie()]).toEqual([100200, []])
    }
    const fresh = heldAfter(await refresh(caller))
    expect(fresh.companion).not.toBe(caller.companion)
    test.clock.forward(12)
    // The cookie of before is over with the grace, and a token that was used is no reason to end the session without its cookie.
    expect((await refresh({ refreshToken: fresh.refreshToken, companion: caller.companion })).code).toBe(100200)
    expect((await refresh({ refreshToken, companion: '' })).code).toBe(100200)
    expect((await refresh(fresh)).code).toBe(0)
  })

  it('leaves no secret of an address in logs, metrics or referrers (R316)', async () => {
    const request = await beginSignIn(test.base)
    const { code, state } = codeFrom(await sendPassword(test.base, { request, name: 'S0042', password: PASSWORD }))
    const held = heldAfter(await exchange(code, state))
    const wrong = await refresh({ ...held, companion: 'TEST_companion=not-this-one' })
    const fresh = await refresh(held)
    const again = await exchange(code, state)
    expect([wrong.code, fresh.code, again.code]).toEqual([100200, 0, 10010001])
    const metrics = await (await test.anybody.raw('GET', '/metrics', { headers: { authorization: 'Bearer scrape-me' } })).text()
    expect(metrics).toContain('/auth/oauth/token')
    const secrets = [request, code, state, held.refreshToken, held.companion.split('=')[1] ?? '', fresh.data.refreshToken]
    for (const secret of secrets) expect([test.logs.join('').includes(secret), metrics.includes(secret)]).toEqual([false, false])
    expect(fresh.headers.get('cache-control')).toBe('no-store')
    for (const path of [`/authorize?code=${code}`, `/auth/identity?request=${request}`, '/auth/oauth/token'])
      expect((await fetch(test.base + path)).headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('keeps that cookie from scripts, other sites and all other calls, and takes it back at the end', async () => {
    const { code, state } = await freshCode()
    const [given] = (await exchange(code, state)).headers.getSetCookie()
    expect(given).toMatch(/^[A-Z-]+_companion=[\w-]{43}; Path=\/auth\/oauth; Max-Age=604800; HttpOnly; SameSite=Strict$/)
    const out = await (await test.signIn('S0042')).post('/v2/sys/staff/user/signOut')
    expect(out.headers.getSetCookie()[0]).toMatch(/_companion=; Path=\/auth\/oauth; Max-Age=0; HttpOnly/)
  })

  it('ends the whole family when a refresh token comes again after the grace', async () => {
    const caller = await test.signIn('S0042')
    const answer = await refresh(caller)
    test.clock.forward(12)
    const reused = await refresh(caller)
    expect([reused.code, reused.status]).toEqual([100200, 401])
    expect((await refresh(heldAfter(answer))).code).toBe(100200)
    expect((await me(new Caller(test.base, answer.data.token))).code).toBe(11015)
  })

  it('refuses an unknown or expired refresh token with 100200', async () => {
    expect((await refresh({ refreshToken: 'nonsense', companion: '' })).code).toBe(100200)
    const caller = await test.signIn('S0042')
    test.clock.forward(8 * 86_400)
    expect((await refresh(caller)).code).toBe(100200)
  })

  it('wants the right client and scope', async () => {
    const caller = await test.signIn('S0042')
    expect((await refresh(caller, { client_id: 'other' })).code).toBe(10010001)
    expect((await refresh(caller, { scope: 'admin' })).code).toBe(10010001)
    expect((await test.anybody.get('/auth/oauth/token?client_id=switchboard&scope=staff')).code).toBe(10010001)
    expect((await refresh(caller)).code).toBe(0)
  })

  it('answers 11008 and status 401 to a missing, malformed, foreign or expired token', async () => {
    const caller = await test.signIn('S0042')
    const [head, body] = (caller.token ?? '').split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')
    const request = await beginSignIn(test.base)
    for (const token of [null, 'nonsense', 'a.b.c', `${head}.${body}.AAAA`, `${none}.${body}.`, request]) {
      const answer = await me(new Caller(test.base, token))
      expect([token?.slice(0, 10), answer.status, answer.code]).toEqual([token?.slice(0, 10), 401, 11008])
    }
    test.clock.forward(7201)
    expect((await me(caller)).code).toBe(11008)
  })

  it('ends a session after thirty days, however often it was refreshed', async () => {
    let current = await test.signIn('S0042')
    for (let day = 0; day < 31; day += 5) {
      test.clock.forward(5 * 86_400)
      const answer = await refresh(current)
      if (day >= 25) expect(answer.code).toBe(100200)
      else current = new Caller(test.base, answer.data.token, answer.data.refreshToken, companionFrom(answer.headers))
    }
  })
})

describe('signing out', () => {
  it('ends the session of the token (R178)', async () => {
    const [first, second] = [await test.signIn('S0042'), await test.signIn('S0042')]
    expect((await first.post('/v2/sys/staff/user/signOut', { everywhere: false })).code).toBe(0)
    const after = await me(first)
    expect([after.status, after.code]).toEqual([401, 11015])
    expect((await refresh(first)).code).toBe(100200)
    expect((await me(second)).code).toBe(0)
  })

  it('ends every session of the person, and of nobody else', async () => {
    const callers = [await test.signIn('S0042'), await test.signIn('S0042')]
    const other = await test.signIn('S0043')
    for (const caller of callers) expect((await me(caller)).code).toBe(0)
    expect(
      (await callers[0]?.post<{ ended: number }>('/v2/sys/staff/user/signOut', { everywhere: true }))?.data.ended,
    ).toBeGreaterThanOrEqual(2)
    for (const caller of callers) expect((await me(caller)).code).toBe(11015)
    expect((await me(other)).code).toBe(0)
  })

  it('works with the refresh token when the access token has expired', async () => {
    const caller = await test.signIn('S0042')
    test.clock.forward(7300)
    expect(
      (await caller.post<{ ended: number }>('/v2/sys/staff/user/signOut', { refreshToken: caller.refreshToken })).data.ended,
    ).toBe(1)
    expect((await refresh(caller)).code).toBe(100200)
  })

  it('is a success for somebody without a session', async () => {
    expect((await test.anybody.post('/v2/sys/staff/user/signOut', {})).code).toBe(0)
  })
})

describe('the identity page', () => {
  it('offers no demo staff where there is no demo world', async () => {
    const request = await beginSignIn(test.base)
    const html = await (await fetch(`${test.base}/auth/identity?request=${request}&tab=demo`)).text()
    expect(html).not.toContain('name="staffId"')
    expect(hiddenField(html, 'request')).toBe(request)
    const posted = await fetch(`${test.base}/auth/identity/demo`, {
      method: 'POST',
      body: new URLSearchParams({ request, staffId: 'wang' }),
      redirect: 'manual',
    })
    expect(posted.status).toBe(404)
  })
})
