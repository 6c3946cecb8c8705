import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idTime, isId, newId } from '../../../../../gateway/platform/database'

describe('newId', () => {
  it('makes 20 lower-case characters that tell their time', () => {
    const before = Date.now()
    const id = newId()
    expect(id).toMatch(/^[0-9a-v]{20}$/)
    expect(isId(id)).toBe(true)
    expect(idTime(id)).toBeGreaterThanOrEqual(before)
    expect(idTime(id)).toBeLessThan(before + 10_000)
  })

  it('is different and in order for 100,000 calls in a row', () => {
    const ids = Array.from({ length: 100_000 }, () => newId())
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual(ids)
  })

  it('stays in order whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4e12 }), { minLength: 2, maxLength: 50 }), (clock) => {
        const ids = clock.map((now) => newId(now))
        expect([...new Set(ids)].sort()).toEqual(ids)
      }),
    )
  })

  it('does not take other texts for ids', () => {
    for (const text of ['', '0'.repeat(19), '0'.repeat(21), 'W'.repeat(20), 'w'.repeat(20), 5, null])
      expect(isId(text)).toBe(false)
  })
})
