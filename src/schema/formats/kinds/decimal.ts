import { ORDERED_OPERATORS, type FieldFormat, type FormatField } from '../format'
import { roundedText, toExact } from '../decimal'
import { showNumber } from '../number'
import { inHundredths, unitIn, withoutUnit, withUnit } from '../unit'
import { compareNumbers, numberCell, numberPattern, parseDecimal, validateDecimal } from './numbers'

const DECIMALS = 6

function roomOf(field: FormatField): { whole: number; decimals: number } {
  return { whole: 12, decimals: field['x-scale'] ?? DECIMALS }
}

/** More decimals than these are room for what is seldom there (a quantity of 3 pieces, a rate of 7.1): zeros at the end are not shown. */
const SHOWN_IN_FULL = 3

/** An exact number as decimal text. Shown as exact as it is; with `x-scale`, rounded to so many decimals, of up to three all are shown. */
export const decimalFormat: FieldFormat = {
  kind: 'decimal',
  store: { sql: 'numeric', precision: 18, scale: DECIMALS },
  align: 'right',
  width: 120,
  operators: ORDERED_OPERATORS,
  control: 'decimal',
  filterControl: 'numberRange',
  validate: (value, field) => validateDecimal(value, field, roomOf(field)),
  show: (value, field, { locale }) => {
    const scale = field['x-scale']
    const exact = toExact(value)
    const long = exact && scale !== undefined && scale > SHOWN_IN_FULL
    const number = long ? showNumber(roundedText(exact, scale), locale) : showNumber(value, locale, scale)
    return withUnit(number, unitIn(field['x-unit'], locale))
  },
  parse: (cell, field) =>
    parseDecimal(cell, {
      ...roomOf(field),
      percent: inHundredths(field['x-unit']),
      strip: (text) => withoutUnit(text, field['x-unit']),
    }),
  export: (value, field) => numberCell(value, numberPattern(field['x-scale'] ?? DECIMALS, field['x-scale'] !== undefined)),
  compare: compareNumbers,
  example: {
    field: { type: 'string', format: 'decimal' },
    value: '1234.5',
    shown: { zh: '1,234.5', en: '1,234.5' },
    typed: ['1234.50', '1,234.5', '１，２３４．５'],
  },
}
