import { ok, contextOf, ServiceError } from '../../../platform/http'
import type { FileAnswer } from '../../../platform/files'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { bodySchema, described, idSchema } from '../api'
import { mailParts } from '../parts'
import { filesIn, wholeFile } from '../send/source'
import { openedMessage } from '../view'

/** The files of a message as uploads of whoever writes, for what is passed on or written again; what is not taken is named. */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, database } = moduleParts
  app.post<{ Body: { messageId: string; whole?: boolean } }>(
    '/v2/mail/message/takeFiles',
    described(
      'The files of a message as uploads of the caller; `whole`: the message itself as one',
      bodySchema({ messageId: idSchema, whole: { type: 'boolean' } }, ['messageId']),
    ),
    async (request) => {
      const context = contextOf(request)
      const { messageId, whole = false } = request.body
      const message = await openedMessage(parts, await accountsOf(database, context.user.staffId), messageId)
      if (message.rawHash === null) return ok({ files: [], refused: [] })
      const raw = await parts.raw.read(message.rawHash)
      const given = whole ? [wholeFile(message.subject, raw)] : await filesIn(raw, message.attachments.length)
      const files: (FileAnswer & { contentId: string | null })[] = []
      const refused: { name: string; reason: string }[] = []
      for (const { name, content, contentId = null } of given) {
        try {
          files.push({ ...(await parts.files.keep(context, name, content)), contentId })
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          refused.push({ name, reason: error.messageIn(context.locale) })
        }
      }
      return ok({ files, refused })
    },
  )
}
