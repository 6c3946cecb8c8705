import { describe, expect, it } from 'vitest'
import { nextName, stripSuffix, withSuffix } from '../../../../../gateway/modules/srm/moves/suffix'

const RULE = { pattern: '_T{n}', maxLength: 32, case: 'keep' }
const free = (): boolean => false

describe('Suffix of transferred accounts (9.13)', () => {
  it('names the account of the example, and once more when it moves again', () => {
    const first = nextName('HKT_SMS_OTP_01', 0, RULE, free)
    expect([first, nextName(first, 1, RULE, free)]).toEqual(['HKT_SMS_OTP_01_T1', 'HKT_SMS_OTP_01_T2'])
  })

  it('cuts a name of 34 characters so that it has 32 with its ending', () => {
    const name = nextName('VERYLONGSUPPLIERNAME_SMS_OTP_HK_01', 0, RULE, free)
    expect([name, name.length]).toEqual(['VERYLONGSUPPLIERNAME_SMS_OTP__T1', 32])
  })

  it('takes the next number while a name is taken', () => {
    const taken = new Set(['A_T1', 'A_T2'])
    expect(nextName('A', 0, RULE, (name) => taken.has(name))).toBe('A_T3')
    expect(() => nextName('A', 0, RULE, () => true)).toThrow('No name of the pattern')
  })

  it('strips one ending of its own pattern only, never the whole name', () => {
    expect(['A_T1_T2', 'A_T', 'A_X1', '_T1', 'A-(3)'].map((name) => stripSuffix(name, '_T{n}'))).toEqual([
      ...['A_T1', 'A_T', 'A_X1', '_T1', 'A-(3)'],
    ])
    expect(stripSuffix('A-(3)', '-({n})')).toBe('A')
    expect(withSuffix('Hkt_01', 12, { pattern: '.m{n}', maxLength: 9, case: 'upper' })).toBe('HKT_0.M12')
  })
})
