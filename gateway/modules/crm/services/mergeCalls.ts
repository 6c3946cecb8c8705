import type { FastifyInstance } from 'fastify'
import type { EntityEngine, References } from '../../../entities'
import { contextOf, ok, ServiceError, type RequestContext } from '../../../platform/http'
import { JOINABLE } from '../rules/merging'
import { childrenOf } from './mergeChildren'
import { mergeableFields, mergeCustomers, type MergeGuard, type MergeRequest } from './merge'

interface MergeCallOptions {
  timeZone: string
  guards: readonly MergeGuard[]
}

const CUSTOMER = 'crm.customer'
const MERGE = 'crm:customer:merge'
const id = { type: 'string', minLength: 1, maxLength: 40 } as const
const ids = { type: 'array', items: id, minItems: 2, maxItems: 3, uniqueItems: true } as const
const reason = { type: 'string', minLength: 2, maxLength: 200 } as const

/** Calls around duplicates of customers: preview of a merge, the merge itself, "not a duplicate". */
export function registerMergeCalls(app: FastifyInstance, engine: EntityEngine, path: string, options: MergeCallOptions): void {
  app.post(
    `${path}/merge/preview`,
    {
      schema: {
        tags: ['crm'],
        summary: 'Two or three customers side by side: fields to choose from and what would move',
        body: { type: 'object', required: ['ids'], additionalProperties: false, properties: { ids } },
      },
      config: { permission: MERGE },
    },
    async (request) => {
      const context = contextOf(request)
      const body = request.body as { ids: string[] }
      const views = await Promise.all(body.ids.map((one) => engine.view(CUSTOMER, context, one)))
      const records = views.map((view) => view.record)
      const own = childrenOf(engine).filter(({ field }) => field.name === 'customerId')
      const children = await Promise.all(
        own.map(async ({ model, field }) => ({
          entity: model.name,
          label: model.label[context.locale],
          counts: await Promise.all(
            body.ids.map((one) =>
              engine
                .transaction(context, (entities) =>
                  entities.count(model.name, [{ field: field.name, operator: 'eq', value: one }]),
                )
                .then(Number),
            ),
          ),
        })),
      )
      const fields = mergeableFields(engine.model(CUSTOMER))
        .filter((field) => records.every((record) => field.name in record))
        .map((field) => field.name)
      return ok({
        records,
        refs: views.reduce<References>((all, { refs }) => {
          for (const [entity, titles] of Object.entries(refs)) all[entity] = { ...all[entity], ...titles }
          return all
        }, {}),
        writable: views.map((view) => view.can.edit),
        fields,
        joinable: JOINABLE,
        children: children.filter(({ counts }) => counts.some((count) => count > 0)),
      })
    },
  )

  app.post(
    `${path}/merge`,
    {
      schema: {
        tags: ['crm'],
        summary: 'Makes one customer of two or three; cannot be undone',
        body: {
          type: 'object',
          required: ['targetId', 'loserIds', 'fields', 'reason'],
          additionalProperties: false,
          properties: {
            targetId: id,
            loserIds: { type: 'array', items: id, minItems: 1, maxItems: 2, uniqueItems: true },
            fields: { type: 'object', additionalProperties: id },
            reason,
          },
        },
      },
      config: { permission: MERGE },
    },
    async (request) => {
      const context = contextOf(request)
      const body = request.body as MergeRequest
      const all = [body.targetId, ...body.loserIds]
      if (new Set(all).size !== all.length)
        throw new ServiceError('badRequest', {
          message: { zh: '不能与自己合并。', en: 'A customer cannot be merged with itself.' },
        })
      for (const one of all) await requireWritable(engine, context, one)
      const answer = await engine.transaction(context, async (entities, tx) => {
        const result = await mergeCustomers(engine, { tx, entities, context, timeZone: options.timeZone }, body, options.guards)
        await context.idempotence?.settle(tx, ok(result))
        return result
      })
      return ok(answer)
    },
  )

  app.post(
    `${path}/notDuplicate`,
    {
      schema: {
        tags: ['crm'],
        summary: 'Says that a suspected duplicate is another customer; the reason is kept with it',
        body: { type: 'object', required: ['id', 'reason'], additionalProperties: false, properties: { id, reason } },
      },
      config: { permission: 'crm:customer:edit' },
    },
    async (request) => {
      const context = contextOf(request)
      const body = request.body as { id: string; reason: string }
      await requireWritable(engine, context, body.id)
      await engine.transaction(context, (entities) =>
        entities.save(CUSTOMER, { id: body.id, duplicateOfId: null, duplicateReason: body.reason }, { reason: body.reason }),
      )
      return ok({ id: body.id })
    },
  )
}

/** @throws 10010004 outside the row scope, 10010003 when the caller may only read it. */
async function requireWritable(engine: EntityEngine, context: RequestContext, customerId: string): Promise<void> {
  const { can, record } = await engine.view(CUSTOMER, context, customerId)
  if (can.edit) return
  throw new ServiceError('noPermission', {
    message: {
      zh: `您只能查看“${String(record.name)}”，不能修改。`,
      en: `You may only read "${String(record.name)}".`,
    },
  })
}
