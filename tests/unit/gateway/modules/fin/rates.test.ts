import { afterEach, describe, expect, it, vi } from 'vitest'
import { averageOf, heldBy, jumpOf } from '../../../../../gateway/modules/fin/settings/rateRules'
import { fetchRates } from '../../../../../gateway/modules/fin/settings/xe'

describe('rates of currencies (money 10)', () => {
  it('a rate that moved by more than the limit waits, up or down; one exactly at the limit does not', () => {
    expect(jumpOf('7.2', '7.1')).toBe('1.4085')
    expect(jumpOf('6.8', '7.1')).toBe('4.2254')
    expect(jumpOf('7.313', '7.1')).toBe('3')
    expect([heldBy('3', 3), heldBy('3.0001', 3), heldBy('4.2254', 3)]).toEqual([false, true, true])
  })

  it('an average is the mean of all days; a day without a rate takes the last before it, also of the month before', () => {
    const days = ['2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04']
    const rates = [
      { date: '2026-02-03', rate: '7.2' },
      { date: '2026-01-30', rate: '7.1' },
      { date: '2026-02-05', rate: '9' },
    ]
    expect(averageOf(days, rates)).toBe('7.15')
  })

  it('days before the first rate do not count, no rate makes no average, the mean has eight decimals', () => {
    const days = ['2026-02-01', '2026-02-02', '2026-02-03', '2026-02-04']
    expect(averageOf(days, [{ date: '2026-02-03', rate: '7.2' }])).toBe('7.2')
    expect(averageOf(days, [])).toBeUndefined()
    const three = ['7.1', '7.1', '7.2'].map((rate, index) => ({ date: `2026-02-0${index + 2}`, rate }))
    expect(averageOf(days, three)).toBe('7.13333333')
  })
})

describe('the XE Currency Data API', () => {
  afterEach(() => vi.unstubAllGlobals())
  const connection = { url: 'https://xe.example', account: 'acc', key: 'k' }
  const ask = () => fetchRates(connection, { to: 'CNY', from: ['USD', 'EUR'], signal: AbortSignal.timeout(1000) })
  const answers = (status: number, body: unknown) => {
    const asked = vi.fn((_url: string, _init?: RequestInit) => Promise.resolve(Response.json(body, { status })))
    vi.stubGlobal('fetch', asked)
    return asked
  }

  it('is asked with account and key, and tells the rate of each currency that it knows', async () => {
    const asked = answers(200, { to: 'CNY', from: [{ quotecurrency: 'USD', mid: 7.1234 }, { quotecurrency: 'EUR' }] })
    expect(await ask()).toEqual(new Map([['USD', '7.12340000']]))
    expect(asked.mock.calls[0]?.[0]).toContain('/v1/convert_to.json?to=CNY&from=USD,EUR&amount=1')
    expect(asked.mock.calls[0]?.[1]?.headers).toEqual({ authorization: `Basic ${btoa('acc:k')}` })
  })

  it('a refusal is said with its status and words', async () => {
    answers(401, { message: 'Bad credentials' })
    await expect(ask()).rejects.toThrow('HTTP 401: Bad credentials')
  })
})
