import { describe, expect, it } from 'vitest'
import { quality } from '../../../../../gateway/modules/biz/voice/gateways'

describe('the quality of a gateway', () => {
  it.each([
    [
      { attempts: 300, answered: 141, seconds: 12_690, pdd: 2_400.4 },
      { asr7: '47.00', acd7: 90, pdd7: 2_400 },
    ],
    [
      { attempts: 3, answered: 1, seconds: 61, pdd: null },
      { asr7: '33.33', acd7: 61, pdd7: null },
    ],
    [
      { attempts: 12, answered: 0, seconds: 0, pdd: 3_000 },
      { asr7: '0.00', acd7: null, pdd7: 3_000 },
    ],
    [
      { attempts: 0, answered: 0, seconds: 0, pdd: null },
      { asr7: null, acd7: null, pdd7: null },
    ],
  ])('of %o is %o', (sums, told) => {
    expect(quality(sums)).toEqual(told)
  })
})
