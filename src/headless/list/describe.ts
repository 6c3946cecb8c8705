import { showPlain } from '../plain'
import type { FieldKind, FilterModel } from '../../schema/model'
import type { Host } from '../host'
import { isUnary, type FilterValue } from './query'
import type { ListTexts } from './texts'

const PLAIN_DAY = /^\d{4}-\d{2}-\d{2}$/
const SHOWN_VALUES = 3
const LISTS: readonly FieldKind[] = ['dictionaries', 'countries', 'strings', 'refs', 'files']

/** One value of a filter as a person reads it. `titles` holds the titles of referenced records by id. */
export const valueText = (
  filter: FilterModel,
  value: unknown,
  host: Pick<Host, 'locale' | 'timeZone'>,
  texts: ListTexts,
  titles: Readonly<Record<string, string>>,
): string => {
  const { field } = filter
  if (value === null || value === undefined || value === '') return ''
  if (field.kind === 'boolean') return value === true ? texts.yes : texts.no
  if (field.ref) return titles[String(value)] ?? '…'
  // a moment is also filtered by plain days
  if (field.kind === 'dateTime' && typeof value === 'string' && PLAIN_DAY.test(value))
    return showPlain({ ...field, kind: 'date' }, value, host)
  // Conditions hold single values, also of fields that hold lists.
  return showPlain(field, Array.isArray(value) || !LISTS.includes(field.kind) ? value : [value], host)
}

/** The values of a filter as one short text: "A, B", "1 – 9", "≥ 5". Empty for operators without a value. */
export const filterText = (
  filter: FilterModel,
  given: FilterValue,
  host: Pick<Host, 'locale' | 'timeZone'>,
  texts: ListTexts,
  titles: Readonly<Record<string, string>>,
): string => {
  const { operator, value } = given
  if (given.grouped) return texts.grouped
  if (isUnary(operator)) return texts.operators[operator]
  const show = (entry: unknown): string => valueText(filter, entry, host, texts, titles)
  if (operator === 'between' && Array.isArray(value)) {
    const [from, to] = [show(value[0]), show(value[1])]
    return from && to ? `${from} – ${to}` : from ? `≥ ${from}` : `≤ ${to}`
  }
  const prefix =
    operator === 'notIn' || operator === 'ne'
      ? `${texts.operators[operator]} `
      : operator === 'gte'
        ? '≥ '
        : operator === 'lte'
          ? '≤ '
          : ''
  if (!Array.isArray(value)) return prefix + show(value)
  const rest = value.length - SHOWN_VALUES
  return prefix + value.slice(0, SHOWN_VALUES).map(show).join(texts.listSeparator) + (rest > 0 ? ` +${rest}` : '')
}
