import { formatFieldOf, formatOf, type FormatField } from '../schema/formats'
import type { PageField } from '../schema/model'
import type { Host } from './host'
import type { Refs, Row } from './row'

const formatFields = new WeakMap<PageField, FormatField>()
const formatFieldFor = (field: PageField): FormatField => {
  const known = formatFields.get(field)
  if (known) return known
  const made = formatFieldOf(field)
  formatFields.set(field, made)
  return made
}

/** A value as plain text by its kind, for places that draw no markup (numbers, chips, hover, timeline). '' for nothing. */
export const showPlain = (
  field: PageField,
  value: unknown,
  host: Pick<Host, 'locale' | 'timeZone'>,
  record?: Row,
  refs?: Refs,
): string => {
  if (field.dictionary) {
    const { options } = field.dictionary
    const label = (code: unknown): string => options.find((option) => option.code === code)?.label ?? String(code)
    if (value === null || value === undefined || value === '') return ''
    return Array.isArray(value) ? value.map(label).join(host.locale === 'zh' ? '、' : ', ') : label(value)
  }
  return formatOf(field.kind).show(value, formatFieldFor(field), {
    locale: host.locale,
    timeZone: host.timeZone,
    ...(record ? { record } : {}),
    ...(refs ? { refTitle: (entity: string, id: string) => refs[entity]?.[id]?.title } : {}),
  })
}
