import { newId, type Executor, type Transaction } from '../platform/database'
import type { Locale, RequestContext } from '../platform/http'
import { RULE_DEFAULTS, type RuleKey } from './book'
import { presentParams } from './resolve'

export interface RuleVersion {
  id: string
  versionNo: number
  params: Record<string, unknown>
  effectiveFrom: string
  changedBy: string | null
  byName: string | null
  changeReason: string
  createdAt: string
}

/** All versions of a rule, the newest first; names of people in the language of the reader. */
export async function versionsOf(db: Executor, key: RuleKey, locale: Locale): Promise<RuleVersion[]> {
  const { rows } = await db.query<RuleVersion>(
    `select r.id, coalesce(r.version_no, 0) as "versionNo", r.params, r.effective_from as "effectiveFrom", r.changed_by as "changedBy",
       case when $2 = 'en' and s.name_en <> '' then s.name_en else s.name end || ' (' || s.job_number || ')' as "byName",
       r.change_reason as "changeReason", r.created_at as "createdAt"
     from sys_rule_set r left join sys_staff s on s.id = r.changed_by where r.key = $1 and r.deleted_at is null
     order by r.version_no desc, r.created_at desc limit 200`,
    [key, locale],
  )
  return rows.map((row) => ({ ...row, params: presentParams(row.params, RULE_DEFAULTS[key]), versionNo: Number(row.versionNo) }))
}

/** Appends a version; the caller holds the rule's lock. */
export async function addVersion(
  tx: Transaction,
  context: RequestContext,
  version: { key: string; versionNo: number; params: object; reason: string; effectiveFrom: string },
): Promise<void> {
  const at = context.now.toISOString()
  await tx.query(
    `insert into sys_rule_set (id, key, version_no, params, effective_from, changed_by, change_reason, created_at, created_by, updated_at, updated_by, version)
     values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $6, $8, $6, 1)`,
    [
      newId(),
      version.key,
      version.versionNo,
      JSON.stringify(version.params),
      version.effectiveFrom,
      context.user.staffId,
      version.reason,
      at,
    ],
  )
}

export interface OverrideRow {
  id: string
  targetType: string
  targetId: string
  target: string
  params: Record<string, unknown>
  until: string | null
  reason: string | null
}

/** Exceptions of a rule; names of their targets in the language of the reader. */
export async function overridesOf(db: Executor, key: RuleKey, locale: Locale): Promise<OverrideRow[]> {
  const { rows } = await db.query<OverrideRow>(
    `select o.id, o.target_type as "targetType", o.target_id as "targetId", o.params, o.until::text as until, o.reason,
       coalesce(case when $2 = 'en' and s.name_en <> '' then s.name_en else s.name end || ' (' || s.job_number || ')',
         case when $2 = 'en' and d.name_en <> '' then d.name_en else d.name end, o.target_id) as target
     from sys_rule_override o left join sys_staff s on o.target_type = 'staff' and s.id = o.target_id
       left join sys_department d on o.target_type = 'department' and d.id = o.target_id
     where o.rule_key = $1 and o.deleted_at is null order by o.target_type, target`,
    [key, locale],
  )
  return rows.map((row) => ({ ...row, params: presentParams(row.params, RULE_DEFAULTS[key]) }))
}

/** Sets an exception in the place of the one that its target has. */
export async function setOverride(
  tx: Transaction,
  { now, user }: RequestContext,
  override: { key: RuleKey; targetType: string; targetId: string; params: object; until: string | undefined; reason: string },
): Promise<void> {
  const { key, targetType, targetId, params, until, reason } = override
  const at = now.toISOString()
  await tx.query(
    `update sys_rule_override set deleted_at = $4 where rule_key = $1 and target_type = $2 and target_id = $3 and deleted_at is null`,
    [key, targetType, targetId, at],
  )
  await tx.query(
    `insert into sys_rule_override (id, rule_key, target_type, target_id, params, until, reason, created_at, created_by, updated_at, updated_by, version)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $8, $9, 1)`,
    [newId(), key, targetType, targetId, JSON.stringify(params), until ?? null, reason, at, user.staffId],
  )
}

/** Ends an exception; false when there is none. */
export async function endOverride(db: Executor, { now, user }: RequestContext, key: RuleKey, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sys_rule_override set deleted_at = $3, updated_at = $3, updated_by = $4 where id = $1 and rule_key = $2 and deleted_at is null`,
    [id, key, now.toISOString(), user.staffId],
  )
  return rowCount > 0
}
