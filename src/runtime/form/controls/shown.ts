import { isDay, showNumber, toInstant, wallClock } from '../../../schema/formats'
import type { PageField } from '../../../schema/model'
import type { Choice, TextContext } from './control'

/** The text forms of values: what a box shows before its widget stands there, and what a read-only field shows. */

export const plain = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  return JSON.stringify(value)
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined || value === '' ? [] : [value]

export const separator = (locale: TextContext['locale']): string => (locale === 'zh' ? '、' : ', ')

export const choiceText = (value: unknown, { choices }: TextContext): string =>
  choices.find((choice) => choice.value === value)?.label ?? plain(value)

export const choicesText = (value: unknown, context: TextContext): string =>
  list(value)
    .map((entry) => choiceText(entry, context))
    .join(separator(context.locale))

export const numberText = (value: unknown, { locale }: TextContext): string => showNumber(value, locale) || plain(value)

/** The currency of an amount: a fixed code, or the value of the field that holds it. */
export const currencyOf = (
  field: PageField | undefined,
  props: TextContext['props'],
  sibling: (name: string) => unknown,
): string => {
  const given = props.currency ?? field?.money
  if (typeof given !== 'string') return ''
  if (/^[A-Z]{3}$/.test(given)) return given
  const found = sibling(given)
  return typeof found === 'string' ? found : ''
}

export const booleanText = (value: unknown, { locale }: TextContext): string =>
  value === true ? (locale === 'zh' ? '是' : 'Yes') : value === false ? (locale === 'zh' ? '否' : 'No') : ''

const WEEKDAYS = { zh: '周日 周一 周二 周三 周四 周五 周六'.split(' '), en: 'Sun Mon Tue Wed Thu Fri Sat'.split(' ') } as const

/** A day with its weekday (UX: dates with weekday). */
export const dateText = (value: unknown, { locale }: Pick<TextContext, 'locale'>): string => {
  if (!isDay(value)) return plain(value)
  return `${value} ${WEEKDAYS[locale][new Date(`${value}T00:00:00Z`).getUTCDay()] ?? ''}`
}

export const dateTimeText = (value: unknown, { timeZone }: Pick<TextContext, 'timeZone'>): string => {
  const instant = toInstant(value)
  return instant === undefined ? plain(value) : wallClock(instant, timeZone).format('YYYY-MM-DD HH:mm')
}

export const rangeText = (value: unknown): string => {
  const [from, to] = list(value)
  return from || to ? `${plain(from)} ~ ${plain(to)}` : ''
}

export const listText = (value: unknown, { locale }: TextContext): string => list(value).map(plain).join(separator(locale))

export const refText = (value: unknown, { field, props, title, locale }: TextContext, entity?: string): string => {
  const target = entity ?? field?.ref?.entity ?? plain(props.entity)
  return list(value)
    .map((id) => title(target, plain(id)) ?? plain(id))
    .join(separator(locale))
}

const names = new Map<string, Intl.DisplayNames>()
export const currencyName = (code: string, locale: TextContext['locale']): string => {
  let display = names.get(locale)
  if (!display) {
    display = new Intl.DisplayNames([locale === 'zh' ? 'zh-CN' : 'en'], { type: 'currency', fallback: 'code' })
    names.set(locale, display)
  }
  try {
    return display.of(code) ?? code
  } catch {
    // a code that is no code is shown as it is
    return code
  }
}

export const currencyText = (value: unknown, { locale }: TextContext): string =>
  value ? `${plain(value)} ${currencyName(plain(value), locale)}` : ''

/** An attachment as the gateway names it. */
export interface Attachment {
  id: string
  name: string
  size?: number
  type?: string
}

export const isAttachment = (value: unknown): value is Attachment =>
  value !== null && typeof value === 'object' && typeof (value as Attachment).id === 'string'

export const filesText = (value: unknown, context: TextContext): string =>
  list(value)
    .map((file) => (isAttachment(file) ? file.name : (context.title('sys.file', plain(file)) ?? plain(file))))
    .join(separator(context.locale))

/** Rich text without its tags: enough for a preview that can be found with Ctrl-F. */
export const richText = (value: unknown): string =>
  plain(value)
    .replace(/<(?:\/(?:p|h[1-6]|li|blockquote|pre)|br\s*\/?)>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .trim()

export const jsonText = (value: unknown): string => (value === null || value === undefined ? '' : JSON.stringify(value, null, 2))

/** Text of a spreadsheet cell as one of the choices: by label or by value, letter case aside. */
export const parseChoice = (text: string, choices: readonly Choice[]): Choice['value'] | undefined => {
  const wanted = text.trim().toLowerCase()
  return choices.find(
    (choice) =>
      !choice.retired &&
      !choice.disabled &&
      (choice.label.toLowerCase() === wanted || String(choice.value).toLowerCase() === wanted),
  )?.value
}
