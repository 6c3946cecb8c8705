import type { FastifyInstance } from 'fastify'
import type { Database } from '../../../platform/database'
import { ServiceError, contextOf, ok } from '../../../platform/http'
import { tableOf } from '../../../entities'

export interface PromotionLink {
  /** Name of the page, as it is configured. */
  name: string
  /** Its address with the job number as `promoterNo`: a clue that comes this way goes to that person. */
  link: string
}

/** Links of one person on the configured pages. */
export function promotionLinks(pages: Readonly<Record<string, string>>, jobNumber: string): PromotionLink[] {
  return Object.entries(pages).map(([name, address]) => {
    const url = new URL(address)
    url.searchParams.set('promoterNo', jobNumber)
    return { name, link: url.href }
  })
}

/** GET /v2/crm/index/promotionLink: the personal promotion links of a member of staff (R320); without a number the caller's own. */
export function registerPromotionLinks(
  app: FastifyInstance,
  database: Database,
  options: { registerUrl: string | undefined; promotionPages: Readonly<Record<string, string>> },
): void {
  app.get<{ Querystring: { jobNumber?: string } }>(
    '/v2/crm/index/promotionLink',
    {
      schema: {
        tags: ['crm'],
        summary: 'Promotion links of a member of staff (R320)',
        querystring: { type: 'object', properties: { jobNumber: { type: 'string', minLength: 1, maxLength: 40 } } },
      },
    },
    async (request) => {
      const { registerUrl, promotionPages } = options
      const registration = contextOf(request).locale === 'zh' ? '注册页' : 'Registration page'
      const pages = { ...(registerUrl ? { [registration]: registerUrl } : {}), ...promotionPages }
      const jobNumber = request.query.jobNumber ?? contextOf(request).user.jobNumber
      const { rows } = await database.query<{ jobNumber: string; status: string }>(
        `select job_number as "jobNumber", status from ${tableOf('sys.staff')} where job_number = $1 and deleted_at is null`,
        [jobNumber],
      )
      const [staff] = rows
      if (!staff)
        throw new ServiceError('notFound', {
          message: { zh: `没有工号为 ${jobNumber} 的员工。`, en: `Nobody has the job number ${jobNumber}.` },
        })
      // whoever has left brings nobody any more
      return ok(staff.status === 'left' ? [] : promotionLinks(pages, staff.jobNumber))
    },
  )
}
