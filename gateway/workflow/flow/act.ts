import { refusal } from '../../entities'
import { newId } from '../../platform/database'
import { ServiceError } from '../../platform/http'
import { acting, changesOf, commentOf, deciding, namedPeople, pick, requireChecks } from './acting'
import { namesOf, staffById } from './people'
import { waysOf, notOffered } from './ways'

/** Agrees, or says that something was done. */
export const agree = deciding(['agree', 'done', 'addSign'], async (turn, { node, task }, request) => {
  const { context } = turn
  const way = request.action ?? (node.kind === 'handle' ? 'done' : 'agree')
  if (!waysOf(node).agree.includes(way)) throw notOffered()
  const comment = commentOf(turn, request, node.needComment === 'always')
  const { files = [], signature } = request
  if (node.needAttachment && files.length === 0)
    throw refusal('validationFailed', context.locale, [
      { field: 'files', rule: 'required', message: { zh: '本节点要求上传附件。', en: 'This step asks for an attachment.' } },
    ])
  if ((node.needSign || way === 'agreeSign') && !signature)
    throw refusal('validationFailed', context.locale, [
      { field: 'signature', rule: 'required', message: { zh: '本节点要求签名。', en: 'This step asks for a signature.' } },
    ])
  const before = way === 'agreeAddBefore'
  const diff = await changesOf(turn, node, request, !before)
  pick(turn, request, 'approver')
  const people = ['agreeAddBefore', 'agreeAddAfter', 'agreeTransmit'].includes(way)
    ? await namedPeople(turn, request.toStaffIds, way === 'agreeTransmit' ? 1 : 10)
    : []
  const where = before ? 'before' : way === 'agreeAddAfter' ? 'after' : 'transmit'
  return {
    action: {
      kind: 'agree',
      taskId: task.id,
      by: context.user.staffId,
      ...(people.length > 0 ? { add: { where, people } } : {}),
    },
    logged: {
      action: before ? 'addSign' : node.kind === 'handle' ? 'done' : 'agree',
      variant: way,
      comment,
      files: [...files, ...(signature ? [signature] : [])],
      diff,
      toIds: people.map(({ id }) => id),
      signature,
    },
  }
})

/** Rejects, or returns to somebody who did something before. */
export const reject = deciding(['reject', 'return'], async (turn, { node, task }, request) => {
  const { reject: ways } = waysOf(node)
  const way = request.action ?? ways[0] ?? 'returnStart'
  if (!ways.includes(way)) throw notOffered()
  const by = turn.context.user.staffId
  const logged = {
    action: way === 'rejectEnd' ? 'reject' : 'return',
    variant: way,
    comment: commentOf(turn, request, (node.needComment ?? 'onReject') !== 'never'),
    files: request.files,
  }
  if (way === 'rejectEnd') return { action: { kind: 'reject', taskId: task.id, by }, logged }
  const backToMe = way === 'returnBackToMe' || (request.backToMe === true && ways.includes('returnBackToMe'))
  const to =
    way === 'returnPrevious'
      ? 'previous'
      : (way === 'returnNode' || way === 'returnBackToMe') && request.targetNodeId
        ? { nodeId: request.targetNodeId }
        : 'start'
  return {
    action: { kind: 'return', taskId: task.id, by, to, backToMe },
    logged: { ...logged, returnTo: typeof to === 'object' ? to.nodeId : to, backToMe },
  }
})

/** Gives the task to somebody else, or asks others for their opinion before. */
export const transmit = deciding(['transmit', 'addSign'], async (turn, { node, task }, request) => {
  if (!request.opinion && node.transmit === false) throw notOffered()
  const people = await namedPeople(turn, request.toStaffIds, request.opinion ? 10 : 1)
  const by = turn.context.user.staffId
  return {
    action: request.opinion
      ? { kind: 'addSign', taskId: task.id, by, people }
      : { kind: 'transmit', taskId: task.id, by, to: people[0]! },
    logged: {
      action: request.opinion ? 'addSign' : 'transmit',
      comment: commentOf(turn, request, false),
      files: request.files,
      toIds: people.map(({ id }) => id),
    },
  }
})

/** The applicant submits again what was returned to him. */
export const resubmit = acting(['resubmit'], async (turn, request) => {
  const by = turn.context.user.staffId
  if (turn.row.applicantId !== by) throw new ServiceError('notFound')
  if (turn.flow.status !== 'returned') throw await turn.stale()
  const start = turn.process.document.nodes[0]!
  const diff = await changesOf(turn, start, request, true)
  await requireChecks(turn)
  pick(turn, request, 'applicant')
  const comment = commentOf(turn, request, false)
  await turn.take({ kind: 'resubmit' }, { action: 'resubmit', nodeId: start.id, byId: by, comment, diff, files: request.files })
})

/** Says something; whoever is named with @ hears of it. Never changes the state. */
export const comment = acting([], async (turn, request) => {
  const { user } = turn.context
  if (turn.row.status === 'draft') throw notOffered()
  const text = commentOf(turn, request, true)
  const at = [...(await staffById(turn.tx, request.atStaffIds ?? [])).keys()]
  turn.note({
    action: 'comment',
    ...(request.taskId ? { taskId: request.taskId } : {}),
    byId: user.staffId,
    comment: text,
    files: request.files,
    toIds: at,
  })
  turn.tell('wfCommentAt', at, { by: namesOf(user), text: text ?? '' }, newId())
  // whoever is named may read it
  await turn.copyTo(
    null,
    undefined,
    at.filter((id) => id !== turn.row.applicantId),
  )
})
