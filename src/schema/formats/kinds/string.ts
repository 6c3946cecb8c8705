import { plainText, textCell, TEXT_OPERATORS, type FieldFormat } from '../format'
import { parseText, validateText } from './texts'

/** One line of text. */
export const stringFormat: FieldFormat = {
  kind: 'string',
  store: { sql: 'text' },
  align: 'left',
  width: 160,
  operators: TEXT_OPERATORS,
  control: 'text',
  filterControl: 'text',
  validate: (value, field) => validateText(value, field, 2000),
  show: plainText,
  parse: parseText,
  export: (value) => textCell(plainText(value)),
  example: { field: { type: 'string' }, value: '中国移动', shown: { zh: '中国移动', en: '中国移动' }, typed: [' 中国移动 '] },
}
