/** How numbers look and how people type them. */
import type { Locale } from '../problem'
import { type Exact, exactText, roundedText, toExact } from './decimal'

/** "1234.5" -> "1,234.5": both languages of the portal group by thousands with commas. */
export function groupDigits(text: string, _locale: Locale): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)([0-9]+)(.*)$/.exec(text) ?? []
  return `${sign}${whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')}${rest}`
}

/** Shown with `digits` decimals (half up), or as exact as it is; '' when it is no number. */
export function showNumber(value: unknown, locale: Locale, digits?: number): string {
  const exact = toExact(value)
  if (!exact) return ''
  return groupDigits(digits === undefined ? exactText(exact) : roundedText(exact, digits), locale)
}

const LANGUAGES: Readonly<Record<Locale, string>> = { zh: 'zh-CN', en: 'en-US' }
const short = new Map<Locale, Intl.NumberFormat>()

/** As short as a language tells a number, with at most two decimals: 12.3K, 1.23万. For axes, where the exact number stands elsewhere. */
export function shortNumber(value: number, locale: Locale): string {
  const format = short.get(locale) ?? new Intl.NumberFormat(LANGUAGES[locale], { notation: 'compact', maximumFractionDigits: 2 })
  short.set(locale, format)
  return format.format(value)
}

const FULL_WIDTH = /[\uff0b-\uff19\uff05]/g
/** No number in groups begins with a zero: 0,045 has a decimal comma. */
const GROUPED = /^[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?$/
/** 1.234,5 as continental spreadsheets write it. */
const CONTINENTAL = /^[+-]?(?:[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\.[0-9]{3}){2,})$/
const DECIMAL_COMMA = /^[+-]?(?:0,[0-9]+|[0-9]+,(?:[0-9]{1,2}|[0-9]{4,}))$/

/**
 * A number as people type or paste it: white space, full-width digits, thousands separators, a decimal comma where it cannot
 * be a separator, brackets for a negative amount. `undefined` when it is no number.
 */
export function readNumber(text: string): Exact | undefined {
  let plain = text
    .replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u00a0\u202f'’_]/g, '')
  plain = plain.replace(/\uff0c/g, ',').replace(/[−–－]/g, '-')
  const bracketed = /^\((.+)\)$/.exec(plain)
  if (bracketed) plain = `-${bracketed[1]!}`
  if (GROUPED.test(plain)) plain = plain.replace(/,/g, '')
  else if (CONTINENTAL.test(plain)) plain = plain.replace(/\./g, '').replace(',', '.')
  else if (DECIMAL_COMMA.test(plain)) plain = plain.replace(',', '.')
  return toExact(plain)
}

/** A JSON number; where JSON would lose digits their text, which is no number and refused as such. */
export function jsonNumber(exact: Exact): number | string {
  const number = exact.toNumber()
  return toExact(number)?.eq(exact) ? number : exactText(exact)
}

/**
 * What a number box lets through while somebody types (R272, R273): digits, one minus sign in front, one decimal point, at
 * most `decimals` digits after it.
 */
export function filterNumberInput(text: string, decimals = 4): string {
  let result = ''
  let after = -1
  for (const char of text.replace(FULL_WIDTH, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)).replace(/。/g, '.')) {
    if (char === '-' && result === '') result = '-'
    else if (char === '.' && after < 0 && decimals > 0) {
      result += '.'
      after = 0
    } else if (char >= '0' && char <= '9' && after < decimals) {
      result += char
      if (after >= 0) after += 1
    }
  }
  return result
}
