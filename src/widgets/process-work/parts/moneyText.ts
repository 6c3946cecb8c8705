import type { Locale } from '../../../schema/problem'

/** An amount with the code of its currency and as many decimals as that has. Decimal text keeps every digit. */
export const moneyText = (value: string | number, currency: string, locale: Locale): string =>
  new Intl.NumberFormat(locale === 'zh' ? 'zh-CN' : 'en', { style: 'currency', currency, currencyDisplay: 'code' }).format(
    value as number,
  )
