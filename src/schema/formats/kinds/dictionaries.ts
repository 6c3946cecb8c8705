import { LIST_OPERATORS, type FieldFormat } from '../format'
import { dictionaryFormat } from './dictionary'
import { listOf } from './lists'

/** Several codes of a dictionary. */
export const dictionariesFormat: FieldFormat = {
  kind: 'dictionaries',
  store: { sql: 'jsonb', list: true },
  align: 'left',
  width: 180,
  operators: LIST_OPERATORS,
  control: 'dictionaries',
  filterControl: 'dictionaries',
  ...listOf(dictionaryFormat),
  example: {
    field: { type: 'array', items: { type: 'string' }, 'x-dictionary': 'customerLevel' },
    value: ['a', 'b'],
    shown: { zh: 'A 级、B 级', en: 'Level A, Level B' },
    typed: ['A 级、B 级', 'level a, b', 'a;b'],
  },
}
