import type { Rights } from '../../../src/schema/process'
import type { EntityRecord } from '../../entities'
import type { PageBundle } from '../../pages'
import { ServiceError, type RequestContext, type Text } from '../../platform/http'
import type { Executor, Transaction } from '../../platform/database'
import { administers } from '../processes/access'
import { formBundle, rightsFor } from '../processes/formBundle'
import { picksAt } from './assign'
import { readableOf, type FieldDiff } from './form'
import { readInstance, type FlowParts } from './instance'
import { mendingOf, stateAfterFailure } from './mending'
import { predictPath, type PathNode, type PathTask } from './path'
import { staffById } from './people'
import { lastLook } from './read'
import { returnsOf, returnTargets } from './reduce'
import { isOver, openTasks } from './state'
import { nextSteps } from './tree'
import { Turn } from './turn'
import { waysOf } from './ways'
import { staffName } from '../names'
import { reachable } from '../reachable'
import { readsTitles, titleByAlias } from '../titles'

/** Somebody who may be picked. */
export interface Pick {
  nodeId: string
  name: Text
  among: { id: string; name: string }[]
  /** False: who was picked before stays, or a condition may leave the step out. */
  required: boolean
}

export interface MyTask {
  taskId: string
  nodeId: string
  nodeName: Text
  kind: 'approve' | 'handle'
  agreeActions: string[]
  rejectActions: string[]
  transmit: boolean
  needComment: string
  needAttachment: boolean
  needSign: boolean
  dueAt: string | null
  returnTargets: { nodeId: string; name: Text }[]
  backToMeFrom?: string
  pick: Pick[]
  /** How often the step has returned it, and how often it may: then there is no way to return any more. */
  returns: { times: number; most: number }
}

export interface TimelineEntry {
  id: string
  at: string
  byId: string | null
  byName: string
  forName?: string
  action: string
  variant?: string
  nodeName?: Text
  comment: string | null
  files: EntityRecord[]
  /** The picture of what he signed with; none of `files`. */
  signature?: EntityRecord
  diff: FieldDiff[]
  toNames: string[]
  admin: boolean
}

/** What a person sees of an instance (money 7.3). */
export interface InstanceDetail {
  instance: EntityRecord & { id: string; rowVersion: number; status: string }
  form: {
    bundle: PageBundle
    values: EntityRecord
    rights: Rights
    /** What the records are called that readable fields name. */
    refs: Refs
    changed: (FieldDiff & { by: string; at: string; nodeName: Text })[]
  }
  path: PathNode[]
  timeline: TimelineEntry[]
  myTask: MyTask | null
  actions: string[]
  cc: { id: string; name: string; readAt: string | null }[]
  urges: { at: string; by: string; text: string }[]
  /** When the reader looked at it last; what is newer is new to him. */
  seenBefore?: string
}

/** Whether somebody may see an instance: who takes part in it, gets copies, or administers its process. */
export async function maySee(
  { engine }: Pick2<FlowParts>,
  db: Executor,
  context: RequestContext,
  row: { id: string; processId: string; applicantId: string },
): Promise<boolean> {
  if (context.kind === 'system' || row.applicantId === context.user.staffId) return true
  if (await administers(db, context, row.processId)) return true
  return (await engine.count('wf.instance', context, { ids: [row.id] })) > 0
}
type Pick2<Parts extends Pick2Source> = { engine: Parts['engine'] }
type Pick2Source = { engine: FlowParts['engine'] }

/** The id of the instance that is asked for. @throws ServiceError 10010004 */
export async function askedInstance(
  db: Executor,
  { instanceId, taskId }: { instanceId?: string | undefined; taskId?: string | undefined },
): Promise<string> {
  if (instanceId) return instanceId
  const { rows } = await db.query<{ id: string }>('select instance_id as id from wf_task where id = $1 and deleted_at is null', [
    taskId ?? '',
  ])
  if (!rows[0]) throw new ServiceError('notFound')
  return rows[0].id
}

