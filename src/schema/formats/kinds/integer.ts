import { Exact, toExact } from '../decimal'
import { cellText, isBlank, ORDERED_OPERATORS, refuse, say, short, type FieldFormat } from '../format'
import { showNumber } from '../number'
import { inHundredths, unitIn, withoutUnit, withUnit } from '../unit'
import { compareNumbers, numberCell, readExact, validateBounds } from './numbers'

/** Beyond it JavaScript does not tell every number from the next. */
const LAST = Number.MAX_SAFE_INTEGER
const TOO_LARGE = say(`超出整数范围（绝对值最大 ${LAST}）。`, `a whole number is at most ${LAST}, or digits would be lost.`)

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
    if (isTooLarge(value)) return say(TOO_LARGE.zh, `It is too large: ${TOO_LARGE.en}`)
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return say('须是整数。', 'It has to be a whole number.')
    return validateBounds(value, field)
  },
  show: (value, field, { locale }) => withUnit(showNumber(value, locale), unitIn(field['x-unit'], locale)),
  parse: (cell, field) => {
    const unit = field['x-unit']
    const exact = readExact(cell, { decimals: 0, percent: inHundredths(unit), strip: (text) => withoutUnit(text, unit) })
    if (!(exact instanceof Exact)) return exact
    const value = exact.toNumber()
    if (Number.isSafeInteger(value) && exact.isInteger()) return { value: value === 0 ? 0 : value }
    const text = short(cellText(cell))
    return exact.isInteger()
      ? refuse(`“${text}”${TOO_LARGE.zh}`, `"${text}": ${TOO_LARGE.en}`)
      : refuse(`“${text}”不是整数。`, `"${text}" is not a whole number.`)
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

/** A whole number that would lose digits: as JSON, or as the text that a form keeps of it. */
function isTooLarge(value: unknown): boolean {
  const exact = typeof value === 'number' || typeof value === 'string' ? toExact(value) : undefined
  return exact !== undefined && exact.isInteger() && exact.abs().gt(LAST)
}
