import { ServiceError, contextOf, ok } from '../../../platform/http'
import { tableOf } from '../../../entities'
import type { ModuleCall } from '../../module'
import { crmSettings } from '../configuration'
import { promotionLinks } from '../services/promotionLinks'

/** GET /v2/crm/index/promotionLink: the personal promotion links of a member of staff (R320); without a number the caller's own. */
export const call: ModuleCall = ({ app, database, configuration }) => {
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
      const { registerUrl, promotionPages } = configuration.of(crmSettings)
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