/** People of whom whoever decides at a step picks those of the next one; without a list anybody at work. */
async function picksAfter(db: Executor, turn: Turn, nodeId: string): Promise<Pick[]> {
  const { process, context, kept } = turn
  const picks: Pick[] = []
  for (const { node, surely } of nextSteps(process.document, nodeId)) {
    const among = picksAt(node, 'pickByPrevious')
    if (among === null) continue
    const staff = await staffById(db, among, context.locale)
    const shown = among.flatMap((id) => (staff.get(id)?.present ? [{ id, name: staff.get(id)!.name }] : []))
    const required = surely && node.emptyRule === undefined && (kept.picked[node.id] ?? []).length === 0
    picks.push({ nodeId: node.id, name: turn.labelOf(node.id), among: shown, required })
  }
  return picks
}

const UNDER_ADMIN = ['jump', 'reassign', 'terminate'] as const

/** Everything that a page needs to show an instance to somebody. @throws ServiceError 10010004 for who may not see it */
export async function instanceDetail(
  parts: FlowParts,
  tx: Transaction,
  context: RequestContext,
  asked: { instanceId?: string | undefined; taskId?: string | undefined },
): Promise<InstanceDetail> {
  const row = await readInstance(tx, await askedInstance(tx, asked))
  if (!row || !(await maySee(parts, tx, context, row))) throw new ServiceError('notFound')
  const me = context.user.staffId
  if (row.status === 'draft' && row.applicantId !== me) throw new ServiceError('notFound')
  const turn = await Turn.of(parts, tx, context, row)
  const { document } = turn.process
  const mine = openTasks(turn.flow).filter(({ task }) => task.assigneeId === me)
  const my = (asked.taskId && mine.find(({ task }) => task.id === asked.taskId)) || mine[0]
  const isApplicant = row.applicantId === me
  const fills = isApplicant && (row.status === 'draft' || row.status === 'returned')
  const mending = await mendingOf(turn)
  const atNode = my ? my.nodeId : fills ? document.nodes[0]!.id : (mending.node?.id ?? null)
  const rights = rightsFor(context, document, atNode)
  const tasks = await tasksOf(tx, row.id)
  const timeline = await timelineOf(turn, rights)
  const admin = await administers(tx, context, row.processId)
  const people = await staffById(tx, [row.applicantId], context.locale)
  const [dept] = (
    await tx.query<{ name: string }>(
      `select case when $2 = 'en' then coalesce(nullif(name_en, ''), name) else name end as name from sys_department where id = $1`,
      [row.deptId, context.locale],
    )
  ).rows
  const copies = await tx.query<{ id: string; name: string; readAt: string | null }>(
    `select c.staff_id as id, ${staffName(context.locale)} as name, c.read_at as "readAt" from wf_cc c join sys_staff s on s.id = c.staff_id where c.instance_id = $1 and c.deleted_at is null order by c.at, c.id`,
    [row.id],
  )
  const urges = await tx.query<{ at: string; by: string; text: string }>(
    `select u.at, ${staffName(context.locale)} as by, coalesce(u.text, '') as text from wf_urge u join sys_staff s on s.id = u.by_id where u.instance_id = $1 and u.deleted_at is null order by u.at`,
    [row.id],
  )
  const allowed = actionsOf(turn, { my, isApplicant, admin, mends: mending.may, me, tasks })
  const myTask = my ? await myTaskOf(turn, my, tasks) : null
  const seenBefore = await lastLook(tx, row.id, me)
  return {
    instance: {
      id: row.id,
      code: row.code,
      title: readsTitles(parts.engine, context)
        ? { zh: row.titleZh ?? document.label.zh, en: row.titleEn ?? row.titleZh ?? document.label.en }
        : titleByAlias(parts.engine, context, document.label, row.customerAlias),
      processId: row.processId,
      processCode: turn.process.code,
      processName: document.label,
      ...(document.icon === undefined ? {} : { icon: document.icon }),
      versionNo: turn.process.no,
      status: row.status,
      urgency: row.urgency ?? 'normal',
      applicantId: row.applicantId,
      applicantName: people.get(row.applicantId)?.name ?? row.applicantId,
      deptName: dept?.name ?? null,
      startedAt: row.startedAt,
      endedAt: row.endedAt,
      round: row.round,
      amount: row.amount,
      currency: row.currency,
      amountCny: row.amountCny,
      rowVersion: row.version,
      effectStatus: row.effectStatus,
      effectError:
        mending.may || isApplicant ? (context.locale === 'en' ? (row.effectErrorEn ?? row.effectError) : row.effectError) : null,
      effectState: turn.flow.effect === 'failed' ? (await stateAfterFailure(turn))[context.locale] : null,
      bizType: row.bizType,
      bizId: row.bizId,
      bizCode: row.bizCode,
      bizLink: row.bizType && row.bizId ? await linkOf(parts, context, row.bizType, row.bizId) : null,
      draft: row.status === 'draft',
      parentId: row.parentId,
    },
    form: {
      bundle: formBundle(parts, context, document, rights, { kept: true, facts: { versionId: row.versionId } }),
      values: readableOf(turn.values, rights),
      rights,
      refs: await namesIn(parts, turn, rights),
      changed: timeline.flatMap((entry) =>
        entry.diff.map((diff) => ({ ...diff, by: entry.byName, at: entry.at, nodeName: entry.nodeName ?? { zh: '', en: '' } })),
      ),
    },
    path: await predictPath(turn, tasks, (field) => rights[field] === 'H'),
    timeline,
    myTask,
    actions: allowed,
    cc: copies.rows,
    urges: urges.rows,
    ...(seenBefore ? { seenBefore } : {}),
  }
}

