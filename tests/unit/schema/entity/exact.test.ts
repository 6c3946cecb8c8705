import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenRules, compileEntity, entityScope } from '../../../../src/schema/entity'
import { compileExpression, ExpressionError } from '../../../../src/schema/expression'
import type { EntityDocument } from '../../../../src/schema/generated/entity'

const label = { 'x-label': { zh: '值', en: 'Value' } }
const document: EntityDocument = {
  formatVersion: 3,
  name: 'test.bill',
  label: { zh: '账单', en: 'Bill' },
  titleField: 'id',
  type: 'object',
  properties: {
    a: { type: 'string', format: 'decimal', ...label },
    b: { type: 'string', format: 'decimal', ...label },
    share: { type: 'string', format: 'percent', ...label },
    price: { type: 'string', format: 'money', 'x-money': 'currency', ...label },
    cost: { type: 'string', format: 'money', 'x-money': 'currency', ...label },
    fee: { type: 'string', format: 'money', 'x-money': 'CNY', ...label },
    currency: { type: 'string', format: 'currency', ...label },
    quantity: { type: 'integer', ...label },
    note: { type: 'string', ...label },
    half: { type: 'string', format: 'decimal', 'x-derived': { value: '{{ price / 2 }}' }, ...label },
  },
  'x-rules': [
    {
      id: 'dear',
      field: 'cost',
      when: '{{ cost > price }}',
      message: { zh: '成本高于价格。', en: 'The cost exceeds the price.' },
    },
  ],
}
const model = compileEntity(document)
const run = (text: string, record: Record<string, unknown>): unknown =>
  compileExpression(`{{ ${text} }}`)(entityScope(model, record))
const problemOf = (text: string, record: Record<string, unknown>): ExpressionError => {
  try {
    run(text, record)
  } catch (error) {
    if (error instanceof ExpressionError) return error
  }
  throw new Error(`${text} was evaluated`)
}

/** A decimal of up to six places, as text and as a whole number of millionths. */
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.integer({ min: 0, max: 6 }))
  .map(([whole, places]) => ({ text: written(whole, places), millionths: whole * 10n ** BigInt(6 - places) }))

function written(whole: bigint, places: number): string {
  const digits = String(whole < 0n ? -whole : whole).padStart(places + 1, '0')
  const at = digits.length - places
  return `${whole < 0n ? '-' : ''}${digits.slice(0, at)}${places > 0 ? `.${digits.slice(at)}` : ''}`
}

/** Decimal text as a whole number of 10^-12. */
function fine(text: unknown): bigint {
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text))!
  return BigInt(`${whole}${part.padEnd(12, '0')}`) * (sign === '-' ? -1n : 1n)
}

