import { currencyDigits, isCurrency } from '../currency-digits'
import { isBlank, ORDERED_OPERATORS, type FieldFormat, type FormatContext, type FormatField } from '../format'
import { toExact } from '../decimal'
import { showNumber } from '../number'
import { unitIn, withoutUnit, withUnit } from '../unit'
import { compareNumbers, numberCell, numberPattern, parseDecimal, validateDecimal } from './numbers'

const ROOM = { whole: 12, decimals: 6 }

/** What `x-money` of a row begins with where the form around it holds the currency: `head.currency`. */
const HEAD = 'head.'

/**
 * The currency of an amount: `x-money` is a fixed code in capitals, or the field of the record that holds it; of a row also one of the
 * form around it, which the record has as `head`.
 */
export function currencyOf(field: FormatField, record: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const named = field['x-money']
  if (named === undefined) return undefined
  if (/^[A-Z]{3}$/.test(named)) return named
  const around = record?.head as Readonly<Record<string, unknown>> | undefined
  const held = named.startsWith(HEAD) ? around?.[named.slice(HEAD.length)] : record?.[named]
  return typeof held === 'string' && held !== '' ? held : undefined
}

function digitsOf(field: FormatField, context: FormatContext): number {
  return field['x-scale'] ?? currencyDigits(currencyOf(field, context.record))
}

const SIGNS = /[¥￥$€£₹₩₽฿₫₱]|US\$|HK\$|元/g

/** Takes away a currency sign or code that stands at either end. */
function withoutCurrency(text: string): string {
  const plain = text.replace(SIGNS, ' ').trim()
  const [, before, amount = plain, after] = /^([A-Za-z]{3})?\s*(.*?)\s*([A-Za-z]{3})?$/.exec(plain) ?? []
  return [before, after].every((code) => code === undefined || isCurrency(code.toUpperCase())) ? amount : plain
}

/**
 * An amount as decimal text up to numeric(18,6). Shown with the decimals of its currency (`x-scale` wins), rounded half up,
 * and the currency behind it; where an exact text is asked for, it keeps all decimals that it has.
 */
export const moneyFormat: FieldFormat = {
  kind: 'money',
  store: { sql: 'numeric', precision: 18, scale: 6 },
  align: 'right',
  width: 150,
  operators: ORDERED_OPERATORS,
  control: 'money',
  filterControl: 'numberRange',
  validate: (value, field) => validateDecimal(value, field, ROOM),
  show: (value, field, context) => {
    if (isBlank(value)) return ''
    const digits = digitsOf(field, context)
    const kept = context.exact ? (toExact(value)?.decimalPlaces() ?? 0) : 0
    const amount = showNumber(value, context.locale, Math.max(digits, kept))
    const currency = currencyOf(field, context.record)
    return withUnit(amount && currency ? `${amount} ${currency}` : amount, unitIn(field['x-unit'], context.locale))
  },
  parse: (cell, field) => parseDecimal(cell, { ...ROOM, strip: (text) => withoutCurrency(withoutUnit(text, field['x-unit'])) }),
  export: (value, field, context) => numberCell(value, numberPattern(digitsOf(field, context), true)),
  compare: compareNumbers,
  example: {
    field: { type: 'string', format: 'money', 'x-money': 'currency' },
    record: { currency: 'USD' },
    value: '1234.5',
    shown: { zh: '1,234.50 USD', en: '1,234.50 USD' },
    typed: ['1234.5', '1,234.50', 'USD 1,234.50', '$1,234.5', '1,234.50 usd', '1.234,50'],
  },
}
