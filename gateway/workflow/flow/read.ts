import type { Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { ActRequest } from './acting'

/** Marks a task, or a copy, as seen. */
export async function read(tx: Transaction, context: RequestContext, { instanceId, taskId }: ActRequest): Promise<void> {
  const at = context.now.toISOString()
  const by = context.user.staffId
  await tx.query(
    `update wf_task set read_at = $3 where assignee_id = $1 and (id = $2 or instance_id = $4) and status = 'pending' and read_at is null`,
    [by, taskId ?? null, at, instanceId ?? null],
  )
  await tx.query(
    `update wf_cc set read_at = $2 where staff_id = $1 and read_at is null and instance_id = coalesce($3, (select instance_id from wf_task where id = $4))`,
    [by, at, instanceId ?? null, taskId ?? null],
  )
}
