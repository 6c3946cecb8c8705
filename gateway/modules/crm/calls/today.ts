import { MASK } from '../../../../src/schema/entity'
import { leavesOf } from '../../../../src/schema/where'
import type { QuerySort } from '../../../../src/schema/model'
import type { EntityEngine, EntityRecord } from '../../../entities'
import { contextOf, ok, type RequestContext } from '../../../platform/http'
import { dayOf } from '../rules/companyDay'
import { tabOf, type ListTab, type TabName } from '../../../pages'
import type { ModuleCall } from '../../module'
import { bukaPage } from '../services/buka'

/** One thing to do. `at` (when it is due) and `since` (how long it waits) are an instant or a day. */
interface Task {
  id: string
  title: string
  customerId: string | null
  at: string | null
  since?: string | null
  note: string | null
  /** Address of the page where it is done, when that is not the customer. */
  link?: string | null
  /** Somebody waits for a decision: it is over when that is made, not when it is ticked off. */
  waiting?: boolean
}
/** Things of one kind; `total` counts all of them, `rows` are the most urgent, `address` is the list of exactly these. */
interface TaskGroup {
  id: string
  entity: string
  address: string | null
  total: number
  rows: Task[]
}
interface Source {
  id: string
  /** The tab that shows the same; to-dos have no list, so all of them stand here. */
  from: TabName | Omit<ListTab, 'address'>
  /** Which of them comes first here, where the tab says nothing. */
  sort?: readonly QuerySort[]
  /** Who may act on them. */
  permission?: string
  task(record: EntityRecord, title: (entity: string, id: unknown) => string | null): Task
}

const SHOWN = 20
const SHOWN_TODOS = 200
/** Kinds of to-dos whose matter has a group of its own. */
const LISTED_ELSEWHERE = ['recycleSoon', 'appeal', 'handOver', 'visit', 'opportunity']
/** Who may decide a matter finds it in the group of that matter; a leader who may not keeps the to-do that asks him. */
const DECIDING = ['crm:classA:approve', 'crm:buka:approve', 'crm:alias:approve', 'crm:blacklist:approve']
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** GET /v2/crm/index/today: what a salesman has to do today, the most urgent first; kinds without rows are left out. */
export const call: ModuleCall = ({ app, engine, page, configuration: { companyTimeZone: timeZone } }) => {
  app.get(
    '/v2/crm/index/today',
    {
      schema: {
        tags: ['crm'],
        summary:
          'What to do today: due follow-ups, recycling, to-dos, opportunities, hand-overs to accept, applications to decide',
      },
    },
    async (request) => {
      const context = contextOf(request)
      const today = dayOf(context.now, timeZone)
      const reasonOf = (code: string): string => engine.dictionaryLabel('blackReason', code)[context.locale]
      const groups = await Promise.all(
        sourcesFor(context, today, reasonOf).map((source) => {
          if (source.permission !== undefined && !context.permissions.has(source.permission)) return null
          const tab = 'page' in source.from ? tabOf(page, source.from, context, timeZone) : { ...source.from, address: null }
          return tab && engine.names().includes(tab.entity) ? groupOf(engine, context, source, tab) : null
        }),
      )
      return ok({ day: today, groups: groups.filter((group) => group !== null && group.total > 0) })
    },
  )
}

async function groupOf(
  engine: EntityEngine,
  context: RequestContext,
  { id, task, sort: first }: Source,
  { entity, address, view, where, sort: usual }: Omit<ListTab, 'address'> & { address: string | null },
): Promise<TaskGroup | null> {
  const model = engine.model(entity)
  const sort = first ?? usual
  // somebody without any customers has no work with them; that is no failure
  if (model.scope.kind === 'owned' && (context.scopes[entity] ?? context.scopes['*'] ?? []).length === 0) return null
  if (model.permissions.read !== undefined && !context.permissions.has(model.permissions.read)) return null
  // what is looked for by a field that he does not see is not told
  if (![...leavesOf(where), ...sort].every(({ field }) => engine.readable(context, `${entity}.${field}`))) return null
  const pageSize = address === null ? SHOWN_TODOS : SHOWN
  const { records, total, refs } = await engine.queryPage(entity, context, { view, where, sort, pageSize })
  const title = (other: string, otherId: unknown): string | null => refs[other]?.[String(otherId)]?.title ?? null
  return { id, entity, address, total, rows: records.map((record) => task(record, title)) }
}

