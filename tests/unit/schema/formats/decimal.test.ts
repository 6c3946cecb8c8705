import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactText, toExact } from '../../../../src/schema/formats'

const Oracle = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_HALF_UP })
const amounts = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }), fc.boolean())
  .map(([units, negative]) => new Oracle(units.toString()).div(negative ? -1_000_000 : 1_000_000).toFixed())

it('what is reckoned keeps 40 significant digits, the last rounded half up', () => {
  fc.assert(
    fc.property(amounts, amounts, fc.integer({ min: -9, max: 9 }), (a, b, power) => {
      const [x, y, p] = [toExact(a)!, toExact(b)!, new Oracle(a)]
      const found = [x.plus(y), x.minus(y), x.times(y), x.dividedBy(y), x.modulo(y), x.dividedBy(y).times(x)]
      expect(found.map(exactText)).toEqual(
        [p.plus(b), p.minus(b), p.times(b), p.div(b), p.mod(b), p.div(b).times(p)].map((value) =>
          value.toFixed().replace(/^-0$/, '0'),
        ),
      )
      expect(x.power(power)?.toString()).toBe(p.pow(power).toFixed())
    }),
  )
  expect(toExact('2')!.power('0.5')!.toString()).toBe(new Oracle(2).pow('0.5').toFixed())
  expect(toExact('-8')!.power('0.5')).toBeUndefined()
})
