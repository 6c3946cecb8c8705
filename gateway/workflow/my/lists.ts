import { sql, type SQL } from 'drizzle-orm'
import { nodeById, startOf } from '../../../src/schema/process'
import type { Node, ProcessDocument } from '../../../src/schema/generated/process'
import type { EntityEngine } from '../../entities'
import type { Executor } from '../../platform/database'
import type { Locale, RequestContext, Text } from '../../platform/http'
import { documentsOf } from '../definitions'
import { staffName } from '../names'
import { likeText, pageOf, type PageOf, type PageRequest } from '../paging'
import { readsTitles, titleByAlias } from '../titles'

/** What a person asks of his lists (money 7.6). */
export interface ListRequest extends PageRequest {
  keyword?: string
  processId?: string
  applicantId?: string
  /** Of the application; several are one or the other. */
  status?: string | string[]
  urgency?: string
  /** Days of the company, both included: of arrival, start, decision or copy, as the list is. */
  dateFrom?: string
  dateTo?: string
  /** True: past its time limit and open. */
  overdue?: boolean
  /** True: tasks that he holds for somebody else. */
  delegated?: boolean
  /** Of copies: read ones, or unread ones. */
  read?: boolean
  sort?: { field: SortField; order: 'asc' | 'desc' }
}

export type SortField = 'arrivedAt' | 'dueAt' | 'amountCny' | 'urgency'

/** A line of the four lists. */
export interface ListRow {
  instanceId: string
  /** Empty in lists of applications. */
  taskId: string | null
  /** Of the copy in the list of copies. */
  copyId: string | null
  code: string
  title: Text
  processId: string
  processCode: string
  processName: Text
  icon: string | null
  applicantId: string
  applicantName: string
  deptName: string | null
  amount: string | null
  amountCny: string | null
  currency: string | null
  summary: unknown
  /** The step of the task or copy; of an application the steps at which it is. */
  nodeName: Text | null
  /** Who has it now; of a returned application the applicant. */
  currentHandlers: string[]
  /** The steps at which it waits now, and since when. */
  currentNode: Text | null
  waitingSince: string | null
  status: string
  taskStatus: string | null
  /** What he did. */
  action: string | null
  comment: string | null
  urgency: string
  round: number
  /** When it came to him, was started, decided or copied, as the list is. */
  arrivedAt: string | null
  startedAt: string | null
  endedAt: string | null
  dueAt: string | null
  overdue: boolean
  urged: number
  read: boolean
  /** Whose task it is, where he acts for somebody. */
  forName: string | null
  /** How it came to him: code of the dictionary taskSource. */
  source: string | null
  /** It can be agreed to together with others of its process. */
  batch: boolean
  /** Version of the application, which an action has to name. */
  rowVersion: number
}

interface Source {
  /** Rows under `t` (task), `c` (copy) and `i` (application), joined. */
  from: SQL
  mine: SQL
  /** The moment by which the list is filtered and ordered. */
  at: SQL
  task: boolean
  copy: boolean
}

/** Ways in which a person himself ended a task. */
const HANDLED = sql`('agreed', 'rejected', 'returned', 'transmitted', 'done')`

const sourceOf = (list: ListName, staffId: string): Source => {
  const task = sql`wf_task t join wf_instance i on i.id = t.instance_id and i.deleted_at is null`
  switch (list) {
    case 'toDo':
      return {
        from: task,
        mine: sql`t.assignee_id = ${staffId} and t.status = 'pending' and t.deleted_at is null`,
        at: sql`t.arrived_at`,
        task: true,
        copy: false,
      }
    case 'handle':
      return {
        from: task,
        mine: sql`t.assignee_id = ${staffId} and t.status in ${HANDLED} and t.deleted_at is null`,
        at: sql`t.ended_at`,
        task: true,
        copy: false,
      }
    case 'apply':
      return {
        from: sql`wf_instance i`,
        mine: sql`(i.applicant_id = ${staffId} or i.on_behalf_of = ${staffId}) and i.deleted_at is null`,
        at: sql`coalesce(i.started_at, i.created_at)`,
        task: false,
        copy: false,
      }
    case 'ccMe':
      return {
        from: sql`wf_cc c join wf_instance i on i.id = c.instance_id and i.deleted_at is null`,
        mine: sql`c.staff_id = ${staffId} and c.deleted_at is null`,
        at: sql`c.at`,
        task: false,
        copy: true,
      }
  }
}

export type ListName = 'toDo' | 'apply' | 'handle' | 'ccMe'

