import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  PASSWORD,
  PKCE,
  STATE,
  VERIFIER,
  beginSignIn,
  codeFrom,
  exchangeCode,
  hiddenField,
  sendPassword,
  startGateway,
} from '../../../../support/gateway'
import type { TestGateway } from '../../../../support/gateway'

const PUBLIC = 'https://portal.example'
let local: TestGateway
let behindProxy: TestGateway
let named: TestGateway
beforeAll(async () => {
  local = await startGateway()
  named = await startGateway({
    environment: {
      PUBLIC_URL: `${PUBLIC}, http://10.0.0.5:4600`,
      GATEWAY_BASE_URL: 'https://gateway.example/',
      CORS_ORIGINS: 'https://other.example',
    },
  })
  behindProxy = await startGateway({ environment: { PUBLIC_URL: PUBLIC, TRUST_PROXY: 'true' } })
  for (const gateway of [local, named, behindProxy]) await gateway.addStaff({ id: 'wang', jobNumber: 'S0042' })
})
afterAll(() => Promise.all([local, named, behindProxy].map((gateway) => gateway.close())))

/** A request with whatever Host; fetch would put in the true one. */
const ask = (gateway: TestGateway, path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number; location: string | undefined; text: string; csp: string; cookies: string }>((done, fail) => {
    const { hostname, port } = new URL(gateway.base)
    const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('end', () => {
        const { location, 'content-security-policy': csp, 'set-cookie': cookies } = response.headers
        done({ status: response.statusCode ?? 0, location, text, csp: String(csp), cookies: String(cookies) })
      })
    })
    sent.on('error', fail).end()
  })
const authorize = (redirect: string) =>
  `/auth/oauth/authorize?${new URLSearchParams({ client_id: 'switchboard', redirect_uri: redirect, state: STATE, ...PKCE }).toString()}`
const own = (gateway: TestGateway) => new URL(gateway.base).host
const allowed = async (gateway: TestGateway, redirect: string, host = own(gateway)) => {
  const { status, location } = await ask(gateway, authorize(redirect), { host })
  expect([redirect, [302, 400].includes(status)]).toEqual([redirect, true])
  expect(location === undefined || location.startsWith('/auth/identity?')).toBe(true)
  return status === 302
}

describe('a forged Host', () => {
  const evil = 'http://evil.example/authorize'

  it('leads no code to the one who forged it: neither as Host nor as forwarded one, with and without PUBLIC_URL', async () => {
    const hosts = [
      'evil.example',
      'evil.example:80',
      `${own(local)}.evil.example`,
      'evil.example@localhost',
      'localhost.evil.example',
      '',
    ]
    for (const gateway of [local, named, behindProxy])
      for (const host of hosts) {
        const answer = await ask(gateway, authorize(evil), { host })
        expect([host, answer.status, answer.location]).toEqual([host, host === '' ? answer.status : 421, undefined])
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.text).not.toContain('evil.example')
      }
    for (const gateway of [local, named]) {
      const answer = await ask(gateway, authorize(evil), { host: own(gateway), 'x-forwarded-host': 'evil.example' })
      expect([answer.status, answer.location]).toEqual([400, undefined])
    }
    const forwarded = await ask(behindProxy, authorize(evil), { host: 'portal.example', 'x-forwarded-host': 'evil.example' })
    expect([forwarded.status, forwarded.location]).toEqual([421, undefined])
    const through = await ask(behindProxy, authorize(evil), { host: 'gateway:4600', 'x-forwarded-host': 'portal.example' })
    expect([through.status, through.location]).toEqual([400, undefined])
  })

  it('is refused at every address, in the language of the caller, and is logged once', async () => {
    for (const path of [
      '/',
      '/home',
      '/health',
      '/ready',
      '/metrics',
      '/dcode',
      '/docs/api',
      '/v2/nothing',
      '/assets/x.js',
      '/auth/identity',
    ]) {
      const { status, text } = await ask(local, path, { host: 'rebound.example', 'accept-language': 'en' })
      expect([path, status]).toEqual([path, 421])
      expect(JSON.parse(text)).toMatchObject({ code: 10010001, data: null })
      expect(text).toContain('PUBLIC_URL')
    }
    for (const method of ['POST', 'OPTIONS', 'DELETE'])
      expect(
        (await ask(local, '/v2/sys/page/routes', { host: 'rebound.example', origin: 'http://x.example' }, method)).status,
      ).toBe(421)
    expect((await ask(local, '/health', { host: 'rebound.example' })).text).toContain('不以这个地址')
    for (let count = 0; count < 60; count += 1) await ask(local, '/health', { host: `made-up-${count}.example` })
    const lines = local.logs.filter((line) => line.includes('PUBLIC_URL does not name'))
    expect(lines.filter((line) => line.includes('"host":"rebound.example"'))).toHaveLength(1)
    expect(lines.length).toBeLessThanOrEqual(50)
  })

  it('of HTTP 1.0, which may have none, is refused too', async () => {
    const answer = await new Promise<string>((done) => {
      let text = ''
      const socket = connect(Number(new URL(local.base).port), '127.0.0.1', () => socket.write('GET /health HTTP/1.0\r\n\r\n'))
      socket.on('data', (chunk) => (text += chunk.toString()))
      socket.on('close', () => done(text))
    })
    expect(answer).toMatch(/^HTTP\/1.1 421/)
  })
})