type Refs = Awaited<ReturnType<FlowParts['engine']['titles']>>

/**
 * What the records are called that an application names in fields which its reader may read: whoever takes part reads names also of records
 * that are out of his reach, as titles repeat them, unless his role keeps names back.
 */
async function namesIn({ engine }: Pick2<FlowParts>, { form, values, context }: Turn, rights: Rights): Promise<Refs> {
  const wanted: Record<string, Set<string>> = {}
  const add = (entity: string | undefined, value: unknown): void => {
    if (entity === undefined) return
    for (const id of [value].flat()) if (typeof id === 'string' && id !== '') (wanted[entity] ??= new Set()).add(id)
  }
  for (const [name, field] of Object.entries(form.fields)) {
    if (rights[name] === 'H') continue
    add(field['x-ref'], values[name])
    const rows = field.rows && Array.isArray(values[name]) ? (values[name] as EntityRecord[]) : []
    for (const row of rows)
      for (const [cell, inner] of Object.entries(field.rows?.fields ?? {}))
        if (rights[`${name}.${cell}`] !== 'H') add(inner['x-ref'], row[cell])
  }
  const asked = Object.fromEntries(Object.entries(wanted).map(([entity, ids]) => [entity, [...ids]]))
  return engine.titles(context, asked)
}

/** The page of the record, with its id, where the entity has one and the record is not out of the reader's reach: he decides by the form then. */
async function linkOf(
  { schemas, engine }: FlowParts,
  context: RequestContext,
  entity: string,
  id: string,
): Promise<string | null> {
  const page = schemas.detailPage(entity)
  if (page === undefined || !engine.names().includes(entity)) return null
  return (await reachable(engine, context, entity, id)) ? `${page}?id=${encodeURIComponent(id)}` : null
}

async function tasksOf(db: Executor, instanceId: string): Promise<ReadonlyMap<string, readonly PathTask[]>> {
  const { rows } = await db.query<PathTask>(
    `select node_id as "nodeId", assignee_id as "assigneeId", original_assignee_id as "originalAssigneeId", status, round, due_at as "dueAt", ended_at as "endedAt"
     from wf_task where instance_id = $1 and deleted_at is null order by arrived_at, id`,
    [instanceId],
  )
  const byNode = new Map<string, PathTask[]>()
  for (const row of rows) byNode.set(row.nodeId, [...(byNode.get(row.nodeId) ?? []), row])
  return byNode
}

