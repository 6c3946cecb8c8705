import { compileFresh } from '../../../schema/compile'
import { PRESENT_VERSION } from '../../../schema/migrate'
import type { DictionaryDocument } from '../../../schema/generated/dictionary'
import type { FieldKind, FilterModel, FilterOperator } from '../../../schema/model'
import type { Locale } from '../../../schema/problem'
import type { Entities } from './labels'

interface Known {
  entities: Entities
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  locale: Locale
}

const EVERYTHING = { has: () => true }

/** The filter by a field as a list of its entity has it; undefined where no list can have it. */
export const filterBy = (entity: string, field: string, { entities, dictionaries, locale }: Known): FilterModel | undefined => {
  const title = { zh: '', en: '' }
  const result = compileFresh(
    {
      page: {
        formatVersion: PRESENT_VERSION,
        kind: 'list',
        name: '',
        title,
        entity,
        columns: [],
        filters: [{ field }],
        rest: false,
      },
      where: entity,
      revision: '',
      entities,
      dictionaries,
    },
    { locale, permissions: EVERYTHING, companyTimeZone: 'UTC' },
  )
  return result.ok && result.model.kind === 'list' ? result.model.body.filters[0] : undefined
}

/** Kinds whose value is typed as it is: an expression among them is typed the same way. */
const TYPED: ReadonlySet<FieldKind> = new Set(['string', 'text', 'email', 'phone', 'url', 'currency', 'mccmnc'])
/** Kinds whose values only their own control in a form can make. */
const MADE: ReadonlySet<FieldKind> = new Set(['richText', 'json', 'file', 'files'])
const LISTS: ReadonlySet<FieldKind> = new Set(['dictionaries', 'refs', 'countries', 'strings'])
const LIST_OPERATORS: ReadonlySet<FilterOperator> = new Set(['in', 'notIn', 'overlaps'])

/** How a value of a field is given. */
export type ValueForm = 'typed' | 'chosen'

/** What is compared: with a list of values nothing is typed as one text. */
export const comparedForm = ({ field, operator }: FilterModel): ValueForm | undefined =>
  MADE.has(field.kind) ? undefined : TYPED.has(field.kind) && !LIST_OPERATORS.has(operator) ? 'typed' : 'chosen'

/** The value that a field begins with: one, or a list where the field holds a list; no longer one that is retired. */
export const beginningOf = (filter: FilterModel): FilterModel | undefined => {
  const { kind, dictionary } = filter.field
  // A moment is more than the day that a filter asks for.
  if (MADE.has(kind) || kind === 'dateTime') return undefined
  const field = dictionary
    ? { ...filter.field, dictionary: { ...dictionary, options: dictionary.options.filter(({ retired }) => !retired) } }
    : filter.field
  return { ...filter, field, operator: LISTS.has(kind) ? 'in' : 'eq' }
}

export type Moment =
  'today' | 'yesterday' | 'week' | 'month' | 'weekAgo' | 'monthAgo' | 'inWeek' | 'thisMonth' | 'lastMonth' | 'me'

const day = (expression: string): string => `{{ ${expression} }}`
const FIRST = "concat(slice(today, 0, 8), '01')"
const TODAY = day('today')
const DAYS: Readonly<Record<'one' | 'from' | 'to' | 'between', readonly (readonly [Moment, unknown])[]>> = {
  one: [
    ['today', TODAY],
    ['yesterday', day('addDays(today, -1)')],
  ],
  from: [
    ['today', TODAY],
    ['weekAgo', day('addDays(today, -6)')],
    ['monthAgo', day('addDays(today, -29)')],
    ['thisMonth', day(FIRST)],
    ['lastMonth', day(`addMonths(${FIRST}, -1)`)],
  ],
  to: [
    ['today', TODAY],
    ['inWeek', day('addDays(today, 6)')],
    ['thisMonth', day(`addDays(addMonths(${FIRST}, 1), -1)`)],
    ['lastMonth', day(`addDays(${FIRST}, -1)`)],
  ],
  between: [
    ['today', [TODAY, TODAY]],
    ['week', [day('addDays(today, -6)'), TODAY]],
    ['month', [day('addDays(today, -29)'), TODAY]],
    ['thisMonth', [day(FIRST), day(`addDays(addMonths(${FIRST}, 1), -1)`)]],
    ['lastMonth', [day(`addMonths(${FIRST}, -1)`), day(`addDays(${FIRST}, -1)`)]],
  ],
}

/** Values that depend on who looks and on which day, as they are written in the document. */
export const relativeValues = ({
  field,
  operator,
}: Pick<FilterModel, 'field' | 'operator'>): readonly (readonly [Moment, unknown])[] => {
  if (field.ref?.entity === 'sys.staff') {
    const me = day('user.staffId')
    return [['me', LIST_OPERATORS.has(operator) ? [me] : me]]
  }
  if (field.kind !== 'date' && field.kind !== 'dateTime') return []
  return DAYS[operator === 'between' ? 'between' : operator === 'gte' ? 'from' : operator === 'lte' ? 'to' : 'one']
}

/** It holds an expression somewhere: it is no value that a control could show. */
export const isComputed = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes('{{') : Array.isArray(value) && value.some(isComputed)
