import type { EntityRecord, QueryPageRequest } from '../../entities'
import type { QueryWhere } from '../../../src/schema/model'
import { contextOf, ok, type RequestContext } from '../../platform/http'
import type { FastifyInstance } from 'fastify'
import type { MailParts } from './parts'

/** Where the calls of mail stand (R332). */
export const BASE = '/v2/emailbox'
/** The key of whoever has mail. */
const KEY = 'message:email'

export const idSchema = { type: 'string', minLength: 1, maxLength: 40 } as const
export const idsSchema = { type: 'array', items: idSchema, maxItems: 1_000 } as const
export const textSchema = (maxLength: number) => ({ type: 'string', maxLength }) as const

/** An entry of recipients (R154). */
export const addressesSchema = {
  type: 'array',
  maxItems: 500,
  items: {
    type: 'object',
    required: ['email'],
    additionalProperties: false,
    properties: { email: textSchema(320), name: { type: ['string', 'null'], maxLength: 200 } },
  },
} as const

const PAGES = {
  page: { type: 'integer', minimum: 1, maximum: 100_000, default: 1 },
  size: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
} as const

/** A text as a pattern of what holds it. */
export const likely = (text: string): string => `%${text.replace(/[\\%_]/gu, '\\$&')}%`

/** The body of a list. */
export const listSchema = (properties: Record<string, object> = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    ...PAGES,
    sort: {
      type: 'object',
      additionalProperties: false,
      required: ['field', 'order'],
      properties: { field: textSchema(60), order: { enum: ['asc', 'desc'] } },
    },
    keyword: textSchema(200),
    ...properties,
  },
})

/** The body of a call with just these. */
export const bodySchema = (properties: Record<string, object>, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})

/** What a list is asked. */
export interface ListRequest {
  page: number
  size: number
  sort?: { field: string; order: 'asc' | 'desc' }
  keyword?: string
}

/** What a call of mail is told in `/docs/api`, and the key that it takes. */
export const described = (summary: string, body?: object) => ({
  schema: { tags: ['emailbox'], summary, ...(body === undefined ? {} : { body }) },
  config: { permission: KEY },
})

/** The conditions of those of a body that are given. */
export const equals = (body: object, names: readonly string[]): QueryWhere[] =>
  Object.entries(body).flatMap(([field, value]) =>
    names.includes(field) && value ? [{ field, operator: 'eq', value: value as string }] : [],
  )

/** A list of records of an entity, in the caller's rights. */
export async function entityList(
  { engine }: Pick<MailParts, 'engine'>,
  context: RequestContext,
  entity: string,
  { page, size, sort, keyword }: ListRequest,
  where: readonly QueryWhere[] = [],
) {
  const request: QueryPageRequest = {
    ...{ pageNo: page, pageSize: size, where },
    ...(sort === undefined ? {} : { sort: [sort] }),
    ...(keyword ? { keyword } : {}),
  }
  const { records, total, refs } = await engine.queryPage(entity, context, request)
  return { list: records, total, page, size, refs }
}

/** The calls that keep records of one entity: a list, a save (no id creates), a deletion that says what still uses it, a view. */
export function keepRecords(
  parts: Pick<MailParts, 'engine'> & { app: FastifyInstance },
  entity: string,
  names: { list: string; save: string; remove: string; view: string },
  filters: readonly string[],
): void {
  const { app, engine } = parts
  const title = engine.model(entity).label.en.toLowerCase()
  const properties = Object.fromEntries(filters.map((name) => [name, textSchema(200)]))
  app.post<{ Body: ListRequest & Record<string, string> }>(
    `${BASE}/${names.list}`,
    described(`Lists: ${title}`, listSchema(properties)),
    async (request) => ok(await entityList(parts, contextOf(request), entity, request.body, equals(request.body, filters))),
  )
  app.post<{ Body: EntityRecord }>(
    `${BASE}/${names.save}`,
    described(`Saves: ${title}`, { type: 'object', additionalProperties: true }),
    async (request) => ok((await engine.save(entity, contextOf(request), request.body)).record),
  )
  app.post<{ Body: { ids: string[] } }>(
    `${BASE}/${names.remove}`,
    described(`Deletes: ${title}`, bodySchema({ ids: idsSchema }, ['ids'])),
    async (request) => ok(await engine.removeBatch(entity, contextOf(request), request.body.ids)),
  )
  const { schema, config } = described(`One record: ${title}`)
  const place = names.view.includes(':id') ? 'params' : 'querystring'
  const address = { type: 'object', required: ['id'], properties: { id: idSchema } } as const
  app.get(`${BASE}/${names.view}`, { config, schema: { ...schema, [place]: address } }, async (request) => {
    const { id } = request[place === 'params' ? 'params' : 'query'] as { id: string }
    return ok((await engine.view(entity, contextOf(request), id)).record)
  })
}
