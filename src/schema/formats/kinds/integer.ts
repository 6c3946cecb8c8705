import { cellText, isBlank, ORDERED_OPERATORS, refuse, say, short, type FieldFormat } from '../format'
import { readNumber, showNumber } from '../number'
import { toExact } from '../decimal'
import { unitIn, withoutUnit, withUnit } from '../unit'
import { compareNumbers, LONGEST, notANumber, numberCell, validateBounds } from './numbers'

/** A whole number that JavaScript holds exactly. */
export const integerFormat: FieldFormat = {
  kind: 'integer',
  store: { sql: 'bigint' },
  align: 'right',
  width: 110,
  operators: ORDERED_OPERATORS,
  control: 'integer',
  filterControl: 'numberRange',
  validate: (value, field) => {
    if (isBlank(value)) return null
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return say('须是整数。', 'It has to be a whole number.')
    return validateBounds(value, field)
  },
  show: (value, field, { locale }) => withUnit(showNumber(value, locale), unitIn(field['x-unit'], locale)),
  parse: (cell, field) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    if (typeof cell === 'boolean' || cell instanceof Date || text.length > LONGEST) return notANumber(text)
    const exact = typeof cell === 'number' ? toExact(cell) : readNumber(withoutUnit(text, field['x-unit']).trim())
    if (!exact) return notANumber(text)
    const value = exact.toNumber()
    if (Number.isSafeInteger(value) && exact.isInteger()) return { value: value === 0 ? 0 : value }
    return refuse(`“${short(text)}”不是整数。`, `"${short(text)}" is not a whole number.`)
  },
  export: (value) => numberCell(value, '#,##0'),
  compare: compareNumbers,
  example: {
    field: { type: 'integer' },
    value: 12000,
    shown: { zh: '12,000', en: '12,000' },
    typed: ['12000', '12,000', '１２０００', '12 000'],
  },
}
