import { contentDisposition } from '../../../platform/files'
import { contextOf, ServiceError } from '../../../platform/http'
import { attachmentsOf } from '../../../platform/mail'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { described, idSchema } from '../api'

import { mailParts } from '../parts'
import { openedMessage } from '../view'

/** One of the files of a message, from its raw bytes: browsers save it, and show what is a picture or a PDF by its content. */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { config, schema } = described('A file of a message')
  const index = { type: 'integer', minimum: 0, maximum: 1_000 } as const
  const params = { type: 'object', required: ['messageId', 'index'], properties: { messageId: idSchema, index } } as const
  moduleParts.app.get<{ Params: { messageId: string; index: number } }>(
    '/v2/mail/attachment/:messageId/:index',
    { config, schema: { ...schema, params } },
    async (request, reply) => {
      const { messageId, index: place } = request.params
      const message = await openedMessage(parts, await accountsOf(parts.database, contextOf(request).user.staffId), messageId)
      const known = message.attachments.find((file) => file.index === place)
      const file = known && message.rawHash ? (await attachmentsOf(await parts.raw.read(message.rawHash)))[place] : undefined
      if (!known || !file) throw new ServiceError('notFound')
      return reply
        .header('content-disposition', contentDisposition('attachment', known.name))
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
        .type(
          /^(?:image\/(?:png|jpeg|gif|webp|bmp)|application\/pdf)$/.test(known.type) ? known.type : 'application/octet-stream',
        )
        .send(file.content)
    },
  )
}
