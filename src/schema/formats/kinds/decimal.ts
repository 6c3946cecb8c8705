import { ORDERED_OPERATORS, type FieldFormat, type FormatField } from '../format'
import { showNumber } from '../number'
import { inHundredths, unitIn, withoutUnit, withUnit } from '../unit'
import { compareNumbers, numberCell, numberPattern, parseDecimal, validateDecimal } from './numbers'

const DECIMALS = 6

function roomOf(field: FormatField): { whole: number; decimals: number } {
  return { whole: 12, decimals: field['x-scale'] ?? DECIMALS }
}

/** An exact number as decimal text. Shown as exact as it is; with `x-scale`, with so many decimals. */
export const decimalFormat: FieldFormat = {
  kind: 'decimal',
  store: { sql: 'numeric', precision: 18, scale: DECIMALS },
  align: 'right',
  width: 120,
  operators: ORDERED_OPERATORS,
  control: 'decimal',
  filterControl: 'numberRange',
  validate: (value, field) => validateDecimal(value, field, roomOf(field)),
  show: (value, field, { locale }) => withUnit(showNumber(value, locale, field['x-scale']), unitIn(field['x-unit'], locale)),
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
