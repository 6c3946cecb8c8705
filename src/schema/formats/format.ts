/** What a format is: everything that the portal does with the values of one field kind. */
import type { FieldKind, PageField, FilterOperator } from '../model'
import type { BilingualText, Locale } from '../problem'
import { numberText, sheetNumberOf, type SheetNumber } from './sheetNumber'
import type { Unit } from './unit'

/** The part of a field's definition that formats read. An `EntityField` is one; of a `PageField` make one with `formatFieldOf`. */
export interface FormatField {
  type?: string | readonly string[]
  format?: string
  items?: { type?: string; format?: string }
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  pattern?: string
  'x-dictionary'?: string
  'x-ref'?: string
  'x-money'?: string
  'x-scale'?: number
  'x-unit'?: Unit
  'x-precision'?: 'month'
  'x-lines'?: object
}

export interface DictionaryEntry {
  code: string
  label: BilingualText
  retired?: boolean
}

/** The viewer, and what the field needs from outside of it. Everything optional is left out where it is not known. */
export interface FormatContext {
  /** Nothing is rounded away: a form shows what it would save. */
  exact?: boolean
  locale: Locale
  /** IANA name. */
  timeZone: string
  /** The record around the value: the currency of an amount stands in it. */
  record?: Readonly<Record<string, unknown>>
  dictionary?: (name: string) => readonly DictionaryEntry[] | undefined
  /** Title of a referenced record. */
  refTitle?: (entity: string, id: string) => string | undefined
  /** Ids of the records with this title, code or id (imports); more than one is a question back to the person. */
  findRef?: (entity: string, text: string) => readonly string[]
  /** ISO country for phone numbers that are written without one; default CN, null where none is known: they are refused. */
  region?: string | null
}

/**
 * What a cell of a spreadsheet or a pasted text holds. A `Date` carries the clock on the wall in its UTC fields; a number whose cell shows more
 * than the number says is a `SheetNumber`.
 */
export type ImportCell = string | number | boolean | Date | SheetNumber | null | undefined

/** `value` null: the cell was empty. */
export type Parsed = { value: unknown } | { message: BilingualText }

/** A typed cell for spreadsheets: numbers as exact decimal text, dates as wall-clock text without a zone. */
export type ExportCell =
  | { type: 'empty' }
  | { type: 'text'; value: string }
  | { type: 'boolean'; value: boolean }
  | { type: 'number'; value: string; pattern: string }
  | { type: 'date'; value: string; pattern: string }

export interface FormatStore {
  sql: 'text' | 'varchar' | 'integer' | 'bigint' | 'numeric' | 'boolean' | 'date' | 'timestamptz' | 'jsonb'
  precision?: number
  scale?: number
  /** A list of plain texts: filtered by what it shares with the condition. */
  list?: boolean
}

export interface FormatExample {
  field: FormatField
  record?: Readonly<Record<string, unknown>>
  value: unknown
  shown: BilingualText
  /** Texts that a person may type or paste for this value. */
  typed: readonly string[]
}

export interface FieldFormat {
  kind: FieldKind
  store: FormatStore
  align: 'left' | 'right' | 'center'
  /** Suggested width of a column in pixels. */
  width: number
  /** The first one is meant when a condition names none. */
  operators: readonly FilterOperator[]
  /** Name of the form control. */
  control: string
  /** Name of the control in a filter row. */
  filterControl: string
  /** What is wrong with a stored value; null when nothing is. Empty values are never wrong: `required` is another rule. */
  validate: (value: unknown, field: FormatField, context: FormatContext) => BilingualText | null
  /** Text for people; '' for nothing. */
  show: (value: unknown, field: FormatField, context: FormatContext) => string
  /** Reads what a person typed or pasted, in either language. */
  parse: (cell: ImportCell, field: FormatField, context: FormatContext) => Parsed
  export: (value: unknown, field: FormatField, context: FormatContext) => ExportCell
  /** Order of two values that are not empty; left out: by character. */
  compare?: (a: unknown, b: unknown) => number
  example: FormatExample
  /** Its values are texts: a number of a sheet is one as the sheet shows it. */
  holdsText?: true
  /** Loads what the kind needs beyond this file (names of countries, phone numbers). Without it, it does less. */
  ready?: () => Promise<void>
}

export const EMPTY_CELL: ExportCell = { type: 'empty' }
const EMPTINESS: readonly FilterOperator[] = ['empty', 'notEmpty']
export const TEXT_OPERATORS: readonly FilterOperator[] = ['contains', 'eq', 'ne', 'startsWith', 'in', 'notIn', ...EMPTINESS]
export const CODE_OPERATORS: readonly FilterOperator[] = ['in', 'eq', 'ne', 'notIn', ...EMPTINESS]
export const ORDERED_OPERATORS: readonly FilterOperator[] = ['between', 'eq', 'ne', 'gte', 'lte', 'in', 'notIn', ...EMPTINESS]
export const LIST_OPERATORS: readonly FilterOperator[] = ['overlaps', 'contains', 'in', 'notIn', ...EMPTINESS]
export const PRESENCE_OPERATORS: readonly FilterOperator[] = ['notEmpty', 'empty']

export function isBlank(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === ''
}

export function say(zh: string, en: string): BilingualText {
  return { zh, en }
}

export function refuse(zh: string, en: string): Parsed {
  return { message: { zh, en } }
}

/** The text of a cell, trimmed; null when there is none. A date without a time of day is written without one, a number as the sheet shows it. */
export function cellText(cell: ImportCell): string | null {
  if (cell === null || cell === undefined) return null
  const text = written(cell).trim()
  return text === '' ? null : text
}

function written(cell: string | number | boolean | Date | SheetNumber): string {
  if (cell instanceof Date) return dateText(cell)
  const number = sheetNumberOf(cell)
  return number ? numberText(number) : String(cell)
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date'
  return date.toISOString().slice(0, 19).replace('T00:00:00', '').replace('T', ' ')
}

export function textCell(text: string): ExportCell {
  return text === '' ? EMPTY_CELL : { type: 'text', value: text }
}

/** The pieces of a list that was written into one cell. */
export function splitList(text: string): string[] {
  return text
    .split(/[,，、;；|\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
}

export function joinList(texts: readonly string[], locale: Locale): string {
  return texts.filter((text) => text !== '').join(locale === 'zh' ? '、' : ', ')
}

/** Any value as text, also one that does not belong here; never throws. */
export function plainText(value: unknown): string {
  if (isBlank(value) || typeof value === 'symbol' || typeof value === 'function') return ''
  if (typeof value !== 'object') return String(value)
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Shown in an error: not longer than a line. */
export function short(value: unknown): string {
  const text = plainText(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export function formatFieldOf(model: PageField): FormatField {
  const { dictionary, ref, money, scale, unit, precision, minLength, maxLength, minimum, maximum, maxItems, pattern } = model
  return {
    ...{
      'x-dictionary': dictionary?.name,
      'x-ref': ref?.entity,
      'x-money': money,
      'x-scale': scale,
      'x-unit': unit,
      'x-precision': precision,
    },
    ...{ minLength, maxLength, minimum, maximum, maxItems, pattern },
  }
}
