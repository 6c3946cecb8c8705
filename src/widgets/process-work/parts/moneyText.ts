import type { Locale } from '../../../schema/problem'

const formats = new Map<string, Intl.NumberFormat>()

/** Made once for a language and a currency: making one takes longer than all that is written with it. */
const formatOf = (locale: Locale, currency: string): Intl.NumberFormat => {
  const key = `${locale} ${currency}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(locale === 'zh' ? 'zh-CN' : 'en', { style: 'currency', currency, currencyDisplay: 'code' })
    formats.set(key, format)
  }
  return format
}

/** An amount with the code of its currency and as many decimals as that has. Decimal text keeps every digit. */
export const moneyText = (value: string | number, currency: string, locale: Locale): string =>
  formatOf(locale, currency).format(value as number)
