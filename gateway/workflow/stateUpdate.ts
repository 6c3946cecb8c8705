import type { Entities } from '../entities'
import type { Executor } from '../platform/database'
import { contextOf, ok, ServiceError } from '../platform/http'
import { ID_FIELD } from './paging'
import type { WorkflowParts } from './parts'

type State = 'enabled' | 'disabled'
interface StateBody {
  id?: string
  ids?: string[]
  state: State
}

interface StateCall {
  /** e.g. `/v2/workflow/role/stateUpdate` */
  path: string
  entity: string
  permission: string
  summary: string
  /** What the answer says besides the state, of the records as they are now. */
  more?(tx: Executor, state: State, records: readonly Readonly<Record<string, unknown>>[]): Promise<object>
}

/** The call that enables or disables records with a `state`, one (`id`) or several (`ids`): all or none; those that are in it already stay as they are. */
export function registerStateCall({ app, engine }: WorkflowParts, call: StateCall): void {
  const { path, entity, permission, summary, more } = call
  app.post<{ Body: StateBody }>(
    path,
    {
      schema: {
        tags: ['workflow'],
        summary,
        body: {
          type: 'object',
          properties: {
            id: ID_FIELD,
            ids: { type: 'array', items: ID_FIELD, maxItems: 200 },
            state: { enum: ['enabled', 'disabled'] },
          },
          required: ['state'],
          anyOf: [{ required: ['id'] }, { required: ['ids'] }],
          additionalProperties: false,
        },
      },
      config: { permission },
    },
    async (request) => {
      const context = contextOf(request)
      const { id, ids = [], state } = request.body
      const wanted = [...new Set([...(id === undefined ? [] : [id]), ...ids])]
      return engine.transaction(context, async (entities, tx) => {
        const records = await setState(entities, entity, wanted, state)
        const answer = ok({ ...(id === undefined ? {} : { id }), ids: wanted, state, ...(await more?.(tx, state, records)) })
        await context.idempotence?.settle(tx, answer)
        return answer
      })
    },
  )
}

async function setState(entities: Entities, entity: string, ids: readonly string[], state: State) {
  const records = []
  for (const id of ids) {
    const record = await entities.find(entity, id, { lock: true })
    if (!record) throw new ServiceError('notFound')
    if (record['state'] !== state) await entities.transition(entity, id, state === 'enabled' ? 'enable' : 'disable')
    records.push(record)
  }
  return records
}
