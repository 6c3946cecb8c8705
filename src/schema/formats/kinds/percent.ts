import { isBlank, ORDERED_OPERATORS, type FieldFormat } from '../format'
import { showNumber } from '../number'
import { compareNumbers, numberCell, parseDecimal, validateDecimal } from './numbers'

const ROOM = { whole: 5, decimals: 4 }

/**
 * Percent as decimal text, numeric(9,4): "12.5" means 12.5 %. A spreadsheet gets that number; of a cell that it formats as a percentage, what is
 * shown is read (0.125 as 12.5 %), of another one the number.
 */
export const percentFormat: FieldFormat = {
  kind: 'percent',
  store: { sql: 'numeric', precision: 9, scale: 4 },
  align: 'right',
  width: 100,
  operators: ORDERED_OPERATORS,
  control: 'percent',
  filterControl: 'numberRange',
  validate: (value, field) => validateDecimal(value, field, ROOM),
  // a mask is no number: it is shown as it is, without the sign
  show: (value, field, { locale }) => {
    const shown = isBlank(value) ? '' : showNumber(value, locale, field['x-scale'])
    return shown === '' ? '' : `${shown}%`
  },
  parse: (cell) => parseDecimal(cell, { ...ROOM, percent: true, strip: (text) => text.replace(/[%％]$/, '') }),
  export: (value) => numberCell(value, '#,##0.####"%"'),
  compare: compareNumbers,
  example: {
    field: { type: 'string', format: 'percent' },
    value: '12.5',
    shown: { zh: '12.5%', en: '12.5%' },
    typed: ['12.5%', '12.50', '12.5％', '12,5 %'],
  },
}
