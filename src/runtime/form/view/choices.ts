import type { FieldModel } from '../../../schema/model'
import type { Choice } from '../controls/registry'

const isChoiceLike = (value: unknown): value is { label?: unknown; value?: unknown; disabled?: unknown; color?: unknown } =>
  value !== null && typeof value === 'object'

const NONE: readonly Choice[] = []
const ofField = new WeakMap<FieldModel, readonly Choice[]>()
const ofSource = new WeakMap<readonly unknown[], readonly Choice[]>()

/** What can be chosen in a field: its own list (`enum`, or set by a linkage), else the dictionary of its entity field. */
export const choicesOf = (source: readonly unknown[] | undefined, field: FieldModel | undefined): readonly Choice[] => {
  if (source && source.length > 0) {
    const known = ofSource.get(source)
    if (known) return known
    const made = source.map((entry): Choice => {
      const value = isChoiceLike(entry) ? entry.value : entry
      const label = isChoiceLike(entry) ? entry.label : entry
      return {
        value: typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? ''),
        label: String(label ?? value ?? ''),
        ...(isChoiceLike(entry) && entry.disabled === true ? { disabled: true } : {}),
        ...(isChoiceLike(entry) && typeof entry.color === 'string' ? { color: entry.color } : {}),
      }
    })
    ofSource.set(source, made)
    return made
  }
  if (!field?.dictionary) return NONE
  const known = ofField.get(field)
  if (known) return known
  const made = field.dictionary.options.map(({ code, label, color, retired }): Choice => ({
    value: code,
    label,
    ...(color ? { color } : {}),
    ...(retired ? { disabled: true } : {}),
  }))
  ofField.set(field, made)
  return made
}
