// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest'
import { parseConfiguration } from '../../../../src/shell/configuration/configuration'
import { finishSignIn, startSignIn } from '../../../../src/shell/signIn/oauth'

const ORIGIN = 'https://portal.example.com'
const configuration = parseConfiguration({
  oauth: { authorizeUrl: 'https://corp.example.com/oauth2/auth?tenant=7', clientId: 'abc' },
})

describe('the corporate OAuth code flow (R003, R176)', () => {
  beforeEach(() => sessionStorage.clear())

  const start = (search = '') => new URL(startSignIn(configuration, search, ORIGIN, sessionStorage, 1_000))
  const stateOf = (url: URL) => url.searchParams.get('state') ?? ''

  it('asks for a code with scope staff (R316), a random state and our return address', () => {
    const url = start()
    expect(url.origin + url.pathname).toBe('https://corp.example.com/oauth2/auth')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      tenant: '7',
      client_id: 'abc',
      redirect_uri: `${ORIGIN}/authorize`,
      response_type: 'code',
      scope: 'staff',
    })
    expect(stateOf(url)).toMatch(/^[0-9a-f]{32}$/)
    expect(stateOf(url)).not.toBe(stateOf(start()))
  })

  it('returns to where the person came from (R180)', () => {
    const url = start('?redirectPath=/crm/x&id=1')
    expect(finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)).toEqual({
      ok: true,
      code: 'c1',
      state: stateOf(url),
      returnTo: '/crm/x?id=1',
    })
  })

  it('drops a return address of another site', () => {
    const url = start('?redirectPath=https://evil.example/x')
    expect(finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)).toMatchObject({ ok: true, returnTo: '/home' })
  })

  it('refuses a foreign, missing, used or old state', () => {
    const url = start()
    expect(finishSignIn('?code=c1&state=other', sessionStorage, 2_000)).toMatchObject({ ok: false, why: 'stateMismatch' })
    expect(finishSignIn(`?code=c1&state=${stateOf(url)}`, sessionStorage, 2_000)).toMatchObject({
      ok: false,
      why: 'stateMismatch',
    })
    expect(finishSignIn('?code=c1', sessionStorage, 2_000)).toMatchObject({ ok: false, why: 'stateMismatch' })
    const late = start()
    expect(finishSignIn(`?code=c1&state=${stateOf(late)}`, sessionStorage, 1_000 + 16 * 60_000)).toMatchObject({
      ok: false,
      why: 'stateMismatch',
    })
  })

  it('says what the platform said when it refused', () => {
    const url = start()
    expect(finishSignIn(`?error=access_denied&error_description=No+access&state=${stateOf(url)}`, sessionStorage, 2_000)).toEqual(
      { ok: false, why: 'refused', reason: 'No access' },
    )
    const other = start()
    expect(finishSignIn(`?state=${stateOf(other)}`, sessionStorage, 2_000)).toMatchObject({ ok: false, why: 'noCode' })
  })

  it('is not confused by garbage in the storage', () => {
    sessionStorage.setItem('switchboard.signIn', '{"state":1}')
    expect(finishSignIn('?code=c&state=1', sessionStorage)).toMatchObject({ ok: false, why: 'stateMismatch' })
  })
})
