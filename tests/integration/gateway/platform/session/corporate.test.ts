import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Caller, PKCE, STATE, codeFrom, exchangeCode, startGateway } from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'

/** A corporate platform on a server of its own: codes, PKCE, tokens and people, as OAuth 2 has them. */
class Platform {
  readonly people = new Map<string, Record<string, unknown>>()
  readonly seen: { path: string; form?: URLSearchParams; authorization?: string }[] = []
  readonly codes = new Map<string, { person: string; challenge: string; redirect: string }>()
  broken: 'no' | 'status' | 'html' | 'noToken' = 'no'
  private server: Server | undefined

  async start(): Promise<string> {
    this.server = createServer((request, response) => {
      void this.answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      })
    })
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The browser at the platform's sign-in page: somebody signs in and is sent back. */
  signIn(location: string, person: string): string {
    const asked = new URL(location).searchParams
    const code = `code-of-${person}-${this.codes.size}`
    this.codes.set(code, { person, challenge: asked.get('code_challenge') ?? '', redirect: asked.get('redirect_uri') ?? '' })
    return `${asked.get('redirect_uri')}?${new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString()}`
  }

  stop(): Promise<void> {
    return new Promise((done) => this.server?.close(() => done()))
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const path = request.url ?? ''
    const form = new URLSearchParams(text)
    this.seen.push({ path, form, authorization: request.headers.authorization })
    if (this.broken === 'status') return { status: 500, body: { error: 'server_error' } }
    if (this.broken === 'html') return { status: 200, body: '<html>maintenance</html>' }
    if (this.broken === 'noToken') return { status: 200, body: { error: 'invalid_grant' } }
    if (path === '/token') return this.token(form)
    const person = /^Bearer token-of-(.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const facts = this.people.get(person)
    return facts ? { status: 200, body: facts } : { status: 401, body: {} }
  }

  private async token(form: URLSearchParams): Promise<{ status: number; body: unknown }> {
    const found = this.codes.get(form.get('code') ?? '')
    this.codes.delete(form.get('code') ?? '')
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(form.get('code_verifier') ?? ''))
    const challenge = Buffer.from(digest).toString('base64url')
    const right =
      found &&
      form.get('client_secret') === 'platform-secret' &&
      found.challenge === challenge &&
      found.redirect === form.get('redirect_uri')
    return right
      ? { status: 200, body: { access_token: `token-of-${found.person}`, token_type: 'Bearer' } }
      : { status: 400, body: { error: 'invalid_grant' } }
  }
}

const platform = new Platform()
let test: TestGateway
beforeAll(async () => {
  const base = await platform.start()
  test = await startGateway({
    environment: {
      OAUTH_AUTHORIZE_URL: `${base}/authorize`,
      OAUTH_TOKEN_URL: `${base}/token`,
      OAUTH_USERINFO_URL: `${base}/userinfo`,
      OAUTH_CLIENT_ID: 'portal-at-platform',
      OAUTH_CLIENT_SECRET: 'platform-secret',
    },
  })
  await test.addStaff({ id: 'wang', jobNumber: 'S0042', email: 'wei.wang@example.com' })
  await test.addStaff({ id: 'li', jobNumber: 'S0043', email: 'na.li@example.com' })
  platform.people.set('wang', { openId: 'open-1', email: 'Wei.Wang@example.com', jobNumber: 'nobody' })
  platform.people.set('li', { data: { open_id: 'open-2', job_number: 's0043' } })
  platform.people.set('stranger', { openId: 'open-9', email: 'stranger@elsewhere.example' })
  platform.people.set('impostor', { openId: 'open-8', email: 'wei.wang@example.com' })
})
afterAll(async () => {
  await test.close()
  await platform.stop()
})

