/**
 * One definition for each kind of value that the portal knows: how it is stored, validated, shown, filtered, edited,
 * imported and exported. One file a kind in `kinds/`.
 *
 *   fieldKind(field)                       -> 'money'
 *   formatOf('money').show('1234.5', field, context)   -> '1,234.50 USD'
 *   await ready('phone')                   loads what the kind needs beyond its few lines; only pages that use it call it
 */
import type { FieldKind } from '../model'
import { ofText } from './cells'
import type { FieldFormat, FormatContext, FormatField, ImportCell, Parsed } from './format'
import { booleanFormat } from './kinds/boolean'
import { countriesFormat } from './kinds/countries'
import { countryFormat } from './kinds/country'
import { currencyFormat } from './kinds/currency'
import { dateFormat } from './kinds/date'
import { dateTimeFormat } from './kinds/date-time'
import { decimalFormat } from './kinds/decimal'
import { dictionariesFormat } from './kinds/dictionaries'
import { dictionaryFormat } from './kinds/dictionary'
import { emailFormat } from './kinds/email'
import { fileFormat } from './kinds/file'
import { filesFormat } from './kinds/files'
import { integerFormat } from './kinds/integer'
import { jsonFormat } from './kinds/json'
import { linesFormat } from './kinds/line-items'
import { mccmncFormat } from './kinds/mccmnc'
import { moneyFormat } from './kinds/money'
import { percentFormat } from './kinds/percent'
import { phoneFormat } from './kinds/phone'
import { refFormat } from './kinds/ref'
import { refsFormat } from './kinds/refs'
import { richTextFormat } from './kinds/rich-text'
import { stringFormat } from './kinds/string'
import { stringsFormat } from './kinds/strings'
import { textFormat } from './kinds/text'
import { urlFormat } from './kinds/url'
import { DIGITS_LOST, isShortened } from './sheetNumber'

/** Kinds of texts read a number of a sheet as the text that it shows. */
export const FORMATS: Readonly<Record<FieldKind, FieldFormat>> = {
  string: ofText(stringFormat),
  text: ofText(textFormat),
  richText: ofText(richTextFormat),
  integer: integerFormat,
  decimal: decimalFormat,
  money: moneyFormat,
  percent: percentFormat,
  boolean: ofText(booleanFormat),
  date: dateFormat,
  dateTime: dateTimeFormat,
  dictionary: ofText(dictionaryFormat),
  dictionaries: ofText(dictionariesFormat),
  ref: ofText(refFormat),
  refs: ofText(refsFormat),
  country: ofText(countryFormat),
  countries: ofText(countriesFormat),
  phone: ofText(phoneFormat),
  email: ofText(emailFormat),
  url: ofText(urlFormat),
  file: fileFormat,
  files: filesFormat,
  currency: ofText(currencyFormat),
  mccmnc: ofText(mccmncFormat),
  json: jsonFormat,
  strings: ofText(stringsFormat),
  lines: linesFormat,
}

export function formatOf(kind: FieldKind): FieldFormat {
  return FORMATS[kind]
}

/** Reads a cell of a file as `parse` of its kind does; the short form that a spreadsheet saves of a long number is no text. */
export function parseCell(kind: FieldKind, cell: ImportCell, field: FormatField, context: FormatContext): Parsed {
  const format = FORMATS[kind]
  if (format.holdsText && typeof cell === 'string' && isShortened(cell.trim())) return { message: DIGITS_LOST }
  return format.parse(cell, field, context)
}

/** Loads what these kinds need (names of countries, phone numbers). Rejects when it cannot be loaded; may be called again. */
export async function ready(...kinds: readonly FieldKind[]): Promise<void> {
  await Promise.all([...new Set(kinds)].map((kind) => FORMATS[kind].ready?.()))
}

export { addsUp } from './addsUp'
export { computedValue } from './computed'
export { CURRENCY_CODES, currencyDigits, isCurrency, minorUnit } from './currency-digits'
export { Exact, exactText, roundedText, toExact } from './decimal'
export {
  formatFieldOf,
  type DictionaryEntry,
  type ExportCell,
  type FieldFormat,
  type FormatContext,
  type FormatExample,
  type FormatField,
  type FormatStore,
  type ImportCell,
  type Parsed,
} from './format'
export { fieldKind } from './kind'
export { countryName, countryOptions } from './kinds/country'
export { readTime } from './kinds/days'
export { currencyOf } from './kinds/money'
export { isEmail } from './kinds/email'
export { isFileValue, type FileValue } from './kinds/file'
export { isWebAddress } from './kinds/url'
export { filterNumberInput, groupDigits, jsonNumber, readNumber, shortNumber, showNumber } from './number'
export type { SheetNumber } from './sheetNumber'
export { macOf, readUnits, type ScannedUnit, type UnitProblem } from './serials'
export { inColumn, titlesWithUnit, titleWithUnit, unitIn, withUnit, type Unit } from './unit'
export { dayClock, dayOf, fromWallClock, isDay, timeRoots, toInstant, wallClock, zoneOffset } from './time'
