/** Kingdee: the documents that the ledger makes for it, the numbers that things have there, and how both meet. */
import { sql } from 'drizzle-orm'
import type { EntityEngine, EntityService, RecordOf } from '../../../entities'
import { contextOf, ServiceError } from '../../../platform/http'
import { contentDisposition } from '../../../platform/files'
import type { ModuleParts } from '../../module'
import { kingdeeBaseCheck, lookAtBase, mapBase, prepareBase, pushBase } from './base'
import { KingdeeClient, type KingdeeConnection } from './client'
import type { KingdeeForm } from './documents'
import { workbookOf } from './file'
import { kingdeeCheck } from './numbers'
import type { KingdeeModel } from './payload'
import { lookAtDocument, pushDocument } from './push'
import { billDocuments, needMappings, prepareDocuments, releaseDocuments } from './verbs'

/** What an operator told of Kingdee. */
export interface KingdeeSettings {
  kingdeeUrl: string | undefined
  kingdeeAccount: string | undefined
  kingdeeUser: string | undefined
  kingdeePassword: string | undefined
}

/** Where Kingdee is, once address, account set and user are set. */
export function connectionOf(settings: KingdeeSettings): KingdeeConnection | undefined {
  const { kingdeeUrl: url, kingdeeAccount: account, kingdeeUser: user, kingdeePassword: password } = settings
  return url && account && user ? { url: url.replace(/\/+$/, ''), account, user, password: password ?? '' } : undefined
}

/** Makes known what documents and mappings ask for and do. */
export function registerKingdee(engine: EntityEngine, settings: KingdeeSettings): Readonly<Record<string, EntityService>> {
  const connection = connectionOf(settings)
  const client = connection && new KingdeeClient(connection)
  engine.registerFunction('fin.kingdeeCheck', kingdeeCheck(connection !== undefined))
  engine.registerVerb('fin.kingdeePrepare', prepareDocuments)
  engine.registerVerb('fin.kingdeeNeed', needMappings)
  engine.registerVerb('fin.kingdeeRelease', releaseDocuments)
  engine.registerVerb('fin.kingdeeBill', billDocuments)
  engine.registerFunction('fin.kingdeeBaseCheck', kingdeeBaseCheck(connection !== undefined))
  engine.registerVerb('fin.kingdeeBasePrepare', prepareBase)
  engine.registerVerb('fin.kingdeeBaseMap', mapBase)
  engine.registerOutsideVerb('fin.kingdeeBasePush', pushBase(client))
  engine.registerOutsideVerb('fin.kingdeeBaseLook', lookAtBase(client))
  engine.registerOutsideVerb('fin.kingdeePush', pushDocument(client))
  engine.registerOutsideVerb('fin.kingdeeLook', lookAtDocument(client))
  return { 'fin.kingdeeMapping': mappingService }
}

/** How many documents wait for each mapping. */
const mappingService: EntityService<'fin.kingdeeMapping'> = {
  async computeFields(records, { db }) {
    const keys = records.map(({ mapKind, localId }) => `${String(mapKind)}:${String(localId)}`)
    if (keys.length === 0) return
    const { rows } = await db.query<{ key: string; count: number }>(
      sql`select (m->>'kind') || ':' || (m->>'localId') as key, count(*)::int as count from fin_kingdee_doc d, jsonb_array_elements(d.missing) m
        where d.status = 'blocked' and d.deleted_at is null and (m->>'kind') || ':' || (m->>'localId') = any(${sql.param(keys)}::text[]) group by 1`,
    )
    const waiting = new Map(rows.map(({ key, count }) => [key, count]))
    for (const [index, record] of records.entries()) record.blockedDocs = waiting.get(keys[index]!) ?? 0
  },
}

const FILE_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** GET /v2/fin/kingdeeDoc/file?name=: the workbook of the documents that were exported together, as Kingdee imports it (money 6). */
export function serveKingdee({ app, engine }: ModuleParts): void {
  app.get<{ Querystring: { name: string } }>(
    '/v2/fin/kingdeeDoc/file',
    {
      schema: {
        tags: ['fin'],
        summary: 'The workbook of documents that were exported for Kingdee',
        querystring: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', minLength: 1, maxLength: 80 } },
        },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const { name } = request.query
      const { records } = await engine.queryPage('fin.kingdeeDoc', context, {
        pageSize: 1,
        where: [{ field: 'exportFile', operator: 'eq', value: name }],
      })
      const [first] = records
      if (!first)
        throw new ServiceError('notFound', {
          message: { zh: `没有名为 ${name} 的导出文件。`, en: `There is no exported file ${name}.` },
        })
      const docs = await engine.transaction(context, (entities) =>
        entities.list('fin.kingdeeDoc', {
          where: [{ field: 'exportFile', operator: 'eq', value: name }],
          sort: [{ field: 'code', order: 'asc' }],
          limit: 5_000,
        }),
      )
      const payloads = docs.flatMap(({ payload }: RecordOf<'fin.kingdeeDoc'>) => (payload ? [payload as KingdeeModel] : []))
      const book = await workbookOf(String(first.formId) as KingdeeForm, payloads)
      return reply.header('content-disposition', contentDisposition('attachment', name)).type(FILE_TYPE).send(book)
    },
  )
}
