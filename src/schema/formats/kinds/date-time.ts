import {
  cellText,
  EMPTY_CELL,
  isBlank,
  refuse,
  say,
  short,
  type FieldFormat,
  type FormatContext,
  type ImportCell,
} from '../format'
import { sheetNumberOf } from '../sheetNumber'
import { dayClock, fromWallClock, toInstant, wallClock } from '../time'
import { LONGEST, readSerial, readWall, serialIn } from './days'

/** Wall-clock text of a cell: `YYYY-MM-DDTHH:mm:ss`. */
function wallOf(cell: ImportCell, text: string): string | undefined {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? undefined : cell.toISOString().slice(0, 19)
  const number = sheetNumberOf(cell) ?? serialIn(text)
  if (number) return readSerial(number.value, number.from1904)
  return readWall(text)
}

function read(cell: ImportCell, text: string, { timeZone }: FormatContext): string | undefined {
  if (text.length > LONGEST) return undefined
  const instant = typeof cell === 'string' ? toInstant(text) : undefined
  if (instant !== undefined) return new Date(instant).toISOString()
  const wall = wallOf(cell, text)
  if (wall === undefined) return undefined
  const [day = '', clock = ''] = wall.split('T')
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
  return new Date(fromWallClock(dayClock(day).add((hours * 60 + minutes) * 60 + seconds, 'second'), timeZone)).toISOString()
}

/** An instant, ISO 8601 in UTC; shown and typed on the clock of the viewer's zone. */
export const dateTimeFormat: FieldFormat = {
  kind: 'dateTime',
  store: { sql: 'timestamptz' },
  align: 'left',
  width: 160,
  operators: ['between', 'eq', 'gte', 'lte', 'empty', 'notEmpty'],
  control: 'dateTime',
  filterControl: 'dateTimeRange',
  validate: (value, field, context) => {
    if (isBlank(value) || (typeof value === 'string' && toInstant(value) !== undefined)) return null
    const typed = typeof value === 'string' ? dateTimeFormat.parse(value, field, context) : null
    return typed && 'message' in typed
      ? typed.message
      : say(
          '须是带时区的时间，例如 2025-03-01T02:00:00.000Z。',
          'It has to be an instant with a zone, such as 2025-03-01T02:00:00.000Z.',
        )
  },
  show: (value, _field, { timeZone }) => {
    const instant = isBlank(value) ? undefined : toInstant(value)
    return instant === undefined ? '' : wallClock(instant, timeZone).format('YYYY-MM-DD HH:mm')
  },
  parse: (cell, _field, context) => {
    const text = cellText(cell)
    if (text === null) return { value: null }
    const value = read(cell, text, context)
    if (value !== undefined) return { value }
    return refuse(
      `“${short(text)}”不是时间，请写成 2025-03-01 14:30。`,
      `"${short(text)}" is not a time: write it as 2025-03-01 14:30.`,
    )
  },
  export: (value, _field, { timeZone }) => {
    const instant = isBlank(value) ? undefined : toInstant(value)
    if (instant === undefined) return EMPTY_CELL
    return { type: 'date', value: wallClock(instant, timeZone).format('YYYY-MM-DDTHH:mm:ss'), pattern: 'yyyy-mm-dd hh:mm:ss' }
  },
  compare: (a, b) => (toInstant(a) ?? 0) - (toInstant(b) ?? 0),
  example: {
    field: { type: 'string', format: 'date-time' },
    value: '2025-03-01T06:30:00.000Z',
    shown: { zh: '2025-03-01 14:30', en: '2025-03-01 14:30' },
    typed: ['2025-03-01 14:30', '2025/3/1 14:30:00', '2025年3月1日 14:30', '2025-03-01T06:30:00Z', '1 Mar 2025 2:30 PM'],
  },
}
