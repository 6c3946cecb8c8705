import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { RequestContext, Text } from '../../platform/http'
import type { WorkflowParts } from '../parts'

/** What a designer chooses from. */
export interface Catalogue {
  entities: readonly EntityDocument[]
  dictionaries: readonly DictionaryDocument[]
  /** Approval roles in use, with the number of their members. */
  roles: { code: string; name: Text; memberCount: number }[]
  /** Roles of the portal. */
  portalRoles: { code: string; name: Text }[]
  processes: { code: string; name: Text }[]
  /** `uses`: processes that use it. */
  forms: { id: string; code: string; name: Text; uses: number }[]
  departments: { id: string; name: string }[]
  /** Permission keys that the caller holds. */
  permissions: string[]
}

interface Named extends Record<string, unknown> {
  id: string
  code: string
  zh: string
  en: string | null
}

const nameOf = ({ zh, en }: Pick<Named, 'zh' | 'en'>): Text => ({ zh, en: en ?? zh })

/** The catalogue as it stands: documents in force, and the rows that are not deleted. */
export async function catalogueOf({ database, schemas }: WorkflowParts, context: RequestContext): Promise<Catalogue> {
  const [roles, portalRoles, processes, forms, departments] = await Promise.all([
    database.query<Named & { members: number }>(
      `select r.id, r.code, r.name_zh as zh, r.name_en as en, count(distinct m.staff_id) as members
         from wf_role r left join wf_role_member m on m.role_id = r.id and m.deleted_at is null
        where r.state = 'enabled' and r.deleted_at is null group by r.id order by r.sort, r.code`,
    ),
    database.query<Named>(`select id, code, name as zh, name_en as en from sys_role where deleted_at is null order by code`),
    database.query<Named>(
      `select id, code, name_zh as zh, name_en as en from wf_process where deleted_at is null order by sort, code`,
    ),
    database.query<Named & { uses: number }>(
      `select f.id, f.code, f.name_zh as zh, f.name_en as en,
         (select count(*) from wf_process p where p.form_id = f.id and p.deleted_at is null) as uses
       from wf_form f where f.state = 'enabled' and f.deleted_at is null order by f.sort, f.code`,
    ),
    database.query<{ id: string; name: string }>(
      `select id, name from sys_department where deleted_at is null order by path limit 2000`,
    ),
  ])
  return {
    entities: schemas.entities,
    dictionaries: schemas.dictionaries,
    roles: roles.rows.map((row) => ({ code: row.code, name: nameOf(row), memberCount: Number(row.members) })),
    portalRoles: portalRoles.rows.map((row) => ({ code: row.code, name: nameOf(row) })),
    processes: processes.rows.map((row) => ({ code: row.code, name: nameOf(row) })),
    forms: forms.rows.map((row) => ({ id: row.id, code: row.code, name: nameOf(row), uses: Number(row.uses) })),
    departments: departments.rows.map(({ id, name }) => ({ id, name })),
    permissions: [...context.permissions].sort(),
  }
}
