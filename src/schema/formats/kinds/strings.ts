import { LIST_OPERATORS, type FieldFormat } from '../format'
import { emailFormat } from './email'
import { listOf } from './lists'
import { stringFormat } from './string'

const plain = listOf(stringFormat)
const emails = listOf(emailFormat)

/** Several texts; with `items.format` email, several e-mail addresses. */
export const stringsFormat: FieldFormat = {
  kind: 'strings',
  store: { sql: 'jsonb', list: true },
  align: 'left',
  width: 200,
  operators: LIST_OPERATORS,
  control: 'strings',
  filterControl: 'strings',
  validate: (value, field, context) => (field.items?.format === 'email' ? emails : plain).validate(value, field, context),
  show: plain.show,
  parse: (cell, field, context) => (field.items?.format === 'email' ? emails : plain).parse(cell, field, context),
  export: plain.export,
  example: {
    field: { type: 'array', items: { type: 'string' } },
    value: ['a', 'b'],
    shown: { zh: 'a、b', en: 'a, b' },
    typed: ['a,b', 'a；b', 'a\nb'],
  },
}
