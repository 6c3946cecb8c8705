import { sql, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { QueryCondition } from '../../../../../src/schema/model'
import { reportBody, type EntityEngine } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { contextOf, ok, scopesOf, type RequestContext } from '../../../../platform/http'
import { accountReport } from './accounts'
import { marketReport } from './overview'

/** The reports of market analysis, counted in the database within the caller's row scope; `where` as in queryPage. */
export function registerMarketReports(app: FastifyInstance, engine: EntityEngine, timeZone: string): void {
  /** One snapshot: the figures of one answer agree with each other. */
  const report = (context: RequestContext, work: (tx: Transaction) => Promise<Record<string, object[]>>) =>
    engine.transaction(context, async (_entities, tx) => {
      await tx.query(sql`set transaction isolation level repeatable read, read only`)
      return work(tx)
    })
  app.post(
    '/v2/crm/market/accounts',
    {
      schema: { tags: ['crm'], summary: 'The life of customer accounts from opening to traffic', body: reportBody },
      config: { permission: 'crm:market-analysis:account-track' },
    },
    async (request) => {
      const context = contextOf(request)
      const { where = [] } = request.body as { where?: QueryCondition[] }
      const mine = engine.rows('fin.customerAccount', context, { where })
      return ok(await report(context, (tx) => accountReport(tx, mine, timeZone)))
    },
  )
  app.post(
    '/v2/crm/market/overview',
    {
      schema: { tags: ['crm'], summary: 'Clues, customers and first traffic by source and country', body: reportBody },
      config: { permission: 'crm:market-analysis:overview' },
    },
    async (request) => {
      const context = contextOf(request)
      const { where = [] } = request.body as { where?: QueryCondition[] }
      const rows = (entity: string): SQL => engine.rows(entity, context, { where })
      const clues = scopesOf(context, 'csc.clue').length > 0 ? rows('csc.clue') : null
      return ok(await report(context, (tx) => marketReport(tx, { clues, customers: rows('crm.customer') })))
    },
  )
}
