import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { EntityModel } from '../../../src/schema/entity'
import type { AggregateRequest } from '../../../src/schema/model'
import { contextOf, ok, ServiceError, type RequestContext } from '../../platform/http'
import { collectStream } from '../transfer/output'
import type { EntityRecord, ExportRequest, LinesPartRequest, LogRequest, QueryPageRequest, SelectRequest } from '../calls'
import type { EntityEngine } from '../types'
import { attachment, described, MIME } from './answers'
import { registerImport, type ImportRouteOptions } from './importRoutes'
import { registerMerging } from './mergeRoutes'
import { registerAround } from './aroundRoutes'
import * as schemas from './schemas'

export type { ImportTasks } from './importRoutes'

export interface EntityRouteOptions extends ImportRouteOptions {
  /** Starts an export in the background and answers its task; without it the call does not exist. */
  exportTask?: (context: RequestContext, entity: string, request: ExportRequest) => Promise<{ taskId: string }>
  /** Route of the page that shows one record of an entity; looked up at every use. */
  detailPage?: (entity: string) => string | undefined
}

/** Rows of an export that is answered at once; more go through the download centre. */
export const MOST_EXPORTED_AT_ONCE = 5_000
/** A document with 50,000 serial numbers and MACs takes 2 MB. */
const SAVE_LIMIT = 4 * 1_048_576

/** Registers the calls of every entity (docs/calls.md, "The calls of an entity"). */
export async function registerEntityRoutes(
  app: FastifyInstance,
  engine: EntityEngine,
  options: EntityRouteOptions = {},
): Promise<void> {
  if (!app.hasContentTypeParser('multipart/form-data')) await app.register(multipart)
  for (const name of engine.names()) {
    const model = engine.model(name)
    registerReading(app, engine, model, options)
    registerWriting(app, engine, model)
    registerMerging(app, engine, model)
    if (model.permissions.import !== undefined) registerImport(app, engine, model, options)
  }
  registerAround(app, engine, options.detailPage)
}

function registerReading(app: FastifyInstance, engine: EntityEngine, model: EntityModel, options: EntityRouteOptions): void {
  const { name, path } = model
  app.post<{ Body: QueryPageRequest | null }>(
    `${path}/queryPage`,
    { schema: described(model, 'List', { body: schemas.queryPageBody }) },
    async (request) => ok(await engine.queryPage(name, contextOf(request), request.body ?? {})),
  )
  app.post<{ Body: AggregateRequest }>(
    `${path}/aggregate`,
    { schema: described(model, 'Count and sum by group', { body: schemas.aggregateBody }) },
    async (request) => ok(await engine.aggregate(name, contextOf(request), request.body)),
  )
  app.get<{ Params: { id: string }; Querystring: { view?: string } }>(
    `${path}/view/:id`,
    { schema: described(model, 'Read one', { params: schemas.idParams, querystring: schemas.viewQuery }) },
    async (request) => ok(await engine.view(name, contextOf(request), request.params.id, { view: request.query.view })),
  )
  app.post<{ Body: SelectRequest | null }>(
    `${path}/select`,
    { schema: described(model, 'Choose', { body: schemas.selectBody }) },
    async (request) => ok(await engine.select(name, contextOf(request), request.body ?? {})),
  )
  app.get<{ Params: { id: string }; Querystring: LogRequest }>(
    `${path}/log/:id`,
    { schema: described(model, 'History', { params: schemas.idParams, querystring: schemas.logQuery }) },
    async (request) => ok(await engine.log(name, contextOf(request), request.params.id, request.query)),
  )
  if (model.permissions.export === undefined) return
  app.post<{ Body: ExportRequest }>(
    `${path}/export`,
    { schema: described(model, 'Export', { body: schemas.exportBody }) },
    async (request, reply) => {
      const context = contextOf(request)
      const total = await engine.count(name, context, selectionOf(request.body))
      if (total > MOST_EXPORTED_AT_ONCE) {
        throw new ServiceError('limitRefused', {
          message: {
            zh: `共 ${total} 行，直接导出最多 ${MOST_EXPORTED_AT_ONCE} 行，请使用下载中心导出。`,
            en: `There are ${total} rows; at most ${MOST_EXPORTED_AT_ONCE} can be exported at once. Please export through the download centre.`,
          },
          data: { reason: 'tooManyRows', total },
        })
      }
      const file = await collectStream((stream) => engine.exportTo(stream, name, context, request.body))
      const fileName = `${model.label[context.locale]}.${request.body.format}`
      return reply.type(MIME[request.body.format]).header('content-disposition', attachment(fileName)).send(file)
    },
  )
  const { exportTask } = options
  if (!exportTask) return
  app.post<{ Body: ExportRequest }>(
    `${path}/exportTask`,
    { schema: described(model, 'Export in the background', { body: schemas.exportBody }) },
    async (request) => ok(await exportTask(contextOf(request), name, request.body)),
  )
}

