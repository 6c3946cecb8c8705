import { contextOf, ServiceError } from '../../../platform/http'
import { pictureAddresses } from '../../../platform/mail'
import { fetchPicture, PictureError, PrivateAddressError } from '../../../platform/outside'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { described, idSchema } from '../api'
import { mailParts } from '../parts'
import { openedMessage } from '../view'

/** A picture of a mail that waits for its reader's trust: who asks for it has loaded it. The gateway fetches it, so that the sender does not see who reads where. */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, database } = moduleParts
  const { config, schema } = described(
    'A picture of a mail from elsewhere, the nth that is blocked (from 0), fetched by the gateway',
  )
  const properties = { accountId: idSchema, messageId: idSchema, n: { type: 'integer', minimum: 0, maximum: 10_000 } }
  app.get<{ Querystring: { accountId: string; messageId: string; n: number } }>(
    '/v2/mail/picture',
    { config, schema: { ...schema, querystring: { type: 'object', required: Object.keys(properties), properties } } },
    async (request, reply) => {
      const { accountId, messageId, n } = request.query
      const accounts = await accountsOf(database, contextOf(request).user.staffId)
      const message = await openedMessage(
        parts,
        accounts.filter(({ id }) => id === accountId),
        messageId,
      )
      const address = pictureAddresses(message.htmlBody ?? '')[n]
      if (address === undefined) throw new ServiceError('notFound')
      const { type, content } = await fetchPicture(address, parts.settings.mailPrivateHosts).catch((error: unknown) => {
        const reason = error instanceof PictureError || error instanceof PrivateAddressError ? `: ${error.message}` : ''
        throw new ServiceError('unavailable', {
          message: { zh: `图片无法取得${reason}`, en: `The picture cannot be had${reason}` },
        })
      })
      return reply
        .header('cache-control', 'private, max-age=3600')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type(type)
        .send(content)
    },
  )
}
