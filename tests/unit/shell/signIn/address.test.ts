import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portalAddress, redirectTarget, returnAddress, signInAddress } from '../../../../src/shell/signIn/address'

const ORIGIN = 'https://portal.example.com'

describe('addresses that come from outside', () => {
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'crm/x',
    '',
    ' /crm',
    'https:evil.example',
  ])('refuses %j as a return address: no open redirect', (address) => {
    expect(portalAddress(address, ORIGIN)).toBeNull()
  })

  it('never leads to another origin, whatever the text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(fc.constantFrom('/', '\\', '.', '@', ':', 'evil.example', '\t', '%2f', '?', '#')).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (address) => {
        const target = portalAddress(address, ORIGIN)
        if (target !== null) expect(new URL(target, ORIGIN).origin).toBe(ORIGIN)
        expect(new URL(redirectTarget(`?redirectPath=${encodeURIComponent(address)}`, ORIGIN), ORIGIN).origin).toBe(ORIGIN)
        expect(new URL(returnAddress(`?redirectPath=${encodeURIComponent(address)}`, ORIGIN), ORIGIN).origin).toBe(ORIGIN)
      }),
      { numRuns: 150 },
    )
  })

  it('/refresh goes to redirectPath (R029), merges the rest of the query and drops redirectPath (R030)', () => {
    expect(redirectTarget('?redirectPath=/message/email/inbox&a=1', ORIGIN)).toBe('/message/email/inbox?a=1')
    expect(redirectTarget('?redirectPath=%2Fcrm%2Fx%3Fb%3D2&a=1&a=3', ORIGIN)).toBe('/crm/x?b=2&a=1&a=3')
  })

  it('without a usable redirectPath the home page is the target', () => {
    expect(redirectTarget('?a=1', ORIGIN)).toBe('/home')
    expect(redirectTarget('?redirectPath=//evil.example', ORIGIN)).toBe('/home')
  })
})

describe('the way to the sign-in and back', () => {
  it('keeps the query of the refused address (R187) and leads back to it after sign-in (R180)', () => {
    const address = signInAddress('/crm/client-partner/my-client', '?keyword=a%26b&page=2')
    const query = new URLSearchParams(address.split('?')[1])
    expect(address.startsWith('/login?')).toBe(true)
    expect(query.get('keyword')).toBe('a&b')
    expect(query.get('page')).toBe('2')
    expect(returnAddress(address.slice('/login'.length), ORIGIN)).toBe('/crm/client-partner/my-client?keyword=a%26b&page=2')
  })

  it('leads back to any address, also when its query has our own names in it (R180, R187)', () => {
    const segment = fc.stringMatching(/^[a-z0-9-]{1,8}$/)
    const query = fc.dictionary(
      fc.oneof(fc.constantFrom('redirectPath', 'reason', 'tagTitle'), segment),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        query,
        fc.constantFrom(undefined, 'ended' as const),
        (parts, values, reason) => {
          const path = `/crm/${parts.join('/')}`
          const search = new URLSearchParams(values).toString()
          const back = returnAddress(
            signInAddress(path, search === '' ? '' : `?${search}`, reason).slice('/login'.length),
            ORIGIN,
          )
          const url = new URL(back, ORIGIN)
          expect(url.pathname).toBe(path)
          expect(Object.fromEntries(url.searchParams)).toEqual(values)
        },
      ),
    )
  })

  it('never returns to the sign-in pages themselves', () => {
    expect(returnAddress('?redirectPath=/login', ORIGIN)).toBe('/home')
    expect(returnAddress('?redirectPath=/authorize%3Fcode%3D1', ORIGIN)).toBe('/home')
  })
})