function sourcesFor(context: RequestContext, today: string, reasonOf: (code: string) => string): Source[] {
  const decides = DECIDING.some((key) => context.permissions.has(key))
  const customer = (at: string) => (record: EntityRecord) => ({
    id: String(record.id),
    title: text(record.name) ?? MASK,
    customerId: String(record.id),
    at: text(record[at]),
    note: null,
  })
  /** An application of a customer that waits for a decision. */
  const application =
    (link: (id: string) => string, what: (record: EntityRecord) => unknown = ({ code }) => code): Source['task'] =>
    (record, title) => ({
      id: String(record.id),
      title: `${String(what(record) ?? MASK)} · ${title('crm.customer', record.customerId) ?? title('sys.staff', record.createdBy) ?? ''}`,
      customerId: null,
      at: null,
      since: text(record.submittedAt) ?? text(record.createdAt),
      note: text(record.reason),
      link: link(encodeURIComponent(String(record.id))),
    })
  return [
    {
      id: 'followUps',
      from: { page: 'crm/my-client', tab: 'today' },
      sort: [{ field: 'nextFollowAt', order: 'asc' }],
      task: customer('nextFollowAt'),
    },
    { id: 'recycling', from: { page: 'crm/my-client', tab: 'recycling' }, task: customer('recycleOn') },
    {
      id: 'todos',
      from: {
        entity: 'sys.todo',
        where: [
          { field: 'status', operator: 'eq', value: 'open' },
          { field: 'kind', operator: 'notIn', value: decides ? [...LISTED_ELSEWHERE, 'decide'] : LISTED_ELSEWHERE },
          { field: 'dueAt', operator: 'lte', value: today },
        ],
        sort: [{ field: 'dueAt', order: 'asc' }],
      },
      task: (record) => ({
        id: String(record.id),
        title: text(record.title) ?? MASK,
        customerId: record.subjectEntity === 'crm.customer' ? text(record.subjectId) : null,
        at: text(record.dueAt),
        note: null,
        link: text(record.link),
        waiting: record.whileState !== null,
      }),
    },
    {
      id: 'opportunities',
      from: { page: 'crm/opportunities', tab: 'noNext' },
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
      from: { page: 'crm/visiting-records', tab: 'due' },
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
      from: { page: 'crm/wander-transfer', tab: 'toAccept' },
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
      from: { page: 'crm/wander-share', tab: 'toAccept' },
      sort: [{ field: 'createdAt', order: 'asc' }],
      task: (record, title) => ({
        id: String(record.id),
        title: title('crm.customer', record.customerId) ?? '',
        customerId: null,
        at: text(record.expiresAt),
        note: text(record.reason),
        link: '/crm/wander/share?view=toAccept',
      }),
    },
    {
      id: 'classA',
      from: { page: 'crm/class-a-applications', tab: 'toDecide' },
      permission: 'crm:classA:approve',
      task: application((id) => `/crm/classADetails?id=${id}`),
    },
    {
      id: 'buka',
      from: { page: 'crm/buka-applications', tab: 'toDecide' },
      permission: 'crm:buka:approve',
      task: (record, title) => ({
        ...application(
          () => bukaPage(record.customerId),
          ({ loginEmail }) => loginEmail,
        )(record, title),
        note: text(record.failedNotes),
      }),
    },
    {
      id: 'aliases',
      from: { page: 'crm/alias-records', tab: 'toDecide' },
      permission: 'crm:alias:approve',
      task: application((id) => `/crm/operate/alias-record/details?id=${id}`),
    },
    {
      id: 'blacklist',
      from: { page: 'crm/blacklist', tab: 'toDecide' },
      permission: 'crm:blacklist:approve',
      task: (record, title) => ({
        ...application(
          (id) => `/crm/client-partner/blacklist/details?id=${id}`,
          ({ name }) => name,
        )(record, title),
        note: reasonOf(String(record.reason)),
      }),
    },
    {
      id: 'appeals',
      from: { page: 'crm/duplicate-appeals', tab: 'mine' },
      sort: [{ field: 'createdAt', order: 'asc' }],
      task: (record) => ({
        id: String(record.id),
        title: text(record.name) ?? MASK,
        customerId: null,
        at: null,
        since: text(record.createdAt),
        note: text(record.note),
      }),
    },
  ]
}
