import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, ExpressionError, type Environment } from '../../../../src/schema/expression'
import { compileFields, entityScope } from '../../../../src/schema/entity'
import { toExact } from '../../../../src/schema/formats'

const label = { 'x-label': { zh: '值', en: 'Value' } }
const fields = compileFields({
  price: { type: 'string', format: 'money', 'x-money': 'currency', ...label },
  rate: { type: 'string', format: 'decimal', ...label },
  currency: { type: 'string', format: 'currency', ...label },
})
const environment: Environment = {
  locale: 'en',
  timeZone: 'Asia/Shanghai',
  exchangeRate: (from, to, day, kind) =>
    from === 'USD' && to === 'CNY' && kind === 'xe' && day >= '2026-01-01' ? toExact('7.123456') : undefined,
}
const run = (text: string, record: Record<string, unknown> = {}, world: Partial<Environment> = {}): unknown =>
  evaluate(`{{ ${text} }}`, entityScope({ fields }, record), { ...environment, ...world })
const sentence = (text: string, record?: Record<string, unknown>, world?: Partial<Environment>): string => {
  try {
    run(text, record, world)
  } catch (error) {
    if (error instanceof ExpressionError) return error.problem.message.en
  }
  return 'nothing was refused'
}

describe('money in expressions', () => {
  it.each([
    ["roundMoney(price, 'USD')", '1.01'],
    ['roundMoney(price)', '1.01'],
    ['roundMoney(-price)', '-1.01'],
    ['roundMoney(price * 3)', '3.02'],
    ["roundMoney(rate, 'JPY')", '3'],
    ["roundMoney(rate, 'KWD')", '2.500'],
    ["roundMoney('0.5', 'JPY')", '1'],
    ["roundMoney(2.345, 'USD')", 2.35],
    ["roundMoney(null, 'USD')", null],
    ["roundMoney(rate, 'USD') + price", '3.505'],
    ["convert(price, currency, 'CNY', '2026-03-01')", '7.16'],
    ["convert('100', 'USD', 'CNY', '2026-03-01T20:00:00.000Z')", '712.35'],
    ["convert(null, 'USD', 'CNY', '2026-03-01')", null],
    ["convert(price, 'USD', 'USD', '1999-01-01')", '1.01'],
    ["exchangeRate('USD', 'CNY', '2026-03-01')", '7.123456'],
    ["round(price * exchangeRate('USD', 'CNY', '2026-03-01'), 6)", '7.159073'],
    ["3 * exchangeRate('USD', 'CNY', '2026-03-01')", '21.370368'],
  ])('%s is %j', (text, result) => {
    expect(run(text, { price: '1.005', rate: '2.5', currency: 'USD' })).toEqual(result)
  })

  it('refuses what has no currency, another one, or no rate, and never takes a rate for 1', () => {
    expect(sentence('roundMoney(price)', { price: '1', currency: null })).toContain('currency is not known')
    expect(sentence("roundMoney(price, 'CNY')", { price: '1', currency: 'USD' })).toContain('CNY and USD')
    expect(sentence("convert(price, 'EUR', 'CNY', '2026-03-01')", { price: '1', currency: 'USD' })).toContain('no exchange rate')
    expect(sentence("convert('1', 'USD', 'CNY', '2025-12-31')")).toBe(
      'There is no exchange rate from USD to CNY on 2025-12-31 or before: enter it first.',
    )
    expect(sentence("convert('1', 'USD', 'CNY', '2026-03-01', 'performance')")).toContain('no exchange rate')
    expect(sentence("convert('1', 'USD', 'CNY', null)")).toContain('needs a day')
    expect(sentence("convert('1', 'USD', 'CNY', '2026-03-01')", {}, { exchangeRate: undefined })).toContain(
      'no exchange rates here',
    )
  })

  it('rounds to the decimals of the currency as whole numbers would, half away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (millionths) => {
        const size = millionths < 0n ? -millionths : millionths
        const text = `${millionths < 0n ? '-' : ''}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, '0')}`
        for (const [currency, step] of [
          ['JPY', 1_000_000n],
          ['USD', 10_000n],
          ['KWD', 1_000n],
        ] as const) {
          const whole = (size * 2n + step) / (2n * step)
          const [zeros] = [String(1_000_000n / step).length - 1]
          const digits = String(whole).padStart(zeros + 1, '0')
          const at = digits.length - zeros
          const sign = millionths < 0n && whole > 0n ? '-' : ''
          const wanted = `${sign}${digits.slice(0, at)}${zeros > 0 ? `.${digits.slice(at)}` : ''}`
          expect(run(`roundMoney(rate, '${currency}')`, { rate: text })).toBe(wanted)
        }
      }),
    )
  })
})

describe('durations', () => {
  it.each([
    ["plus('2024-02-29', 'P1Y')", '2025-02-28'],
    ["plus('2025-01-31', 'P1M1D')", '2025-03-01'],
    ["plus('2025-01-30', 'P2W')", '2025-02-13'],
    ["plus('2025-03-31', '-P1M')", '2025-02-28'],
    ["minus('2025-03-31', 'P13M')", '2024-02-29'],
    ["plus('2025-03-01T10:00:00.000Z', 'PT90M30S')", '2025-03-01T11:30:30.000Z'],
    // 01:00 on the last of January in Shanghai: the month is counted there
    ["plus('2025-01-30T17:00:00.000Z', 'P1M')", '2025-02-27T17:00:00.000Z'],
    ["plus('2025-01-30T17:00:00.000Z', 'P1MT24H')", '2025-02-28T17:00:00.000Z'],
    ["plus(null, 'P1D')", null],
  ])('%s is %s', (text, result) => {
    expect(run(text)).toBe(result)
  })

  it('are days on the wall and hours that pass where the clock changes', () => {
    const inBerlin = { timeZone: 'Europe/Berlin' }
    expect(run("plus('2025-03-29T12:00:00.000Z', 'P1D')", {}, inBerlin)).toBe('2025-03-30T11:00:00.000Z')
    expect(run("plus('2025-03-29T12:00:00.000Z', 'PT24H')", {}, inBerlin)).toBe('2025-03-30T12:00:00.000Z')
  })

  it.each(['3 days', 'P', 'PT', 'P1', 'P1H', 'PT1D', 'p1d', '', 'P1.5D', 'P99999999D'])('refuses %j', (text) => {
    expect(sentence(`plus('2025-03-01', '${text}')`)).toContain('is not a duration')
  })

  it('refuses hours on a day and what leaves the calendar', () => {
    expect(sentence("plus('2025-03-01', 'PT24H')")).toContain('A day has no time')
    expect(sentence("plus('2025-03-01', 'P9999Y')")).toContain('out of range')
    expect(sentence("plus('soon', 'P1D')")).toContain('is not a date')
  })
})
