import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  filterNumberInput,
  formatOf,
  jsonNumber,
  parseCell,
  readNumber,
  showNumber,
  titleWithUnit,
  type FormatContext,
  type FormatField,
  type ImportCell,
} from '../../../../src/schema/formats'
import type { FieldKind } from '../../../../src/schema/model'

const context: FormatContext = { locale: 'zh', timeZone: 'UTC' }
const parse = (kind: FieldKind, cell: ImportCell, field: FormatField = formatOf(kind).example.field): unknown => {
  const parsed = formatOf(kind).parse(cell, field, context)
  return 'value' in parsed ? parsed.value : parsed.message.en
}
const show = (kind: FieldKind, value: unknown, field: FormatField = {}, record: Record<string, unknown> = {}): string =>
  formatOf(kind).show(value, field, { ...context, record })
const wrong = (kind: FieldKind, value: unknown, field: FormatField = {}): string | null =>
  formatOf(kind).validate(value, field, context)?.en ?? null

/** Decimal texts of numeric(18,6). */
const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, zeros]) => {
    const units = (digits / 10n ** BigInt(zeros)) * 10n ** BigInt(zeros)
    return new Decimal(units.toString()).div(1_000_000).toFixed()
  })
Decimal.set({ precision: 60 })

describe('units', () => {
  const days = { 'x-unit': { zh: '天', en: 'days' } }

  it('stand behind the number, never in its value', () => {
    expect(show('integer', 1200, days)).toBe('1,200 天')
    expect(formatOf('integer').show(1200, days, { ...context, locale: 'en' })).toBe('1,200 days')
    expect(show('decimal', '0.5', { 'x-unit': '%' })).toBe('0.5%')
    expect(show('money', '0.035', { 'x-money': 'USD', 'x-scale': 3, 'x-unit': '/ 条' })).toBe('0.035 USD / 条')
    expect([show('integer', null, days), show('money', '', { ...days, 'x-money': 'USD' })]).toEqual(['', ''])
    expect(formatOf('integer').export(1200, days, context)).toEqual({ type: 'number', value: '1200', pattern: '#,##0' })
  })

  it('are taken away from what people type, in either language', () => {
    expect([parse('integer', '1,200 天', days), parse('integer', '5 Days', days), parse('integer', '5', days)]).toEqual([
      1200, 5, 5,
    ])
    expect(parse('decimal', '0.5%', { type: 'string', format: 'decimal', 'x-unit': '%' })).toBe('0.5')
    expect(parse('money', '0.035 USD / 条', { 'x-money': 'USD', 'x-unit': '/ 条' })).toBe('0.035')
    expect(parse('integer', '5 weeks', days)).toContain('is not a number')
  })

  it('stand in brackets above a column', () => {
    expect([titleWithUnit('时延', 'ms'), titleWithUnit('Delay', 'ms'), titleWithUnit('Delay', undefined)]).toEqual([
      '时延（ms）',
      'Delay (ms)',
      'Delay',
    ])
  })
})

