/** Reads days and times as people and spreadsheets write them. Day before month in digits is not guessed. */
import type { SheetNumber } from '../sheetNumber'
import { dayClock, isDay } from '../time'

/** Characters of the longest text that may be a date or a time. */
export const LONGEST = 60
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const YEAR_FIRST = /^(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?$/
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/
const DAY_NAME = /^(\d{1,2})[\s-]*([A-Za-z]{3,9})\.?,?[\s-]*(\d{4})$/
const NAME_DAY = /^([A-Za-z]{3,9})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})$/
const TIME = /^(\d{1,2})[:：.时点](\d{2})(?:[:：.分](\d{2})(?:\.\d+)?秒?|分)?\s*([AaPp][Mm])?$/
const WHOLE_HOUR = /^(\d{1,2})(?:[时点]整?|\s*([AaPp][Mm]))$/

function dayFrom(year: string | undefined, month: string | number, day: string | undefined): string | undefined {
  const text = `${year ?? ''}-${String(month).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

function monthOf(name: string): number {
  const short = name.slice(0, 3).toLowerCase()
  return MONTHS.indexOf(short) + 1
}

/** `2025-3-1`, `2025/03/01`, `2025年3月1日`, `20250301`, `1 Mar 2025`, `Mar 1, 2025`. */
export function readDay(text: string): string | undefined {
  const plain = text.trim()
  const first = YEAR_FIRST.exec(plain) ?? COMPACT.exec(plain)
  if (first) return dayFrom(first[1], first[2] ?? '', first[3])
  const named = DAY_NAME.exec(plain)
  if (named) return dayFrom(named[3], monthOf(named[2] ?? ''), named[1])
  const american = NAME_DAY.exec(plain)
  if (american) return dayFrom(american[3], monthOf(american[1] ?? ''), american[2])
  return undefined
}

/** `9:05`, `09:05:30`, `9时05分`, `9点`, `9:05 PM`, `9 PM` -> `HH:mm:ss`. */
export function readTime(text: string): string | undefined {
  const plain = text.trim()
  const [, hours, minutes, seconds, after] = TIME.exec(plain) ?? []
  const [, whole, half = after?.toLowerCase()] = WHOLE_HOUR.exec(plain.toLowerCase()) ?? []
  if (hours === undefined && whole === undefined) return undefined
  let hour = Number(hours ?? whole)
  if (half && (hour < 1 || hour > 12)) return undefined
  if (half) hour = (hour % 12) + (half === 'pm' ? 12 : 0)
  const [minute, second] = [Number(minutes ?? 0), Number(seconds ?? 0)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':')
}

/** A day and a time, or a day alone for its midnight, in any of their notations -> `YYYY-MM-DDTHH:mm:ss`. */
export function readWall(text: string): string | undefined {
  const whole = readDay(text)
  if (whole !== undefined) return `${whole}T00:00:00`
  for (const gap of text.matchAll(/[T\s日]+/g)) {
    const end = gap.index + gap[0].length
    const day = readDay(text.slice(0, gap.index) + (gap[0].includes('日') ? '日' : ''))
    const time = readTime(text.slice(end))
    if (day !== undefined && time !== undefined) return `${day}T${time}`
  }
  return undefined
}

/** The serial number that a text is: spreadsheets save unformatted days so. */
export function serialIn(text: string): SheetNumber | undefined {
  return /^\d{5}(?:\.\d+)?$/.test(text) ? { value: Number(text) } : undefined
}

/** Days between the first day of 1904 and the one before the first of 1900, as spreadsheets count them. */
const FROM_1904 = 1_462

/** A spreadsheet's serial number (1 is 1900-01-01, with its leap year that never was; 0 is 1904-01-01 in books that count from there) as wall-clock ISO text. */
export function readSerial(number: number, from1904 = false): string | undefined {
  const serial = from1904 && number >= 0 ? number + FROM_1904 : number
  if (!(serial >= 61 && serial < 2_958_466)) return undefined
  const seconds = Math.round(serial * 86_400)
  return dayClock('1899-12-30').add(seconds, 'second').format('YYYY-MM-DDTHH:mm:ss')
}
