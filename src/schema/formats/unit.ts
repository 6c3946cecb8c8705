/** Units of numbers (`x-unit`): what a number counts. It is shown and never part of the value. */
import type { BilingualText, Locale } from '../problem'

/** One text for both languages (ms), or one of each. */
export type Unit = string | BilingualText

export function unitIn(unit: Unit | undefined, locale: Locale): string | undefined {
  return typeof unit === 'object' ? unit[locale] : unit
}

/** "120" -> "120 ms"; signs such as % stand right behind the number. '' stays ''. */
export function withUnit(shown: string, unit: string | undefined): string {
  if (shown === '' || !unit) return shown
  return /^[%‰°]/.test(unit) ? `${shown}${unit}` : `${shown} ${unit}`
}

/** Whether numbers count hundredths. */
export const inHundredths = (unit: Unit | undefined): boolean => unitIn(unit, 'en') === '%'

/** A title above numbers: "Delay (ms)", 时延（ms）. */
export function titleWithUnit(title: string, unit: string | undefined): string {
  if (!unit) return title
  return /[\u2e80-\uffff]$/.test(title) ? `${title}（${unit}）` : `${title} (${unit})`
}

/** A title in both languages, with the unit of what stands below it. */
export function titlesWithUnit({ zh, en }: BilingualText, unit: Unit | undefined): BilingualText {
  return { zh: titleWithUnit(zh, unitIn(unit, 'zh')), en: titleWithUnit(en, unitIn(unit, 'en')) }
}

/** A field of which the head of a column says the unit, so that its cells do not. */
export function inColumn<Field extends { label: string; unit?: string }>({ unit, ...field }: Field): Omit<Field, 'unit'> {
  return { ...field, label: titleWithUnit(field.label, unit) }
}

/** Takes away the unit behind a number that somebody typed, in either language. */
export function withoutUnit(text: string, unit: Unit | undefined): string {
  const written = typeof unit === 'object' ? [unit.zh, unit.en] : unit === undefined ? [] : [unit]
  const found = written.find((one) => one !== '' && text.toLowerCase().endsWith(one.toLowerCase()))
  return found === undefined ? text : text.slice(0, -found.length)
}
