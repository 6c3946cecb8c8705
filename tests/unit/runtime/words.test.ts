import { describe, expect, it } from 'vitest'
import { counted, inside } from '../../../src/runtime/words'

describe('English words', () => {
  it('are counted in the singular and the plural, with grouped digits', () => {
    expect([counted(0, 'row'), counted(1, 'row'), counted(2000, 'row')]).toEqual(['0 rows', '1 row', '2,000 rows'])
  })
  it('inside a sentence are small; abbreviations and Chinese stay', () => {
    expect(['Company name', 'E-mail', 'VIP list', '客户'].map(inside)).toEqual(['company name', 'e-mail', 'VIP list', '客户'])
  })
})
