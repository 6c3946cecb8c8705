import type { Locale } from '../../../src/schema/problem'
import { can, type RequestContext, type Text } from '../../platform/http'
import type { WorkflowParts } from '../parts'
import { staffName } from '../names'
import { ADMIN, DESIGN } from './access'

export interface Asked {
  processId?: string
  /** Days of the company, both included. */
  dateFrom?: string
  dateTo?: string
  /** The same as conditions, as a report sends them: of processId, and of endedAt. */
  where?: readonly { field: 'processId' | 'endedAt'; value?: unknown }[]
}

/** What is asked for: processes (null: all), first and last day. */
function limitsOf({ processId, dateFrom, dateTo, where = [] }: Asked): [string[] | null, string | null, string | null] {
  const valuesOf = (field: string): unknown[] | undefined => {
    const said = where.find((one) => one.field === field)?.value
    return said === undefined || said === null ? undefined : [said].flat()
  }
  const days = valuesOf('endedAt') ?? [dateFrom, dateTo]
  const day = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value.slice(0, 10) : null)
  const processes = valuesOf('processId')?.map(String) ?? (processId === undefined ? null : [processId])
  return [processes, day(days[0]), day(days[1])]
}

const MOST = 100
/** Steps that are told: the slowest. */
const MOST_STEPS = 25

/**
 * What owners of processes ask: median hours of each step and person, where applications wait now, rejections and returns with their reasons;
 * over tasks that ended within the days. Whoever neither designs nor administers sees the processes that name him as administrator.
 */
export async function figures({ database, timeZone }: WorkflowParts, context: RequestContext, asked: Asked) {
  const all = can(context, DESIGN) || can(context, ADMIN)
  const params = [all, context.user.staffId, ...limitsOf(asked), timeZone]
  const readable = `(select id from wf_process where deleted_at is null and ($1::boolean or admin_ids ? $2::text) and ($3::text[] is null or id = any($3::text[])))`
  const days = (moment: string) =>
    `($4::date is null or ${moment} >= ($4::date)::timestamp at time zone $6::text) and ($5::date is null or ${moment} < ($5::date + 1)::timestamp at time zone $6::text)`
  const hours = `extract(epoch from t.ended_at - t.arrived_at) / 3600`
  const ended = `t.process_id in ${readable} and t.ended_at is not null and t.status not in ('pending', 'cancelled') and ${days('t.ended_at')} and t.deleted_at is null`
  const spent = `round((percentile_cont(0.5) within group (order by ${hours}))::numeric, 1)::float8 as "medianHours",
    round((percentile_cont(0.9) within group (order by ${hours}))::numeric, 1)::float8 as "p90Hours", count(*) as tasks,
    count(*) filter (where t.due_at is not null and t.ended_at > t.due_at) as late`
  const [nodes, people, waiting, refusals, totals] = await Promise.all([
    database.query(
      `select t.process_id as "processId", p.name_zh as "processZh", p.name_en as "processEn", t.node_id as "nodeId", max(t.node_name_zh) as "nodeZh",
         max(t.node_name_en) as "nodeEn", ${spent}
       from wf_task t join wf_process p on p.id = t.process_id where ${ended} group by t.process_id, p.id, t.node_id order by "medianHours" desc limit ${MOST_STEPS}`,
      params,
    ),
    database.query(
      `select t.assignee_id as "staffId", s.name, s.name_en as "nameEn", ${spent},
         (select count(*) from wf_task o where o.assignee_id = t.assignee_id and o.status = 'pending' and o.process_id in ${readable}) as pending
       from wf_task t join sys_staff s on s.id = t.assignee_id where ${ended} group by t.assignee_id, s.id order by "medianHours" desc limit ${MOST}`,
      params,
    ),
    database.query(
      `select t.id as "taskId", t.instance_id as "instanceId", t.process_id as "processId", t.node_id as "nodeId", i.code, i.title_zh as "titleZh", i.title_en as "titleEn", p.name_zh as "processZh",
         p.name_en as "processEn", t.node_name_zh as "nodeZh", t.node_name_en as "nodeEn", ${staffName(context.locale)} as handler, t.arrived_at as "arrivedAt", t.due_at as "dueAt",
         t.urged, round((extract(epoch from $7::timestamptz - t.arrived_at) / 3600)::numeric, 1)::float8 as hours
       from wf_task t join wf_instance i on i.id = t.instance_id join wf_process p on p.id = t.process_id left join sys_staff s on s.id = t.assignee_id
       where t.status = 'pending' and t.deleted_at is null and t.process_id in ${readable} and ${days('t.arrived_at')} order by t.arrived_at limit ${MOST}`,
      [...params, context.now.toISOString()],
    ),
    database.query(
      `select t.id as "taskId", t.instance_id as "instanceId", i.code, p.name_zh as "processZh", p.name_en as "processEn", t.node_name_zh as "nodeZh", t.node_name_en as "nodeEn",
         ${staffName(context.locale)} as by, t.ended_at as at, t.status, t.comment
       from wf_task t join wf_instance i on i.id = t.instance_id join wf_process p on p.id = t.process_id left join sys_staff s on s.id = t.assignee_id
       where t.status in ('rejected', 'returned') and t.deleted_at is null and t.process_id in ${readable} and ${days('t.ended_at')}
       order by t.ended_at desc limit ${MOST}`,
      params,
    ),
    database.query(
      `select ${spent}, count(*) filter (where t.status in ('rejected', 'returned')) as refused,
         (select count(*) from wf_task o where o.status = 'pending' and o.deleted_at is null and o.process_id in ${readable}) as waiting,
         (select count(*) from wf_task o where o.status = 'pending' and o.deleted_at is null and o.due_at < $7::timestamptz and o.process_id in ${readable}) as overdue
       from wf_task t where ${ended}`,
      [...params, context.now.toISOString()],
    ),
  ])
  const { locale } = context
  const told = (rows: readonly Record<string, unknown>[]) => rows.map((row) => named(texts(row), locale))
  return {
    totals: totals.rows,
    nodes: told(nodes.rows),
    people: people.rows.map((row) => ({ ...row, person: locale === 'en' ? row['nameEn'] || row['name'] : row['name'] })),
    waiting: told(waiting.rows),
    refusals: told(refusals.rows),
  }
}

/** `step`: process and step in the reader's language, told apart by `processId` and `nodeId`. */
const named = (row: Record<string, unknown>, locale: Locale): Record<string, unknown> => ({
  ...row,
  step: [row['process'], row['node']].map((text) => (text as Text | undefined)?.[locale] ?? '').join(' · '),
})

/** `nodeZh` and `nodeEn` as one text `node`, and so on. */
function texts(row: Record<string, unknown>): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(row)) {
    if (key.endsWith('Zh')) made[key.slice(0, -2)] = { zh: value, en: row[`${key.slice(0, -2)}En`] ?? value }
    else if (!key.endsWith('En') || !(`${key.slice(0, -2)}Zh` in row)) made[key] = value
  }
  return made
}