/** One of the four lists of the caller: what he has to decide, has applied for, has decided, was copied. */
export async function listOf(
  engine: Pick<EntityEngine, 'readable'>,
  db: Executor,
  context: RequestContext,
  list: ListName,
  request: ListRequest,
): Promise<PageOf<ListRow>> {
  const { pageNum, pageSize, offset } = pageOf(request)
  const source = sourceOf(list, context.user.staffId)
  const titles = readsTitles(engine, context)
  const where = sql.join(
    [source.mine, ...conditions(list, source, request, context, { zone: db.companyTimeZone, titles })],
    sql` and `,
  )
  const direction = request.sort?.order === 'asc' ? sql`asc` : sql`desc`
  // what is late waits longest for somebody: it stands first where nobody asked for another order
  const late =
    list === 'toDo' && request.sort === undefined
      ? sql`(t.due_at is not null and t.due_at < ${context.now.toISOString()}::timestamptz) desc, `
      : sql``
  const order = sql`${late}${orderOf(source, request.sort?.field)} ${direction} nulls last, ${source.at} desc nulls last, i.id desc`
  const row = sql`${source.task ? sql`t.id` : sql`null::text`} as task_id, ${source.copy ? sql`c.id` : sql`null::text`} as copy_id, i.id as instance_id`
  const [{ rows: counted }, { rows }] = [
    await db.query<{ total: number }>(sql`select count(*) as total from ${source.from} where ${where}`),
    await db.query<Raw>(sql`with page as materialized (
      select row_number() over (order by ${order}) as place, ${row}, ${source.at} as arrived_at from ${source.from} where ${where}
      order by ${order} limit ${pageSize} offset ${offset})
      ${columns(context.locale)} order by page.place`),
  ]
  const documents = await documentsOf(
    db,
    rows.map(({ versionId }) => versionId),
  )
  return {
    total: Number(counted[0]?.total ?? 0),
    list: rows.map((one) => lineOf(documents.get(one.versionId), context, titles ? one : untitled(engine, context, one))),
    pageNum,
    pageSize,
  }
}

function conditions(
  list: ListName,
  source: Source,
  request: ListRequest,
  { now }: RequestContext,
  { zone, titles }: { zone: string; titles: boolean },
): SQL[] {
  const { keyword, processId, applicantId, status, urgency, dateFrom, dateTo, overdue, delegated, read } = request
  const like = keyword ? likeText(keyword) : undefined
  const statuses = status === undefined ? [] : [status].flat()
  const late = source.task
    ? sql`t.status = 'pending' and t.due_at < ${now.toISOString()}::timestamptz`
    : sql`exists (select 1 from wf_task o where o.instance_id = i.id and o.status = 'pending' and o.due_at < ${now.toISOString()}::timestamptz)`
  return [
    ...(statuses.length > 0
      ? [sql`i.status = any(${sql.param(statuses)}::text[])`]
      : list === 'apply'
        ? [sql`i.status <> 'draft'`]
        : []),
    ...(like
      ? [
          sql`(i.code ilike ${like}${titles ? sql` or i.title_zh ilike ${like} or i.title_en ilike ${like} or i.biz_code ilike ${like}` : sql``}
          or exists (select 1 from sys_staff a where a.id = i.applicant_id and (a.name ilike ${like} or a.name_en ilike ${like})))`,
        ]
      : []),
    ...(processId ? [sql`i.process_id = ${processId}`] : []),
    ...(applicantId ? [sql`i.applicant_id = ${applicantId}`] : []),
    ...(urgency ? [sql`i.urgency = ${urgency}`] : []),
    ...(dateFrom ? [sql`${source.at} >= (${dateFrom}::date)::timestamp at time zone ${zone}`] : []),
    ...(dateTo ? [sql`${source.at} < (${dateTo}::date + 1)::timestamp at time zone ${zone}`] : []),
    ...(overdue === undefined ? [] : [overdue ? sql`(${late})` : sql`not coalesce(${late}, false)`]),
    ...(delegated === undefined || !source.task ? [] : [delegated ? sql`t.source = 'delegated'` : sql`t.source <> 'delegated'`]),
    ...(read === undefined || !source.copy ? [] : [read ? sql`c.read_at is not null` : sql`c.read_at is null`]),
  ]
}

function orderOf(source: Source, field: SortField = 'arrivedAt'): SQL {
  switch (field) {
    case 'arrivedAt':
      return source.at
    case 'dueAt':
      return source.task ? sql`t.due_at` : sql`i.started_at`
    case 'amountCny':
      return sql`i.amount_cny`
    case 'urgency':
      return sql`(i.urgency = 'urgent')`
  }
}

interface Raw {
  versionId: string
  nodeId: string | null
  titleZh: string | null
  titleEn: string | null
  customerAlias: string | null
  processZh: string
  processEn: string
  nodeZh: string | null
  nodeEn: string | null
  currentZh: string[] | null
  currentEn: string[] | null
  [column: string]: unknown
}

const named = (locale: Locale, alias: string): SQL => sql.raw(staffName(locale, alias))

