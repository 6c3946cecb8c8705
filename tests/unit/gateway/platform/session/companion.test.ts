import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { CompanionCookie } from '../../../../../gateway/platform/session/companion'

const PORTAL = 'https://portal.example'

async function cookieFor(secure: boolean, headers: Record<string, string>): Promise<string> {
  const addresses = {
    canonical: '',
    origins: [],
    knows: () => true,
    isOther: () => false,
    isSecure: () => secure,
  }
  const cookie = new CompanionCookie({ environment: 'Pre-Production', addresses, portalOrigins: [PORTAL] }, 60)
  const app = Fastify()
  app.get('/', (request, reply) => {
    cookie.give(request, reply, 'value')
    return 'given'
  })
  const answer = await app.inject({ url: '/', headers })
  await app.close()
  return String(answer.headers['set-cookie'])
}

describe('the cookie that goes with a refresh token (R174, R177, R316)', () => {
  const common = 'PRE-PRODUCTION_companion=value; Path=/auth/oauth; Max-Age=60; HttpOnly'

  it('stays within the site, over https only where there is https', async () => {
    expect(await cookieFor(false, {})).toBe(`${common}; SameSite=Strict`)
    expect(await cookieFor(true, { 'sec-fetch-site': 'same-origin' })).toBe(`${common}; SameSite=Strict; Secure`)
  })

  it('works for a portal on another port or name of the same site as for our own', async () => {
    expect(await cookieFor(true, { origin: PORTAL, 'sec-fetch-site': 'same-site' })).toBe(`${common}; SameSite=Strict; Secure`)
  })

  it('crosses sites for the portals that the configuration names, and only over https', async () => {
    const foreign = { origin: PORTAL, 'sec-fetch-site': 'cross-site' }
    expect(await cookieFor(true, foreign)).toBe(`${common}; SameSite=None; Secure; Partitioned`)
    expect(await cookieFor(false, foreign)).toBe(`${common}; SameSite=Strict`)
    const stranger = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(await cookieFor(true, stranger)).toBe(`${common}; SameSite=Strict; Secure`)
  })
})