interface LogRow {
  id: string
  at: string
  byId: string | null
  byName: string | null
  forName: string | null
  action: string
  variant: string | null
  nodeId: string | null
  nodeNameZh: string | null
  nodeNameEn: string | null
  comment: string | null
  commentEn: string | null
  files: EntityRecord[] | null
  fieldDiff: FieldDiff[] | null
  toIds: string[] | null
  admin: boolean | null
  signatureFile: EntityRecord | null
}

/** Changes of fields that the reader does not see are not told, nor cells of rows that he does not see. */
function toldDiff(diff: readonly FieldDiff[], rights: Rights): FieldDiff[] {
  return diff.flatMap((each) => {
    if (rights[each.field] === 'H' || rights[each.field] === undefined) return []
    const of = (value: unknown): unknown => readableOf({ [each.field]: value }, rights)[each.field]
    return [{ ...each, before: of(each.before), after: of(each.after) }]
  })
}

/** What became of effects, as the timeline says it before what went wrong. */
const EFFECT_WORDS: Readonly<Record<string, Text>> = {
  done: { zh: '已执行', en: 'Done' },
  running: { zh: '已交给外部系统，等待送达', en: 'Handed to the other system, not delivered yet' },
  delivered: { zh: '外部系统已收到', en: 'Delivered to the other system' },
  failed: { zh: '未能执行', en: 'It failed' },
  skipped: { zh: '此前已执行，没有再次执行', en: 'Done before, so it was not done again' },
  stuck: { zh: '流程停在这里', en: 'The flow stands still here' },
}

async function timelineOf(turn: Turn, rights: Rights): Promise<TimelineEntry[]> {
  const { locale } = turn.context
  const { rows } = await turn.tx.query<LogRow>(
    `select l.id, l.at, l.by_id as "byId", ${staffName(locale)} as "byName", ${staffName(locale, 'f')} as "forName", l.action, l.variant, l.node_id as "nodeId", l.node_name_zh as "nodeNameZh", l.node_name_en as "nodeNameEn",
       l.comment, l.comment_en as "commentEn", l.files, l.field_diff as "fieldDiff", l.to_ids as "toIds", l.admin, t.signature_file as "signatureFile"
     from wf_action_log l left join wf_task t on t.id = l.task_id left join sys_staff s on s.id = l.by_id left join sys_staff f on f.id = l.for_id
     where l.instance_id = $1 and l.deleted_at is null order by l.at, l.id`,
    [turn.row.id],
  )
  const staff = await staffById(
    turn.tx,
    rows.flatMap(({ toIds }) => toIds ?? []),
    locale,
  )
  const said = ({ action, variant, comment: zh, commentEn }: LogRow): string | null => {
    const comment = locale === 'en' ? (commentEn ?? zh) : zh
    const words = action === 'effect' ? EFFECT_WORDS[variant ?? '']?.[locale] : undefined
    return words === undefined ? comment : comment ? `${words}${locale === 'zh' ? '：' : ': '}${comment}` : words
  }
  return rows.map((row) => {
    const {
      nodeNameZh,
      nodeNameEn,
      nodeId: _,
      commentEn: _en,
      forName,
      variant,
      fieldDiff,
      toIds,
      byName,
      files,
      admin,
      signatureFile,
      ...entry
    } = row
    const signature = (files ?? []).find(({ id }) => id === signatureFile?.['id'])
    return {
      ...entry,
      comment: said(row),
      byName: byName ?? '',
      ...(forName ? { forName } : {}),
      ...(variant ? { variant } : {}),
      ...(nodeNameZh ? { nodeName: { zh: nodeNameZh, en: nodeNameEn ?? nodeNameZh } } : {}),
      files: (files ?? []).filter((file) => file !== signature),
      ...(signature ? { signature } : {}),
      diff: toldDiff(fieldDiff ?? [], rights),
      toNames: (toIds ?? []).map((id) => staff.get(id)?.name ?? id),
      admin: admin ?? false,
    }
  })
}

