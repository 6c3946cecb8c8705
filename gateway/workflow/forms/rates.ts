import { ok } from '../../platform/http'
import type { WorkflowParts } from '../parts'

interface RateQuery {
  from: string
  to: string
  day: string
  kind?: string
}

const CURRENCY = { type: 'string', pattern: '^[A-Z]{3}$' } as const

/** Serves the exchange rates that expressions of forms convert with while they are filled in (money 10). */
export function registerRateCall({ app, engine }: WorkflowParts): void {
  app.get<{ Querystring: RateQuery }>(
    '/v2/workflow/form/rate',
    {
      schema: {
        tags: ['workflow'],
        summary:
          'What one unit of a currency is worth in another on a day, or by the last rate before it; null when no rate says so',
        querystring: {
          type: 'object',
          properties: {
            from: CURRENCY,
            to: CURRENCY,
            day: { type: 'string', format: 'date' },
            kind: { type: 'string', maxLength: 40 },
          },
          required: ['from', 'to', 'day'],
          additionalProperties: false,
        },
      },
    },
    async (request) => {
      const { from, to, day, kind = 'xe' } = request.query
      return ok({ rate: (await engine.exchangeRate(from, to, day, kind)) ?? null })
    },
  )
}
