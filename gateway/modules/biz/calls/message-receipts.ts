import { contextOf, ok, requirePermission } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { takeReceipts, type Receipt, type ReceiptAnswer } from '../records/receipts'

/** Receipts of one call. */
const MOST = 5_000
const BODY_LIMIT = 2 * 1_048_576

/** POST /v2/biz/smsRecord/receipts: receipts of messages (quotes-traffic 7.1), each answered by itself. */
export const call: ModuleCall = ({ app, engine }) => {
  const row = {
    type: 'object',
    required: ['msgId', 'status', 'dlrAt'],
    properties: {
      msgId: { type: 'string', minLength: 1, maxLength: 40 },
      status: { type: 'string', maxLength: 20, description: 'delivered, failed, expired' },
      dlrAt: { type: 'string', maxLength: 40, description: 'ISO 8601 with its zone' },
      errorCode: { type: ['string', 'null'], maxLength: 20 },
    },
    additionalProperties: false,
  }
  app.post<{ Body: { rows: Receipt[] } }>(
    '/v2/biz/smsRecord/receipts',
    {
      schema: {
        tags: ['biz'],
        summary: 'Receipts of messages: before the day of a message is locked they change it, afterwards they are late',
        body: {
          type: 'object',
          required: ['rows'],
          properties: { rows: { type: 'array', minItems: 1, maxItems: MOST, items: row } },
          additionalProperties: false,
        },
      },
      bodyLimit: BODY_LIMIT,
    },
    async (request) => {
      const context = contextOf(request)
      requirePermission(context, engine.model('biz.smsRecord').permissions.import!)
      const { rows } = request.body
      const answers = await engine.transaction(
        context,
        (entities, tx) => takeReceipts(engine, { tx, context, now: context.now, entities }, rows),
        { retries: 5 },
      )
      const count = (result: ReceiptAnswer['result']): number => answers.filter((one) => one.result === result).length
      return ok({
        ...{ applied: count('applied'), late: count('late'), unchanged: count('unchanged'), refused: count('refused') },
        rows: answers,
      })
    },
  )
}
