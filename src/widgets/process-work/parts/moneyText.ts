import type { Locale } from '../../../schema/problem'

const formats = new Map<string, Intl.NumberFormat>()

/** Made once for a language and a currency: making one takes longer than all that is written with it. */
const formatOf = (locale: Locale, currency: string): Intl.NumberFormat => {
  const key = `${locale} ${currency}`
  let format = formats.get(key)
  if (!format) {
    const language = locale === 'zh' ? 'zh-CN' : 'en'
    const { maximumFractionDigits } = new Intl.NumberFormat(language, { style: 'currency', currency }).resolvedOptions()
    format = new Intl.NumberFormat(language, { minimumFractionDigits: maximumFractionDigits, maximumFractionDigits })
    formats.set(key, format)
  }
  return format
}

/** An amount with as many decimals as its currency has, and the code behind it, as everywhere. Decimal text keeps every digit. */
export const moneyText = (value: string | number, currency: string, locale: Locale): string =>
  `${formatOf(locale, currency).format(value as number)} ${currency}`
