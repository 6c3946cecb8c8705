import { describe, expect, it } from 'vitest'
import { counted, inside } from '../../../src/headless/words'

describe('English words', () => {
  it('are counted in the singular and the plural, with grouped digits', () => {
    expect([counted(0, 'row'), counted(1, 'row'), counted(2000, 'row')]).toEqual(['0 rows', '1 row', '2,000 rows'])
  })
  it('inside a sentence are small; abbreviations, names, single letters and Chinese stay', () => {
    const titles = ['Company name', 'E-mail', 'A record', 'VIP list', 'English name', 'U code', '客户']
    const small = ['company name', 'e-mail', 'a record', 'VIP list', 'English name', 'U code', '客户']
    expect(titles.map(inside)).toEqual(small)
  })
})
