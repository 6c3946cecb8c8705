import type { EntityService } from '../../entities'
import type { Executor } from '../../platform/database'
import { ServiceError } from '../../platform/http'

/** A process whose current version names a role. */
export interface RoleUse {
  processId: string
  code: string
  nameZh: string
  nameEn: string
}

/** Processes that ask the members of an approval role in the version that new applications take. */
export async function usesOfRole(db: Executor, role: string): Promise<RoleUse[]> {
  const { rows } = await db.query<RoleUse>(
    `select p.id as "processId", p.code, p.name_zh as "nameZh", p.name_en as "nameEn"
       from wf_process p join wf_process_version v on v.id = p.current_version_id
      where p.deleted_at is null and position($1 in v.document) > 0 order by p.sort, p.code`,
    [`"role":${JSON.stringify(role)}`],
  )
  return rows
}

/** An approval role goes only when no current version of a process asks it (money 7.6). */
export const roleService: EntityService = {
  beforeDelete: async ({ tx, record }) => {
    const uses = await usesOfRole(tx, String(record['code']))
    if (uses.length === 0) return
    throw new ServiceError('transitionRefused', {
      message: {
        zh: `角色正被流程使用：${uses.map(({ nameZh }) => nameZh).join('、')}。请先在流程中改用其他角色，或停用该角色。`,
        en: `Processes ask this role: ${uses.map(({ nameEn }) => nameEn).join(', ')}. Name another role there first, or disable this one.`,
      },
      data: { transition: 'delete', reason: 'inUse', processes: uses },
    })
  },
}
