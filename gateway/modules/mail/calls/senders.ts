import { ok, contextOf, ServiceError } from '../../../platform/http'
import { accountsOf, askedAccounts, mayWrite, type OwnAccount } from '../accounts'
import { BASE, bodySchema, described, idSchema, idsSchema } from '../api'
import type { ModuleCall } from '../../module'

const shown = ({ id, address, displayName, isDefault, state, sentToday, dailyLimit }: OwnAccount) => ({
  ...{ accountId: id, address, displayName, isDefault, state, sentToday, dailyLimit },
})

/** The mailboxes that one may send from. */
export const call: ModuleCall = ({ app, database }) => {
  app.post<{ Body: { accountIds?: string[] } }>(
    `${BASE}/email/sender/list`,
    described('Mailboxes that the caller may send from', bodySchema({ accountIds: idsSchema })),
    async (request) => {
      const accounts = await askedAccounts(database, contextOf(request), request.body.accountIds)
      return ok(accounts.filter(mayWrite).map(shown))
    },
  )
  app.post<{ Body: { accountId: string } }>(
    `${BASE}/email/sender/query`,
    described('One of them, with its signatures', bodySchema({ accountId: idSchema }, ['accountId'])),
    async (request) => {
      const { user } = contextOf(request)
      const own = await accountsOf(database, user.staffId)
      const account = own.find(({ id }) => id === request.body.accountId)
      if (!account || !mayWrite(account)) throw new ServiceError('notFound')
      const { signatureId, replySignatureId } = account
      return ok({
        ...shown(account),
        signatureIds: [signatureId, replySignatureId].filter((id) => id !== null),
        signatureId,
        replySignatureId,
      })
    },
  )
}
