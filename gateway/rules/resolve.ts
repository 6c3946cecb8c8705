import type { RuleSubject } from '../entities'

/** An exception: partial parameters for one target. */
export interface RuleOverride<T> {
  /** A subject of the rule set: staff, department, country, or one of its own. */
  targetType: string
  targetId: string
  params: Partial<T>
}

/** What a subject is of a kind; of departments those from the root down to the own. */
function idsOf({ staffId, deptIds, countryCode, ...others }: RuleSubject, kind: string): readonly string[] {
  if (kind === 'department') return deptIds ?? []
  const id = kind === 'staff' ? staffId : kind === 'country' ? countryCode : others[kind]
  return typeof id === 'string' ? [id] : []
}

/** The parameters that hold for a subject, key by key: exceptions for the first of `kinds` before those for the others, before the version in force, before the defaults. */
export function resolveRule<T extends object>(
  defaults: T,
  set: Partial<T> | null | undefined,
  overrides: readonly RuleOverride<T>[],
  subject: RuleSubject,
  kinds: readonly string[],
): T {
  const exceptions = kinds
    .toReversed()
    .flatMap((kind) =>
      idsOf(subject, kind).flatMap((id) =>
        overrides.filter(({ targetType, targetId }) => targetType === kind && targetId === id).map(({ params }) => params),
      ),
    )
  return mergeParams(defaults, set, ...exceptions)
}

/** Lays partial parameters over full ones, key by key and one level into objects; lists are replaced whole. */
export function mergeParams<T extends object>(base: T, ...layers: readonly (Partial<T> | null | undefined)[]): T {
  return layers.reduce<T>((merged, layer) => {
    if (!layer) return merged
    const next: Record<string, unknown> = Object.fromEntries(Object.entries(merged))
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined || !Object.hasOwn(merged, key)) continue
      const before = next[key]
      next[key] = isPlain(before) && isPlain(value) ? { ...before, ...value } : value
    }
    return next as T
  }, base)
}

/** Stored parameters as this release reads them: entries of a list that were plain values before they became the only member of an object. */
export function presentParams<P extends object>(params: P, defaults: object): P {
  const now = defaults as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const [shape]: unknown[] = Array.isArray(now[name]) ? now[name] : []
      const members = isPlain(shape) ? Object.keys(shape) : []
      if (!Array.isArray(value) || members.length !== 1) return [name, value]
      return [name, value.map((entry: unknown) => (isPlain(entry) ? entry : { [members[0]!]: entry }))]
    }),
  ) as P
}

export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
