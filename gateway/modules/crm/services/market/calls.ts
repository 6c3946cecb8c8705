import { sql, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { QueryCondition } from '../../../../../src/schema/model'
import { reportBody, type EntityEngine } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { contextOf, ok, scopesOf, type RequestContext } from '../../../../platform/http'
import { readableReport } from '../readableReport'
import { accountReport } from './accounts'
import { marketReport } from './overview'

const TRAFFIC = 'fin.customerAccount.firstTrafficAt'
const OPENED = 'fin.customerAccount.openedAt'
const BEGINNING = { neverStarted: [TRAFFIC], neverShare: [TRAFFIC], medianDays: [TRAFFIC, OPENED] }
/** What the figures of accounts are made of. */
const ACCOUNTS = {
  totals: { of: BEGINNING },
  steps: { by: ['fin.customerAccount.firstTestAt', TRAFFIC] },
  states: { by: ['fin.customerAccount.track'] },
  months: { by: [OPENED], of: { startedOfMonth: [TRAFFIC] } },
  products: { by: ['fin.customerAccount.product'], of: BEGINNING },
}
const CLUE_STATUS = 'csc.clue.status'
const CLUE_FIGURES = { converted: [CLUE_STATUS], invalid: [CLUE_STATUS] }
const CUSTOMER_FIGURES = { dealt: ['crm.customer.firstDealAt'], withTraffic: ['crm.customer.lastTrafficAt'] }
/** What the figures of the overview are made of. */
const OVERVIEW = {
  totals: { of: { ...CLUE_FIGURES, ...CUSTOMER_FIGURES } },
  clueSources: { by: ['csc.clue.source'], of: { ...CLUE_FIGURES, conversion: [CLUE_STATUS] } },
  customerSources: { by: ['crm.customer.source'], of: CUSTOMER_FIGURES },
  countries: { by: ['csc.clue.countryCode', 'crm.customer.countryCode'], of: CUSTOMER_FIGURES },
  costs: {},
}

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
      return ok(readableReport(engine, context, await report(context, (tx) => accountReport(tx, mine, timeZone)), ACCOUNTS))
    },
  )
  app.post(
    '/v2/crm/market/overview',
    {
      schema: { tags: ['crm'], summary: 'Leads, customers and first traffic by source and country', body: reportBody },
      config: { permission: 'crm:market-analysis:overview' },
    },
    async (request) => {
      const context = contextOf(request)
      const { where = [] } = request.body as { where?: QueryCondition[] }
      const rows = (entity: string): SQL => engine.rows(entity, context, { where })
      const clues = scopesOf(context, 'csc.clue').length > 0 ? rows('csc.clue') : null
      const told = await report(context, (tx) => marketReport(tx, { clues, customers: rows('crm.customer') }))
      return ok(readableReport(engine, context, told, OVERVIEW))
    },
  )
}
