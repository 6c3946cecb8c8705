import { mergeParams } from './ruleSets'

/** For whom a rule is read. */
export interface RuleSubject {
  staffId?: string
  /** Departments from the root down to the person's own. */
  deptIds?: readonly string[]
  level?: string
  countryCode?: string
}
export type TargetType = 'staff' | 'department' | 'level' | 'country'
/** An exception: partial parameters for one target. */
export interface RuleOverride<T> {
  targetType: string
  targetId: string
  params: Partial<T>
}

/**
 * The parameters that hold for a subject, key by key: staff before the nearest department before level before country before
 * the rule set before the defaults.
 */
export function resolveRule<T extends object>(
  defaults: T,
  set: Partial<T> | null | undefined,
  overrides: readonly RuleOverride<T>[],
  subject: RuleSubject,
): T {
  const of = (type: TargetType, id: string | undefined): Partial<T>[] =>
    id === undefined ? [] : overrides.filter((one) => one.targetType === type && one.targetId === id).map((one) => one.params)
  return mergeParams(
    defaults,
    set,
    ...of('country', subject.countryCode),
    ...of('level', subject.level),
    ...(subject.deptIds ?? []).flatMap((id) => of('department', id)),
    ...of('staff', subject.staffId),
  )
}
