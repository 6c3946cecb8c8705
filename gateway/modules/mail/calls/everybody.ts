import type { QueryPageRequest } from '../../../entities'
import { contextOf, ok, systemContext } from '../../../platform/http'
import type { QueryWhere } from '../../../../src/schema/model'
import type { ModuleCall } from '../../module'
import { bodySchema, idSchema, textSchema } from '../api'

const FIELDS = ['address', 'displayName', 'kind', 'ownerId', 'transport', 'state', 'lastSyncAt', 'lagSec', 'sentToday'] as const
const NUMBER = { type: 'integer', minimum: 0, maximum: 1_000_000 } as const

const KEPT = { permission: 'setModule:email:account' } as const

/** Every mailbox with its state, for whoever keeps them: what it is, never what is in it; and whether it receives and sends. */
export const call: ModuleCall = ({ app, engine }) => {
  const condition = {
    type: 'object',
    additionalProperties: false,
    required: ['field', 'operator'],
    properties: { field: { enum: FIELDS }, operator: textSchema(20), value: {} },
  } as const
  const order = {
    ...condition,
    required: ['field'],
    properties: { field: { enum: FIELDS }, order: textSchema(4), nulls: textSchema(5) },
  }
  app.post<{ Body: QueryPageRequest & { where?: QueryWhere[] } }>(
    '/v2/mail/account/everybody',
    {
      schema: {
        tags: ['mail'],
        summary: 'Every mailbox with its state',
        body: bodySchema({
          ...{ pageNo: NUMBER, pageSize: { ...NUMBER, maximum: 200 }, countUpTo: NUMBER, keyword: textSchema(200) },
          where: { type: 'array', maxItems: 20, items: condition },
          sort: { type: 'array', maxItems: 3, items: order },
        }),
      },
      config: KEPT,
    },
    async (request) => {
      const everybody = systemContext({ now: contextOf(request).now })
      const { records, ...page } = await engine.queryPage('mail.account', everybody, request.body)
      return ok({ ...page, records: records.map((record) => ({ ...record, $write: false })) })
    },
  )
  for (const transition of ['stop', 'start'] as const)
    app.post<{ Body: { id: string } }>(
      `/v2/mail/account/everybody/${transition}`,
      {
        schema: { tags: ['mail'], summary: `A mailbox: ${transition}`, body: bodySchema({ id: idSchema }, ['id']) },
        config: KEPT,
      },
      async (request) => {
        // whoever keeps mailboxes is no member of them: his name stands in the history, his key was asked for
        const keeper = { ...contextOf(request), kind: 'system' as const }
        await engine.transaction(keeper, (entities) => entities.transition('mail.account', request.body.id, transition))
        return ok(null)
      },
    )
}
