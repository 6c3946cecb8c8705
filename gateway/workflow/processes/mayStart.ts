import type { ProcessDocument } from '../../../src/schema/generated/process'
import type { LiveSchemas } from '../../pages'
import type { Executor } from '../../platform/database'
import { can, type RequestContext } from '../../platform/http'
import { membersOf } from '../roles/members'

type Startable = Pick<ProcessDocument, 'startScope' | 'path'>

/**
 * Whether somebody may start a process (`startScope`): an approval role or a role of the portal, a department or one above, he himself, or a
 * key. Without a scope whoever may open its apply page.
 */
export async function mayStart(
  { db, schemas }: { db: Executor; schemas: Pick<LiveSchemas, 'page'> },
  context: RequestContext,
  { startScope, path }: Startable,
): Promise<boolean> {
  if (context.kind === 'system') return true
  if (!startScope) {
    const key = path === undefined ? undefined : schemas.page(path)?.document.permission
    return key === undefined || can(context, key)
  }
  const { staffId, roleCodes, deptIds } = context.user
  for (const scope of startScope) {
    if ('permission' in scope && can(context, scope.permission)) return true
    if ('staff' in scope && scope.staff === staffId) return true
    if ('role' in scope && (roleCodes.includes(scope.role) || (await membersOf(db, scope.role)).includes(staffId))) return true
    if ('department' in scope && (await isBelow(db, deptIds, scope.department))) return true
  }
  return false
}

async function isBelow(db: Executor, deptIds: readonly string[], top: string): Promise<boolean> {
  if (deptIds.includes(top)) return true
  const { rowCount } = await db.query(
    `with recursive above as (
       select id, parent_id from sys_department where id = any($1) and deleted_at is null
       union select d.id, d.parent_id from sys_department d join above on d.id = above.parent_id where d.deleted_at is null)
     select 1 from above where id = $2`,
    [deptIds, top],
  )
  return rowCount > 0
}

/** Addresses of the apply pages of processes without a scope: whoever may open the page may start the process. */
export async function startPages(db: Executor): Promise<string[]> {
  const { rows } = await db.query<{ path: string }>(
    `select distinct path from wf_process where deleted_at is null and coalesce(start_scope, 'null') = 'null' and path is not null order by path`,
  )
  return rows.map(({ path }) => path)
}
