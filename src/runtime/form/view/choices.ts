import type { PageField, FormNodeModel } from '../../../schema/model'
import type { Choice } from '../controls/control'

const isChoiceLike = (
  value: unknown,
): value is { label?: unknown; value?: unknown; disabled?: unknown; retired?: unknown; color?: unknown } =>
  value !== null && typeof value === 'object'

const NONE: readonly Choice[] = []
const NO_FIELD = {}
const NO_SOURCE: readonly unknown[] = []
const made = new WeakMap<object, WeakMap<readonly unknown[], readonly Choice[]>>()

const choiceOf = (entry: unknown): Choice => {
  const value = isChoiceLike(entry) ? entry.value : entry
  const label = isChoiceLike(entry) ? entry.label : entry
  return {
    value: typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? ''),
    label: String(label ?? value ?? ''),
    ...(isChoiceLike(entry) && entry.disabled === true ? { disabled: true } : {}),
    ...(isChoiceLike(entry) && entry.retired === true ? { retired: true } : {}),
    ...(isChoiceLike(entry) && typeof entry.color === 'string' ? { color: entry.color } : {}),
  }
}

const make = (source: readonly unknown[], field: PageField | undefined): readonly Choice[] => {
  const options = field?.dictionary?.options ?? []
  const given =
    source.length > 0
      ? source.map(choiceOf)
      : options.filter(({ retired }) => !retired).map(({ code, label }): Choice => ({ value: code, label }))
  const colors = new Map(options.map(({ code, color }) => [code, color]))
  const known = new Set(given.map(({ value }) => value))
  const rest = options
    .filter(({ code }) => !known.has(code))
    .map(({ code, label }): Choice => ({ value: code, label, retired: true }))
  const coloured = given.map((choice): Choice => {
    const color = choice.color ?? colors.get(String(choice.value))
    return color ? { ...choice, color } : choice
  })
  return [...coloured, ...rest]
}

/**
 * What can be chosen in a field: its own list (`enum`, or set by a linkage), else the dictionary of its entity field. Values of
 * the dictionary that are not offered (retired, or left out by a linkage) follow, so that a record that holds one shows its name.
 */
export const choicesOf = (given: FormNodeModel['enum'] | readonly unknown[], field: PageField | undefined): readonly Choice[] => {
  // an expression is answered by the field, once it is planted
  const source = typeof given === 'string' ? undefined : given
  if ((!source || source.length === 0) && !field?.dictionary) return NONE
  const list = source ?? NO_SOURCE
  const owner = field ?? NO_FIELD
  let bySource = made.get(owner)
  if (!bySource) made.set(owner, (bySource = new WeakMap()))
  let choices = bySource.get(list)
  if (!choices) bySource.set(list, (choices = make(list, field)))
  return choices
}

/** The choices that a list offers: all but the retired ones that are not chosen. */
export const offered = (
  choices: readonly Choice[],
  chosen: readonly unknown[],
): { label: string; value: Choice['value']; disabled?: boolean }[] =>
  choices.flatMap(({ label, value, disabled, retired }) =>
    retired && !chosen.includes(value) ? [] : [{ label, value, ...(disabled || retired ? { disabled: true } : {}) }],
  )

/** Of a list that what is typed finds elsewhere: how it asks. */
export const searchedBy = ({
  onSearch,
}: Readonly<Record<string, unknown>>): { found?: true; onSearch?: (typed: string) => void } =>
  typeof onSearch === 'function' ? { found: true, onSearch: onSearch as (typed: string) => void } : {}
