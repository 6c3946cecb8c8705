import type { FastifyInstance } from 'fastify'
import { MASK } from '../../../../src/schema/entity'
import type { QueryCondition, QuerySort } from '../../../../src/schema/model'
import type { EntityEngine, EntityRecord } from '../../../entities'
import type { Database } from '../../../platform/database'
import { contextOf, ok, type RequestContext } from '../../../platform/http'
import { addDays, dayOf, instantAt, type Day } from '../rules/companyDay'
import { ruleFor } from './rules'

interface TodayParts {
  engine: EntityEngine
  database: Database
  timeZone: string
}

/** One thing to do. `at` is an instant or a day. */
interface Task {
  id: string
  title: string
  customerId: string | null
  at: string | null
  note: string | null
  /** Address of the page where it is done, when that is not the customer. */
  link?: string | null
}
/** Things of one kind; `total` counts all of them, `rows` are the most urgent. */
interface TaskGroup {
  id: string
  entity: string
  total: number
  rows: Task[]
}
interface Source {
  id: string
  entity: string
  view?: string
  where: readonly QueryCondition[]
  sort: readonly QuerySort[]
  task(record: EntityRecord, title: (entity: string, id: unknown) => string | null): Task
}

const SHOWN = 20
/** Kinds of to-dos whose matter has a group of its own. */
const LISTED_ELSEWHERE = ['recycleSoon', 'appeal', 'handOver', 'visit', 'opportunity']
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** GET /v2/crm/index/today: what a salesman has to do today, the most urgent first; kinds without rows are left out. */
export function registerToday(app: FastifyInstance, { engine, database, timeZone }: TodayParts): void {
  app.get(
    '/v2/crm/index/today',
    {
      schema: {
        tags: ['crm'],
        summary: 'What to do today: due follow-ups, recycling, to-dos, opportunities, hand-overs to accept',
      },
    },
    async (request) => {
      const context = contextOf(request)
      const today = dayOf(context.now, timeZone)
      const { remindDays } = await ruleFor(database, 'crm.sea', context.now, { staffId: context.user.staffId })
      const ahead = addDays(today, Math.max(0, ...remindDays))
      const wanted = sourcesFor(context, { today, ahead, timeZone }).filter(({ entity }) => engine.names().includes(entity))
      const groups = await Promise.all(wanted.map((source) => groupOf(engine, context, source)))
      return ok({ day: today, groups: groups.filter((group) => group !== null && group.total > 0) })
    },
  )
}

async function groupOf(engine: EntityEngine, context: RequestContext, source: Source): Promise<TaskGroup | null> {
  const { id, entity, view, where, sort, task } = source
  const model = engine.model(entity)
  // somebody without any customers has no work with them; that is no failure
  if (model.scope.kind === 'owned' && (context.scopes[entity] ?? context.scopes['*'] ?? []).length === 0) return null
  if (model.permissions.read !== undefined && !context.permissions.has(model.permissions.read)) return null
  // what is looked for by a field that he does not see is not told
  if (![...where, ...sort].every(({ field }) => engine.readable(context, `${entity}.${field}`))) return null
  const { records, total, refs } = await engine.queryPage(entity, context, { view, where, sort, pageSize: SHOWN })
  const title = (other: string, otherId: unknown): string | null => refs[other]?.[String(otherId)]?.title ?? null
  return { id, entity, total, rows: records.map((record) => task(record, title)) }
}

