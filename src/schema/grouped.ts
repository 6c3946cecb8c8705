import type { FieldKind } from './model'

const CHOICES: ReadonlySet<FieldKind> = new Set(['dictionary', 'boolean', 'country', 'currency', 'ref'])
const DAYS: ReadonlySet<FieldKind> = new Set(['date', 'dateTime'])

/** How rows of a list are grouped by a field of a kind: by its value, a day by its month; undefined: not at all. */
export const groupedAs = (kind: FieldKind): 'value' | 'month' | undefined =>
  CHOICES.has(kind) ? 'value' : DAYS.has(kind) ? 'month' : undefined
