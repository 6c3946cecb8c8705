import { ServiceError } from '../../platform/http'
import { administers } from '../processes/access'
import { acting, changesOf, commentOf, namedPeople, type ActRequest } from './acting'
import { mendingOf } from './mending'
import { namesOf } from './people'
import { openTasks } from './state'
import type { Logged } from './timeline'
import type { Turn } from './turn'
import { notOffered } from './ways'

/**
 * What an administrator of the process does: always with a reason, red in the timeline. Effects that failed are tried again by whoever they
 * concern too, and who decided last may correct what he filled in.
 */
export const administer = acting([], async (turn, request) => {
  const { tx, context } = turn
  if (request.op === 'retryEffect') return retry(turn, request)
  if (!(await administers(tx, context, turn.row.processId)))
    throw new ServiceError('noPermission', { data: { permission: 'wf:admin' } })
  const reason = commentOf(turn, request, true)
  const by = context.user.staffId
  const logged = (action: string, more: Partial<Logged> = {}): Logged => ({
    action,
    byId: by,
    comment: reason,
    admin: true,
    ...more,
  })
  switch (request.op) {
    case 'jump':
      await turn.take({ kind: 'jump', nodeId: request.targetNodeId ?? '' }, logged('jump', { nodeId: request.targetNodeId }))
      break
    case 'reassign': {
      const [to] = await namedPeople(turn, request.toStaffIds, 1)
      if (to!.id === by)
        throw new ServiceError('transitionRefused', {
          message: { zh: '管理员不能改派给自己。', en: 'An administrator cannot give it to himself.' },
        })
      const stuck = Object.entries(turn.flow.nodes).find(
        ([id, { phase }]) => phase === 'alarm' && (request.nodeId === undefined || id === request.nodeId),
      )
      const open = openTasks(turn.flow).find(({ nodeId, task }) =>
        request.taskId ? task.id === request.taskId : request.nodeId === undefined || nodeId === request.nodeId,
      )
      const more = { toIds: [to!.id] }
      if (open)
        await turn.take(
          { kind: 'reassign', taskId: open.task.id, to: to! },
          logged('reassign', { ...more, taskId: open.task.id, nodeId: open.nodeId }),
        )
      else if (stuck)
        await turn.take({ kind: 'assign', nodeId: stuck[0], people: [to!] }, logged('reassign', { ...more, nodeId: stuck[0] }))
      else throw notOffered()
      break
    }
    case 'terminate':
      await turn.take({ kind: 'terminate' }, logged('terminate'))
      await turn.doEvent('withdrawn')
      turn.tell('wfTerminated', [turn.row.applicantId], { by: namesOf(context.user), comment: reason }, 'terminated')
      break
    default:
      throw notOffered()
  }
})

async function retry(turn: Turn, request: ActRequest): Promise<void> {
  const { context } = turn
  const { may, node } = await mendingOf(turn)
  if (!may) throw new ServiceError('noPermission', { data: { permission: 'wf:admin' } })
  const diff = node ? await changesOf(turn, node, request, true) : []
  await turn.take(
    { kind: 'retry' },
    {
      ...{ action: 'effect', variant: 'retry', byId: context.user.staffId, comment: commentOf(turn, request, false) },
      ...(node ? { nodeId: node.id, diff } : { admin: await administers(turn.tx, context, turn.row.processId) }),
    },
  )
}