const begin = async (cookie = browser) => {
  const query = new URLSearchParams({
    client_id: 'switchboard',
    redirect_uri: `${test.base}/authorize`,
    state: STATE,
    scope: 'staff',
    response_type: 'code',
    ...PKCE,
  })
  const answer = await fetch(`${own()}/auth/oauth/authorize?${query.toString()}`, { redirect: 'manual', headers: { cookie } })
  browser = answer.headers.get('set-cookie')?.split(';')[0] ?? browser
  return answer.headers.get('location') ?? ''
}
/** The cookie of the browser that began last. */
let browser = ''
/** The address that the gateway names when it speaks of itself. */
const own = () => test.base.replace('127.0.0.1', 'localhost')
const goTo = (address: string | URL, cookie = browser) => fetch(address, { redirect: 'manual', headers: { cookie } })
const comeBack = async (person: string) => goTo(platform.signIn(await begin(), person))
const staffOf = async (response: Response) => {
  const { data } = await exchangeCode(test.base, codeFrom(response))
  return (await new Caller(test.base, data.token).get<{ staffId: string }>('/v2/sys/staff/overseas/getUserInfo')).data.staffId
}

describe('sign-in through a corporate platform (R003, R176)', () => {
  it('sends the browser to the platform with client, scope, state and PKCE, and never the secret', async () => {
    const address = new URL(await begin())
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'portal-at-platform',
      redirect_uri: `${own()}/auth/oauth/callback`,
      code_challenge_method: 'S256',
    })
    expect(address.searchParams.get('state')).not.toBe(STATE)
    expect(address.href).not.toContain('platform-secret')
  })

  it('signs in by e-mail the first time and by corporate id from then on', async () => {
    const first = await comeBack('wang')
    expect(codeFrom(first).state).toBe(STATE)
    expect(await staffOf(first)).toBe('wang')
    platform.people.set('wang', { openId: 'open-1', email: 'renamed@example.com' })
    expect(await staffOf(await comeBack('wang'))).toBe('wang')
  })

  it('signs in by job number, also when the answer is wrapped in data', async () => {
    expect(await staffOf(await comeBack('li'))).toBe('li')
  })

  it('gives a person who is linked to another corporate account to nobody else', async () => {
    const answer = await comeBack('impostor')
    expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
  })

  it('refuses people who are no staff with a page', async () => {
    const answer = await comeBack('stranger')
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('企业账号未关联在职员工')
  })

  it('refuses a forged, missing or repeated state', async () => {
    const location = platform.signIn(await begin(), 'wang')
    const forged = new URL(location)
    forged.searchParams.set('state', 'forged-state')
    expect((await goTo(forged)).status).toBe(400)
    expect((await goTo(`${own()}/auth/oauth/callback?code=x`)).status).toBe(400)
    expect((await goTo(location)).status).toBe(303)
    expect((await goTo(location)).status).toBe(400)
  })

  it('takes nobody in through the return of another browser: no login by a link that somebody sent', async () => {
    const attackers = platform.signIn(await begin(''), 'li')
    const attackersBrowser = browser
    await begin('')
    expect(browser).not.toBe(attackersBrowser)
    for (const cookie of ['', browser]) {
      const answer = await goTo(attackers, cookie)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    }
    expect((await goTo(attackers, attackersBrowser)).status).toBe(303)
  })

  it('lets two tabs of one browser leave and come back in any order', async () => {
    const first = platform.signIn(await begin(''), 'wang')
    const second = platform.signIn(await begin(), 'wang')
    expect([(await goTo(second)).status, (await goTo(first)).status]).toEqual([303, 303])
  })

  it('keeps the cookie of the way out of reach of scripts and other sites, and begins at the canonical address', async () => {
    const query = new URLSearchParams({ client_id: 'switchboard', redirect_uri: `${test.base}/authorize`, state: STATE, ...PKCE })
    const address = `/auth/oauth/authorize?${query.toString()}`
    const elsewhere = await fetch(test.base + address, { redirect: 'manual' })
    expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([302, own() + address])
    expect(elsewhere.headers.get('set-cookie')).toBeNull()
    const cookie = (await fetch(own() + address, { redirect: 'manual' })).headers.get('set-cookie')
    expect(cookie).toMatch(/^switchboard_browser=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  })

  it('says so when the platform answers with an error, a page or no token, and logs no secret', async () => {
    for (const broken of ['status', 'html', 'noToken'] as const) {
      platform.broken = broken
      const answer = await comeBack('wang')
      expect([broken, answer.status]).toEqual([broken, 503])
      expect(await answer.text()).toContain('企业登录平台')
    }
    platform.broken = 'no'
    const log = test.logs.join('')
    expect(log).toContain('corporate sign-in failed')
    for (const secret of ['platform-secret', 'code-of-wang', 'token-of-wang']) expect(log).not.toContain(secret)
  })
})
