import type { Executor } from '../../../platform/database'
import { CRM_RULE_DEFAULTS, mergeParams, type CrmRuleKey, type CrmRules } from '../rules/ruleSets'

/** For whom a rule is read: overrides of staff win over those of the nearest department, then level, then country. */
export interface RuleSubject {
  staffId?: string
  /** Departments from the root down to the person's own. */
  deptIds?: readonly string[]
  level?: string
  countryCode?: string
}

/** The parameters of a rule that hold now for a subject. */
export async function ruleFor<K extends CrmRuleKey>(
  db: Executor,
  key: K,
  now: Date,
  subject: RuleSubject = {},
): Promise<CrmRules[K]> {
  const { rows: sets } = await db.query<{ params: Partial<CrmRules[K]> }>(
    `select params from sys_rule_set where key = $1 and effective_from <= $2 and deleted_at is null order by effective_from desc limit 1`,
    [key, now.toISOString()],
  )
  const { rows: overrides } = await db.query<{ targetType: string; targetId: string; params: Partial<CrmRules[K]> }>(
    `select target_type as "targetType", target_id as "targetId", params from sys_rule_override
     where rule_key = $1 and deleted_at is null and (until is null or until >= $2::date)`,
    [key, now.toISOString().slice(0, 10)],
  )
  const matching = (type: string, id: string | undefined): Partial<CrmRules[K]>[] =>
    id === undefined ? [] : overrides.filter((one) => one.targetType === type && one.targetId === id).map((one) => one.params)
  return mergeParams(
    CRM_RULE_DEFAULTS[key] as CrmRules[K] & object,
    sets[0]?.params,
    ...matching('country', subject.countryCode),
    ...matching('level', subject.level),
    ...(subject.deptIds ?? []).flatMap((id) => matching('department', id)),
    ...matching('staff', subject.staffId),
  )
}
