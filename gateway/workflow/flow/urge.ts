import { newId } from '../../platform/database'
import { ServiceError } from '../../platform/http'
import { acting, commentOf } from './acting'
import { isOver, openTasks } from './state'
import { notOffered } from './ways'

const URGE_EVERY_HOURS = 4
const URGE_A_DAY = 3

/** The applicant asks those who have it to hurry: once in 4 hours and three times a day for a task (money 7.1). */
export const urge = acting([], async (turn, request) => {
  const { tx, context, parts } = turn
  const by = context.user.staffId
  if (turn.row.applicantId !== by) throw new ServiceError('notFound')
  if (turn.process.document.allowUrge === false || isOver(turn.flow)) throw notOffered()
  const text = commentOf(turn, request, false) ?? ''
  const tasks = openTasks(turn.flow).filter(({ task }) => request.taskId === undefined || task.id === request.taskId)
  const { rows } = await tx.query<{ taskId: string; last: string; today: number }>(
    `select task_id as "taskId", max(at) as last, count(*) filter (where at > $2::timestamptz - interval '1 day') as today from wf_urge where task_id = any($1::text[]) group by task_id`,
    [tasks.map(({ task }) => task.id), context.now.toISOString()],
  )
  const known = new Map(rows.map((row) => [row.taskId, row]))
  const free = tasks.filter(({ task }) => {
    const before = known.get(task.id)
    if (!before) return true
    return (
      Number(before.today) < URGE_A_DAY && context.now.getTime() - new Date(before.last).getTime() >= URGE_EVERY_HOURS * 3_600_000
    )
  })
  if (free.length === 0)
    throw new ServiceError('limitRefused', {
      message: {
        zh: `同一任务 ${URGE_EVERY_HOURS} 小时内只能催办一次，每天最多 ${URGE_A_DAY} 次，请稍后再催。`,
        en: `A task can be urged once in ${URGE_EVERY_HOURS} hours and ${URGE_A_DAY} times a day. Please try later.`,
      },
      data: { reason: 'urgeLimit' },
    })
  const at = context.now.toISOString()
  await parts.engine.entities(tx, context).insertMany(
    'wf.urge',
    free.map(({ task }) => ({ id: newId(), instanceId: turn.row.id, taskId: task.id, byId: by, at, text: text.slice(0, 300) })),
  )
  await tx.query(
    'update wf_task set urged = coalesce(urged, 0) + 1, version = version + 1, updated_at = $2 where id = any($1::text[])',
    [free.map(({ task }) => task.id), at],
  )
  for (const { nodeId, task } of free) {
    turn.note({ action: 'urge', taskId: task.id, nodeId, byId: by, comment: text || null, toIds: [task.assigneeId] })
    turn.tell('wfUrge', [task.assigneeId], { text }, `${task.id}/${context.now.getTime()}`, {
      link: `/general/process/my-agent/profile?taskId=${task.id}`,
    })
  }
})