describe('amounts', () => {
  it('are shown with the decimals of their currency, half up', () => {
    const field = { 'x-money': 'currency' }
    expect(show('money', '1234.565', field, { currency: 'USD' })).toBe('1,234.57 USD')
    expect(show('money', '-1234.565', field, { currency: 'USD' })).toBe('-1,234.57 USD')
    expect(show('money', '1234.5', field, { currency: 'JPY' })).toBe('1,235 JPY')
    expect(show('money', '1234.5675', field, { currency: 'KWD' })).toBe('1,234.568 KWD')
    expect(show('money', '0.035', { 'x-money': 'USD', 'x-scale': 6 })).toBe('0.035000 USD')
    expect(show('money', '-0.001', { 'x-money': 'USD' })).toBe('0.00 USD')
    expect(show('money', '999999999999.999999', { 'x-money': 'CNY' })).toBe('1,000,000,000,000.00 CNY')
    expect(show('money', '5', field, {})).toBe('5.00')
  })

  it('are exact up to numeric(18,6), whatever the digits', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(wrong('money', amount)).toBeNull()
        const shown = show('money', amount, { 'x-money': 'USD', 'x-scale': 6 })
        expect(new Decimal(shown.replace(/,| USD/g, '')).eq(amount)).toBe(true)
        expect(parse('money', shown)).toBe(new Decimal(amount).toFixed())
        const cents = show('money', amount, { 'x-money': 'USD' }).replace(/,| USD/g, '')
        expect(cents).toBe(new Decimal(amount).toFixed(2, Decimal.ROUND_HALF_UP).replace(/^-(0\.00)$/, '$1'))
        expect(formatOf('money').export(amount, { 'x-money': 'USD' }, context)).toMatchObject({
          type: 'number',
          value: new Decimal(amount).toFixed(),
        })
      }),
    )
  })

  it('are compared by size', () => {
    const sorted = ['-1', '0.5', '9', '10', '100.000001'].reverse().sort(formatOf('money').compare)
    expect(sorted).toEqual(['-1', '0.5', '9', '10', '100.000001'])
  })

  it.each([
    ['1234567890123', 'At most 12 digits'],
    ['0.1234567', 'At most 6 decimals'],
    [12.5, 'decimal text'],
    ['1e5', 'decimal text'],
    ['1,000', 'decimal text'],
    ['01', 'decimal text'],
    ['٣', 'decimal text'],
    ['-', 'decimal text'],
  ])('%j is refused', (value, reason) => {
    expect(wrong('money', value)).toContain(reason)
  })

  it('a masked percentage is no number: no sign stands alone', () => {
    expect(formatOf('percent').show('***', {}, context)).toBe('')
    expect(formatOf('percent').show('12.5', {}, context)).toBe('12.5%')
  })

  it('keep the bounds of their field', () => {
    expect(wrong('percent', '100.5', { maximum: 100 })).toBe('Not more than 100.')
    expect(wrong('integer', -1, { minimum: 0 })).toBe('Not less than 0.')
    expect(wrong('decimal', '0.10', { minimum: 0.1 })).toBeNull()
    expect(wrong('decimal', 1.5, { type: 'number' })).toBeNull()
  })
})

describe('typed and pasted numbers', () => {
  it.each([
    ['1,234.5', '1234.5'],
    ['１，２３４．５', '1234.5'],
    ['1 234,5', '1234.5'],
    ["1'234.50", '1234.5'],
    ['1.234.567', '1234567'],
    ['1.234,56', '1234.56'],
    ['12,5', '12.5'],
    ['1,234', '1234'],
    ['(12.30)', '-12.3'],
    ['−5', '-5'],
    ['+5', '5'],
    ['.5', '0.5'],
    ['1.234', '1.234'],
    [0.1 + 0.2, '0.3'],
    [1e-7, '"0.0000001" has more than 6 decimals.'],
    ['1,23,4', '"1,23,4" is not a number.'],
    ['1.2.3', '"1.2.3" is not a number.'],
    ['abc', '"abc" is not a number.'],
    ['NaN', '"NaN" is not a number.'],
    ['Infinity', '"Infinity" is not a number.'],
    ['0x10', '"0x10" is not a number.'],
    ['=1+1', '"=1+1" is not a number.'],
    [true, '"true" is not a number.'],
  ])('%j is %s', (typed, value) => {
    expect(parse('decimal', typed)).toBe(value)
  })

  it.each([
    ['USD 5', '5'],
    ['5 usd', '5'],
    ['¥5.20', '5.2'],
    ['5元', '5'],
    ['ABC 5', '"ABC 5" is not a number.'],
  ])('the amount %s is %s', (typed, value) => {
    expect(parse('money', typed)).toBe(value)
  })

  it('whole numbers stay whole', () => {
    expect(parse('integer', '1.5')).toContain('whole number')
    expect(parse('integer', 9007199254740993)).toContain('15 digits')
    expect(parse('integer', '9007199254740993')).toContain('whole number')
    expect(parse('integer', '-0')).toBe(0)
    expect(wrong('integer', 1.5)).toContain('whole')
    expect(wrong('integer', '1')).toContain('whole')
  })

  it('what is shown is read back as the same number', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(readNumber(showNumber(amount, 'en'))?.eq(amount)).toBe(true)
        const percent = new Decimal(amount).mod(100_000).toFixed(4)
        expect(parse('percent', formatOf('percent').show(percent, {}, context))).toBe(new Decimal(percent).toFixed())
      }),
    )
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(parse('integer', show('integer', value))).toBe(value)
      }),
    )
  })
})

describe('a comma', () => {
  it.each([
    ['0,045', '0.045'],
    ['-0,125', '-0.125'],
    ['1,045', '1045'],
    ['12,345,678.5', '12345678.5'],
    ['0,5', '0.5'],
  ])('in a pasted %s is read as %s: no group of thousands begins with a zero', (typed, exact) => {
    expect(readNumber(typed)?.eq(exact)).toBe(true)
  })
})

