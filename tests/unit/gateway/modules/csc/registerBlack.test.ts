import { describe, expect, it } from 'vitest'
import { normalised, refusing, type BlackKind } from '../../../../../gateway/modules/csc/rules/registerBlack'

describe('the registration blacklist (clues 7)', () => {
  const kept: [BlackKind, string, string][] = [
    ['email', ' Trial.Hunter@Example.NET ', 'trial.hunter@example.net'],
    ['domain', '@MÜNCHEN.de', 'xn--mnchen-3ya.de'],
    ['phone', '0086 138-0000 0000', '+8613800000000'],
    ['ip', '2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['cidr', '203.0.113.0/24', '203.0.113.0/24'],
  ]
  it.each(kept)('keeps a %s %s as %s', (kind, typed, value) => {
    expect(normalised(kind, typed)).toEqual({ value })
  })

  const refused: [BlackKind, string, string][] = [
    ['cidr', '10.0.0.0/15', 'wide'],
    ['cidr', '2001:db8::/31', 'wide'],
    ['cidr', '10.0.0.0/33', 'form'],
    ['email', 'nobody', 'form'],
    ['phone', '12', 'form'],
    ['ip', '999.1.1.1', 'form'],
  ]
  it.each(refused)('refuses a %s %s: %s', (kind, typed, why) => {
    expect(normalised(kind, typed)).toEqual({ refused: why })
  })

  it('bars by mail, by a domain and what lies below it, by number, by range and by company', () => {
    const rows = [
      { id: 'domain', kind: 'domain', value: 'mailinator.com' },
      { id: 'phone', kind: 'phone', value: '+8613800000000' },
      { id: 'range', kind: 'cidr', value: '203.0.113.0/24' },
      { id: 'six', kind: 'cidr', value: '2001:db8::/32' },
    ]
    const by = (registration: Parameters<typeof refusing>[0]) => refusing(registration, rows).map(({ id }) => id)
    expect(by({ email: 'a@eu.Mailinator.com' })).toEqual(['domain'])
    expect(by({ email: 'a@notmailinator.com' })).toEqual([])
    expect(by({ phone: '+86 138 0000 0000', ip: '203.0.113.77' })).toEqual(['phone', 'range'])
    expect(by({ ip: '203.0.114.1' })).toEqual([])
    expect(by({ ip: '2001:db8:1::5' })).toEqual(['six'])
  })
})
