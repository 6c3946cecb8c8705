import { newId, type Executor, type Transaction } from '../../../platform/database'
import type { Locale, RequestContext } from '../../../platform/http'
import { presentParams } from '../rules/ruleSets'

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
export async function versionsOf(db: Executor, key: string, locale: Locale): Promise<RuleVersion[]> {
  const { rows } = await db.query<RuleVersion>(
    `select r.id, coalesce(r.version_no, 0) as "versionNo", r.params, r.effective_from as "effectiveFrom", r.changed_by as "changedBy",
       case when $2 = 'en' and s.name_en <> '' then s.name_en else s.name end || ' (' || s.job_number || ')' as "byName",
       r.change_reason as "changeReason", r.created_at as "createdAt"
     from sys_rule_set r left join sys_staff s on s.id = r.changed_by where r.key = $1 and r.deleted_at is null
     order by r.version_no desc, r.created_at desc limit 200`,
    [key, locale],
  )
  return rows.map((row) => ({ ...row, params: presentParams(row.params), versionNo: Number(row.versionNo) }))
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
export async function overridesOf(db: Executor, key: string, locale: Locale): Promise<OverrideRow[]> {
  const { rows } = await db.query<OverrideRow>(
    `select o.id, o.target_type as "targetType", o.target_id as "targetId", o.params, o.until::text as until, o.reason,
       coalesce(case when $2 = 'en' and s.name_en <> '' then s.name_en else s.name end || ' (' || s.job_number || ')',
         case when $2 = 'en' and d.name_en <> '' then d.name_en else d.name end, o.target_id) as target
     from sys_rule_override o left join sys_staff s on o.target_type = 'staff' and s.id = o.target_id
       left join sys_department d on o.target_type = 'department' and d.id = o.target_id
     where o.rule_key = $1 and o.deleted_at is null order by o.target_type, target`,
    [key, locale],
  )
  return rows.map((row) => ({ ...row, params: presentParams(row.params) }))
}
