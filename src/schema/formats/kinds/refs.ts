import { LIST_OPERATORS, type FieldFormat } from '../format'
import { listOf } from './lists'
import { refFormat } from './ref'

/** Ids of several records of another entity. */
export const refsFormat: FieldFormat = {
  kind: 'refs',
  store: { sql: 'jsonb', list: true },
  align: 'left',
  width: 200,
  operators: LIST_OPERATORS,
  control: 'refs',
  filterControl: 'refs',
  ...listOf(refFormat),
  example: {
    field: { type: 'array', items: { type: 'string' }, 'x-ref': 'sys.staff' },
    value: ['s1', 's2'],
    shown: { zh: '王伟 (S0042)、李娜 (S0043)', en: '王伟 (S0042), 李娜 (S0043)' },
    typed: ['S0042;S0043', '王伟 (S0042)，李娜 (S0043)'],
  },
}
