import { newId, type Executor, type Transaction } from '../../platform/database'
import type { RequestContext } from '../../platform/http'

/** Keeps that somebody looks at an application now: his task and his copy are read, and what comes later is new to him. */
export async function read(
  tx: Transaction,
  context: RequestContext,
  { instanceId, taskId }: { instanceId?: string | undefined; taskId?: string | undefined },
): Promise<void> {
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
  await tx.query(
    `insert into wf_look (id, instance_id, staff_id, seen_at, created_at, updated_at, version)
     select $1, i.id, $2, $3, $3, $3, 1 from wf_instance i where i.id = coalesce($4, (select instance_id from wf_task where id = $5))
     on conflict (instance_id, staff_id) where deleted_at is null do update set seen_at = excluded.seen_at, updated_at = excluded.updated_at, version = wf_look.version + 1`,
    [newId(), by, at, instanceId ?? null, taskId ?? null],
  )
}

/** When somebody looked at an application last, as an instant; null: never. */
export async function lastLook(db: Executor, instanceId: string, staffId: string): Promise<string | null> {
  const { rows } = await db.query<{ seenAt: string }>(
    'select seen_at as "seenAt" from wf_look where instance_id = $1 and staff_id = $2 and deleted_at is null',
    [instanceId, staffId],
  )
  return rows[0]?.seenAt ?? null
}