type Mine = ReturnType<typeof openTasks>[number]

async function myTaskOf(turn: Turn, { nodeId, task }: Mine, tasks: ReadonlyMap<string, readonly PathTask[]>): Promise<MyTask> {
  const node = turn.nodeOf(nodeId)!
  const ways = waysOf(node)
  const due = (tasks.get(nodeId) ?? []).find(
    ({ assigneeId, status }) => status === 'pending' && assigneeId === task.assigneeId,
  )?.dueAt
  const back = turn.flow.resume.findLast(({ at }) => at === nodeId)
  const from = back && (await staffById(turn.tx, [back.personId], turn.context.locale)).get(back.personId)?.name
  return {
    taskId: task.id,
    nodeId,
    nodeName: turn.labelOf(nodeId),
    kind: node.kind === 'handle' ? 'handle' : 'approve',
    agreeActions: ways.agree,
    rejectActions: rejectWays(turn, nodeId),
    transmit: node.transmit !== false,
    needComment: node.needComment ?? 'onReject',
    needAttachment: node.needAttachment ?? false,
    needSign: node.needSign ?? false,
    dueAt: due ?? null,
    returnTargets: [turn.process.document.nodes[0]!.id, ...returnTargets(turn.process.document, turn.flow, nodeId)].map((id) => ({
      nodeId: id,
      name: turn.labelOf(id),
    })),
    ...(from === undefined ? {} : { backToMeFrom: from }),
    pick: await picksAfter(turn.tx, turn, nodeId),
    returns: returnsOf(turn.process.document, turn.flow, nodeId),
  }
}

/** What is left to a step that has returned an application as often as it may: to reject it. */
function rejectWays(turn: Turn, nodeId: string): string[] {
  const { reject } = waysOf(turn.nodeOf(nodeId)!)
  const { times, most } = returnsOf(turn.process.document, turn.flow, nodeId)
  return times < most ? reject : reject.filter((way) => way === 'rejectEnd')
}

function actionsOf(
  turn: Turn,
  {
    my,
    isApplicant,
    admin,
    mends,
    me,
    tasks,
  }: {
    my: Mine | undefined
    isApplicant: boolean
    admin: boolean
    mends: boolean
    me: string
    tasks: ReadonlyMap<string, readonly PathTask[]>
  },
): string[] {
  const { flow, row } = turn
  const { document } = turn.process
  const actions: string[] = []
  if (row.status === 'draft') return isApplicant ? ['resubmit'] : []
  const node = my && turn.nodeOf(my.nodeId)
  if (node) {
    actions.push('agree')
    if (rejectWays(turn, node.id).length > 0) actions.push('reject')
    if (node.transmit !== false) actions.push('transmit')
    actions.push('addSign')
  }
  actions.push('comment')
  const running = !isOver(flow)
  if (isApplicant && running) {
    const { allowWithdraw = 'beforeFirst' } = document
    if (
      !flow.handled &&
      (flow.status === 'returned' || allowWithdraw === 'untilEnd' || (allowWithdraw === 'beforeFirst' && flow.decided === 0))
    )
      actions.push('withdraw')
    if (flow.status === 'returned') actions.push('resubmit')
    if (flow.status === 'running' && document.allowUrge !== false && openTasks(flow).length > 0) actions.push('urge')
  }
  if (isApplicant) actions.push('copy')
  if (running && flow.undo?.personId === me) {
    const task = [...tasks.values()].flat().findLast(({ assigneeId, endedAt }) => assigneeId === me && endedAt !== null)
    if (task?.endedAt && turn.context.now.getTime() - new Date(task.endedAt).getTime() <= 600_000) actions.push('takeBack')
  }
  if (admin && running) actions.push(...UNDER_ADMIN)
  const stuck = Object.values(flow.nodes).some(({ phase }) => phase === 'alarm')
  if (mends && (flow.effect === 'failed' || stuck)) actions.push('retryEffect')
  return actions
}
