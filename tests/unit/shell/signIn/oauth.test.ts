// @vitest-environment jsdom
import { createHash, webcrypto } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { parseConfiguration } from '../../../../src/shell/configuration/configuration'
import { finishSignIn, startSignIn } from '../../../../src/shell/signIn/oauth'

const ORIGIN = 'https://portal.example.com'
const configuration = parseConfiguration({
  oauth: { authorizeUrl: 'https://corp.example.com/oauth2/auth?tenant=7', clientId: 'abc' },
})

describe('the corporate OAuth code flow (R003, R176)', () => {
  beforeEach(() => sessionStorage.clear())

  const start = async (search = '') => new URL(await startSignIn(configuration, search, ORIGIN, sessionStorage, 1_000))
  const stateOf = (url: URL) => url.searchParams.get('state') ?? ''

  it('asks for a code with scope staff (R316), a random state and our return address', async () => {
    const url = await start()
    expect(url.origin + url.pathname).toBe('https://corp.example.com/oauth2/auth')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      tenant: '7',
      client_id: 'abc',
      redirect_uri: `${ORIGIN}/authorize`,
      response_type: 'code',
      scope: 'staff',
    })
    expect(stateOf(url)).toMatch(/^[0-9a-f]{32}$/)
    expect(stateOf(url)).not.toBe(stateOf(await start()))
  })

  it('sends only the digest of the verifier, which stays in this tab, also where the browser does not digest (PKCE, S256)', async () => {
    for (const withSubtle of [true, false]) {
      if (!withSubtle) vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => webcrypto.getRandomValues(bytes) })
      const url = await start()
      vi.unstubAllGlobals()
      const back = finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)
      if (!back.ok) throw new Error(back.why)
      expect(url.href).not.toContain(back.verifier)
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        code_challenge: createHash('sha256').update(back.verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
    }
  })

  it('returns to where the person came from (R180)', async () => {
    const url = await start('?redirectPath=/crm/x&id=1')
    expect(finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)).toEqual({
      ok: true,
      code: 'c1',
      state: stateOf(url),
      verifier: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      returnTo: '/crm/x?id=1',
    })
  })

  it('drops a return address of another site', async () => {
    const url = await start('?redirectPath=https://evil.example/x')
    expect(finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)).toMatchObject({ ok: true, returnTo: '/home' })
  })

  it('refuses a foreign, missing, used or old state', async () => {
    const url = await start()
    expect(finishSignIn('?code=c1&state=other', sessionStorage, 2_000)).toMatchObject({ ok: false, why: 'stateMismatch' })
    expect(finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)).toMatchObject({
      ok: false,
      why: 'stateMismatch',
    })
    expect(finishSignIn('?code=c1', sessionStorage, 2_000)).toMatchObject({ ok: false, why: 'stateMismatch' })
    const late = await start()
    expect(finishSignIn(`?code=c1&state=${stateOf(late)}`, sessionStorage, 1_000 + 16 * 60_000)).toMatchObject({
      ok: false,
      why: 'stateMismatch',
    })
  })

  it('says what the platform said when it refused', async () => {
    const url = await start()
    expect(finishSignIn(`?error=access_denied&error_description=No+access&state=${stateOf(url)}`, sessionStorage, 2_000)).toEqual(
      { ok: false, why: 'refused', reason: 'No access' },
    )
    const other = await start()
    expect(finishSignIn(`?state=${stateOf(other)}`, sessionStorage, 2_000)).toMatchObject({ ok: false, why: 'noCode' })
  })

  it('is not confused by garbage in the storage', async () => {
    sessionStorage.setItem('switchboard.signIn', '{"state":1}')
    expect(finishSignIn('?code=c&state=1', sessionStorage)).toMatchObject({ ok: false, why: 'stateMismatch' })
  })
})
