import { ServiceError } from '../../platform/http'
import { administers } from '../processes/access'
import { acting, commentOf, namedPeople } from './acting'
import { namesOf } from './people'
import { openTasks } from './state'
import type { Logged } from './timeline'
import { notOffered } from './ways'

/** What an administrator of the process does: always with a reason, red in the timeline. */
export const administer = acting([], async (turn, request) => {
  const { tx, context } = turn
  if (!(await administers(tx, context, turn.row.processId)))
    throw new ServiceError('noPermission', { data: { permission: 'wf:admin' } })
  const reason = commentOf(turn, request, request.op !== 'retryEffect')
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
    case 'retryEffect':
      await turn.take({ kind: 'retry' }, logged('effect', { variant: 'retry' }))
      break
    default:
      throw notOffered()
  }
})
