import type { Entities, EntityEngine, EntityRecord, ViewAnswer } from '../../entities'
import type { Executor } from '../../platform/database'
import { contextOf, ok, ServiceError, systemContext, type Locale, type RequestContext } from '../../platform/http'
import { processOf } from '../definitions'
import { staffName } from '../names'
import { ID_FIELD } from '../paging'
import type { WorkflowParts } from '../parts'
import { reachable } from '../reachable'
import { BUSINESS_DOCUMENTS, type BusinessDocument } from './documents'
import { valuesForOnlooker } from './values'

const INSTANCE = 'wf.instance'
const MOST_FURTHER = 200

/** What may be told of an application beside its form. */
const TOLD = [
  'id',
  'code',
  'titleZh',
  'titleEn',
  'processId',
  'serviceName',
  'status',
  'urgency',
  'applicantId',
  'deptId',
  'startedAt',
  'endedAt',
  'round',
  'amount',
  'currency',
  'amountCny',
  'currentNodes',
  'effectStatus',
  'effectError',
] as const

/**
 * The detail views of business documents (calls.tsv 142 to 161): by the document's id, and by the application that made it. Whoever
 * takes part in the application sees them, and whoever may see the document; for others neither is there (10010004).
 */
export function registerViewCalls({ app, engine }: WorkflowParts): void {
  const params = (name: string) => ({ type: 'object', required: [name], properties: { [name]: ID_FIELD } }) as const
  const serve = (path: string, name: string, summary: string, find: Find, kind: BusinessDocument): void =>
    void app.get(path, { schema: { tags: ['workflow'], summary, params: params(name) } }, async (request) => {
      const id = (request.params as Record<string, string>)[name] ?? ''
      return ok(await detailOf(engine, contextOf(request), kind, (entities) => find(entities, kind, id)))
    })
  for (const kind of BUSINESS_DOCUMENTS) {
    serve(kind.byId, 'id', `Business document ${kind.entity} (${kind.service}) by its id, with its application`, byId, kind)
    serve(kind.byInstance, 'processId', `Business document (${kind.service}) by the application that makes it`, byInstance, kind)
  }
}

interface Found {
  document: EntityRecord | null
  instance: EntityRecord | null
}

type Find = (entities: Entities, kind: BusinessDocument, id: string) => Promise<Found | null>

const byId: Find = async (entities, { entity, fixed }, id) => {
  const document = await entities.find(entity, id)
  if (!document || (fixed && document[fixed.field] !== fixed.value)) return null
  const { instanceId } = document
  return { document, instance: typeof instanceId === 'string' ? await entities.find(INSTANCE, instanceId) : null }
}

const byInstance: Find = async (entities, { entity, fixed, service }, id) => {
  const instance = await entities.find(INSTANCE, id)
  if (!instance || instance.serviceName !== service) return null
  const where = [
    { field: 'instanceId', operator: 'eq' as const, value: id },
    ...(fixed ? [{ ...fixed, operator: 'eq' as const }] : []),
  ]
  const [document = null] = await entities.list(entity, { where, limit: 1 })
  return { document, instance }
}

async function detailOf(
  engine: EntityEngine,
  context: RequestContext,
  kind: BusinessDocument,
  find: (entities: Entities) => Promise<Found | null>,
): Promise<object> {
  return engine.transaction(systemContext({ now: context.now }), async (entities, tx) => {
    const found = await find(entities)
    if (!found) throw new ServiceError('notFound')
    const { document, instance } = found
    const sees = async (entity: string, row: EntityRecord | null): Promise<boolean> =>
      row !== null && (await reachable(engine, context, entity, String(row.id)))
    const [takesPart, mayRead] = [await sees(INSTANCE, instance), await sees(kind.entity, document)]
    if (!takesPart && !mayRead) throw new ServiceError('notFound')
    const shown = document && (await viewOf(engine, context, kind.entity, String(document.id)))
    return {
      service: kind.service,
      entity: kind.entity,
      document: shown?.record ?? null,
      refs: shown?.refs ?? {},
      further: await furtherOf(engine, context, kind, instance),
      instance: instance && Object.fromEntries(TOLD.map((name) => [name, instance[name] ?? null])),
      values: instance ? await formOf(tx, context, instance) : {},
      timeline: instance ? await timelineOf(tx, context.locale, String(instance.id)) : [],
    }
  })
}

/**
 * The caller's field rules over all rows of an entity, and the key that it is read with: that he may see this row was decided before.
 * What is behind further keys stays behind them.
 */
function everywhere(engine: EntityEngine, context: RequestContext, entity: string): RequestContext {
  const { read } = engine.model(entity).permissions
  const permissions = read === undefined ? context.permissions : new Set([...context.permissions, read])
  return { ...context, permissions, scopes: { '*': ['all'] } }
}

const viewOf = (engine: EntityEngine, context: RequestContext, entity: string, id: string): Promise<ViewAnswer> =>
  engine.view(entity, everywhere(engine, context, entity), id)

async function furtherOf(
  engine: EntityEngine,
  context: RequestContext,
  { further = [] }: BusinessDocument,
  instance: EntityRecord | null,
): Promise<object[]> {
  if (!instance) return []
  const where = [{ field: 'instanceId', operator: 'eq' as const, value: String(instance.id) }]
  const parts: object[] = []
  for (const entity of further) {
    const { records, refs } = await engine.queryPage(entity, everywhere(engine, context, entity), {
      where,
      pageSize: MOST_FURTHER,
    })
    parts.push({ entity, records, refs })
  }
  return parts
}

async function formOf(tx: Executor, context: RequestContext, { versionId, formData }: EntityRecord): Promise<EntityRecord> {
  const { document } = await processOf(tx, String(versionId))
  return valuesForOnlooker(document, (formData ?? {}) as EntityRecord, context)
}

async function timelineOf(tx: Executor, locale: Locale, instanceId: string): Promise<EntityRecord[]> {
  const { rows } = await tx.query<EntityRecord>(
    `select l.id, l.at, l.by_id as "byId", ${staffName(locale)} as "byName", l.action, ${locale === 'en' ? 'coalesce(l.comment_en, l.comment)' : 'l.comment'} as comment, l.node_name_zh as "nodeNameZh",
       l.node_name_en as "nodeNameEn", l.admin
     from wf_action_log l left join sys_staff s on s.id = l.by_id
     where l.instance_id = $1 and l.deleted_at is null order by l.at, l.id`,
    [instanceId],
  )
  return rows
}
