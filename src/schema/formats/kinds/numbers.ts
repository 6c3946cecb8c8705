/** What the kinds that hold exact numbers share. */
import type { BilingualText } from '../../problem'
import { Exact, exactText, toExact } from '../decimal'
import {
  cellText,
  EMPTY_CELL,
  isBlank,
  refuse,
  say,
  short,
  type ExportCell,
  type FormatField,
  type ImportCell,
  type Parsed,
} from '../format'
import { readNumber } from '../number'
import { DIGITS_LOST, keptNumber, sheetNumberOf } from '../sheetNumber'

/** Characters of the longest text that may be a number; more is not even looked at. */
export const LONGEST = 100
const DECIMAL_TEXT = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/

/** `whole` and `decimals`: how many digits the database holds before and after the point. */
export interface NumberRoom {
  whole: number
  decimals: number
}

/** Decimal text that fits the column, between the field's bounds. A JSON number is taken where the field is of that type. */
export function validateDecimal(value: unknown, field: FormatField, room: NumberRoom): BilingualText | null {
  if (isBlank(value)) return null
  const exact = field.type === 'number' && typeof value === 'number' ? toExact(value) : undefined
  const text = exact ? exactText(exact) : value
  if (typeof text !== 'string' || !DECIMAL_TEXT.test(text)) {
    return say('须是十进制数字文本，例如 "12.50"。', 'It has to be decimal text such as "12.50".')
  }
  const [whole = '', part = ''] = text.replace('-', '').split('.')
  if (whole.length > room.whole) return say(`整数部分最多 ${room.whole} 位。`, `At most ${room.whole} digits before the point.`)
  if (part.replace(/0+$/, '').length > room.decimals)
    return say(`最多 ${room.decimals} 位小数。`, `At most ${room.decimals} decimals.`)
  return validateBounds(text, field)
}

export function validateBounds(value: string | number, field: FormatField): BilingualText | null {
  const exact = toExact(value)
  if (!exact) return say('须是数字。', 'It has to be a number.')
  if (field.minimum !== undefined && exact.lt(field.minimum))
    return say(`不能小于 ${field.minimum}。`, `Not less than ${field.minimum}.`)
  if (field.maximum !== undefined && exact.gt(field.maximum))
    return say(`不能大于 ${field.maximum}。`, `Not more than ${field.maximum}.`)
  return null
}

/** What a number is read for. */
export interface NumberReading {
  /** Digits after the point that are kept. */
  decimals: number
  /** Takes away what may stand around a typed number (a percent sign, a currency). */
  strip?: (text: string) => string
  /** The field counts in hundredths: a cell that shows 12.5 % holds 0.125. */
  percent?: boolean
}

/** The number of a cell or of a typed text; null for nothing, a message where digits may be lost or there is no number. */
export function readExact(
  cell: ImportCell,
  { decimals, strip = (text) => text, percent = false }: NumberReading,
): Exact | Parsed {
  const text = cellText(cell)
  if (text === null) return { value: null }
  if (typeof cell === 'boolean' || cell instanceof Date || text.length > LONGEST) return notANumber(text)
  const number = sheetNumberOf(cell)
  if (!number) return readNumber(strip(text).trim()) ?? notANumber(text)
  const hundredfold = percent && number.percent === true
  const kept = keptNumber(number.value, hundredfold ? decimals + 2 : decimals)
  if (kept === 'lost') return { message: DIGITS_LOST }
  if (!kept) return notANumber(text)
  return hundredfold ? kept.times(100) : kept
}

/** A number as typed -> decimal text. */
export function parseDecimal(cell: ImportCell, reading: NumberReading): Parsed {
  const exact = readExact(cell, reading)
  if (!(exact instanceof Exact)) return exact
  if (exact.decimalPlaces() > reading.decimals) {
    const text = short(cellText(cell))
    return refuse(`“${text}”的小数超过 ${reading.decimals} 位。`, `"${text}" has more than ${reading.decimals} decimals.`)
  }
  return { value: exactText(exact) }
}

export function notANumber(text: string): Parsed {
  return refuse(`“${short(text)}”不是数字。`, `"${short(text)}" is not a number.`)
}

/** `pattern` is the spreadsheet's number format. */
export function numberCell(value: unknown, pattern: string): ExportCell {
  const exact = isBlank(value) ? undefined : toExact(value)
  return exact ? { type: 'number', value: exactText(exact), pattern } : EMPTY_CELL
}

/** Spreadsheet pattern with grouping and up to `digits` decimals, or exactly so many. */
export function numberPattern(digits: number, fixed: boolean): string {
  return digits === 0 ? '#,##0' : `#,##0.${(fixed ? '0' : '#').repeat(digits)}`
}

export function compareNumbers(a: unknown, b: unknown): number {
  const [first, second] = [toExact(a), toExact(b)]
  return first && second ? first.comparedTo(second) : first ? 1 : second ? -1 : 0
}
