import { plainText, cellText, isBlank, refuse, say, textCell, type FieldFormat } from '../format'

const MOST_CHARACTERS = 200_000

/** JSON text, strings with their quotes; '' for nothing and for what JSON cannot say. */
function textOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? JSON.stringify(value) : plainText(value)
}

/** Any JSON value, for what has no kind of its own. */
export const jsonFormat: FieldFormat = {
  kind: 'json',
  store: { sql: 'jsonb' },
  align: 'left',
  width: 200,
  operators: ['empty', 'notEmpty'],
  control: 'json',
  filterControl: 'presence',
  validate: (value) => {
    if (isBlank(value)) return null
    const text = textOf(value)
    if (text === '') return say('须是 JSON 数据。', 'It has to be JSON data.')
    return text.length <= MOST_CHARACTERS
      ? null
      : say(`JSON 过大（最多 ${MOST_CHARACTERS} 个字符）。`, `The JSON is too large (at most ${MOST_CHARACTERS} characters).`)
  },
  show: textOf,
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    try {
      return { value: JSON.parse(text) as unknown }
    } catch {
      return refuse('不是有效的 JSON。', 'This is not valid JSON.')
    }
  },
  export: (value) => textCell(textOf(value)),
  example: {
    field: { type: 'object', format: 'json' },
    value: { a: [1, null] },
    shown: { zh: '{"a":[1,null]}', en: '{"a":[1,null]}' },
    typed: ['{ "a": [1, null] }'],
  },
}
