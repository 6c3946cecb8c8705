import { PRESENCE_OPERATORS, type FieldFormat } from '../format'
import { fileFormat } from './file'
import { listOf } from './lists'

/** Several uploaded files. */
export const filesFormat: FieldFormat = {
  kind: 'files',
  store: { sql: 'jsonb' },
  align: 'left',
  width: 220,
  operators: PRESENCE_OPERATORS,
  control: 'files',
  filterControl: 'presence',
  ...listOf(fileFormat),
  parse: fileFormat.parse,
  example: {
    field: { type: 'array', items: { type: 'object', format: 'file' } },
    value: [
      { id: 'f1', name: 'a.pdf' },
      { id: 'f2', name: 'b.pdf' },
    ],
    shown: { zh: 'a.pdf、b.pdf', en: 'a.pdf, b.pdf' },
    typed: [],
  },
}
