import type { Executor } from '../../../../platform/database'
import { ServiceError } from '../../../../platform/http'

/** An unfinished alias change, as the refusal 10050027 tells of it (CRM rule 9.8, R366). */
export interface AliasBlock {
  subjectType: string
  subjectCode: string
  recordId: string
  recordCode: string
  /** The task that the change waits for; null while it waits for its approval. */
  taskId: string | null
  tasksDone: number
  tasksTotal: number
}

/** Customers with an unfinished alias change (pending, syncing or failed), by customer id. */
export async function unfinishedAliases(db: Executor, customerIds: readonly string[]): Promise<Map<string, AliasBlock>> {
  if (customerIds.length === 0) return new Map()
  const { rows } = await db.query<AliasBlock & { customerId: string }>(
    `select r.customer_id as "customerId", r.subject_type as "subjectType", r.subject_code as "subjectCode", r.id as "recordId",
       r.code as "recordCode", coalesce(r.tasks_done, 0) as "tasksDone", coalesce(r.tasks_total, 0) as "tasksTotal",
       (select t.id from crm_alias_task t where t.record_id = r.id and t.status <> 'done' and t.deleted_at is null
          order by (t.status = 'failed') desc, t.seq limit 1) as "taskId"
     from crm_alias_record r
     where r.customer_id = any($1::text[]) and r.status in ('pending', 'syncing', 'failed') and r.deleted_at is null`,
    [customerIds],
  )
  return new Map(
    rows.map(({ customerId, ...block }) => [
      customerId,
      { ...block, tasksDone: Number(block.tasksDone), tasksTotal: Number(block.tasksTotal) },
    ]),
  )
}

/** The refusal of an operation on a customer whose alias is being changed. */
export function aliasRunning(block: AliasBlock): ServiceError {
  const { subjectCode, recordCode, tasksDone, tasksTotal } = block
  return new ServiceError('aliasChangeRunning', {
    message: {
      zh: `${subjectCode} 的别名变更 ${recordCode} 尚未完成（${tasksDone}/${tasksTotal}），操作被阻止，请等待其完成。`,
      en: `Alias change ${recordCode} of ${subjectCode} is unfinished (${tasksDone}/${tasksTotal}), so this is blocked. Please wait until it is done.`,
    },
    data: block,
  })
}

/** Refuses with 10050027 while an alias change of the customer is unfinished: transfer, merge, blacklist, void, release. */
export async function refuseWhileAliasChanges(db: Executor, ...customerIds: string[]): Promise<void> {
  const [block] = (await unfinishedAliases(db, customerIds)).values()
  if (block) throw aliasRunning(block)
}
