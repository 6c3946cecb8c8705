/** Numbers of spreadsheet cells. A spreadsheet keeps 15 digits; what its cell shows is the business of a number format. */
import type { BilingualText } from '../problem'
import { exactText, toExact, type Exact } from './decimal'

/** A number whose cell shows more than the number says. */
export interface SheetNumber {
  /** As the file holds it: 0.125 where the sheet shows 12.5 %. */
  value: number
  /** What a format of codes shows, with all its digits: `00123`. */
  shown?: string
  /** The sheet shows it as a percentage. */
  percent?: true
  /** As a day it counts from 1904. */
  from1904?: true
}

/** Digits that spreadsheets keep of a number. */
const KEPT = 15
const LIMIT = 10 ** KEPT

/** The number of a cell, with or without a format; undefined for what is none. */
export function sheetNumberOf(cell: unknown): SheetNumber | undefined {
  if (typeof cell === 'number') return { value: cell }
  return typeof cell === 'object' && cell !== null && 'value' in cell ? (cell as SheetNumber) : undefined
}

/**
 * The number as the sheet kept it. Fifteen digits hold it, or what is cut off is less than half of the last of `decimals` digits (crumbs of a
 * spreadsheet's own arithmetic); 'lost' when digits may be missing, undefined when it is no business number.
 */
export function keptNumber(value: number, decimals: number | 'all'): Exact | 'lost' | undefined {
  const exact = toExact(value)
  if (!exact) return undefined
  if (Math.abs(value) >= LIMIT) return 'lost'
  const kept = exact.toSignificantDigits(KEPT)
  const sure =
    kept.toNumber() === value ||
    (decimals !== 'all' &&
      kept
        .minus(exact)
        .abs()
        .lt(`5e-${decimals + 1}`))
  return sure ? kept : 'lost'
}

/** The number as a text for people and codes: as its format shows it, else with all its digits; one that lost digits as a spreadsheet writes it. */
export function numberText({ value, shown, percent }: SheetNumber): string {
  if (shown !== undefined) return shown
  const exact = toExact(value)
  if (!exact) return String(value)
  if (Math.abs(value) >= LIMIT) return value.toExponential().toUpperCase()
  const kept = keptNumber(value, 'all')
  const number = kept === undefined || kept === 'lost' ? exact : kept
  return percent ? `${exactText(number.times(100))}%` : exactText(number)
}

/** `1.23E+15`: how a spreadsheet saves a number as a text that no longer has all digits. */
const SHORTENED = /^[+-]?[0-9](?:\.[0-9]+)?E\+([0-9]{2,3})$/i
/** From twelve digits on. */
const FIRST_SHORTENED = 11

/** Whether a text is the short form of a number of twelve digits or more. */
export const isShortened = (text: string): boolean => Number(SHORTENED.exec(text)?.[1] ?? 0) >= FIRST_SHORTENED

/** Why a number that lost digits is not taken, and what helps. */
export const DIGITS_LOST: BilingualText = {
  zh: '表格只保留数字的前 15 位，这里可能已丢失数字。请把该列设为文本格式，重新填写完整的内容。',
  en: 'A spreadsheet keeps 15 digits of a number only, and some may be lost here. Format the column as text and write the number again in full.',
}
