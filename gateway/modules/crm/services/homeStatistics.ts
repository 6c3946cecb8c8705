import type { FastifyInstance } from 'fastify'
import { contextOf, ok } from '../../../platform/http'
import type { Database } from '../../../platform/database'
import { addDays, dayOf, instantAt } from '../rules/companyDay'

/** POST /v2/crm/index/customer/statistics: the counts of the home page (R319). */
export function registerHomeStatistics(app: FastifyInstance, database: Database, timeZone: string): void {
  app.post(
    '/v2/crm/index/customer/statistics',
    { schema: { tags: ['crm'], summary: 'Counts of the home page' } },
    async (request) => {
      const { user, now } = contextOf(request)
      const today = dayOf(now, timeZone)
      const [start, end] = [instantAt(today, '00:00', timeZone), instantAt(addDays(today, 1), '00:00', timeZone)]
      const { rows } = await database.query<{ myCustomer: number; todayCustomer: number; task: number }>(
        `select count(*) as "myCustomer", count(*) filter (where owned_at >= $2) as "todayCustomer", count(*) filter (where next_follow_at < $3) as "task"
       from crm_customer where owner_id = $1 and holding = 'private' and party_type = 'customer' and deleted_at is null`,
        [user.staffId, start.toISOString(), end.toISOString()],
      )
      const { rows: sent } = await database.query<{ total: number }>(
        `select count(*) as total from crm_follow_up where created_by = $1 and way = 'email' and created_at >= $2 and deleted_at is null`,
        [user.staffId, start.toISOString()],
      )
      return ok({
        myCustomer: Number(rows[0]?.myCustomer ?? 0),
        todayCustomer: Number(rows[0]?.todayCustomer ?? 0),
        task: Number(rows[0]?.task ?? 0),
        todaySend: Number(sent[0]?.total ?? 0),
      })
    },
  )
}
