import { readNumber } from '../../../schema/formats/number'
import { exactText } from '../../../schema/formats/decimal'
import { registerControl } from './registry'
import type { TextContext } from './registry'
import { parseDay, parseInstant } from './parse'
import {
  booleanText,
  choiceText,
  choicesText,
  countriesText,
  currencyText,
  dateText,
  dateTimeText,
  decimalText,
  filesText,
  jsonText,
  listText,
  moneyText,
  numberText,
  parseChoice,
  percentText,
  plain,
  rangeText,
  refText,
  richText,
} from './shown'

/** Every control of the portal, by name. Widgets load lazily; the text forms are small and always here. */

const asText = (text: string): unknown => text
const asNumber = (text: string): unknown => {
  const exact = readNumber(text)
  return exact ? exact.toNumber() : undefined
}
const asDecimal = (text: string): unknown => {
  const exact = readNumber(text.replace(/[%¥$€£]|[A-Z]{3}/g, ''))
  return exact ? exactText(exact) : undefined
}
const asChoice = (text: string, { choices }: TextContext): unknown => parseChoice(text, choices)
const asChoices = (text: string, { choices }: TextContext): unknown => {
  const parsed = text
    .split(/[,，、;；]/)
    .filter((part) => part.trim() !== '')
    .map((part) => parseChoice(part, choices))
  return parsed.includes(undefined) ? undefined : parsed
}
const asBoolean = (text: string): unknown => {
  const wanted = text.trim().toLowerCase()
  if (['是', 'yes', 'true', '1', 'y', '√'].includes(wanted)) return true
  return ['否', 'no', 'false', '0', 'n', '×'].includes(wanted) ? false : undefined
}
const asList = (text: string): unknown => text.split(/[,，、;；\n]/).flatMap((part) => (part.trim() ? [part.trim()] : []))

registerControl('text', { load: () => import('./text'), text: plain, parse: asText })
registerControl('email', { load: () => import('./text'), text: plain, parse: asText })
registerControl('url', { load: () => import('./text'), text: plain, parse: asText })
registerControl('textarea', { load: () => import('./textarea'), text: plain, parse: asText, height: 76 })
registerControl('password', { load: () => import('./password'), text: (value) => (plain(value) ? '••••••' : '') })
registerControl('number', { load: () => import('./number'), text: numberText, parse: asNumber })
registerControl('integer', { load: () => import('./integer'), text: numberText, parse: asNumber })
registerControl('decimal', { load: () => import('./decimal'), text: decimalText, parse: asDecimal })
registerControl('money', { load: () => import('./money'), text: moneyText, parse: asDecimal })
registerControl('percent', { load: () => import('./percent'), text: percentText, parse: asDecimal })
registerControl('switch', { load: () => import('./switch'), text: booleanText, parse: asBoolean, bare: true })
registerControl('boolean', { load: () => import('./switch'), text: booleanText, parse: asBoolean, bare: true })
registerControl('checkbox', { load: () => import('./checkbox'), text: booleanText, parse: asBoolean, bare: true })
registerControl('date', { load: () => import('./date'), text: dateText, parse: parseDay })
registerControl('dateTime', { load: () => import('./dateTime'), text: dateTimeText, parse: parseInstant })
registerControl('dateRange', { load: () => import('./dateRange'), text: rangeText })
registerControl('time', { load: () => import('./time'), text: plain, parse: asText })
registerControl('timeRange', { load: () => import('./timeRange'), text: rangeText })
registerControl('select', { load: () => import('./select'), text: choiceText, parse: asChoice })
registerControl('dictionary', { load: () => import('./select'), text: choiceText, parse: asChoice })
registerControl('selectMany', { load: () => import('./selectMany'), text: choicesText, parse: asChoices })
registerControl('dictionaries', { load: () => import('./selectMany'), text: choicesText, parse: asChoices })
registerControl('radio', { load: () => import('./radio'), text: choiceText, parse: asChoice, bare: true })
registerControl('checkboxGroup', { load: () => import('./checkboxGroup'), text: choicesText, parse: asChoices, bare: true })
registerControl('cascader', { load: () => import('./cascader'), text: choicesText })
registerControl('treeSelect', { load: () => import('./treeSelect'), text: choiceText })
registerControl('rate', { load: () => import('./rate'), text: numberText, parse: asNumber, bare: true })
registerControl('slider', { load: () => import('./slider'), text: numberText, parse: asNumber, bare: true })
registerControl('ref', { load: () => import('./ref'), text: (value, context) => refText(value, context) })
registerControl('refs', { load: () => import('./refs'), text: (value, context) => refText(value, context) })
registerControl('staff', { load: () => import('./staff'), text: (value, context) => refText(value, context, 'sys.staff') })
registerControl('department', {
  load: () => import('./department'),
  text: (value, context) => refText(value, context, 'sys.department'),
})
registerControl('country', { load: () => import('./country'), text: countriesText })
registerControl('countries', { load: () => import('./countries'), text: countriesText })
registerControl('currency', {
  load: () => import('./currency'),
  text: currencyText,
  parse: (text) => text.trim().toUpperCase().slice(0, 3),
})
registerControl('phone', { load: () => import('./phone'), text: plain, parse: asText })
registerControl('file', { load: () => import('./file'), text: filesText, bare: true })
registerControl('files', { load: () => import('./files'), text: filesText, bare: true })
registerControl('richText', { load: () => import('./richText'), text: richText, heavy: true, height: 180 })
registerControl('json', { load: () => import('./json'), text: jsonText, height: 120 })
registerControl('strings', { load: () => import('./strings'), text: listText, parse: asList })
registerControl('note', { load: () => import('./note'), text: () => '', bare: true })
registerControl('readOnly', { load: () => import('./readOnly'), text: plain, bare: true })