function registerWriting(app: FastifyInstance, engine: EntityEngine, model: EntityModel): void {
  const { name, path, permissions } = model
  if (permissions.add !== undefined || permissions.edit !== undefined) {
    app.post<{ Body: unknown }>(
      `${path}/save`,
      {
        schema: described(model, 'Save', { body: schemas.saveBody(model) }),
        bodyLimit: SAVE_LIMIT,
        validatorCompiler: () => () => true,
      },
      async (request) => ok(await engine.save(name, contextOf(request), objectBody(request))),
    )
  }
  for (const field of permissions.edit === undefined ? [] : model.lines.filter(({ rows }) => rows.saved === 'inParts')) {
    app.post<{ Body: LinesPartRequest }>(
      `${path}/lines/${field.name}/save`,
      { schema: described(model, 'Save a part of the lines', { body: schemas.linesPartBody }), bodyLimit: SAVE_LIMIT },
      async (request) => ok(await engine.saveLines(name, contextOf(request), field.name, request.body)),
    )
  }
  if (model.machines.length > 0) {
    app.post<{ Body: { ids: string[]; field?: string; transition: string; version?: number } & EntityRecord }>(
      `${path}/stateUpdate`,
      { schema: described(model, 'Change the state', { body: schemas.stateUpdateBody }) },
      async (request) => {
        const { ids, field, transition, version, ...rest } = request.body
        const { values, ...direct } = rest
        const given =
          typeof values === 'object' && values !== null && !Array.isArray(values)
            ? { ...direct, ...(values as EntityRecord) }
            : rest
        return ok(await engine.stateUpdate(name, contextOf(request), { ids, field, transition, version, values: given }))
      },
    )
  }
  if (permissions.delete !== undefined) {
    app.get<{ Params: { id: string }; Querystring: { version?: number } }>(
      `${path}/delete/:id`,
      // the specification deletes with GET; asking for the headers alone must not
      {
        schema: described(model, 'Delete', { params: schemas.idParams, querystring: schemas.versionQuery }),
        exposeHeadRoute: false,
      },
      async (request) => ok(await engine.remove(name, contextOf(request), request.params.id, { version: request.query.version })),
    )
    app.post<{ Body: { ids: string[] } }>(
      `${path}/deleteBatch`,
      { schema: described(model, 'Delete several', { body: schemas.idsBody }) },
      async (request) => ok(await engine.removeBatch(name, contextOf(request), request.body.ids)),
    )
  }
  if (permissions.restore !== undefined) {
    app.get<{ Params: { id: string } }>(
      `${path}/restore/:id`,
      { schema: described(model, 'Restore', { params: schemas.idParams }), exposeHeadRoute: false },
      async (request) => ok(await engine.restore(name, contextOf(request), request.params.id)),
    )
  }
}

function selectionOf({ keyword, view, where, sort, ids }: ExportRequest): QueryPageRequest {
  return { keyword, view, where, sort, ids }
}

function objectBody(request: FastifyRequest<{ Body: unknown }>): EntityRecord {
  const { body } = request
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as EntityRecord
  throw new ServiceError('badRequest', { message: { zh: '请求内容须为 JSON 对象。', en: 'The body has to be a JSON object.' } })
}
