import { LIST_OPERATORS, type FieldFormat } from '../format'
import { countryFormat } from './country'
import { listOf } from './lists'

/** Several countries. */
export const countriesFormat: FieldFormat = {
  kind: 'countries',
  store: { sql: 'jsonb', list: true },
  align: 'left',
  width: 180,
  operators: LIST_OPERATORS,
  control: 'countries',
  filterControl: 'countries',
  ...listOf(countryFormat),
  example: {
    field: { type: 'array', items: { type: 'string', format: 'country' } },
    value: ['CN', 'VN'],
    shown: { zh: '中国、越南', en: 'China, Vietnam' },
    typed: ['CN,VN', '中国、越南', "People's Republic of China; Vietnam"],
  },
  ready: countryFormat.ready!,
}
