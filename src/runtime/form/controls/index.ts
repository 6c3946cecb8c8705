import { readNumber } from '../../../schema/formats'
import { moneyText, parsedAs, shownAs, withReady } from './byKind'
import { registerControl } from './registry'
import type { TextContext } from './control'
import {
  booleanText,
  choiceText,
  choicesText,
  currencyText,
  dateText,
  dateTimeText,
  filesText,
  jsonText,
  listText,
  numberText,
  parseChoice,
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
const asChoice = (text: string, { choices }: TextContext): unknown => parseChoice(text, choices)
const asChoices = (text: string, { choices }: TextContext): unknown => {
  const parsed = text
    .split(/[,，、;；]/)
    .filter((part) => part.trim() !== '')
    .map((part) => parseChoice(part, choices))
  return parsed.includes(undefined) ? undefined : parsed
}

// one place of loading for each file: every further one adds to what each form loads first
const loadText = () => import('./text')
const loadSwitch = () => import('./switch')
const loadSelect = () => import('./select')
const loadSelectMany = () => import('./selectMany')

registerControl('text', { load: loadText, text: plain, parse: asText })
registerControl('email', { load: loadText, text: plain, parse: parsedAs('email') })
registerControl('url', { load: loadText, text: plain, parse: parsedAs('url') })
registerControl('textarea', { load: () => import('./textarea'), text: plain, parse: asText, height: 76 })
registerControl('password', { load: () => import('./password'), text: (value) => (plain(value) ? '••••••' : '') })
registerControl('number', { load: () => import('./number'), text: numberText, parse: asNumber })
registerControl('integer', { load: () => import('./integer'), text: shownAs('integer'), parse: parsedAs('integer') })
registerControl('decimal', { load: () => import('./decimal'), text: shownAs('decimal'), parse: parsedAs('decimal') })
registerControl('money', { load: () => import('./money'), text: moneyText, parse: parsedAs('money') })
registerControl('percent', { load: () => import('./percent'), text: shownAs('percent'), parse: parsedAs('percent') })
registerControl('switch', { load: loadSwitch, text: booleanText, parse: parsedAs('boolean'), bare: true })
registerControl('boolean', { load: loadSwitch, text: booleanText, parse: parsedAs('boolean'), bare: true })
registerControl('checkbox', { load: () => import('./checkbox'), text: booleanText, parse: parsedAs('boolean'), bare: true })
registerControl('date', { load: () => import('./date'), text: dateText, parse: parsedAs('date') })
registerControl('dateTime', { load: () => import('./dateTime'), text: dateTimeText, parse: parsedAs('dateTime') })
registerControl('dateRange', { load: () => import('./dateRange'), text: rangeText })
registerControl('time', { load: () => import('./time'), text: plain, parse: asText })
registerControl('timeRange', { load: () => import('./timeRange'), text: rangeText })
registerControl('select', { load: loadSelect, text: choiceText, parse: asChoice })
registerControl('dictionary', { load: loadSelect, text: choiceText, parse: asChoice })
registerControl('selectMany', { load: loadSelectMany, text: choicesText, parse: asChoices })
registerControl('dictionaries', { load: loadSelectMany, text: choicesText, parse: asChoices })
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
registerControl('country', {
  load: () => withReady('country', import('./country')),
  text: shownAs('country'),
  parse: parsedAs('country'),
})
registerControl('countries', {
  load: () => withReady('countries', import('./countries')),
  text: shownAs('countries'),
  parse: parsedAs('countries'),
})
registerControl('currency', { load: () => import('./currency'), text: currencyText, parse: parsedAs('currency') })
registerControl('phone', { load: () => withReady('phone', import('./phone')), text: shownAs('phone'), parse: parsedAs('phone') })
registerControl('file', { load: () => import('./file'), text: filesText, bare: true })
registerControl('files', { load: () => import('./files'), text: filesText, bare: true })
registerControl('richText', { load: () => import('./richText'), text: richText, heavy: true, height: 180 })
registerControl('json', { load: () => import('./json'), text: jsonText, height: 120 })
registerControl('strings', { load: () => import('./strings'), text: listText, parse: parsedAs('strings') })
registerControl('note', { load: () => import('./note'), text: () => '', bare: true })
registerControl('readOnly', { load: () => import('./readOnly'), text: plain, bare: true })
