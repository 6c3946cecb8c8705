import { addsUp, Exact, exactText, formatFieldOf, formatOf, showNumber, toExact } from '../../schema/formats'
import type { PageField } from '../../schema/model'
import type { Locale } from '../../schema/problem'

type Values = Readonly<Record<string, unknown>>

/** The currency of an amount in a row: a fixed one, or that of the field beside it. */
const currencyIn = ({ money }: PageField, row: Values): string => {
  if (money === undefined || /^[A-Z]{3}$/.test(money)) return money ?? ''
  const found = row[money]
  return typeof found === 'string' ? found : ''
}

/**
 * The sums of the columns of numbers, exact: of money one a currency, never of several together. Null when no column has any.
 *
 * @example totalsOf([amount], [{ amount: '1', currency: 'USD' }, { amount: '2', currency: 'EUR' }], 'en') // [['1.00 USD', '2.00 EUR']]
 */
export const totalsOf = (columns: readonly PageField[], rows: readonly Values[], locale: Locale): string[][] | null => {
  const totals = columns.map((column): string[] => {
    if (!addsUp(column)) return []
    const sums = new Map<string, Exact>()
    for (const row of rows) {
      const value = toExact(row[column.name])
      if (!value) continue
      const currency = column.kind === 'money' ? currencyIn(column, row) : ''
      sums.set(currency, (sums.get(currency) ?? new Exact(0)).plus(value))
    }
    return [...sums].map(([currency, sum]) => {
      const text = exactText(sum)
      if (column.kind !== 'money' || currency === '') return showNumber(text, locale)
      return formatOf('money').show(
        text,
        { ...formatFieldOf(column), 'x-money': currency, 'x-unit': undefined },
        { locale, timeZone: 'UTC', exact: true },
      )
    })
  })
  return totals.some((total) => total.length > 0) ? totals : null
}