/** `ahead` = the last recycling day of which an owner has been reminded by now. */
function sourcesFor(context: RequestContext, { today, ahead, timeZone }: { today: Day; ahead: Day; timeZone: string }): Source[] {
  const endOfDay = new Date(instantAt(addDays(today, 1), '00:00', timeZone).getTime() - 1).toISOString()
  const me = context.user.staffId
  const customer = (at: string) => (record: EntityRecord) => ({
    id: String(record.id),
    title: text(record.name) ?? MASK,
    customerId: String(record.id),
    at: text(record[at]),
    note: null,
  })
  return [
    {
      id: 'followUps',
      entity: 'crm.customer',
      view: 'mine',
      where: [{ field: 'nextFollowAt', operator: 'lte', value: endOfDay }],
      sort: [{ field: 'nextFollowAt', order: 'asc' }],
      task: customer('nextFollowAt'),
    },
    {
      id: 'recycling',
      entity: 'crm.customer',
      view: 'mine',
      where: [{ field: 'recycleOn', operator: 'lte', value: ahead }],
      sort: [{ field: 'recycleOn', order: 'asc' }],
      task: customer('recycleOn'),
    },
    {
      id: 'todos',
      entity: 'sys.todo',
      where: [
        { field: 'status', operator: 'eq', value: 'open' },
        { field: 'kind', operator: 'notIn', value: LISTED_ELSEWHERE },
        { field: 'dueAt', operator: 'lte', value: endOfDay },
      ],
      sort: [{ field: 'dueAt', order: 'asc' }],
      task: (record) => ({
        id: String(record.id),
        title: String(context.locale === 'en' ? record.titleEn : record.titleZh),
        customerId: record.subjectEntity === 'crm.customer' ? text(record.subjectId) : null,
        at: text(record.dueAt),
        note: null,
        link: text(record.link),
      }),
    },
    {
      id: 'opportunities',
      entity: 'crm.opportunity',
      where: [
        { field: 'ownerId', operator: 'eq', value: me },
        { field: 'stage', operator: 'notIn', value: ['won', 'lost'] },
        { field: 'nextFollowAt', operator: 'empty' },
      ],
      sort: [{ field: 'expectedOn', order: 'asc' }],
      task: (record, title) => ({
        id: String(record.id),
        title: text(record.name) ?? MASK,
        customerId: text(record.customerId),
        at: text(record.expectedOn),
        note: title('crm.customer', record.customerId),
        link: `/crm/BODetail?id=${String(record.id)}`,
      }),
    },
    {
      id: 'visits',
      entity: 'crm.visit',
      where: [
        { field: 'createdBy', operator: 'eq', value: me },
        { field: 'status', operator: 'in', value: ['planned', 'overdue'] },
        { field: 'plannedAt', operator: 'lte', value: endOfDay },
      ],
      sort: [{ field: 'plannedAt', order: 'asc' }],
      task: (record, title) => ({
        id: String(record.id),
        title: text(record.purpose) ?? MASK,
        customerId: text(record.customerId),
        at: text(record.plannedAt),
        note: title('crm.customer', record.customerId),
        link: '/crm/visiting-records',
      }),
    },
    {
      id: 'transfers',
      entity: 'crm.transfer',
      view: 'toAccept',
      where: [],
      sort: [{ field: 'expiresAt', order: 'asc' }],
      task: (record, title) => ({
        id: String(record.id),
        title: `${String(record.code)} · ${title('sys.staff', record.fromStaffId) ?? ''}`,
        customerId: null,
        at: text(record.expiresAt),
        note: `${Number(record.itemCount ?? 0)}`,
        link: '/crm/wander/transfer',
      }),
    },
    {
      id: 'shares',
      entity: 'crm.share',
      view: 'toAccept',
      where: [],
      sort: [{ field: 'createdAt', order: 'asc' }],
      task: (record, title) => ({
        id: String(record.id),
        title: title('crm.customer', record.customerId) ?? '',
        customerId: null,
        at: text(record.expiresAt),
        note: text(record.reason),
        link: '/crm/wander/share',
      }),
    },
    {
      id: 'appeals',
      entity: 'crm.dupAppeal',
      where: [
        { field: 'ownerId', operator: 'eq', value: me },
        { field: 'status', operator: 'eq', value: 'pending' },
      ],
      sort: [{ field: 'createdAt', order: 'asc' }],
      task: (record) => ({
        id: String(record.id),
        title: text(record.name) ?? MASK,
        customerId: null,
        at: text(record.createdAt),
        note: text(record.note),
      }),
    },
  ]
}