const columns = (
  locale: Locale,
): SQL => sql`select page.instance_id as "instanceId", page.task_id as "taskId", page.copy_id as "copyId", i.code, i.title_zh as "titleZh", i.title_en as "titleEn", i.customer_alias as "customerAlias",
    i.process_id as "processId", p.code as "processCode", p.name_zh as "processZh", p.name_en as "processEn", p.icon, i.version_id as "versionId",
    i.applicant_id as "applicantId", ${named(locale, 'a')} as "applicantName", d.name as "deptName", i.amount::text as amount, i.amount_cny::text as "amountCny", i.currency,
    i.summary, t.node_id as "nodeId", coalesce(t.node_name_zh, c.node_name_zh) as "nodeZh", coalesce(t.node_name_en, c.node_name_en) as "nodeEn",
    case when i.status = 'returned' then jsonb_build_array(${named(locale, 'a')}) else open.handlers end as "currentHandlers",
    open.zh as "currentZh", open.en as "currentEn", coalesce(open.since, given.since) as "waitingSince", i.status, t.status as "taskStatus", t.action, t.comment, i.urgency,
    coalesce(t.round, i.round) as round, page.arrived_at as "arrivedAt", i.started_at as "startedAt", coalesce(t.ended_at, i.ended_at) as "endedAt",
    coalesce(t.due_at, open.due) as "dueAt", coalesce(t.urged, open.urged, 0) as urged, coalesce(t.read_at, c.read_at) as "readAt",
    ${named(locale, 'f')} as "forName", t.source, i.version as "rowVersion"
  from page join wf_instance i on i.id = page.instance_id join wf_process p on p.id = i.process_id
    left join wf_task t on t.id = page.task_id left join wf_cc c on c.id = page.copy_id left join sys_staff a on a.id = i.applicant_id
    left join sys_department d on d.id = i.dept_id left join sys_staff f on f.id = t.original_assignee_id and f.id <> t.assignee_id
    left join lateral (select jsonb_agg(${named(locale, 's')} order by o.arrived_at, o.id) as handlers, jsonb_agg(distinct o.node_name_zh) as zh,
      jsonb_agg(distinct o.node_name_en) as en, min(o.arrived_at) as since, min(o.due_at) as due, max(o.urged) as urged
      from wf_task o join sys_staff s on s.id = o.assignee_id where o.instance_id = i.id and o.status = 'pending' and o.deleted_at is null) open on true
    left join lateral (select max(l.at) as since from wf_action_log l where i.status = 'returned' and l.instance_id = i.id and l.action = 'return') given on true`

/** A line for whoever may not read titles. */
function untitled(engine: Pick<EntityEngine, 'readable'>, context: RequestContext, raw: Raw): Raw {
  const { zh, en } = titleByAlias(engine, context, { zh: raw.processZh, en: raw.processEn }, raw.customerAlias)
  return { ...raw, titleZh: zh, titleEn: en, summary: null }
}

function lineOf(document: ProcessDocument | undefined, { now }: RequestContext, raw: Raw): ListRow {
  const {
    versionId: _version,
    nodeId,
    titleZh,
    titleEn,
    customerAlias: _alias,
    processZh,
    processEn,
    nodeZh,
    nodeEn,
    currentZh,
    currentEn,
    readAt,
    ...row
  } = raw
  const line = row as unknown as ListRow
  const pending = line.taskStatus === 'pending'
  const dueAt = line.taskStatus === null || pending ? line.dueAt : null
  const node = document && pending && nodeId !== null ? nodeById(document, nodeId) : undefined
  const returned = document && line.status === 'returned' ? startOf(document)?.label : undefined
  const current = currentZh ? { zh: currentZh.join('、'), en: (currentEn ?? currentZh).join(', ') } : (returned ?? null)
  return {
    ...line,
    title: { zh: titleZh ?? line.code, en: titleEn ?? line.code },
    processName: { zh: processZh, en: processEn },
    nodeName: nodeZh ? { zh: nodeZh, en: nodeEn ?? nodeZh } : current,
    currentNode: current,
    currentHandlers: line.currentHandlers ?? [],
    urged: Number(line.urged),
    read: readAt !== null,
    overdue: dueAt !== null && Date.parse(dueAt) < now.getTime(),
    batch: node !== undefined && allowsBatch(node),
  }
}

/** Agreeing asks for nothing that only the form itself can give (`batch` of a node). */
export const allowsBatch = (node: Node): boolean =>
  node.kind === 'approve' &&
  node.batch !== false &&
  node.needAttachment !== true &&
  node.needSign !== true &&
  node.needComment !== 'always' &&
  !Object.values(node.fieldRights ?? {}).includes('M')

/** The counts of the shell's shortcut (money 7.6): open applications, unread copies, decided tasks, tasks to decide. */
export async function summaryOf(db: Executor, { user: { staffId } }: RequestContext) {
  const { rows } = await db.query<{ applyNum: number; ccNum: number; handleNum: number; todoNum: number }>(
    sql`select
      (select count(*) from wf_instance where (applicant_id = ${staffId} or on_behalf_of = ${staffId}) and status in ('running', 'returned') and deleted_at is null) as "applyNum",
      (select count(*) from wf_cc where staff_id = ${staffId} and read_at is null and deleted_at is null) as "ccNum",
      (select count(*) from wf_task where assignee_id = ${staffId} and status in ${HANDLED} and deleted_at is null) as "handleNum",
      (select count(*) from wf_task where assignee_id = ${staffId} and status = 'pending' and deleted_at is null) as "todoNum"`,
  )
  return rows[0]!
}
