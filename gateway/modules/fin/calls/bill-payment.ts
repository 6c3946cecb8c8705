import { contextOf, ok, ServiceError } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { payTogether } from '../acts/billPayment'
import { Given } from '../facts'

interface Asked extends Record<string, unknown> {
  ids: string[]
}

const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength }) as const

/** POST /v2/fin/bill/payment: one receipt for several bills of a customer; answers the recharge. */
export const call: ModuleCall = ({ app, engine }) => {
  app.post<{ Body: Asked }>(
    '/v2/fin/bill/payment',
    {
      schema: {
        tags: ['fin'],
        summary: 'Records a payment on several bills of a customer',
        body: {
          type: 'object',
          required: ['ids', 'amount', 'bankRef'],
          additionalProperties: false,
          properties: {
            ids: { type: 'array', minItems: 1, maxItems: 200, items: { type: 'string', minLength: 1, maxLength: 40 } },
            amount: { type: 'string', maxLength: 30 },
            bankRef: { type: 'string', minLength: 1, maxLength: 60 },
            payDate: text(10),
            bankAccountId: text(40),
            bankFee: text(30),
            payer: text(120),
          },
        },
      },
      config: { permission: 'fin:bill:pay' },
    },
    async (request) => {
      const context = contextOf(request)
      const { ids, ...values } = request.body
      const asked = [...new Set(ids)]
      if ((await engine.count('fin.bill', context, { ids: asked })) < asked.length) throw new ServiceError('notFound')
      const { id, code } = await engine.transaction(
        context,
        async (entities, tx) => {
          const bills = await entities.list('fin.bill', { where: [{ field: 'id', operator: 'in', value: asked }], lock: true })
          return payTogether({ tx, context, now: context.now, entities }, bills, new Given('fin.payBills', values))
        },
        { retries: 5 },
      )
      return ok({ id, code })
    },
  )
}