describe('exact numbers in expressions of an entity', () => {
  it('compares and calculates as whole numbers would, never as texts or binary fractions', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const record = { a: a.text, b: b.text }
        const [x, y] = [a.millionths, b.millionths]
        expect([run('a < b', record), run('a <= b', record), run('a > b', record), run('a >= b', record)]).toEqual([
          x < y,
          x <= y,
          x > y,
          x >= y,
        ])
        expect([run('a === b', record), run('a !== b', record), run('a == b', record)]).toEqual([x === y, x !== y, x === y])
        expect(fine(run('a + b', record))).toBe((x + y) * 10n ** 6n)
        expect(fine(run('a - b', record))).toBe((x - y) * 10n ** 6n)
        expect(fine(run('a * b', record))).toBe(x * y)
        expect(fine(run('-a', record))).toBe(-x * 10n ** 6n)
        expect(fine(run('abs(a)', record))).toBe((x < 0n ? -x : x) * 10n ** 6n)
        expect(fine(run('sum([a, b, a])', record))).toBe((x + y + x) * 10n ** 6n)
        expect(fine(run('max([a, b])', record))).toBe((x > y ? x : y) * 10n ** 6n)
        expect(fine(run('min([a, b])', record))).toBe((x < y ? x : y) * 10n ** 6n)
        if (y !== 0n) expect(fine(run('a % b', record))).toBe((x % y) * 10n ** 6n)
        const half = (x < 0n ? -x : x) * 2n + 10n ** 4n
        expect(fine(run('round(a, 2)', record))).toBe((x < 0n ? -1n : 1n) * (half / (2n * 10n ** 4n)) * 10n ** 10n)
      }),
    )
  })

  it.each([
    ['a > 9', true],
    ["a > '9'", true],
    ["a === '10.0'", true],
    ['a === 10', true],
    ['a + 5', '15'],
    ['5 + a', '15'],
    ["a + ' pieces'", '10.00 pieces'],
    ['a', '10.00'],
    ['[a, { total: a * 3 }]', ['10.00', { total: '30' }]],
    ['`${a}`', '10.00'],
    ['share * quantity / 100', '0.375'],
    ['price * quantity', '3.3'],
    ['price / cost', '2.2'],
    ['price - null', '1.1'],
    ['round(price / 3, 2)', '0.37'],
    ["format(price, 'money')", '1.10'],
    ['number(a) + 1', 11],
    ['includes([10], a)', true],
    ['len(unique([a, b + 0.1]))', 1],
    ['avg([a, b])', '9.95'],
    ['nothing ?? a', '10.00'],
    ['add(price, cost)', '1.6'],
    ['div(price, cost, 1)', '2.2'],
    ['typeof a', 'number'],
    ['price > 0 && fee < 3', true],
  ])('%s is %j', (text, result) => {
    const record = {
      ...{ a: '10.00', b: '9.9', share: '12.5', quantity: 3, nothing: null },
      ...{ price: '1.10', cost: '0.50', fee: '2', currency: 'USD' },
    }
    expect(run(text, record)).toEqual(result)
  })

  it.each([
    'price + fee',
    'price - fee',
    'price > fee',
    'sum([price, fee])',
    'max([price, fee])',
    'add(price, fee)',
    'price / fee',
  ])('refuses %s of two currencies, and of one that is not known', (text) => {
    const two = problemOf(text, { price: '1', fee: '2', currency: 'USD' })
    expect(two.code).toBe('different-currencies')
    expect(two.problem.message.en).toContain('CNY and USD')
    expect(two.problem.message.zh).toContain('CNY 与 USD')
    expect(problemOf(text, { price: '1', fee: '2', currency: null }).problem.message.en).toContain('not known')
  })

  it('says that amounts of two currencies differ instead of refusing the question', () => {
    expect(run('price === fee', { price: '2', fee: '2', currency: 'USD' })).toBe(false)
    expect(run('price === fee', { price: '2', fee: '2.0', currency: 'CNY' })).toBe(true)
    expect(problemOf('price * fee', { price: '2', fee: '2', currency: 'CNY' }).code).toBe('different-currencies')
    expect(problemOf('2 / fee', { fee: '2' }).code).toBe('different-currencies')
    expect(problemOf('price + cost', { price: '2', cost: '2', currency: null }).problem.message.en).toContain('not known')
  })

  it('says what cannot be calculated', () => {
    expect(problemOf('a / b', { a: '1', b: '0' }).problem.message.en).toContain('divided by 0')
    expect(problemOf('a > note', { a: '1', note: 'x' }).problem.message.en).toBe('"x" is not a number.')
    expect(problemOf('a ** 500', { a: '123456789' }).problem.message.en).toContain('too large')
  })

  it('holds in rules, which read the currency with the amount', () => {
    const surroundings = { scope: {}, environment: { locale: 'en' as const, timeZone: 'UTC' } }
    const broken = (record: Record<string, unknown>, changed?: string[]) =>
      brokenRules(model, record, surroundings, changed && new Set(changed)).map(({ message }) => message.en)
    expect(broken({ price: '10', cost: '9', currency: 'USD' })).toEqual([])
    expect(broken({ price: '10', cost: '11', currency: 'USD' })).toEqual(['The cost exceeds the price.'])
    expect(broken({ price: '10', cost: '9' })).toEqual([expect.stringContaining('not known')])
    expect(broken({ price: '9', cost: '10', currency: 'USD' }, ['currency'])).toHaveLength(1)
    expect(broken({ price: '9', cost: '10', currency: 'USD' }, ['note'])).toEqual([])
  })
})
