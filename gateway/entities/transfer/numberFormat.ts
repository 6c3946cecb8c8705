import { format, getFormatFromId, getFormatInfo } from 'numfmt'
import type { SheetNumber } from '../../../src/schema/formats'
import { Exact, exactText } from '../../../src/schema/formats/decimal'

const DAY_SECONDS = 86_400
const DAY = 86_400_000
const LAST_SERIAL = 2_958_466
/** Durations: `[h]:mm`. */
const ELAPSED = /\[(?:h+|m+|s+)\]/i

/** Characters of the longest format that spreadsheets take; a longer one is read as none. */
const LONGEST_CODE = 255

/** The number format of a cell style: what the sheet shows of its numbers. */
export class NumberFormat {
  private readonly code: string
  private readonly info: ReturnType<typeof getFormatInfo>

  /** `code` as the file has it, or the one that is built in under the id. */
  constructor(id: number, code: string = getFormatFromId(id)) {
    this.code = code.length > LONGEST_CODE ? 'General' : code
    this.info = getFormatInfo(this.code)
  }

  get isDate(): boolean {
    return this.info.isDate
  }

  /**
   * A number as the sheet shows it: a moment, the text of a time or a duration without a day, a percentage, a code with its zeros; the plain
   * number where the format adds nothing to it (General, decimals, thousands).
   */
  read(value: number, from1904: boolean): SheetNumber | number | Date | string {
    const { type } = this.info
    if (this.isDate) {
      if (type === 'time' && value >= 0 && (value < 1 || ELAPSED.test(this.code))) return timeText(value, ELAPSED.test(this.code))
      const moment = momentOf(value, from1904)
      if (moment) return moment
    }
    const number: SheetNumber = { value }
    if (from1904) number.from1904 = true
    if (this.info.isPercent) {
      if (this.shown(value).includes('%')) number.percent = true
    } else if (type === 'number' && this.info.maxDecimals === 0) {
      const shown = this.shown(value)
      const plain = exactText(new Exact(value))
      if (shown !== plain && holds(shown, plain)) number.shown = shown
    }
    return Object.keys(number).length === 1 ? value : number
  }

  private shown(value: number): string {
    return format(this.code, value, { throws: false }).trim()
  }
}

/** Whether a shown text has all digits and the sign of a number. */
const holds = (shown: string, plain: string): boolean =>
  shown.replace(/\D/g, '').includes(plain.replace('-', '')) && (!plain.startsWith('-') || /[-(（]/.test(shown))

/** `9:30`, with seconds where there are some; of a duration all hours. */
function timeText(days: number, elapsed: boolean): string {
  const seconds = Math.round(days * DAY_SECONDS)
  const code = `${elapsed ? '[h]' : 'h'}:mm${seconds % 60 === 0 ? '' : ':ss'}`
  return format(code, seconds / DAY_SECONDS)
}

/** The moment that a number of days stands for, as UTC; undefined for what no spreadsheet shows as a date. */
export function momentOf(serial: number, from1904: boolean): Date | undefined {
  if (!(serial >= (from1904 ? 0 : 1) && serial < LAST_SERIAL)) return undefined
  // 1900 counts as a leap year: before its 29th of February the days are one ahead
  const days = from1904 ? serial + 1_462 : serial >= 1 && serial < 60 ? serial + 1 : serial
  return new Date(Math.round((days - 25_569) * DAY))
}
