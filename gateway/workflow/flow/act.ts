import type { Node } from '../../../src/schema/generated/process'
import { refusal, type EntityRecord } from '../../entities'
import { newId, type Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import { administers } from '../processes/access'
import { rightsFor } from '../processes/formBundle'
import { tolerantly, type FieldDiff } from './form'
import { staffById } from './people'
import type { FlowAction } from './reduce'
import { isOver, openTasks, type FlowTask } from './state'
import { startSub } from './start'
import { Turn, type FlowParts, type InstanceRow, type Logged } from './turn'

/** What a person sends with an action. */
export interface ActRequest {
  instanceId?: string | undefined
  taskId?: string | undefined
  /** Value of the select list: agree, agreeAddBefore … rejectEnd, returnStart … */
  action?: string | undefined
  comment?: string | undefined
  files?: EntityRecord[] | undefined
  signature?: EntityRecord | undefined
  formData?: EntityRecord | undefined
  targetNodeId?: string | undefined
  toStaffIds?: string[] | undefined
  atStaffIds?: string[] | undefined
  pickedAssignees?: Record<string, string[]> | undefined
  backToMe?: boolean | undefined
  /** Of a transmission: others are asked, and the task comes back. */
  opinion?: boolean | undefined
  rowVersion?: number | undefined
}

const LONGEST_COMMENT = 2_000

export const AGREE_DEFAULT = { approve: ['agree'], handle: ['done'] } as const
export const REJECT_DEFAULT = { approve: ['rejectEnd', 'returnStart'], handle: ['returnStart'] } as const

/** Ways to agree and to reject that a step offers. */
export function waysOf(node: Node): { agree: string[]; reject: string[] } {
  const kind = node.kind === 'handle' ? 'handle' : 'approve'
  const agree = [
    ...new Set([
      ...AGREE_DEFAULT[kind],
      ...(node.agreeActions ?? []).filter(
        (way) =>
          (way === 'done') === (kind === 'handle') ||
          way === 'agreeTransmit' ||
          way === 'agreeAddAfter' ||
          way === 'agreeAddBefore',
      ),
    ]),
  ]
  const given: readonly string[] = node.rejectActions ?? REJECT_DEFAULT[kind]
  return {
    agree: [...new Set([...agree, ...(node.needSign || node.agreeActions?.includes('agreeSign') ? ['agreeSign'] : [])])].filter(
      (way) => kind === 'approve' || way !== 'agree',
    ),
    reject: given.filter((way) => kind !== 'handle' || way !== 'rejectEnd'),
  }
}

async function opened(parts: FlowParts, tx: Transaction, context: RequestContext, instanceId: string): Promise<Turn> {
  const turn = await Turn.open(parts, tx, context, instanceId)
  turn.starter = startSub
  turn.names.set(context.user.staffId, context.user.name)
  return turn.prepare()
}

/** The instance of a task or of an id. @throws ServiceError 10010004 */
async function instanceOf(tx: Transaction, { instanceId, taskId }: ActRequest): Promise<string> {
  if (taskId) {
    const { rows } = await tx.query<{ id: string }>(
      'select instance_id as id from wf_task where id = $1 and deleted_at is null',
      [taskId],
    )
    if (!rows[0] || (instanceId && rows[0].id !== instanceId)) throw new ServiceError('notFound')
    return rows[0].id
  }
  if (!instanceId) throw new ServiceError('notFound')
  return instanceId
}

/** The caller's own open task; whoever comes second is told who was first. */
async function ownTask(turn: Turn, context: RequestContext, request: ActRequest): Promise<{ nodeId: string; task: FlowTask }> {
  const mine = openTasks(turn.flow).filter(({ task }) => task.assigneeId === context.user.staffId)
  const found = request.taskId ? mine.find(({ task }) => task.id === request.taskId) : mine[0]
  if (!found) {
    const { rows } = await turn.tx.query<{ id: string }>(
      'select id from wf_task where instance_id = $1 and assignee_id = $2 limit 1',
      [turn.row.id, context.user.staffId],
    )
    throw rows.length > 0 ? await turn.stale() : new ServiceError('notFound')
  }
  const { rowVersion } = request
  if (rowVersion !== undefined && rowVersion !== turn.row.version && rowVersion < turn.kept.formVersion) throw await turn.stale()
  return found
}

function commentOf({ comment = '' }: ActRequest, needed: boolean, locale: RequestContext['locale']): string | null {
  const text = comment.trim()
  if (text === '' && needed)
    throw refusal('validationFailed', locale, [
      { field: 'comment', rule: 'required', message: { zh: '请填写意见。', en: 'Please write a comment.' } },
    ])
  if (text.length > LONGEST_COMMENT)
    throw refusal('validationFailed', locale, [
      {
        field: 'comment',
        rule: 'maxLength',
        message: { zh: `意见最多 ${LONGEST_COMMENT} 字。`, en: `A comment takes at most ${LONGEST_COMMENT} characters.` },
      },
    ])
  return text === '' ? null : text
}

async function changesOf(turn: Turn, node: Node, request: ActRequest, complete: boolean): Promise<FieldDiff[]> {
  const { context } = turn
  const before = turn.values
  const taken = await turn.form.take(turn.call, request.formData ?? {}, {
    node,
    before,
    id: turn.row.id,
    named: turn.named(),
    rights: rightsFor(context, turn.process.document, node.id),
    complete,
  })
  if (taken.problems.length > 0) throw refusal('validationFailed', context.locale, taken.problems)
  if (taken.changes.length > 0) await turn.fill(taken.values)
  return taken.changes
}

/** People whom somebody names: they are there, and the applicant is not among them. */
async function namedPeople(turn: Turn, ids: readonly string[] | undefined, most: number): Promise<{ id: string }[]> {
  const { context } = turn
  const unique = [...new Set((ids ?? []).map(String))]
  const say = (zh: string, en: string): ServiceError =>
    refusal('validationFailed', context.locale, [{ field: 'toStaffIds', rule: 'people', message: { zh, en } }])
  if (unique.length === 0) throw say('请选择人员。', 'Choose whom it goes to.')
  if (unique.length > most) throw say(`最多选择 ${most} 人。`, `Choose at most ${most}.`)
  const staff = await staffById(turn.tx, unique)
  for (const id of unique) {
    const person = staff.get(id)
    if (!person?.present)
      throw say(`${person?.name ?? id} 不在岗，请另选。`, `${person?.name ?? id} is not at work. Choose somebody else.`)
    if (id === turn.row.applicantId) throw say('不能交给发起人本人处理。', 'It cannot be given to the applicant himself.')
  }
  return unique.map((id) => ({ id }))
}

const pick = (turn: Turn, request: ActRequest): void => {
  for (const [nodeId, people] of Object.entries(request.pickedAssignees ?? {})) turn.kept.picked[nodeId] = people.map(String)
}

/** Agrees, or says that something was done. */
export async function agree(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  const { nodeId, task } = await ownTask(turn, context, request)
  const node = turn.nodeOf(nodeId)!
  const way = request.action ?? (node.kind === 'handle' ? 'done' : 'agree')
  if (!waysOf(node).agree.includes(way)) throw notOffered()
  const comment = commentOf(request, node.needComment === 'always', context.locale)
  const files = request.files ?? []
  if (node.needAttachment && files.length === 0)
    throw refusal('validationFailed', context.locale, [
      { field: 'files', rule: 'required', message: { zh: '本节点要求上传附件。', en: 'This step asks for an attachment.' } },
    ])
  if ((node.needSign || way === 'agreeSign') && !request.signature)
    throw refusal('validationFailed', context.locale, [
      { field: 'signature', rule: 'required', message: { zh: '本节点要求签名。', en: 'This step asks for a signature.' } },
    ])
  const before = way === 'agreeAddBefore'
  const diff = await changesOf(turn, node, request, !before)
  pick(turn, request)
  const people = ['agreeAddBefore', 'agreeAddAfter', 'agreeTransmit'].includes(way)
    ? await namedPeople(turn, request.toStaffIds, way === 'agreeTransmit' ? 1 : 10)
    : []
  const where = before ? 'before' : way === 'agreeAddAfter' ? 'after' : 'transmit'
  const logged: Logged = {
    action: before ? 'addSign' : node.kind === 'handle' ? 'done' : 'agree',
    variant: way,
    taskId: task.id,
    nodeId,
    byId: context.user.staffId,
    forId: task.forId,
    comment,
    files: [...files, ...(request.signature ? [request.signature] : [])],
    diff,
    toIds: people.map(({ id }) => id),
  }
  const action: FlowAction = {
    kind: 'agree',
    taskId: task.id,
    by: context.user.staffId,
    ...(people.length > 0 ? { add: { where, people } } : {}),
  }
  await turn.take(action, logged)
  const row = await turn.finish()
  if (request.signature)
    await tx.query('update wf_task set signature_file = $2::jsonb where id = $1', [task.id, JSON.stringify(request.signature)])
  return row
}

const notOffered = (): ServiceError =>
  new ServiceError('transitionRefused', { message: { zh: '当前节点没有这个操作。', en: 'This step does not offer that.' } })

/** Rejects, or returns to somebody who did something before. */
export async function reject(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  const { nodeId, task } = await ownTask(turn, context, request)
  const node = turn.nodeOf(nodeId)!
  const { reject: ways } = waysOf(node)
  const way = request.action ?? ways[0] ?? 'returnStart'
  if (!ways.includes(way)) throw notOffered()
  const comment = commentOf(request, (node.needComment ?? 'onReject') !== 'never', context.locale)
  const back = way === 'returnBackToMe' || (request.backToMe === true && way !== 'rejectEnd' && ways.includes('returnBackToMe'))
  const by = context.user.staffId
  const to =
    way === 'returnPrevious'
      ? 'previous'
      : (way === 'returnNode' || way === 'returnBackToMe') && request.targetNodeId
        ? { nodeId: request.targetNodeId }
        : 'start'
  const action: FlowAction =
    way === 'rejectEnd' ? { kind: 'reject', taskId: task.id, by } : { kind: 'return', taskId: task.id, by, to, backToMe: back }
  const logged: Logged = {
    action: way === 'rejectEnd' ? 'reject' : 'return',
    variant: way,
    taskId: task.id,
    nodeId,
    byId: by,
    forId: task.forId,
    comment,
    files: request.files,
  }
  await turn.take(action, logged)
  const row = await turn.finish()
  if (way !== 'rejectEnd')
    await tx.query('update wf_task set return_to = $2, back_to_me = $3 where id = $1', [
      task.id,
      typeof to === 'object' ? to.nodeId : to,
      back,
    ])
  return row
}

/** Gives the task to somebody else, or asks others for their opinion before. */
export async function transmit(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  const { nodeId, task } = await ownTask(turn, context, request)
  const node = turn.nodeOf(nodeId)!
  if (!request.opinion && node.transmit === false) throw notOffered()
  const people = await namedPeople(turn, request.toStaffIds, request.opinion ? 10 : 1)
  const comment = commentOf(request, false, context.locale)
  const by = context.user.staffId
  const logged: Logged = {
    action: request.opinion ? 'addSign' : 'transmit',
    taskId: task.id,
    nodeId,
    byId: by,
    forId: task.forId,
    comment,
    files: request.files,
    toIds: people.map(({ id }) => id),
  }
  const action: FlowAction = request.opinion
    ? { kind: 'addSign', taskId: task.id, by, people }
    : { kind: 'transmit', taskId: task.id, by, to: people[0]! }
  await turn.take(action, logged)
  return turn.finish()
}

const TAKE_BACK_MINUTES = 10

/** The applicant takes his application back, or an approver his last decision, while nobody has seen what follows. */
export async function withdraw(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  const by = context.user.staffId
  if (request.taskId) return takeBack(turn, request.taskId)
  if (turn.row.applicantId !== by) throw new ServiceError('notFound')
  if (turn.row.status === 'draft') throw notOffered()
  const comment = commentOf(request, false, context.locale)
  await turn.take({ kind: 'withdraw' }, { action: 'withdraw', byId: by, comment })
  await turn.doEvent('withdrawn')
  const holders = [
    ...new Set(
      (
        await tx.query<{ id: string }>(`select distinct assignee_id as id from wf_task where instance_id = $1`, [turn.row.id])
      ).rows.map(({ id }) => id),
    ),
  ]
  turn.tell(
    'wfWithdrawn',
    holders.filter((id) => id !== by),
    { by: context.user.name, comment },
    'withdrawn',
  )
  return turn.finish()
}

async function takeBack(turn: Turn, taskId: string): Promise<InstanceRow> {
  const { tx, context } = turn
  const { rows } = await tx.query<{ endedAt: string | null }>(
    'select ended_at as "endedAt" from wf_task where id = $1 and assignee_id = $2',
    [taskId, context.user.staffId],
  )
  const endedAt = rows[0]?.endedAt
  if (!rows[0]) throw new ServiceError('notFound')
  const late = !endedAt || context.now.getTime() - new Date(endedAt).getTime() > TAKE_BACK_MINUTES * 60_000
  const open = openTasks(turn.flow).map(({ task }) => task.id)
  const read = await tx.query('select 1 from wf_task where id = any($1::text[]) and read_at is not null and arrived_at >= $2', [
    open,
    endedAt ?? null,
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
  return turn.finish()
}

/** The applicant submits again what was returned to him. */
export async function resubmit(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  if (turn.row.applicantId !== context.user.staffId) throw new ServiceError('notFound')
  if (turn.flow.status !== 'returned') throw await turn.stale()
  const start = turn.process.document.nodes[0]!
  const diff = await changesOf(turn, start, request, true)
  const held = await turn.form.records.refused(
    turn.call,
    turn.values,
    turn.named(),
    tolerantly(turn.process.document.checks ?? []),
  )
  if (held)
    throw new ServiceError(held.code, {
      message: held.message,
      ...(held.number === undefined ? {} : { code: held.number }),
      data: { reason: held.id },
      rule: held.id,
    })
  pick(turn, request)
  const comment = commentOf(request, false, context.locale)
  await turn.take(
    { kind: 'resubmit' },
    { action: 'resubmit', nodeId: start.id, byId: context.user.staffId, comment, diff, files: request.files },
  )
  return turn.finish()
}

/** Says something; whoever is named with @ hears of it. Never changes the state. */
export async function comment(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  if (turn.row.status === 'draft') throw notOffered()
  const text = commentOf(request, true, context.locale)
  const at = [...(await staffById(tx, request.atStaffIds ?? [])).keys()]
  turn.note({
    action: 'comment',
    ...(request.taskId ? { taskId: request.taskId } : {}),
    byId: context.user.staffId,
    comment: text,
    files: request.files,
    toIds: at,
  })
  turn.tell('wfCommentAt', at, { by: context.user.name, text: text ?? '' }, newId())
  // whoever is named may read it
  await turn.copyTo(
    null,
    undefined,
    at.filter((id) => id !== turn.row.applicantId),
  )
  return turn.finish()
}

const URGE_EVERY_HOURS = 4
const URGE_A_DAY = 3

/** The applicant asks those who have it to hurry: once in 4 hours and three times a day for a task (money 7.1). */
export async function urge(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest,
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, { instanceId: request.instanceId, taskId: request.taskId }))
  const by = context.user.staffId
  if (turn.row.applicantId !== by) throw new ServiceError('notFound')
  if (turn.process.document.allowUrge === false || isOver(turn.flow)) throw notOffered()
  const text = commentOf(request, false, context.locale) ?? ''
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
  return turn.finish()
}

/** What an administrator of the process does: always with a reason, red in the timeline. */
export async function administer(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  request: ActRequest & { op?: string | undefined; nodeId?: string | undefined },
): Promise<InstanceRow> {
  const turn = await opened(parts, tx, context, await instanceOf(tx, request))
  if (!(await administers(tx, context, turn.row.processId)))
    throw new ServiceError('noPermission', { data: { permission: 'wf:admin' } })
  const reason = commentOf(request, request.op !== 'retryEffect', context.locale)
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
      turn.tell('wfTerminated', [turn.row.applicantId], { by: context.user.name, comment: reason }, 'terminated')
      break
    case 'retryEffect':
      await turn.take({ kind: 'retry' }, logged('effect', { variant: 'retry' }))
      break
    default:
      throw notOffered()
  }
  return turn.finish()
}

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
