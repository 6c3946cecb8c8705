import type { RuleSource } from '../../../entities'
import { madeOnce, type Executor } from '../../../platform/database'
import { dayOf } from '../rules/companyDay'
import { resolveRule, type RuleOverride, type RuleSubject } from '../rules/resolve'
import { CRM_RULE_DEFAULTS, presentParams, type CrmRuleKey, type CrmRules } from '../rules/ruleSets'

export type { RuleSubject } from '../rules/resolve'

/** A rule as it stands at a moment: the version in force and the exceptions that have not ended. */
export interface RuleBook<K extends CrmRuleKey> {
  /** Parameters of the version in force; null = the defaults. */
  set: Partial<CrmRules[K]> | null
  /** Number of the version in force; 0 = the defaults. */
  versionNo: number
  overrides: readonly RuleOverride<CrmRules[K] & object>[]
}

export async function ruleBook<K extends CrmRuleKey>(db: Executor, key: K, now: Date): Promise<RuleBook<K>> {
  const { rows: sets } = await db.query<{ params: Partial<CrmRules[K]>; versionNo: number | null }>(
    `select params, version_no as "versionNo" from sys_rule_set where key = $1 and effective_from <= $2 and deleted_at is null
     order by effective_from desc, created_at desc limit 1`,
    [key, now.toISOString()],
  )
  const { rows: overrides } = await db.query<RuleOverride<CrmRules[K] & object>>(
    `select target_type as "targetType", target_id as "targetId", params from sys_rule_override
     where rule_key = $1 and deleted_at is null and (until is null or until >= $2::date)`,
    [key, dayOf(now, db.companyTimeZone)],
  )
  const [set] = sets
  return {
    set: set ? presentParams(set.params) : null,
    versionNo: Number(set?.versionNo ?? 0),
    overrides: overrides.map((one) => ({ ...one, params: presentParams(one.params) })),
  }
}

/** The parameters of a book that hold for a subject; without one those of the version in force, or the defaults. */
export const paramsOf = <K extends CrmRuleKey>(
  key: K,
  { set, overrides }: Pick<RuleBook<K>, 'set' | 'overrides'>,
  subject: RuleSubject = {},
): CrmRules[K] => resolveRule(CRM_RULE_DEFAULTS[key] as CrmRules[K] & object, set, overrides, subject)

/** The parameters of a rule that hold now for a subject; departments of a member of staff are looked up when they matter. */
export function ruleFor<K extends CrmRuleKey>(db: Executor, key: K, now: Date, subject: RuleSubject = {}): Promise<CrmRules[K]> {
  return madeOnce(db, `${key} ${now.getTime()} ${JSON.stringify(subject)}`, () => readRule(db, key, now, subject))
}

async function readRule<K extends CrmRuleKey>(db: Executor, key: K, now: Date, subject: RuleSubject): Promise<CrmRules[K]> {
  const book = await ruleBook(db, key, now)
  const byDepartment = book.overrides.some((one) => one.targetType === 'department')
  const deptIds =
    subject.deptIds ??
    (byDepartment && subject.staffId ? (await departmentsOf(db, [subject.staffId])).get(subject.staffId) : undefined)
  return paramsOf(key, book, { ...subject, ...(deptIds ? { deptIds } : {}) })
}

/** The parameters of a rule set as look-ups of the language read them; the usage of the limits by members of staff is asked for like one. */
export const crmRuleSource: RuleSource = async (db, name, now, asked) => {
  if (!Object.hasOwn(CRM_RULE_DEFAULTS, name)) throw new Error(`There is no rule set "${name}".`)
  const key = name as CrmRuleKey
  const book = await ruleBook(db, key, now)
  const byDepartment = book.overrides.some((one) => one.targetType === 'department')
  const staffIds = asked.map(({ staffId }) => staffId)
  const departments = byDepartment ? await departmentsOf(db, staffIds) : new Map<string, readonly string[]>()
  return asked.map((subject) => ({ ...paramsOf(key, book, { ...subject, deptIds: departments.get(subject.staffId) ?? [] }) }))
}

/** Mail domains that prove no identity, or that several customers share. */
export async function sharedDomains(db: Executor, now: Date): Promise<readonly string[]> {
  return (await ruleFor(db, 'crm.domain', now)).domains.map(({ domain }) => domain)
}

/** Departments of members of staff, from the root down to their main one. */
export async function departmentsOf(db: Executor, staffIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await db.query<{ id: string; path: string | null }>(
    `select s.id, d.path from sys_staff s left join sys_department d on d.id = s.main_dept_id where s.id = any($1::text[])`,
    [staffIds],
  )
  return new Map(rows.map(({ id, path }) => [id, (path ?? '').split('/').filter(Boolean)]))
}
