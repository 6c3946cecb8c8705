import { fieldKind, formatOf, type FormatContext, type FormatField } from '../../../src/schema/formats'
import type { FormField } from '../../../src/schema/generated/process'
import { systemContext, type Text } from '../../platform/http'
import type { Standing } from './standing'
import type { ReadValue } from './state'

const AMOUNT = 'amountCny'
const IN_CNY: Text = { zh: '折合人民币', en: 'Amount in CNY' }
const CNY: FormatField = { type: 'string', format: 'money', 'x-money': 'CNY' }
const EMPTY = { zh: '空', en: 'empty' } as const

/** The values that a condition reads, as they are now. */
export function readBy({ form, values, row }: Standing, when: string): ReadValue[] {
  const reads = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(when)
  return [
    ...Object.keys(form.fields)
      .filter(reads)
      .map((field) => ({ field, value: values[field] ?? null })),
    ...(reads(AMOUNT) && !Object.hasOwn(form.fields, AMOUNT) ? [{ field: AMOUNT, value: row.amountCny }] : []),
  ]
}

/** A value of a field in words: labels of codes, titles of records, amounts with their currency; "empty" for nothing, rows by their number. */
export function valueText(field: FormatField & Pick<FormField, 'rows'>, value: unknown, context: FormatContext): string {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return EMPTY[context.locale]
  if (field.rows && Array.isArray(value)) return context.locale === 'zh' ? `${value.length} 行` : `${value.length} rows`
  return formatOf(fieldKind(field)).show(value, field, context)
}

/**
 * Why a branch was taken, for whoever reads it: labels and values of what its condition read.
 * @param hidden fields that the reader may not see are left out
 */
export async function reasonOf(
  { form, parts, context, values }: Standing,
  read: readonly ReadValue[],
  hidden: (field: string) => boolean,
): Promise<Text | undefined> {
  const shown = read.filter(({ field }) => !hidden(field))
  if (shown.length === 0) return undefined
  const fieldOf = (name: string): FormField | undefined => form.fields[name]
  const wanted: Record<string, string[]> = {}
  for (const { field, value } of shown) {
    const entity = fieldOf(field)?.['x-ref']
    const ids = [value].flat().filter((id): id is string => typeof id === 'string')
    if (entity !== undefined && ids.length > 0) wanted[entity] = [...(wanted[entity] ?? []), ...ids]
  }
  const words = async (locale: 'zh' | 'en'): Promise<string> => {
    const reader = context.kind === 'system' ? systemContext({ now: context.now, locale }) : { ...context, locale }
    const titles = Object.keys(wanted).length === 0 ? {} : await parts.engine.titles(reader, wanted)
    return shown
      .map(({ field, value }) => {
        const label =
          field === AMOUNT && !fieldOf(field) ? IN_CNY : (form.records.model.fields.get(field)?.label ?? { zh: field, en: field })
        const codes = [value].flat().map(String)
        const text = valueText(fieldOf(field) ?? CNY, value, {
          locale,
          timeZone: parts.timeZone,
          record: values,
          dictionary: (name) => codes.map((code) => ({ code, label: parts.engine.dictionaryLabel(name, code) })),
          refTitle: (entity, id) => titles[entity]?.[id]?.title,
        })
        return `${label[locale]} = ${text}`
      })
      .join(locale === 'zh' ? '，' : ', ')
  }
  return { zh: await words('zh'), en: await words('en') }
}