describe('the addresses of the configuration', () => {
  it('are all served, in upper and lower case and with the port that goes without saying; loopback ones always', async () => {
    const hosts = [
      'portal.example',
      'PORTAL.example',
      'portal.example:443',
      '10.0.0.5:4600',
      'gateway.example',
      'localhost:1234',
      '127.0.0.1',
      '[::1]:4600',
    ]
    for (const host of hosts) expect([host, (await ask(named, '/health', { host })).status]).toEqual([host, 200])
    for (const host of [
      'portal.example:80',
      'portal.example:4600',
      '10.0.0.5',
      '10.0.0.5:4601',
      'other.example',
      '127.0.0.2',
      '[::2]',
    ])
      expect([host, (await ask(named, '/health', { host })).status]).toEqual([host, 421])
    expect((await ask(behindProxy, '/health', { host: 'gateway:4600', 'x-forwarded-host': 'portal.example' })).status).toBe(200)
  })

  it('receive codes at /authorize, letter by letter; of loopback only where PUBLIC_URL is not set, and on the own port', async () => {
    const port = new URL(local.base).port
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      expect(await allowed(local, `http://${name}:${port}/authorize`)).toBe(true)
    expect(await allowed(local, `http://localhost:${Number(port) + 1}/authorize`)).toBe(false)
    for (const origin of [PUBLIC, 'http://10.0.0.5:4600', 'https://other.example'])
      expect([origin, await allowed(named, `${origin}/authorize`)]).toEqual([origin, true])
    expect(await allowed(named, `${PUBLIC}/authorize`, 'portal.example')).toBe(true)
    for (const redirect of [
      `http://localhost:${new URL(named.base).port}/authorize`,
      'https://gateway.example/authorize',
      'http://portal.example/authorize',
      `${PUBLIC}:443/authorize`,
      `${PUBLIC}:8443/authorize`,
      'https://PORTAL.example/authorize',
      `${PUBLIC}./authorize`,
      `${PUBLIC}.evil.example/authorize`,
      'https://evil-portal.example/authorize',
      'https://xportal.example/authorize',
      'https://user@portal.example/authorize',
      `${PUBLIC}@evil.example/authorize`,
      'https://evil.example#@portal.example/authorize',
      'https://evil.example\\@portal.example/authorize',
      `${PUBLIC}/authorize/`,
      `${PUBLIC}/authorize/x`,
      `${PUBLIC}/authorize?next=https://evil.example`,
      `${PUBLIC}/authorize#x`,
      `${PUBLIC}/Authorize`,
      `${PUBLIC}/%61uthorize`,
      `${PUBLIC}//authorize`,
      `${PUBLIC}/x/../authorize`,
      ` ${PUBLIC}/authorize`,
      `${PUBLIC}/authorize `,
      `${PUBLIC}/authorize\t`,
      '//portal.example/authorize',
      '/authorize',
      'authorize',
      'javascript:alert(1)',
      '',
    ])
      expect([redirect, await allowed(named, redirect, 'portal.example')]).toEqual([redirect, false])
    expect((await ask(named, authorize(`${PUBLIC}/authorize\0`), { host: 'portal.example' })).location).toBeUndefined()
    const twice = `${authorize(`${PUBLIC}/authorize`)}&redirect_uri=${encodeURIComponent('https://evil.example/authorize')}`
    expect((await ask(named, twice, { host: 'portal.example' })).status).toBe(400)
  })

  it('decide about policy and cookies; the caller does not', async () => {
    const begun = await ask(behindProxy, authorize(`${PUBLIC}/authorize`), {
      host: 'portal.example',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'portal.example',
    })
    const page = await ask(behindProxy, begun.location ?? '', { host: 'portal.example' })
    expect(page.csp).toContain(`form-action 'self' ${PUBLIC}`)
    const form = new URLSearchParams({ request: hiddenField(page.text, 'request'), name: 'S0042', password: PASSWORD })
    const entered = await fetch(`${behindProxy.base}/auth/identity/password`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      headers: { 'x-forwarded-host': 'portal.example', 'x-forwarded-proto': 'http' },
    })
    expect(entered.headers.get('location')).toMatch(/^https:\/\/portal\.example\/authorize\?code=/)
    expect(entered.headers.get('set-cookie')).toContain('; Secure')
    expect(entered.headers.get('strict-transport-security')).toContain('max-age=31536000')
  })
})

describe('a code that somebody else got hold of', () => {
  const stolen = async () =>
    codeFrom(await sendPassword(local.base, { request: await beginSignIn(local.base), name: 'S0042', password: PASSWORD }))
  const exchange = (query: Record<string, string>) =>
    local.anybody.get(`/auth/oauth/dingAuth?${new URLSearchParams(query).toString()}`)

  it('is worth nothing without the verifier of the browser that asked for it, and only once with it', async () => {
    const { code, state } = await stolen()
    const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
    for (const verifier of [undefined, '', 'another-verifier', challenge, VERIFIER.toUpperCase()]) {
      const answer = await exchange({ code, state, ...(verifier === undefined ? {} : { code_verifier: verifier }) })
      expect([verifier, answer.code, answer.data]).toEqual([verifier, 10010001, expect.anything()])
      expect(answer.text).not.toContain('refreshToken')
    }
    const token = await local.anybody.get(
      `/auth/oauth/token?${new URLSearchParams({ client_id: 'switchboard', scope: 'staff', code, state }).toString()}`,
    )
    expect(token.code).toBe(10010001)
    expect((await exchangeCode(local.base, { code, state })).code).toBe(0)
    expect((await exchangeCode(local.base, { code, state })).code).toBe(10010001)
  })

  it('is not given at all to a request without a challenge', async () => {
    const query = { client_id: 'switchboard', redirect_uri: `${local.base}/authorize`, state: STATE }
    const answer = await ask(local, `/auth/oauth/authorize?${new URLSearchParams(query).toString()}`, { host: own(local) })
    expect([answer.status, answer.location]).toEqual([400, undefined])
    expect(answer.text).toContain('code_challenge')
  })
})
