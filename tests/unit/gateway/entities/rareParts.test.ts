import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { piecesOf, rareParts } from '../../../../gateway/entities/query/rareParts'

const common = (...texts: string[]) => new Map(texts.flatMap(piecesOf).map((piece) => [piece, 0.4]))

describe('the parts of a phrase that are looked for in an index', () => {
  it('leave out what many names have', () => {
    expect(rareParts('Customer 1234', common('customer'))).toEqual(['er 1234'])
    expect(rareParts('华为技术有限公司', common('有限公司'))).toEqual(['华为技术有限'])
    expect(rareParts('Orion Ltd Sofia', common(' ltd '))).toEqual(['Orion L', 'd Sofia'])
  })

  it('are the whole phrase when nothing of it is common, or nothing rare is left', () => {
    expect(rareParts('Customer 1234', new Map())).toEqual([])
    expect(rareParts('Customer', common('customer'))).toEqual([])
    // three signs that no index of words knows are no part to look for
    expect(rareParts('Customer & Customer', common('customer', 'r & c'))).toEqual([])
    expect(rareParts('customer -+-', common('customer'))).toEqual([])
    expect(
      rareParts('rare customer', new Map([...common('customer'), ['rar', 0.02], ['are', 0.02], ['re ', 0.02], ['e c', 0.02]])),
    ).toEqual([])
  })

  it('are parts of the phrase, so that no row with the phrase is lost', () => {
    const letter = fc.constantFrom('a', 'b', 'ß', 'İ', '有', '限', '𠮷', ' ', '-', '7')
    const text = fc.string({ unit: letter, maxLength: 12 })
    fc.assert(
      fc.property(text, fc.array(text), (phrase, names) => {
        for (const part of rareParts(phrase, common(...names))) {
          expect(phrase).toContain(part)
          expect(part).toMatch(/[\p{L}\p{N}]{3}/u)
        }
      }),
    )
  })
})