describe('the number input filter', () => {
  it.each([
    ['12a3', '123'],
    ['-1-2', '-12'],
    ['1-2', '12'],
    ['1.2.3', '1.23'],
    ['--5', '-5'],
    ['+5', '5'],
    ['1e5', '15'],
    ['１２．３', '12.3'],
    ['12。5', '12.5'],
    ['.', '.'],
    ['-', '-'],
    ['', ''],
  ])('R272 lets digits, a minus sign and one decimal point through: %j becomes %j', (typed, kept) => {
    expect(filterNumberInput(typed)).toBe(kept)
  })

  it('R273 keeps at most four decimals unless told otherwise', () => {
    expect(filterNumberInput('1.23456')).toBe('1.2345')
    expect(filterNumberInput('1.23456', 2)).toBe('1.23')
    expect(filterNumberInput('1.23456', 0)).toBe('123456'.slice(0, 6))
  })

  it('R272 R273 give, for any text, something that a number can start with, and change nothing twice', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('0', '5', '-', '.', 'e', ' ') })),
        fc.integer({ min: 1, max: 6 }),
        (typed, decimals) => {
          const kept = filterNumberInput(typed, decimals)
          expect(kept).toMatch(new RegExp(`^-?[0-9]*(?:\\.[0-9]{0,${decimals}})?$`))
          expect(filterNumberInput(kept, decimals)).toBe(kept)
        },
      ),
    )
  })
})

describe('numbers of a sheet', () => {
  const LOST = 'keeps 15 digits'

  it('are hundredths where the sheet shows a percentage and the field counts in percent', () => {
    expect(parse('percent', { value: 0.125, percent: true })).toBe('12.5')
    expect(parse('percent', { value: 0.07, percent: true })).toBe('7')
    expect(parse('percent', 0.125)).toBe('0.125')
    expect(parse('decimal', { value: 0.125, percent: true }, { 'x-unit': '%' })).toBe('12.5')
    expect(parse('integer', { value: 0.5, percent: true }, { 'x-unit': '%' })).toBe(50)
    expect(parse('decimal', { value: 0.125, percent: true })).toBe('0.125')
    expect(parse('string', { value: 0.125, percent: true })).toBe('12.5%')
  })

  it('are refused where the sheet may have lost digits', () => {
    for (const kind of ['string', 'text', 'phone', 'integer', 'money', 'decimal'] as const)
      expect([kind, parse(kind, 12345678901234567890)]).toEqual([kind, expect.stringContaining(LOST)])
    expect(parse('string', { value: 8986001234567890000, shown: '8986001234567890000' })).toContain(LOST)
    expect(parse('money', 123456789012.123456)).toContain(LOST)
    expect(parseCell('string', '8.98600123456789E+18', {}, context)).toEqual({
      message: expect.objectContaining({ en: expect.stringContaining(LOST) as string }) as object,
    })
    expect(parseCell('decimal', '1.5E+3', {}, context)).toEqual({ value: '1500' })
  })

  it('lose nothing where 15 digits hold them, and keep the zeros that their format shows', () => {
    expect(parse('string', 490154203237518)).toBe('490154203237518')
    expect(parse('string', { value: 46000123456789, shown: '046000123456789' })).toBe('046000123456789')
    expect([parse('string', 1.1), parse('string', 0.1 + 0.2), parse('money', 0.1 + 0.2)]).toEqual([
      '1.1',
      expect.stringContaining(LOST),
      '0.3',
    ])
    expect(parse('boolean', { value: 1, shown: '是' })).toBe(true)
  })

  it('count days as their book does', () => {
    expect([parse('date', 45717), parse('date', { value: 44255, from1904: true })]).toEqual(['2025-03-01', '2025-03-01'])
    expect([parse('date', { value: 0, from1904: true }), parse('date', 0)]).toEqual([
      '1904-01-01',
      '"0" is not a date: write it as 2025-03-01.',
    ])
    expect(parse('dateTime', { value: 44255.5, from1904: true })).toBe('2025-03-01T12:00:00.000Z')
  })

  it('are JSON numbers only where JSON keeps their digits', () => {
    const kept = (text: string) => jsonNumber(readNumber(text)!)
    expect(['12.5', '0.1', '9007199254740991', '-3'].map(kept)).toEqual([12.5, 0.1, 9007199254740991, -3])
    expect(['9007199254740993', '12345678901234567891'].map(kept)).toEqual(['9007199254740993', '12345678901234567891'])
    expect(wrong('integer', '9007199254740993')).toContain('digits would be lost')
  })
})
