import type { FastifyRequest } from 'fastify'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import { staffName } from '../names'
import { ID_FIELD, ID_PARAMS, PAGE_FIELDS } from '../paging'
import type { WorkflowParts } from '../parts'
import { listOf, summaryOf, type ListName, type ListRequest } from './lists'

const tags = ['workflow']
const about = (summary: string, more: object = {}) => ({ tags, summary, ...more })
const STATUS = { type: 'string', maxLength: 20 } as const
const DAY = { type: 'string', format: 'date' } as const

const LIST_BODY = {
  type: ['object', 'null'],
  properties: {
    ...PAGE_FIELDS,
    keyword: { type: 'string', maxLength: 100 },
    processId: ID_FIELD,
    applicantId: ID_FIELD,
    status: { anyOf: [STATUS, { type: 'array', items: STATUS, maxItems: 10 }] },
    urgency: STATUS,
    dateFrom: DAY,
    dateTo: DAY,
    overdue: { type: 'boolean' },
    delegated: { type: 'boolean' },
    read: { type: 'boolean' },
    sort: {
      type: 'object',
      properties: { field: { enum: ['arrivedAt', 'dueAt', 'amountCny', 'urgency'] }, order: { enum: ['asc', 'desc'] } },
      required: ['field', 'order'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const

const LISTS: readonly { path: string; list: ListName; summary: string }[] = [
  { path: 'toDoPage', list: 'toDo', summary: 'What the caller has to decide' },
  { path: 'applyPage', list: 'apply', summary: 'What the caller has applied for' },
  { path: 'handlePage', list: 'handle', summary: 'What the caller has decided' },
  { path: 'ccMePage', list: 'ccMe', summary: 'What was copied to the caller' },
]

/** A person's own lists and counts (money 7.6), copies that he has read, and who decides for him while he is away. */
export function registerMyCalls({ app, engine, database }: WorkflowParts): void {
  app.post(
    '/v2/workflow/my/summary',
    { schema: about('Open applications, unread copies, decided and open tasks of the caller') },
    async (request) => ok(await summaryOf(database, contextOf(request))),
  )

  for (const { path, list, summary } of LISTS)
    app.post<{ Body: ListRequest | null }>(
      `/v2/workflow/my/${path}`,
      { schema: about(summary, { body: LIST_BODY }) },
      async (request) => ok(await listOf(engine, database, contextOf(request), list, request.body ?? {})),
    )

  app.post<{ Body: { ids?: string[]; all?: boolean } }>(
    '/v2/workflow/my/ccRead',
    {
      schema: about('Marks copies as read: some, or all', {
        body: {
          type: 'object',
          properties: { ids: { type: 'array', items: ID_FIELD, maxItems: 500 }, all: { type: 'boolean' } },
          additionalProperties: false,
        },
      }),
    },
    async (request) => {
      const { user, now } = contextOf(request)
      const { ids = [], all = false } = request.body
      const { rowCount } = await database.query(
        `update wf_cc set read_at = $3, updated_at = $3, version = version + 1
         where staff_id = $1 and read_at is null and deleted_at is null and ($4::boolean or id = any($2::text[]))`,
        [user.staffId, ids, now.toISOString(), all],
      )
      return ok({ read: rowCount })
    },
  )

  registerDelegations({ app, engine, database })
}

interface DelegationBody {
  toId: string
  processIds?: string[]
  fromAt?: string
  untilAt: string
  reason?: string
}

function registerDelegations({ app, engine, database }: Pick<WorkflowParts, 'app' | 'engine' | 'database'>): void {
  app.post(
    '/v2/workflow/my/delegation/page',
    { schema: about('Delegations that the caller gave, and those that he received') },
    async (request) => {
      const { user, now, locale } = contextOf(request)
      const { rows } = await database.query(
        `select g.id, g.from_id as "fromId", ${staffName(locale, 'f')} as "fromName", g.to_id as "toId", ${staffName(locale, 't')} as "toName", coalesce(g.process_ids, '[]'::jsonb) as "processIds",
         (select jsonb_agg(jsonb_build_object('id', p.id, 'zh', p.name_zh, 'en', p.name_en) order by p.sort) from wf_process p where g.process_ids ? p.id) as processes,
         g.from_at as "fromAt", g.until_at as "untilAt", g.reason, g.ended_at as "endedAt",
         case when g.ended_at <= $2 or g.until_at <= $2 then 'ended' when g.from_at > $2 then 'pending' else 'active' end as status
       from wf_delegation g join sys_staff f on f.id = g.from_id join sys_staff t on t.id = g.to_id
       where g.deleted_at is null and (g.from_id = $1 or (g.to_id = $1 and g.ended_at is null and g.until_at > $2)) order by g.from_at desc limit 200`,
        [user.staffId, now.toISOString()],
      )
      return ok({
        given: rows.filter((row) => row['fromId'] === user.staffId),
        received: rows.filter((row) => row['fromId'] !== user.staffId),
      })
    },
  )

  app.post<{ Body: DelegationBody }>(
    '/v2/workflow/my/delegation/save',
    {
      schema: about('Somebody else decides for the caller for some time, at most 90 days', {
        body: {
          type: 'object',
          properties: {
            toId: ID_FIELD,
            processIds: { type: 'array', items: ID_FIELD, maxItems: 100 },
            fromAt: { type: 'string', format: 'date-time' },
            untilAt: { type: 'string', format: 'date-time' },
            reason: { type: 'string', maxLength: 300 },
          },
          required: ['toId', 'untilAt'],
          additionalProperties: false,
        },
      }),
    },
    async (request) => {
      const context = contextOf(request)
      const { toId, processIds = [], fromAt = context.now.toISOString(), untilAt, reason } = request.body
      return engine.transaction(context, async (entities, tx) => {
        const delegate = await entities.find('sys.staff', toId)
        if (!delegate || delegate['status'] === 'left' || delegate['signInDisabled'] === true) throw gone()
        await refuseOverlap(tx, context, { fromAt, untilAt, processIds })
        const saved = await entities.save('wf.delegation', {
          fromId: context.user.staffId,
          toId,
          processIds,
          fromAt,
          untilAt,
          reason: reason ?? null,
        })
        const answer = ok({ id: saved['id'] })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )

  app.post(
    '/v2/workflow/my/delegation/end/:id',
    { schema: about('Ends a delegation that the caller gave; again it changes nothing', { params: ID_PARAMS }) },
    async (request: FastifyRequest<{ Params: { id: string } }>) => {
      const context = contextOf(request)
      return engine.transaction(context, async (entities, tx) => {
        const delegation = await entities.find('wf.delegation', request.params.id, { lock: true })
        if (!delegation || delegation['fromId'] !== context.user.staffId) throw new ServiceError('notFound')
        if (!delegation['endedAt'])
          await entities.save('wf.delegation', { id: delegation['id'], endedAt: context.now.toISOString() })
        const answer = ok({ id: request.params.id })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )
}

const gone = (): ServiceError =>
  new ServiceError('validationFailed', {
    message: { zh: '受托人已离职或停用，请选择其他同事。', en: 'This person has left or may not sign in. Name somebody else.' },
    data: { errors: [{ field: 'toId', message: 'toId', rule: 'left' }] },
  })

/** A task goes to one delegate: two delegations of one person for the same processes do not overlap. */
async function refuseOverlap(
  tx: Parameters<typeof summaryOf>[0],
  { user, now, locale }: RequestContext,
  { fromAt, untilAt, processIds }: { fromAt: string; untilAt: string; processIds: string[] },
): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `select ${staffName(locale)} as name from wf_delegation g join sys_staff s on s.id = g.to_id
      where g.from_id = $1 and g.deleted_at is null and (g.ended_at is null or g.ended_at > $2) and g.from_at < $4 and g.until_at > $3
        and ($5::jsonb = '[]'::jsonb or coalesce(g.process_ids, '[]'::jsonb) = '[]'::jsonb or g.process_ids ?| array(select jsonb_array_elements_text($5::jsonb))) limit 1`,
    [user.staffId, now.toISOString(), fromAt, untilAt, JSON.stringify(processIds)],
  )
  if (!rows[0]) return
  const message = {
    zh: `这段时间已委托给 ${rows[0].name}，请先结束该委托。`,
    en: `${rows[0].name} already decides for you in that time. End that delegation first.`,
  }
  throw new ServiceError('validationFailed', {
    message,
    data: { errors: [{ field: 'fromAt', message: message[locale], rule: 'overlap' }] },
  })
}
