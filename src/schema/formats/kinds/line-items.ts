import { cellText, isBlank, refuse, say, textCell, type FieldFormat } from '../format'

const inWords = (value: unknown, locale: 'zh' | 'en'): string => {
  if (!Array.isArray(value) || value.length === 0) return ''
  return locale === 'zh' ? `${value.length} 行` : `${value.length} ${value.length === 1 ? 'line' : 'lines'}`
}

/** Rows of another entity that are saved with the record; where one value stands, how many there are. */
export const linesFormat: FieldFormat = {
  kind: 'lines',
  store: { sql: 'jsonb' },
  align: 'left',
  width: 120,
  operators: ['empty', 'notEmpty'],
  control: 'readOnly',
  filterControl: 'presence',
  validate: (value) =>
    isBlank(value) ||
    (Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
      ? null
      : say('须是由行组成的列表。', 'It has to be a list of rows.'),
  show: (value, _, { locale }) => inWords(value, locale),
  parse: (cell) =>
    cellText(cell) === null ? { value: null } : refuse('明细行不能写在一个单元格里。', 'Lines cannot be written into one cell.'),
  export: (value, _, { locale }) => textCell(inWords(value, locale)),
  example: {
    field: { type: 'array', 'x-lines': { entity: 'srm.purchaseLine', parent: 'orderId' } },
    value: [{ quantity: 1 }, { quantity: 2 }],
    shown: { zh: '2 行', en: '2 lines' },
    typed: [],
  },
}
