import { currencyDigits, showNumber } from '../../schema/formats'
import type { PageField } from '../../schema/model'
import type { Locale } from '../../schema/problem'
import type { RelatedSource } from './useRelated'

/**
 * What the amounts of all rows come to, one text a currency, in its usual digits, whatever digits its parts have. Amounts of several
 * currencies are not added up, those of an unknown one are left out, and nothing is said of nothing.
 */
export const sumsOf = (amount: PageField | undefined, { summary }: RelatedSource, locale: Locale): string[] => {
  if (!amount || !summary) return []
  const { name, money } = amount
  const several = summary[`${name}ByCurrency`]
  const code = money === undefined || /^[A-Z]{3}$/.test(money) ? money : summary[money]
  const sums =
    several !== null && typeof several === 'object' ? several : { [typeof code === 'string' ? code : '']: summary[name] }
  return Object.entries(sums).flatMap(([currency, sum]: [string, unknown]) =>
    currency === '' || typeof sum !== 'string' || Number(sum) === 0
      ? []
      : [`${showNumber(sum, locale, currencyDigits(currency))} ${currency}`],
  )
}
