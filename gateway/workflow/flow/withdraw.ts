import { ServiceError } from '../../platform/http'
import { acting, commentOf } from './acting'
import { namesOf } from './people'
import { openTasks } from './state'
import type { Turn } from './turn'
import { notOffered } from './ways'

const TAKE_BACK_MINUTES = 10

/** The applicant takes his application back, or an approver his last decision, while nobody has seen what follows. */
export const withdraw = acting([], async (turn, request) => {
  const { user } = turn.context
  const by = user.staffId
  if (request.taskId) return takeBack(turn, request.taskId)
  if (turn.row.applicantId !== by) throw new ServiceError('notFound')
  if (turn.row.status === 'draft') throw notOffered()
  const comment = commentOf(turn, request, false)
  await turn.take({ kind: 'withdraw' }, { action: 'withdraw', byId: by, comment })
  await turn.doEvent('withdrawn')
  const { rows } = await turn.tx.query<{ id: string }>(
    `select distinct assignee_id as id from wf_task where instance_id = $1 and assignee_id <> $2`,
    [turn.row.id, by],
  )
  turn.tell(
    'wfWithdrawn',
    rows.map(({ id }) => id),
    { by: namesOf(user), comment },
    'withdrawn',
  )
})

async function takeBack(turn: Turn, taskId: string): Promise<void> {
  const { tx, context } = turn
  const { rows } = await tx.query<{ endedAt: string | null }>(
    'select ended_at as "endedAt" from wf_task where id = $1 and assignee_id = $2',
    [taskId, context.user.staffId],
  )
  const endedAt = rows[0]?.endedAt
  if (!rows[0]) throw new ServiceError('notFound')
  // the task is in his hands: there is no decision any more, however long ago it was
  if (!endedAt)
    throw new ServiceError('transitionRefused', {
      message: {
        zh: '该决定已经撤回，任务仍由您处理。',
        en: 'That decision was taken back already: the task is yours to decide.',
      },
      data: { reason: 'takenBack' },
    })
  const late = context.now.getTime() - new Date(endedAt).getTime() > TAKE_BACK_MINUTES * 60_000
  const open = openTasks(turn.flow).map(({ task }) => task.id)
  const read = await tx.query('select 1 from wf_task where id = any($1::text[]) and read_at is not null and arrived_at >= $2', [
    open,
    endedAt,
  ])
  if (late || read.rowCount > 0)
    throw new ServiceError('transitionRefused', {
      message: late
        ? {
            zh: `处理已超过 ${TAKE_BACK_MINUTES} 分钟，不能撤回。`,
            en: `More than ${TAKE_BACK_MINUTES} minutes have passed; it cannot be taken back.`,
          }
        : { zh: '下一处理人已查看，不能撤回。', en: 'Whoever comes next has seen it; it cannot be taken back.' },
      data: { reason: 'tooLate' },
    })
  await turn.take(
    { kind: 'takeBack', taskId, by: context.user.staffId },
    { action: 'withdraw', variant: 'takeBack', byId: context.user.staffId },
  )
}
