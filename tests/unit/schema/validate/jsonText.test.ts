import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonFault } from '../../../../src/schema/validate/jsonText'
import { timeTaken } from '../../../support/timeTaken'

describe('findJsonFault', () => {
  it('finds nothing in what JSON.stringify writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(findJsonFault(JSON.stringify(value, null, 1))).toBeUndefined()))
  })

  it('agrees with JSON.parse about any text', () => {
    const texts = fc.array(
      fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', '-', '01', 'true', 'nul', ' ', '\n', '"\\', '\u00a0'),
    )
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('')
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        expect(findJsonFault(text)?.kind === 'syntax').toBe(!parses)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['{"a": 1,}', { kind: 'syntax', offset: 8, found: '}' }],
    ['{"a": 1', { kind: 'syntax', offset: 7, found: '' }],
    ['[1 2]', { kind: 'syntax', offset: 3, found: '2' }],
    ['{"a": 1}}', { kind: 'syntax', offset: 8, found: '}' }],
    ['{"x": [{"a": 1}, {"b": 1, "b": 2}]}', { kind: 'repeated-key', offset: 26, at: ['x', 1], key: 'b' }],
  ])('says where %s breaks', (text, fault) => expect(findJsonFault(text)).toEqual(fault))

  it('reads a text of four megabytes in bearable time', () => {
    const text = JSON.stringify(Array.from({ length: 150_000 }, (_, index) => ({ id: `item-${index}` })))
    expect(timeTaken(() => expect(findJsonFault(text)).toBeUndefined())).toBeLessThan(3000)
  })
})
