import {
  cellText,
  EMPTY_CELL,
  isBlank,
  ORDERED_OPERATORS,
  refuse,
  say,
  short,
  type FieldFormat,
  type ImportCell,
} from '../format'
import { sheetNumberOf } from '../sheetNumber'
import { dayOf, isDay } from '../time'
import { LONGEST, readDay, readSerial, serialIn } from './days'

/** Characters of `YYYY-MM`. */
const MONTH_LENGTH = 7

function read(cell: ImportCell, text: string): string | undefined {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? undefined : cell.toISOString().slice(0, 10)
  const number = sheetNumberOf(cell) ?? serialIn(text)
  if (number) return readSerial(number.value, number.from1904)?.slice(0, 10)
  if (text.length > LONGEST) return undefined
  return readDay(text) ?? readDay(text.replace(/[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?$/, ''))
}

/** A day without a time or a zone: `YYYY-MM-DD`. With `x-precision: month` it stands for its month and is shown as `YYYY-MM`. */
export const dateFormat: FieldFormat = {
  kind: 'date',
  store: { sql: 'date' },
  align: 'left',
  width: 120,
  operators: ORDERED_OPERATORS,
  control: 'date',
  filterControl: 'dateRange',
  validate: (value, field, context) => {
    if (isBlank(value) || isDay(value)) return null
    const typed = typeof value === 'string' ? dateFormat.parse(value, field, context) : null
    return typed && 'message' in typed ? typed.message : say('须是日期（YYYY-MM-DD）。', 'It has to be a date (YYYY-MM-DD).')
  },
  show: (value, field, { timeZone }) =>
    isBlank(value) ? '' : (dayOf(value, timeZone) ?? '').slice(0, field['x-precision'] === 'month' ? MONTH_LENGTH : undefined),
  parse: (cell) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const day = read(cell, text)
    if (day !== undefined) return { value: day }
    return refuse(`“${short(text)}”不是日期，请写成 2025-03-01。`, `"${short(text)}" is not a date: write it as 2025-03-01.`)
  },
  export: (value, field) =>
    isDay(value) ? { type: 'date', value, pattern: field['x-precision'] === 'month' ? 'yyyy-mm' : 'yyyy-mm-dd' } : EMPTY_CELL,
  example: {
    field: { type: 'string', format: 'date' },
    value: '2025-03-01',
    shown: { zh: '2025-03-01', en: '2025-03-01' },
    typed: ['2025-3-1', '2025/03/01', '2025年3月1日', '20250301', '1 Mar 2025', 'March 1, 2025', '45717', '2025-03-01 00:00:00'],
  },
}
