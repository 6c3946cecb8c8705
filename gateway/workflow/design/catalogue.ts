import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { ProcessDocument } from '../../../src/schema/generated/process'
import { walkNodes } from '../../../src/schema/process'
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
  /** What modules can do in effects, by the processes that have it done: `with` holds what they give. */
  verbs: { name: string; usedBy: Text[]; with: Readonly<Record<string, unknown>> }[]
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
  const [roles, portalRoles, processes, forms, departments, current] = await Promise.all([
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
    database.query<{ document: string }>(
      `select v.document from wf_process p join wf_process_version v on v.id = p.current_version_id where p.deleted_at is null order by p.sort, p.code`,
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
    verbs: verbsOf(current.rows.map(({ document }) => JSON.parse(document) as ProcessDocument)),
    permissions: [...context.permissions].sort(),
  }
}

/** Effects of modules that the processes take, by name. */
function verbsOf(processes: readonly ProcessDocument[]): Catalogue['verbs'] {
  const verbs = new Map<string, Catalogue['verbs'][number]>()
  for (const process of processes) {
    const effects = [
      ...Object.values(process.effects ?? {}).flat(),
      ...[...walkNodes(process)].flatMap((node) => node.effects ?? []),
    ]
    for (const { do: name, with: given } of effects) {
      if (!name.includes('.')) continue
      const known = verbs.get(name)
      const usedBy = (known?.usedBy ?? []).filter(({ zh }) => zh !== process.label.zh)
      verbs.set(name, { name, usedBy: [...usedBy, process.label], with: { ...given, ...known?.with } })
    }
  }
  return [...verbs.values()].sort((one, other) => one.name.localeCompare(other.name))
}
