import { sql } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import { contextOf, ok, type Text } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { addDays, dayOf } from '../rules/companyDay'

const ACCOUNT_DAY = sql.raw(tableOf('fin.accountDay'))

/** Days of the line. */
const DAYS = 90
/** What the line is made of: nothing is told of it to whoever does not see one of these. */
const SOURCES = ['fin.customerAccount.product', 'fin.accountDay.day', 'fin.accountDay.volume']

interface ProductTraffic {
  product: string
  label: Text
  days: { day: string; volume: number }[]
}

/** GET /v2/crm/customer/traffic/{id}: the traffic of a customer by product, day by day over the last 90 full days; products without any are left out. */
export const call: ModuleCall = ({ app, engine, configuration: { companyTimeZone: timeZone } }) => {
  app.get<{ Params: { id: string } }>(
    '/v2/crm/customer/traffic/:id',
    {
      schema: {
        tags: ['crm'],
        summary: 'Traffic of a customer by product and day, the last 90 days',
        params: { type: 'object', required: ['id'], properties: { id: { type: 'string', maxLength: 40 } } },
      },
    },
    async (request) => {
      const context = contextOf(request)
      const today = dayOf(context.now, timeZone)
      if (!engine.names().includes('fin.accountDay') || !SOURCES.every((field) => engine.readable(context, field))) return ok([])
      // only accounts that the caller sees, as everywhere
      const accounts = engine.rows('fin.customerAccount', context, {
        where: [{ field: 'customerId', operator: 'eq', value: request.params.id }],
      })
      const rows = await engine.transaction(context, async (_, tx) => {
        const { rows: found } = await tx.query<{ product: string; day: string; volume: number }>(
          sql`with mine as (select t.id, t.product ${accounts}),
            volumes as (select m.product, d.day, sum(d.volume) as volume from mine m join ${ACCOUNT_DAY} d on d.account_id = m.id and d.deleted_at is null
              and not coalesce(d.test, false) and d.day >= ${addDays(today, -DAYS)}::date and d.day < ${today}::date group by 1, 2)
            select p.product, to_char(s.day, 'YYYY-MM-DD') as day, coalesce(v.volume, 0)::float8 as volume
            from (select distinct product from volumes where volume > 0) p
              cross join generate_series(${addDays(today, -DAYS)}::date, ${addDays(today, -1)}::date, interval '1 day') as s(day)
              left join volumes v on v.product = p.product and v.day = s.day::date
            order by p.product, s.day`,
        )
        return found
      })
      const products = new Map<string, ProductTraffic>()
      for (const { product, day, volume } of rows) {
        const known = products.get(product) ?? { product, label: engine.dictionaryLabel('accountProduct', product), days: [] }
        known.days.push({ day, volume })
        products.set(product, known)
      }
      return ok([...products.values()])
    },
  )
}
