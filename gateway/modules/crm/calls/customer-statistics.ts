import { leavesOf } from '../../../../src/schema/where'
import { contextOf, ok, type RequestContext } from '../../../platform/http'
import { dayOf, startOfDay } from '../rules/companyDay'
import { tabOf } from '../../../pages'
import type { ModuleCall } from '../../module'

/** The tabs of "My customers" that the figures count and lead to. */
const FIGURES = { myCustomer: 'all', todayCustomer: 'gained', task: 'today' }

/** POST /v2/crm/index/customer/statistics: the counts of the home page (R319). */
export const call: ModuleCall = ({ app, engine, database, page, configuration: { companyTimeZone: timeZone } }) => {
  const countOf = async (context: RequestContext, tab: string): Promise<number> => {
    const list = tabOf(page, { page: 'crm/my-client', tab }, context, timeZone)
    if (!list || (context.scopes[list.entity] ?? context.scopes['*'] ?? []).length === 0) return 0
    // what is counted by a field that he does not see is not told
    if (!leavesOf(list.where).every(({ field }) => engine.readable(context, `${list.entity}.${field}`))) return 0
    return engine.count(list.entity, context, list)
  }
  app.post(
    '/v2/crm/index/customer/statistics',
    { schema: { tags: ['crm'], summary: 'Counts of the home page' } },
    async (request) => {
      const context = contextOf(request)
      const counts = await Promise.all(
        Object.entries(FIGURES).map(async ([name, tab]) => [name, await countOf(context, tab)] as const),
      )
      const { rows: sent } = await database.query<{ total: number }>(
        `select count(*) as total from crm_follow_up where created_by = $1 and way = 'email' and created_at >= $2 and deleted_at is null`,
        [context.user.staffId, startOfDay(dayOf(context.now, timeZone), timeZone)],
      )
      return ok({ ...Object.fromEntries(counts), todaySend: Number(sent[0]?.total ?? 0) })
    },
  )
}
