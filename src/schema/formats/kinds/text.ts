import { plainText, textCell, TEXT_OPERATORS, type FieldFormat } from '../format'
import { parseText, validateText } from './texts'

/** Text of several lines. */
export const textFormat: FieldFormat = {
  kind: 'text',
  store: { sql: 'text' },
  align: 'left',
  width: 240,
  operators: TEXT_OPERATORS,
  control: 'textarea',
  filterControl: 'text',
  validate: (value, field) => validateText(value, field, 20_000),
  show: plainText,
  parse: (cell) => {
    const parsed = parseText(cell)
    return 'value' in parsed && typeof parsed.value === 'string' ? { value: parsed.value.replace(/\r\n?/g, '\n') } : parsed
  },
  export: (value) => textCell(plainText(value)),
  example: { field: { type: 'string', format: 'text' }, value: 'a\nb', shown: { zh: 'a\nb', en: 'a\nb' }, typed: ['a\r\nb'] },
}
