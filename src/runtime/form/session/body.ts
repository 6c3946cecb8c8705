import type { FormModel, FormNodeModel, Scope } from '../../../schema/model'

/** ArrayTable of Formily writes it into rows; documents saved by older portals may hold it. It is never sent. */
const ROW_INDEX = '__DO_NOT_USE_THIS_PROPERTY_index__'

type Values = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Values =>
  value !== null &&
  typeof value === 'object' &&
  (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)

/** Values as they travel: no row marks, empty text is nothing. */
export const clean = (value: unknown): unknown => {
  if (value === '' || value === undefined) return null
  if (Array.isArray(value)) return value.map(clean)
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name === ROW_INDEX ? [] : [[name, clean(member)] as const])),
  )
}

/** True when two values mean the same to the server. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(clean(a))) === JSON.stringify(sorted(clean(b)))

/** Members in one order: the order in which they were written means nothing. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)] as const),
  )
}

/** Members of `now` that differ from `before`; what is not there any more is null. */
export const changesOf = (before: Values, now: Values): Record<string, unknown> => {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return Object.fromEntries(
    [...names].flatMap((name) => (isSame(before[name], now[name]) ? [] : [[name, clean(now[name])] as const])),
  )
}

const withoutNothing = (values: Values): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/** Names of what a form only shows: text without a field of the entity. The entity knows nothing of it, so it is not sent. */
const shownOnly = ({ properties = {} }: FormNodeModel): string[] =>
  Object.entries(properties).flatMap(([name, node]) => {
    if (node.type === 'void') return shownOnly(node)
    return node['x-pattern'] === 'readPretty' && !node['x-field'] ? [name] : []
  })

const without = (values: Values, names: readonly string[]): Values =>
  names.length === 0 ? values : Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** What the opener gave to be sent; names with `$` are only for the controls of the form. */
const toSend = (given: Values): Values => Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('$')))

export interface Submission {
  model: FormModel
  /** Id of the record that is edited. */
  id: string | undefined
  version: number | undefined
  /** What the form held before anybody touched it. */
  baseline: Values
  values: Values
  /** What the opener gave and the form has no field for (the ids of a bulk action). */
  given: Values
  /** Why a likely duplicate is saved anyway. */
  duplicateReason?: string | undefined
  scope: Scope
}

/**
 * The body of the submission. A page with `params` says it itself; a transition goes to stateUpdate's shape; else only what
 * changed is sent for a record, and what was filled in for a new one.
 */
export const bodyOf = ({
  model,
  id,
  version,
  baseline,
  values,
  given,
  duplicateReason,
  scope,
}: Submission): Record<string, unknown> => {
  const reason = duplicateReason ? { duplicateReason } : {}
  const cleaned = clean(values) as Record<string, unknown>
  if (model.submit.params) {
    const params = clean(model.submit.params({ ...scope, values: { ...given, ...cleaned }, $values: cleaned })) as Values
    // after a stale save the form knows a newer version than the one that its opener gave
    const newer = 'version' in params && version !== undefined ? { version } : {}
    return { ...params, ...newer, ...reason }
  }
  const shown = model.entity === undefined ? [] : shownOnly(model.schema)
  const sent = without(cleaned, shown)
  const versioned = version === undefined ? {} : { version }
  if (model.submit.transition) {
    return {
      ...withoutNothing(sent),
      ...(id ? { ids: [id] } : {}),
      ...toSend(given),
      transition: model.submit.transition,
      ...versioned,
      ...reason,
    }
  }
  if (id) return { ...changesOf(without(baseline, shown), without(values, shown)), id, ...versioned, ...reason }
  return { ...withoutNothing(clean(toSend(given)) as Values), ...withoutNothing(sent), ...reason }
}

/** Fills `{id}` and other names of a path from values; a name without a value stays out. */
export const pathOf = (path: string, values: Values): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
