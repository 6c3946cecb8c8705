import type { Executor } from '../../platform/database'
import { can, ServiceError, type RequestContext } from '../../platform/http'

export const DESIGN = 'wf:design'
export const ADMIN = 'wf:admin'
export const ROLE = 'wf:role'

/** Whether somebody administers the applications of a process: all of them with the key, else those of processes that name him. */
export async function administers(db: Executor, context: RequestContext, processId: string): Promise<boolean> {
  if (can(context, ADMIN)) return true
  const { rowCount } = await db.query(`select 1 from wf_process where id = $1 and admin_ids ? $2`, [
    processId,
    context.user.staffId,
  ])
  return rowCount > 0
}

/** @throws ServiceError 10010003 for who neither designs processes nor administers this one */
export async function requireInsight(db: Executor, context: RequestContext, processId: string): Promise<void> {
  if (can(context, DESIGN) || (await administers(db, context, processId))) return
  throw new ServiceError('noPermission', { data: { permission: ADMIN } })
}
