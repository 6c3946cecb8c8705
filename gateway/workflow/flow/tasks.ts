import type { EntityRecord } from '../../entities'
import { closeTodos } from '../../todos'
import type { Messages } from './messages'
import type { Standing } from './standing'
import type { FlowTask, TaskStatus } from './state'
import type { Logged, Timeline } from './timeline'
import type { Waits } from './waits'

/** Tasks that a turn opens, ends and opens again. */
export class Tasks {
  private readonly fresh = new Map<string, EntityRecord>()
  private readonly ended = new Map<string, { status: TaskStatus; logged: Logged | null }>()
  private readonly reopened = new Set<string>()

  constructor(
    private readonly standing: Standing,
    private readonly timeline: Timeline,
    private readonly messages: Messages,
    private readonly waits: Waits,
  ) {}

  async open(nodeId: string, task: FlowTask): Promise<void> {
    const { standing } = this
    const { row, context } = standing
    const node = standing.nodeOf(nodeId)!
    const label = standing.labelOf(nodeId)
    const dueAt = await this.waits.forTask(task.id, node)
    this.fresh.set(task.id, {
      id: task.id,
      instanceId: row.id,
      processId: row.processId,
      nodeId,
      nodeNameZh: label.zh.slice(0, 100),
      nodeNameEn: label.en.slice(0, 100),
      kind: node.kind,
      assigneeId: task.assigneeId,
      originalAssigneeId: task.forId,
      source: task.source,
      status: 'pending',
      round: standing.flow.round,
      arrivedAt: context.now.toISOString(),
      dueAt: dueAt?.toISOString() ?? null,
      backToMe: false,
    })
  }

  end(nodeId: string, taskId: string, status: TaskStatus): void {
    const { acting } = this.timeline
    this.ended.set(taskId, { status, logged: acting?.taskId === taskId ? acting : null })
    this.reopened.delete(taskId)
    if (status !== 'autoAgreed') return
    const task = this.fresh.get(taskId)
    this.timeline.note({ action: 'autoAgree', taskId, nodeId, byId: String(task?.assigneeId ?? '') })
  }

  /** A decision was taken back: its task waits again. */
  reopen(taskId: string): void {
    this.reopened.add(taskId)
    this.ended.delete(taskId)
  }

  /** Rows of tasks, to-dos of those who have them, and what these hear of it. */
  async write(): Promise<void> {
    const { tx, context } = this.standing
    const now = context.now.toISOString()
    for (const [id, end] of this.ended) {
      const made = this.fresh.get(id)
      const { logged } = end
      const given = {
        action: logged?.action ?? (end.status === 'autoAgreed' ? 'autoAgree' : null),
        variant: logged?.variant ?? null,
        comment: logged?.comment ?? null,
      }
      if (made) Object.assign(made, { status: end.status, endedAt: now, ...given })
      else
        await tx.query(
          `update wf_task set status = $2, ended_at = $3, action = coalesce($4, action), variant = $5, comment = $6, files = $7::jsonb, return_to = $8, back_to_me = $9, signature_file = $10::jsonb,
             updated_at = $3, version = version + 1 where id = $1`,
          [
            id,
            end.status,
            now,
            given.action,
            given.variant,
            given.comment,
            logged?.files && logged.files.length > 0 ? JSON.stringify(logged.files) : null,
            logged?.returnTo ?? null,
            logged?.backToMe ?? false,
            logged?.signature ? JSON.stringify(logged.signature) : null,
          ],
        )
    }
    if (this.reopened.size > 0)
      await tx.query(
        `update wf_task set status = 'pending', ended_at = null, action = null, variant = null, comment = null, updated_at = $2, version = version + 1 where id = any($1::text[])`,
        [[...this.reopened], now],
      )
    const rows = [...this.fresh.values()]
    if (rows.length > 0) await this.standing.parts.engine.entities(tx, context).insertMany('wf.task', rows)
    const stopped = [...this.ended].filter(([id]) => !this.fresh.has(id))
    for (const as of ['done', 'dropped'] as const) {
      const ids = stopped.flatMap(([id, { status }]) => ((status === 'cancelled') === (as === 'dropped') ? [id] : []))
      if (ids.length > 0) await closeTodos(tx, { entity: 'wf.task', ids }, { as, now: context.now })
    }
    const again =
      this.reopened.size === 0
        ? []
        : (
            await tx.query<{ id: string; assigneeId: string; dueAt: string | null }>(
              'select id, assignee_id as "assigneeId", due_at as "dueAt" from wf_task where id = any($1::text[])',
              [[...this.reopened]],
            )
          ).rows
    for (const task of again) this.messages.tell('wfTodo', [task.assigneeId], {}, `${task.id}/${now}`, ofTask(task))
    const { by } = this.messages
    for (const task of rows) {
      if (task.status !== 'pending') continue
      const on = task.source === 'transmitted' || task.source === 'addBefore' || task.source === 'addAfter'
      this.messages.tell(
        on ? 'wfTransmit' : 'wfTodo',
        [String(task.assigneeId)],
        by === undefined ? {} : { by },
        String(task.id),
        ofTask(task),
      )
    }
  }
}

/** How the message of a task leads to it. */
const ofTask = (task: EntityRecord) => ({
  todo: true,
  link: `/general/process/my-agent/profile?taskId=${String(task.id)}`,
  dueAt: task.dueAt as string | null,
  subject: { entity: 'wf.task', id: String(task.id) },
})
