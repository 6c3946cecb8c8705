import type { Executor } from '../../platform/database'

/** Dimensions by which members of an approval role are narrowed: codes of the dictionary roleScope. */
export type RoleDimension = 'dept' | 'product' | 'entity' | 'country'

/** By dimension what an application is about. A dimension that is not there narrows nobody; an empty one only those who are scoped by it. */
export type ScopeValues = Readonly<Partial<Record<RoleDimension, string | readonly string[] | null>>>

interface MemberRow {
  staffId: string
  scopeType: 'all' | RoleDimension
  scopeIds: string[] | null
}

/**
 * Ids of the members of an approval role whose scope covers an application, in their order (money 7.1 `wf.role`). A department covers those
 * below it. Who has left or may not sign in is no member; a disabled role, or one that does not exist, has none.
 */
export async function membersOf(db: Executor, role: string, values: ScopeValues = {}): Promise<string[]> {
  const { rows } = await db.query<MemberRow>(
    `select m.staff_id as "staffId", m.scope_type as "scopeType", m.scope_ids as "scopeIds"
       from wf_role r join wf_role_member m on m.role_id = r.id and m.deleted_at is null
       join sys_staff s on s.id = m.staff_id and s.deleted_at is null and s.status <> 'left' and s.sign_in_disabled is not true
      where r.code = $1 and r.state = 'enabled' and r.deleted_at is null order by m.position`,
    [role],
  )
  const wantsDepartments = values.dept !== undefined && rows.some(({ scopeType }) => scopeType === 'dept')
  const departments = wantsDepartments ? await withThoseAbove(db, listOf(values.dept)) : []
  const covers = ({ scopeType, scopeIds }: MemberRow): boolean => {
    if (scopeType === 'all' || values[scopeType] === undefined) return true
    const about = scopeType === 'dept' ? departments : listOf(values[scopeType])
    return about.some((value) => scopeIds?.includes(value))
  }
  return [...new Set(rows.filter(covers).map(({ staffId }) => staffId))]
}

const listOf = (value: string | readonly string[] | null | undefined): readonly string[] =>
  value === null || value === undefined || value === '' ? [] : typeof value === 'string' ? [value] : value

async function withThoseAbove(db: Executor, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with recursive above as (
       select id, parent_id from sys_department where id = any($1) and deleted_at is null
       union select d.id, d.parent_id from sys_department d join above on d.id = above.parent_id where d.deleted_at is null)
     select id from above`,
    [ids],
  )
  return rows.map(({ id }) => id)
}
