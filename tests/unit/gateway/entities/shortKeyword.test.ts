import { describe, expect, it } from 'vitest'
import { shortPhrase } from '../../../../gateway/entities/query/shortKeyword'

describe('a keyword too short for trigrams', () => {
  it('is searched by its characters when the index holds them as they are', () => {
    expect(shortPhrase('星河')).toEqual(['星', '河'])
    expect(shortPhrase('𠮷')).toEqual(['𠮷'])
  })

  it('is searched as text when it is longer, has ASCII or has letters with a case', () => {
    for (const phrase of ['星河通', 'ab', '星a', '星 ', 'éa', 'Я', 'İ']) expect(shortPhrase(phrase)).toBeNull()
  })
})
