import { tableOf, thereIs, type EntityRecord, type EntityService } from '../../../../entities'
import type { Executor } from '../../../../platform/database'
import { funnelCondition } from '../funnel/condition'

/** Opportunities: what won ones really brought, the funnel, and the rows behind its numbers. */
export const opportunityService = (timeZone: string): EntityService<'crm.opportunity'> => ({
  computeFields: (records, { db }) => describeActual(records, db, timeZone),
  filter: ({ conditions, alias, context }) => funnelCondition(conditions, alias, context.locale, timeZone),
})

/**
 * What won opportunities really brought: the revenue of the customer's accounts of the product in the 90 days from winning, in the
 * currency of the opportunity. Open ones have none.
 */
async function describeActual(records: readonly EntityRecord[], db: Executor, timeZone: string): Promise<void> {
  const won = records.filter(({ stage, wonAt }) => stage === 'won' && typeof wonAt === 'string')
  for (const record of records) record.actual90 = null
  if (won.length === 0 || !(await thereIs(db, 'fin.accountDay'))) return
  const { rows } = await db.query<{ id: string; revenue: string }>(
    `select o.id, coalesce(sum(d.revenue), 0)::text as revenue
     from jsonb_to_recordset($1::jsonb) as o(id text, customer text, product text, currency text, won timestamptz)
       left join ${tableOf('fin.customerAccount')} a on a.customer_id = o.customer and a.deleted_at is null and (o.product is null or a.product = o.product)
       left join ${tableOf('fin.accountDay')} d on d.account_id = a.id and d.deleted_at is null and not coalesce(d.test, false) and d.currency = o.currency
         and d.day >= (o.won at time zone $2)::date and d.day < (o.won at time zone $2)::date + 90
     group by o.id`,
    [
      JSON.stringify(
        won.map(({ id, customerId, accountProduct, currency, wonAt }) => ({
          id,
          customer: customerId,
          product: accountProduct,
          currency,
          won: wonAt,
        })),
      ),
      timeZone,
    ],
  )
  const revenue = new Map(rows.map((row) => [row.id, row.revenue]))
  for (const record of won) record.actual90 = revenue.get(String(record.id)) ?? null
}
