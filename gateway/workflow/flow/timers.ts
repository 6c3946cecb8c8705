import type { SaveHook } from '../../entities'
import { newId } from '../../platform/database'
import { ServiceError, systemContext } from '../../platform/http'
import type { Outcome, Work } from '../../platform/queue'
import { startSub } from './start'
import { openTasks, type FlowTask } from './state'
import type { FlowParts } from './instance'
import { Turn } from './turn'
import { TIMER_LINE, type Timer } from './waits'

const HOUR = 3_600_000

/** What waits for a moment: reminders, limits of tasks, delays. Each does something only if what it is about still waits. */
export function defineTimers(parts: FlowParts): void {
  parts.queue.define<Timer>({
    name: TIMER_LINE,
    concurrency: 2,
    retry: { limit: 1_000, delaySeconds: 60 },
    handle: (work) => ring(parts, work),
  })
}

async function ring(parts: FlowParts, { data: timer, at, now }: Work<Timer>): Promise<Outcome> {
  // handed over before its time where a clock was moved
  if (at > now) return { again: at }
  const context = systemContext({ now })
  const did = await parts.engine.transaction(
    context,
    async (_entities, tx) => {
      const instanceId =
        'instanceId' in timer
          ? timer.instanceId
          : (await tx.query<{ id: string }>('select instance_id as id from wf_task where id = $1', [timer.taskId])).rows[0]?.id
      if (instanceId === undefined) return false
      const turn = await Turn.open(parts, tx, context, instanceId).catch((error: unknown) => {
        if (error instanceof ServiceError) return null
        throw error
      })
      if (!turn) return false
      turn.starter = startSub
      const happened = await happen(turn, timer)
      if (happened) await turn.finish()
      return happened
    },
    { retries: 5 },
  )
  return { did }
}

async function happen(turn: Turn, timer: Timer): Promise<boolean> {
  if (timer.kind === 'delay') {
    if (turn.flow.nodes[timer.nodeId]?.phase !== 'waiting') return false
    await turn.take({ kind: 'delayOver', nodeId: timer.nodeId }, null)
    return true
  }
  const open = openTasks(turn.flow).find(({ task }) => task.id === timer.taskId)
  if (!open) return false
  const { nodeId, task } = open
  const link = { link: `/general/process/my-agent/profile?taskId=${task.id}` }
  if (timer.kind === 'remind') {
    const late = timer.percent >= 100
    turn.tell(
      late ? 'wfOverdue' : 'wfDue',
      [task.assigneeId],
      late ? { hours: await overdue(turn, task) } : {},
      `${task.id}/${timer.percent}`,
      link,
    )
    return true
  }
  if (timer.kind === 'leader') {
    const leader = await turn.leaderFor(task.assigneeId)
    const hours = await overdue(turn, task)
    turn.tell('wfOverdue', [task.assigneeId, ...(leader === undefined ? [] : [leader])], { hours }, `${task.id}/leader`)
    // whoever leads him may look at it
    if (leader !== undefined) await turn.copyTo(null, undefined, [leader])
    return true
  }
  const rule = turn.nodeOf(nodeId)?.onTimeout
  if (rule === 'autoAgree' || rule === 'autoReject') {
    const outcome = rule === 'autoAgree' ? 'agree' : 'reject'
    await turn.take(
      { kind: 'timeout', taskId: task.id, outcome },
      { action: 'timeout', variant: rule, taskId: task.id, nodeId, byId: null },
    )
    return true
  }
  if (rule !== 'transmitLeader') return false
  const leader = await turn.leaderFor(task.assigneeId, nodeId)
  if (leader === undefined) return false
  return handOver(turn, nodeId, task, leader, 'timeout')
}

/** A task goes to somebody else by itself; who is asked at the step already takes no second one. */
async function handOver(
  turn: Turn,
  nodeId: string,
  task: FlowTask,
  to: string,
  action: 'timeout' | 'reassign',
): Promise<boolean> {
  const logged = { action, variant: 'transmitLeader', taskId: task.id, nodeId, byId: null, toIds: [to] }
  try {
    await turn.take(
      action === 'timeout'
        ? { kind: 'timeout', taskId: task.id, outcome: { transmit: { id: to } } }
        : { kind: 'reassign', taskId: task.id, to: { id: to } },
      logged,
    )
    return true
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason !== 'transitionRefused') throw error
    turn.tell('wfOverdue', [to], { hours: await overdue(turn, task) }, newId())
    return true
  }
}

async function overdue(turn: Turn, task: FlowTask): Promise<number> {
  const { rows } = await turn.tx.query<{ dueAt: string | null }>('select due_at as "dueAt" from wf_task where id = $1', [task.id])
  const due = rows[0]?.dueAt
  return due ? Math.max(0, Math.floor((turn.context.now.getTime() - new Date(due).getTime()) / HOUR)) : 0
}

/** Whoever leaves, or may not sign in any more, has no tasks: each goes to his leader, else to an administrator. */
export function handOverLeavers({ engine, ...rest }: FlowParts): void {
  const parts: FlowParts = { engine, ...rest }
  const handOn = async (staffId: string, { tx, context, now }: Pick<SaveHook, 'tx' | 'context' | 'now'>): Promise<void> => {
    const { rows } = await tx.query<{ id: string; taskId: string }>(
      `select instance_id as id, id as "taskId" from wf_task where assignee_id = $1 and status = 'pending' and deleted_at is null order by instance_id`,
      [staffId],
    )
    for (const { id, taskId } of rows) {
      const turn = await Turn.open(parts, tx, systemContext({ now, locale: context.locale }), id)
      turn.starter = startSub
      const open = openTasks(turn.flow).find(({ task }) => task.id === taskId)
      const leader = open && (await turn.leaderFor(staffId, open.nodeId))
      if (!open || leader === undefined) continue
      await handOver(turn, open.nodeId, open.task, leader, 'reassign')
      await turn.finish()
    }
  }
  engine.hook('sys.staff', {
    async afterEffect(hook) {
      if (hook.record.status === 'left') await handOn(String(hook.record.id), hook)
    },
    async afterSave(hook) {
      const { record, before } = hook
      if (record.signInDisabled === true && before?.signInDisabled !== true) await handOn(String(record.id), hook)
    },
  })
}

/** What the outside answers (`later` of an effect) is told to the application that asked: it is done, or its administrators see why not. */
export function hearOutside({ engine, ...rest }: FlowParts): void {
  const parts: FlowParts = { engine, ...rest }
  engine.hook('sys.outbox', {
    async afterEffect({ tx, context, record, transition, now }) {
      const { causeEntity, causeId, causeStep } = record
      if (causeEntity !== 'wf.instance' || !['finish', 'fail', 'giveUp', 'retry'].includes(transition.id)) return
      const turn = await Turn.open(parts, tx, systemContext({ now, locale: context.locale }), String(causeId))
      turn.starter = startSub
      await turn.settle(String(causeStep))
      await turn.finish()
    },
  })
}
