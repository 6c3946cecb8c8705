import { buffer } from 'node:stream/consumers'
import { ok, contextOf, ServiceError, type RequestContext } from '../../../platform/http'
import type { FileAnswer } from '../../../platform/files'
import { filesIn, wholeFile, type ComposedFile } from '../../../platform/mail'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { bodySchema, described, idSchema } from '../api'
import { mailParts } from '../parts'
import { openedMessage } from '../view'

interface Asked {
  messageId?: string
  whole?: boolean
  templateId?: string
}

/** The files of a message or template as uploads of whoever writes, for what is passed on or written again; what is not taken is named. */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, engine, database } = moduleParts
  const readFiles = (context: RequestContext, ids: readonly string[]): Promise<ComposedFile[]> =>
    Promise.all(
      ids.map(async (id) => {
        const { file, content } = await parts.files.read(context, id)
        return { name: file.name, type: file.mimeType, content: await buffer(content) }
      }),
    )
  const given = async (context: RequestContext, { messageId, whole, templateId }: Asked): Promise<ComposedFile[]> => {
    if (templateId !== undefined) {
      const { record } = await engine.view('mail.template', context, templateId)
      return readFiles(
        context,
        ((record.attachments ?? []) as { id: string }[]).map(({ id }) => id),
      )
    }
    if (messageId === undefined) throw new ServiceError('badRequest')
    const message = await openedMessage(parts, await accountsOf(database, context.user.staffId), messageId)
    if (message.rawHash === null) return []
    const raw = await parts.raw.read(message.rawHash)
    return whole ? [wholeFile(message.subject, raw)] : filesIn(raw, message.attachments.length)
  }
  app.post<{ Body: Asked }>(
    '/v2/mail/message/takeFiles',
    described(
      'The files of a message or template as uploads of the caller; `whole`: the message itself as one',
      bodySchema({ messageId: idSchema, whole: { type: 'boolean' }, templateId: idSchema }),
    ),
    async (request) => {
      const context = contextOf(request)
      const files: (FileAnswer & { contentId: string | null })[] = []
      const refused: { name: string; reason: string }[] = []
      for (const { name, content, contentId = null } of await given(context, request.body)) {
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
