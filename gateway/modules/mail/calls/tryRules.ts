import { tableOf } from '../../../entities'
import { ok, contextOf, ServiceError } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { bodySchema, idSchema, textSchema } from '../api'
import { followerOf } from '../receive/follow'
import { partiesOf } from '../receive/parties'

const BODY = bodySchema({ accountId: idSchema, senderEmail: textSchema(320), subject: textSchema(998) }, [
  ...['accountId', 'senderEmail'],
])
const NOBODY = { customerId: null, supplierId: null, contactId: null }

/** Which follow rule of a mailbox would take a mail, and whom it would give it to. */
export const call: ModuleCall = ({ app, engine, database }) => {
  app.post<{ Body: { accountId: string; senderEmail: string; subject?: string } }>(
    '/v2/mail/followRule/try',
    {
      schema: { tags: ['mail'], summary: 'The rule that would take a mail', body: BODY },
      config: { permission: 'setModule:email:inbox' },
    },
    async (request) => {
      const { user, now } = contextOf(request)
      const { accountId, senderEmail, subject = '' } = request.body
      const own = await accountsOf(database, user.staffId)
      if (!own.some(({ id }) => id === accountId)) throw new ServiceError('notFound')
      const party = (await partiesOf(engine, database, [senderEmail], now)).get(senderEmail.toLowerCase()) ?? NOBODY
      const found = await followerOf(engine, database, accountId, { sender: { email: senderEmail }, subject }, party)
      if (!found) return ok({ rule: null, staff: null })
      const { rows } = await database.query<{ id: string; name: string }>(
        `select id, name from ${tableOf('sys.staff')} where id = $1`,
        [found.staffId],
      )
      return ok({ rule: found.rule, staff: rows[0] ?? null })
    },
  )
}
