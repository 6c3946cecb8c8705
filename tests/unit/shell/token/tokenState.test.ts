import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isReusable, isTokenResponse, receiveToken } from '../../../../src/shell/token/tokenState'

const seconds = fc.integer({ min: 1, max: 30 * 86_400 })
const moment = fc.integer({ min: 0, max: 4_000_000_000_000 })
const answer = (expiresIn: number) => ({ tokenHead: 'Bearer', token: 't', refreshToken: 'r', expiresIn })

describe('the token as data', () => {
  it('keeps token, expiry, lifetime in ms and refresh token (R198); the lifetime is expiresIn x 1000 (R199)', () => {
    expect(receiveToken(answer(3600), 5_000)).toEqual({
      token: 't',
      refreshToken: 'r',
      lifetime: 3_600_000,
      expiresAt: 3_605_000,
    })
  })

  it('is reused while more than 5 % remain (R195) and refreshed at exactly 5 % or less (R196)', () => {
    const state = receiveToken(answer(1000), 0)
    expect(isReusable(state, 949_999)).toBe(true)
    expect(isReusable(state, 950_000)).toBe(false)
    expect(isReusable(state, 950_001)).toBe(false)
    expect(isReusable(state, 2_000_000)).toBe(false)
  })

  it('is the same for every lifetime and every steady clock, right or wrong (R195, R196)', () => {
    fc.assert(
      fc.property(seconds, moment, fc.double({ min: 0, max: 1, noNaN: true }), (expiresIn, receivedAt, used) => {
        const state = receiveToken(answer(expiresIn), receivedAt)
        const now = receivedAt + used * state.lifetime
        expect(isReusable(state, now)).toBe(state.expiresAt - now > state.lifetime * 0.05)
      }),
    )
  })

  it('is refreshed when the clock was set back behind its receipt', () => {
    fc.assert(
      fc.property(seconds, moment, fc.integer({ min: 5_001, max: 1e9 }), (expiresIn, receivedAt, back) => {
        expect(isReusable(receiveToken(answer(expiresIn), receivedAt), receivedAt - back)).toBe(false)
      }),
    )
  })

  it('is only made from an answer that is one', () => {
    expect(isTokenResponse(answer(60))).toBe(true)
    for (const wrong of [
      null,
      'x',
      {},
      answer(0),
      answer(-1),
      answer(Number.NaN),
      { ...answer(1), token: '' },
      { ...answer(1), refreshToken: undefined },
    ]) {
      expect(isTokenResponse(wrong)).toBe(false)
    }
  })
})
