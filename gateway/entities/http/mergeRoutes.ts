import type { FastifyInstance } from 'fastify'
import type { EntityModel } from '../../../src/schema/entity'
import { contextOf, ok } from '../../platform/http'
import type { EntityRecord, MergeRequest } from '../calls'
import type { EntityEngine } from '../types'
import { described } from './answers'

const id = { type: 'string', minLength: 1, maxLength: 40 } as const
const reason = { type: 'string', minLength: 2, maxLength: 200 } as const
const some = (minItems: number, maxItems: number) =>
  ({ type: 'array', items: id, minItems, maxItems, uniqueItems: true }) as const
const body = (properties: Readonly<Record<string, object>>) => ({
  body: { type: 'object', required: Object.keys(properties), additionalProperties: false, properties },
})

/** Calls around the same record twice: preview of a merge, the merge itself (`x-merge`), "not a duplicate" (`x-duplicates`). */
export function registerMerging(app: FastifyInstance, engine: EntityEngine, model: EntityModel): void {
  const { name, path, document, permissions } = model
  const merge = document['x-merge']
  if (merge) {
    const config = { permission: merge.permission }
    app.post<{ Body: { ids: string[] } }>(
      `${path}/merge/preview`,
      { schema: described(model, 'Side by side, and what a merge would move', body({ ids: some(2, 3) })), config },
      async (request) => ok(await engine.mergePreview(name, contextOf(request), request.body.ids)),
    )
    const fields = { type: 'object', additionalProperties: id }
    app.post<{ Body: MergeRequest }>(
      `${path}/merge`,
      {
        schema: described(
          model,
          'Make one of several; cannot be undone',
          body({ targetId: id, loserIds: some(1, 2), fields, reason }),
        ),
        config,
      },
      async (request) => ok(await engine.merge(name, contextOf(request), request.body)),
    )
  }
  const asking = permissions.add ?? permissions.edit
  if (document['x-duplicates'] && asking !== undefined)
    app.post<{ Body: { id?: string; values: EntityRecord } }>(
      `${path}/duplicates`,
      {
        schema: described(model, 'What a record that is being written may be the same as', {
          body: {
            type: 'object',
            required: ['values'],
            additionalProperties: false,
            properties: { id: { ...id, description: 'Of the record that is changed' }, values: { type: 'object' } },
          },
        }),
        config: { permission: asking },
      },
      async (request) => ok(await engine.duplicates(name, contextOf(request), request.body)),
    )
  const { like, reason: why } = document['x-duplicates'] ?? {}
  if (like === undefined || why === undefined || permissions.edit === undefined) return
  app.post<{ Body: { id: string; reason: string } }>(
    `${path}/notDuplicate`,
    {
      schema: described(model, 'Not the same as the one it resembles; the reason is kept with it', body({ id, reason })),
      config: { permission: permissions.edit },
    },
    async (request) => ok(await engine.notDuplicate(name, contextOf(request), request.body)),
  )
}
