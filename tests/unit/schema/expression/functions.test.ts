import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, ExpressionError, FUNCTIONS, parseExpression, type Environment } from '../../../../src/schema/expression'
import '../../../../src/schema/expression/functions/all'
import { checkConstants } from '../../../../src/schema/expression/constants'
import { DOCUMENTED } from '../../../../src/schema/expression/documented'

const environment: Environment = {
  locale: 'zh',
  timeZone: 'Asia/Shanghai',
  can: (key) => key === 'crm:customer:add',
  dictionaryLabel: (dictionary, code) => (dictionary === 'customerLevel' && code === 'a' ? 'A 级' : undefined),
}
const run = (text: string, scope: object = {}, changes: Partial<Environment> = {}): unknown =>
  evaluate(`{{ ${text} }}`, scope, { ...environment, ...changes })

describe('the listed functions', () => {
  for (const spec of FUNCTIONS.values()) {
    it(`${spec.name} does what its documentation shows`, () => {
      const { examples, summary } = DOCUMENTED[spec.name]!
      expect(examples.length).toBeGreaterThan(0)
      expect(spec.signature.startsWith(`${spec.name}(`)).toBe(true)
      expect(summary.zh).toMatch(/[\u4e00-\u9fff]/)
      for (const example of examples) expect(run(example.expression, example.scope)).toEqual(example.result)
    })
  }

  it.each([
    ["days('2025-02-28', '2025-03-01')", 1],
    ["days('2024-02-28', '2024-03-01')", 2],
    ["days('2025-03-01', '2025-02-28')", -1],
    ["days('2025-03-01T15:59:59.000Z', '2025-03-01T16:00:00.000Z')", 1],
    ["date('2025-03-01T16:30:00.000Z')", '2025-03-02'],
    ["months('2025-01-15', '2026-01-14')", 11],
    ["addMonths('2024-02-29', 12)", '2025-02-28'],
    ["addDays('2025-03-01T16:30:00.000Z', -1)", '2025-02-28T16:30:00.000Z'],
    ["weekday('2025-03-03')", 1],
    ["format('2025-03-01T16:30:00.000Z', 'YYYY年M月D日 HH:mm')", '2025年3月2日 00:30'],
    ["format('1234.5', 'money', 'JPY')", '1,235'],
    ["format('-1234567.891', 'decimal', 1)", '-1,234,567.9'],
    ["label('customerLevel', ['a', 'zz'])", 'A 级、zz'],
    ["can('crm:customer:delete')", false],
    ["text({ en: 'only' })", 'only'],
    ['sum(rows.amount) > 0.29', true],
    ['map(rows, r => map(r.parts, p => `${r.id}${p}`))', [['1a', '1b'], ['2c']]],
    ['sortBy(rows, r => -r.id).id', [2, 1]],
    ["count(filter(rows, r => compare(r.amount, '0.15') > 0))", 1],
    ["min(['10', '9', null])", '9'],
    ['avg(rows.amount)', '0.15'],
    ['boolean(" No ")', false],
    ['len({ a: 1 })', 1],
    ['slice(null, 0)', []],
    ["div('10', '3')", '3.33333333333333333333'],
    ["round('-0.004', 2)", '0.00'],
    ['isEmpty({})', true],
    ['sum(rows, r => r.amount * r.missing)', 0],
    ['sum(rows, (r, i) => r.amount * i)', 0.2],
    ['avg(rows, r => r.missing)', null],
    ['max(3, null, 10)', 10],
    ["min('2026-02-01', '2026-01-31')", '2026-01-31'],
    ["roundEven('2.5')", '2'],
    ["roundEven('-0.125', 2)", '-0.12'],
    ["pow('2', 10)", '1024'],
    ['pow(1.1, 2)', 1.21],
    ["capitals('')", ''],
    ["workingDays('2026-10-01', '2026-10-10')", 3],
    ["workingDays('2026-10-10', '2026-10-01')", -3],
    ["workingDays('2031-03-07', '2031-03-10')", 1],
    ["workingDays('2026-03-05T16:30:00.000Z', '2026-03-08T16:30:00.000Z')", 1],
    ["addWorkingDays('2026-02-13', 3)", '2026-02-25'],
    ["addWorkingDays('2026-02-13', 0)", '2026-02-13'],
    ['addWorkingDays(null, 3)', null],
    ["isWorkingDay('2026-02-14')", true],
    ["isWorkingDay('2026-03-01')", false],
  ])('%s', (text, value) => {
    const rows = [
      { id: 1, amount: '0.10', parts: ['a', 'b'] },
      { id: 2, amount: '0.20', parts: ['c'] },
    ]
    expect(run(text, { rows })).toEqual(value)
  })

  it('add and sum are exact for every pair of amounts, and round half up', () => {
    const amount = fc
      .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, scale]) => {
        const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
        return `${digits < 0n ? '-' : ''}${scale ? `${text.slice(0, -scale)}.${text.slice(-scale)}` : text}`
      })
    const units = (text: string): bigint => {
      const [whole = '', part = ''] = text.replace('-', '').split('.')
      return BigInt(whole + part.padEnd(6, '0')) * (text.startsWith('-') ? -1n : 1n)
    }
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 0, max: 5 }), (a, b, digits) => {
        const total = units(a) + units(b)
        expect(units(run('add(a, b)', { a, b }) as string)).toBe(total)
        expect(units(run('sum([a, b])', { a, b }) as string)).toBe(total)
        expect(units(run('sub(add(a, b), b)', { a, b }) as string)).toBe(units(a))
        const step = 10n ** BigInt(6 - digits)
        const size = total < 0n ? -total : total
        const rounded = ((size + step / 2n) / step) * step * (total < 0n ? -1n : 1n)
        expect(units(run('round(add(a, b), digits)', { a, b, digits }) as string)).toBe(rounded)
      }),
    )
  })

  it('multiplies as decimal.js does with room to spare', () => {
    const Wide = Decimal.clone({ precision: 80 })
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (x, y) => {
        const [a, b] = [`${x}.123456`, `${y}.654321`]
        expect(run('mul(a, b)', { a, b })).toBe(new Wide(a).times(b).toFixed())
      }),
    )
  })

  it('says in both languages what is wrong with an argument', () => {
    const failing = (): unknown => run("round('abc')")
    expect(failing).toThrow(ExpressionError)
    try {
      failing()
    } catch (error) {
      expect((error as ExpressionError).problem).toMatchObject({
        code: 'bad-argument',
        offset: 3,
        length: 12,
        message: { zh: '“abc”不是数字。' },
      })
    }
  })

  it('can and label fail with a sentence where there is no person and no dictionary', () => {
    expect(() => run("can('x')", {}, { can: undefined })).toThrow(/no signed-in person/)
    expect(() => run("label('a', 'b')", {}, { dictionaryLabel: undefined })).toThrow(/no dictionaries/)
  })

  it.each([
    ['round("abc")', '“abc”不是数字。', 3],
    ['a ? sum(5) : 0', '参数须是列表。', 7],
    ["map(rows, r => addDays('2025-02-30', r))", undefined, 0],
    ["addDays('2025-02-30', 1)", '“2025-02-30”不是日期。', 3],
    ["label('anything', 'x') + convert('1', 'USD', 'CNY', '2025-01-01')", undefined, 0],
  ])('is found by the check where all that it is given stands in the text: %s', (text, zh, offset) => {
    const parsed = parseExpression(`{{ ${text} }}`)
    if (!parsed.ok) throw new Error(text)
    const found = checkConstants(parsed.expression).map(({ code, message, ...at }) => [code, message.zh, at.offset])
    expect(found).toEqual(zh === undefined ? [] : [['wrong-arguments', zh, offset]])
  })

  it('knows as many working days of a year as were announced', () => {
    const years = [2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025, 2026]
    const counted = years.map((year) => run(`workingDays('${year - 1}-12-31', '${year}-12-31')`))
    expect(counted).toEqual([250, 250, 249, 250, 249, 249, 251, 248, 248])
  })

  it('comes back from working days that it went', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000, max: 6_000 }), fc.integer({ min: -300, max: 300 }), (offset, days) => {
        const day = run("addDays('2020-01-01', offset)", { offset })
        const end = run('addWorkingDays(day, days)', { day, days })
        expect(days === 0 || run('isWorkingDay(end)', { end })).toBe(true)
        const gone = run('workingDays(day, end)', { day, end }) as number
        // backwards the day of departure counts instead of the day of arrival
        expect(Math.abs(gone - days)).toBeLessThanOrEqual(days < 0 ? 1 : 0)
      }),
    )
  })

  it('an unknown time zone is an ExpressionError too', () => {
    expect(() => run("date('2025-03-01T00:00:00Z')", {}, { timeZone: 'Nowhere/Land' })).toThrow(ExpressionError)
  })
})
