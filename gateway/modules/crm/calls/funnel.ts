import { sql } from 'drizzle-orm'
import type { QueryCondition } from '../../../../src/schema/model'
import { reportBody } from '../../../entities'
import { contextOf, ok } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { dayOf } from '../rules/companyDay'
import { readableReport } from '../services/readableReport'
import { periodOf, questionOf } from '../services/funnel/condition'
import { funnelRows, funnelTotals, ownerRows, pipelineRows } from '../services/funnel/report'

const ENTITY = 'crm.opportunity'
const STAGE = 'crm.opportunity.stage'
const OWNER = 'crm.opportunity.ownerId'
const CURRENCY = 'crm.opportunity.currency'
const AMOUNT = 'crm.opportunity.amount'
const WEIGHTED = 'crm.opportunity.weighted'
/** What the figures are made of. */
const SOURCES = {
  funnel: { by: [STAGE] },
  totals: {
    of: {
      won: [STAGE],
      lostAll: [STAGE],
      winRate: [STAGE],
      open: [STAGE],
      wonTotalUsd: [STAGE, AMOUNT, CURRENCY],
      openTotalUsd: [STAGE, WEIGHTED, CURRENCY],
    },
  },
  owners: {
    by: [OWNER, CURRENCY],
    of: {
      ownerWon: [STAGE],
      ownerLost: [STAGE],
      winRate: [STAGE],
      wonAmount: [STAGE, AMOUNT],
      wonUsd: [STAGE, AMOUNT],
      ownerOpen: [STAGE],
      openWeighted: [STAGE, WEIGHTED],
      openUsd: [STAGE, WEIGHTED],
    },
  },
  pipeline: {
    by: [STAGE, CURRENCY],
    of: { amount: [AMOUNT], amountUsd: [AMOUNT], weighted: [WEIGHTED], weightedUsd: [WEIGHTED] },
  },
}

/** POST /v2/crm/opportunity/funnel: the sales funnel of a period in the caller's row scope; `where` as in queryPage, funnelPeriod among it. */
export const call: ModuleCall = ({ app, engine, configuration: { companyTimeZone: timeZone } }) => {
  app.post(
    '/v2/crm/opportunity/funnel',
    {
      schema: {
        tags: ['crm'],
        summary: 'The sales funnel: figures by stage and owner, counted in the database',
        body: reportBody,
      },
      config: { permission: 'crm:data-analysis:sales-funnels' },
    },
    async (request) => {
      const context = contextOf(request)
      const where = (request.body as { where?: QueryCondition[] }).where ?? []
      const question = questionOf(
        where.filter((condition) => condition.field === 'funnelPeriod'),
        context.locale,
      )
      const today = dayOf(context.now, timeZone)
      const counted = { period: periodOf(question, timeZone), timeZone, day: today }
      const mine = engine.rows(ENTITY, context, { where: where.filter((condition) => !condition.field.startsWith('funnel')) })
      const days = { from: question.from ?? '', to: question.to ?? today }
      // one snapshot: the figures of one answer agree with each other
      const answer = await engine.transaction(context, async (_entities, tx) => {
        await tx.query(sql`set transaction isolation level repeatable read, read only`)
        return {
          funnel: await funnelRows(tx, mine, counted),
          totals: [await funnelTotals(tx, mine, counted)],
          owners: await ownerRows(tx, mine, counted),
          pipeline: await pipelineRows(tx, mine, counted),
        }
      })
      const ids = answer.owners.flatMap((row) => (row.ownerId === null ? [] : [row.ownerId]))
      const titles = (await engine.titles(context, { 'sys.staff': [...new Set(ids)] }))['sys.staff'] ?? {}
      const owners = answer.owners.map((row) => ({ ...row, owner: titles[row.ownerId ?? '']?.title ?? row.ownerId }))
      const dated = (rows: readonly object[]): object[] => rows.map((row) => ({ ...row, ...days }))
      const report = {
        funnel: dated(answer.funnel),
        totals: dated(answer.totals),
        owners: dated(owners),
        pipeline: dated(answer.pipeline),
      }
      return ok(readableReport(engine, context, report, SOURCES))
    },
  )
}
