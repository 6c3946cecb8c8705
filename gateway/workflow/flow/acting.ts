import type { Node } from '../../../src/schema/generated/process'
import { refusal, type EntityRecord } from '../../entities'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import { rightsFor } from '../processes/formBundle'
import { picksAt } from './assign'
import { heldBack, tolerantly, type FieldDiff } from './form'
import type { FlowParts, InstanceRow } from './instance'
import { namesOf, staffById } from './people'
import type { FlowAction } from './reduce'
import { openTasks, type FlowTask } from './state'
import { startSub } from './start'
import type { Logged } from './timeline'
import { Turn } from './turn'

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
  /** The version that the caller saw: a form or a step that somebody has changed since is not decided about blindly. */
  rowVersion?: number | undefined
  /** Of an administrator: what he does, and at which step. */
  op?: string | undefined
  nodeId?: string | undefined
}

/** Letters of a comment. */
const LONGEST_COMMENT = 2_000

/** One action of a person: in a running transaction, with the instance that it leads to. */
export type Act = (parts: FlowParts, tx: Transaction, context: RequestContext, request: ActRequest) => Promise<InstanceRow>

/** The caller's task, with its step. */
export interface Mine {
  node: Node
  task: FlowTask
}

/** What the reducer takes, and how it stands in the timeline. */
export interface Move {
  action: FlowAction
  logged: Omit<Logged, 'byId' | 'taskId' | 'nodeId' | 'forId'>
}

/**
 * The way of every action: the instance is opened and held, something is done with it, all is written. The same request once more (a second
 * click, a retry) is answered as the first one was, and nothing is done.
 * @param actions what it leaves in the timeline, by which the same request is known again
 */
export function acting(actions: readonly string[], work: (turn: Turn, request: ActRequest) => Promise<void>): Act {
  return async (parts, tx, context, request) => {
    const turn = await Turn.open(parts, tx, context, await instanceOf(tx, request))
    turn.starter = startSub
    turn.names.set(context.user.staffId, namesOf(context.user))
    if (await repeats(turn, request, actions)) return turn.row
    await work(turn, request)
    return turn.finish()
  }
}

/** The way of a decision about the caller's own open task. */
export function deciding(actions: readonly string[], work: (turn: Turn, mine: Mine, request: ActRequest) => Promise<Move>): Act {
  return acting(actions, async (turn, request) => {
    const { nodeId, task } = await ownTask(turn, request)
    const { action, logged } = await work(turn, { node: turn.nodeOf(nodeId)!, task }, request)
    await turn.take(action, { ...logged, taskId: task.id, nodeId, byId: turn.context.user.staffId, forId: task.forId })
  })
}

/** Seconds within which the same request is a second click or a retry. */
const REPEATED_WITHIN = 600

/** Whether the caller's last action is this very request, and what it was about is done. */
async function repeats(turn: Turn, request: ActRequest, actions: readonly string[]): Promise<boolean> {
  const { tx, context, row, flow } = turn
  const { taskId, action, comment = '', toStaffIds = [] } = request
  const mine = openTasks(flow).filter(({ task }) => task.assigneeId === context.user.staffId)
  const isOpen =
    (row.status === 'returned' && actions.includes('resubmit')) ||
    mine.some(({ task }) => taskId === undefined || task.id === taskId)
  if (actions.length === 0 || isOpen) return false
  const { rows } = await tx.query<{
    action: string
    variant: string | null
    taskId: string | null
    comment: string | null
    toIds: string[] | null
    at: string
  }>(
    `select action, variant, task_id as "taskId", comment, to_ids as "toIds", at from wf_action_log
     where instance_id = $1 and by_id = $2 and action not in ('read', 'comment', 'urge', 'autoAgree', 'effect') order by at desc, id desc limit 1`,
    [row.id, context.user.staffId],
  )
  const [last] = rows
  return (
    last !== undefined &&
    actions.includes(last.action) &&
    (taskId === undefined || last.taskId === taskId) &&
    (action === undefined || last.variant === action) &&
    (last.comment ?? '') === comment.trim() &&
    [...(last.toIds ?? [])].sort().join() === [...new Set(toStaffIds)].sort().join() &&
    context.now.getTime() - new Date(last.at).getTime() <= REPEATED_WITHIN * 1_000
  )
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
async function ownTask(turn: Turn, request: ActRequest): Promise<{ nodeId: string; task: FlowTask }> {
  const { context } = turn
  const mine = openTasks(turn.flow).filter(({ task }) => task.assigneeId === context.user.staffId)
  const found = request.taskId ? mine.find(({ task }) => task.id === request.taskId) : mine[0]
  if (!found) {
    const { rows } = await turn.tx.query<{ id: string }>(
      'select id from wf_task where instance_id = $1 and assignee_id = $2 limit 1',
      [turn.row.id, context.user.staffId],
    )
    throw rows.length > 0 ? await turn.stale() : new ServiceError('notFound')
  }
  const { formVersion, decidedVersion } = turn.kept
  const concerns = Math.max(formVersion, decidedVersion?.[found.nodeId] ?? 0)
  if (request.rowVersion !== undefined && request.rowVersion < concerns) throw await turn.stale()
  return found
}

/** What somebody says. @throws ServiceError where it is needed and missing, or too long */
export function commentOf({ context: { locale } }: Turn, { comment = '' }: ActRequest, needed: boolean): string | null {
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

/** Lays what was filled in over the form. Answers what changed. @throws ServiceError with what is wrong, by field */
export async function changesOf(turn: Turn, node: Node, request: ActRequest, complete: boolean): Promise<FieldDiff[]> {
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
export async function namedPeople(turn: Turn, ids: readonly string[] | undefined, most: number): Promise<{ id: string }[]> {
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
      throw say(
        `${person?.name ?? id} 不在岗，请另选。`,
        `${person ? namesOf(person).en : id} is not at work. Choose somebody else.`,
      )
    if (id === turn.row.applicantId) throw say('不能交给发起人本人处理。', 'It cannot be given to the applicant himself.')
  }
  return unique.map((id) => ({ id }))
}

/** Keeps whom somebody picked for later steps: whom the applicant picked stays his choice. */
export const pick = (turn: Turn, request: ActRequest, as: 'applicant' | 'approver'): void => {
  for (const [nodeId, people] of Object.entries(request.pickedAssignees ?? {})) {
    const node = turn.nodeOf(nodeId)
    const his = node && (picksAt(node, 'pickByPrevious') ?? (as === 'applicant' ? picksAt(node, 'pickByStarter') : null))
    if (his) turn.kept.picked[nodeId] = people.map(String)
  }
}

/** What keeps an application from being submitted or agreed to now. @throws ServiceError with the code of the check that holds */
export async function requireChecks(turn: Turn): Promise<void> {
  const { form, call, values, process } = turn
  const held = await form.records.refused(call, values, turn.named(), tolerantly(process.document.checks ?? []))
  if (held) throw heldBack(held)
}
