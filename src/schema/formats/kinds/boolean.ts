import { cellText, EMPTY_CELL, isBlank, refuse, say, short, type FieldFormat } from '../format'

const YES = new Set(['是', '有', '对', 'yes', 'y', 'true', 't', '1', '√', '✓'])
const NO = new Set(['否', '无', '没有', '不是', 'no', 'n', 'false', 'f', '0', '×', '✗'])

/** Yes or no. */
export const booleanFormat: FieldFormat = {
  kind: 'boolean',
  store: { sql: 'boolean' },
  align: 'center',
  width: 90,
  operators: ['eq', 'ne', 'empty', 'notEmpty'],
  control: 'switch',
  filterControl: 'boolean',
  validate: (value) => (isBlank(value) || typeof value === 'boolean' ? null : say('须为是或否。', 'It has to be yes or no.')),
  show: (value, _field, { locale }) => {
    if (typeof value !== 'boolean') return ''
    return locale === 'zh' ? (value ? '是' : '否') : value ? 'Yes' : 'No'
  },
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const word = text.toLowerCase()
    if (YES.has(word)) return { value: true }
    if (NO.has(word)) return { value: false }
    return refuse(`“${short(text)}”不是“是”或“否”。`, `"${short(text)}" is neither yes nor no.`)
  },
  export: (value) => (typeof value === 'boolean' ? { type: 'boolean', value } : EMPTY_CELL),
  compare: (a, b) => Number(a) - Number(b),
  example: { field: { type: 'boolean' }, value: true, shown: { zh: '是', en: 'Yes' }, typed: ['是', 'yes', 'TRUE', '1'] },
}
