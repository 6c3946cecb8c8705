import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { looksLike, matchKeys, similarity } from '../../../../gateway/duplicates'

describe('match keys of company names', () => {
  it.each([
    ['深圳市星河通信科技有限公司', '深圳市星河通信科技', '星河'],
    ['星河（香港）通讯有限公司', '星河香港通讯', '星河'],
    ['星河通訊有限公司', '星河通讯', '星河'],
    ['Acme Télécom S.A.R.L.', 'acmetelecom', 'acme'],
    ['ACME TELECOM SARL', 'acmetelecom', 'acme'],
    ['Acme Telecoms Ltd', 'acmetelecoms', 'acmetelecoms'],
    ['ＡＣＭＥ　ＴＥＬＥＣＯＭ', 'acmetelecom', 'acme'],
    [`O'Neil & Sons "Fast" SMS Ltd`, 'oneilandsonsfastsms', 'oneilandsonsfastsms'],
    ['Company Limited', 'companylimited', 'companylimited'],
    ['The Orbit Group Holdings', 'orbitgroupholdings', 'orbit'],
    ['PT Nusantara Digital Tbk', 'nusantaradigital', 'nusantara'],
  ])('makes %s the key %s and the core %s', (name, nameKey, nameCore) => {
    expect(matchKeys(name)).toEqual({ nameKey, nameCore })
  })

  it('compares by bigrams: 0.75 for one differing character of nine, 0.9524 for a plural s', () => {
    expect(
      similarity(matchKeys('深圳市星和通信科技有限公司').nameKey, matchKeys('深圳市星河通信科技有限公司').nameKey),
    ).toBeCloseTo(0.75, 4)
    expect(similarity(matchKeys('Acme Telecoms Ltd').nameKey, matchKeys('Acme Télécom').nameKey)).toBeCloseTo(0.9524, 4)
    expect(similarity('falcongulfmessaging', 'falcongulfmessagings')).toBeCloseTo(36 / 37, 4)
  })

  it('takes Cyrillic look-alikes for Latin letters in the warning rules only', () => {
    const mixed = matchKeys('Аcme Тelecom').nameKey
    expect(mixed).not.toBe('acmetelecom')
    expect(looksLike(mixed)).toBe('acmetelecom')
  })

  it('is stable under case, width, spacing and repeated normalisation, and never empty for a name with a letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (name) => {
        const { nameKey } = matchKeys(name)
        expect(matchKeys(` ${name}  `).nameKey).toBe(nameKey)
        expect(matchKeys(name.normalize('NFKC')).nameKey).toBe(nameKey)
        if (/[a-z0-9]/i.test(name)) expect(nameKey).not.toBe('')
      }),
    )
  })

  it('gives a similarity between 0 and 1, symmetric', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (a, b) => {
        expect(similarity(a, b)).toBe(similarity(b, a))
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0)
        expect(similarity(a, b)).toBeLessThanOrEqual(1)
      }),
    )
  })
})
