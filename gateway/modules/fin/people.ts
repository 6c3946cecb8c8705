import { sql } from 'drizzle-orm'
import { tableOf } from '../../entities'
import type { Executor } from '../../platform/database'

/** Ids of the staff at work who have one of the roles (codes of `sys.role`). */
export async function staffOfRoles(db: Executor, roles: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    sql`select distinct s.id from ${sql.raw(tableOf('sys.staff'))} s join ${sql.raw(tableOf('sys.roleMember'))} m on m.staff_id = s.id and m.deleted_at is null join ${sql.raw(tableOf('sys.role'))} r on r.id = m.role_id
      where r.code = any(${sql.param([...roles])}::text[]) and s.status in ('active', 'probation') and s.deleted_at is null`,
  )
  return rows.map(({ id }) => id)
}
