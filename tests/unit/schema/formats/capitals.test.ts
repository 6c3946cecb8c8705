import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Exact } from '../../../../src/schema/formats'
import { capitalsOf } from '../../../../src/schema/formats/capitals'

/** Reads an amount in capitals back, in fen: digit by digit with the units behind them, as a person does. */
function readBack(text: string): bigint {
  const negative = text.startsWith('负')
  const [, yuan = '', rest = ''] = /^负?(?:(.*)元)?(.*)$/.exec(text) ?? []
  const units: Record<string, bigint> = { 拾: 10n, 佰: 100n, 仟: 1000n }
  let [whole, group, digit] = [0n, 0n, 0n]
  for (const char of yuan) {
    const value = '零壹贰叁肆伍陆柒捌玖'.indexOf(char)
    if (value >= 0) digit = BigInt(value)
    else if (char === '万') [whole, group, digit] = [whole + (group + digit) * 10_000n, 0n, 0n]
    else if (char === '亿') [whole, group, digit] = [(whole + group + digit) * 100_000_000n, 0n, 0n]
    else [group, digit] = [group + digit * units[char]!, 0n]
  }
  const of = (unit: string): bigint =>
    BigInt(Math.max(0, '零壹贰叁肆伍陆柒捌玖'.indexOf(rest.charAt(rest.indexOf(unit) - 1) || '零')))
  const cents = (rest.includes('角') ? of('角') * 10n : 0n) + (rest.includes('分') ? of('分') : 0n)
  return ((whole + group + digit) * 100n + cents) * (negative ? -1n : 1n)
}

describe('amounts in Chinese capitals', () => {
  it.each([
    ['0', '零元整'],
    ['0.004', '零元整'],
    ['-0.001', '零元整'],
    ['0.05', '伍分'],
    ['0.5', '伍角整'],
    ['0.55', '伍角伍分'],
    ['1.005', '壹元零壹分'],
    ['10', '壹拾元整'],
    ['105.2', '壹佰零伍元贰角整'],
    ['325.04', '叁佰贰拾伍元零肆分'],
    ['1409.50', '壹仟肆佰零玖元伍角整'],
    ['6007.14', '陆仟零柒元壹角肆分'],
    ['16409.02', '壹万陆仟肆佰零玖元零贰分'],
    ['10500', '壹万零伍佰元整'],
    ['107000.53', '壹拾万柒仟元伍角叁分'],
    ['1000000', '壹佰万元整'],
    ['100000000', '壹亿元整'],
    ['100000001', '壹亿零壹元整'],
    ['100010000', '壹亿零壹万元整'],
    ['1200000000000', '壹万贰仟亿元整'],
    ['1000000000000', '壹万亿元整'],
    ['1000010000000', '壹万亿零壹仟万元整'],
    ['9999999999999999.99', '玖仟玖佰玖拾玖万玖仟玖佰玖拾玖亿玖仟玖佰玖拾玖万玖仟玖佰玖拾玖元玖角玖分'],
    ['-20.3', '负贰拾元叁角整'],
  ])('%s is %s', (amount, text) => {
    expect(capitalsOf(new Exact(amount))).toBe(text)
  })

  it('has no name for more than sixteen digits before the point', () => {
    expect(capitalsOf(new Exact('10000000000000000'))).toBeUndefined()
    expect(capitalsOf(new Exact('9999999999999999.995'))).toBeUndefined()
  })

  it('says what another reading hears, with one nought in a row and none at an end', () => {
    const fen = fc.oneof(
      fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }),
      fc
        .array(fc.constantFrom('0', '0', '0', '1', '7'), { minLength: 3, maxLength: 18 })
        .map((digits) => BigInt(digits.join(''))),
    )
    fc.assert(
      fc.property(fen, (amount) => {
        const size = (amount < 0n ? -amount : amount).toString().padStart(3, '0')
        const text = capitalsOf(new Exact(`${amount < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`))!
        expect(readBack(text)).toBe(amount)
        if (amount !== 0n) expect(text).not.toMatch(/零零|零[元万亿角整拾佰仟]|零$|^负?零/)
      }),
      { numRuns: 2_000 },
    )
  })
})
