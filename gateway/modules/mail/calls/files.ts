import { ok, contextOf, ServiceError } from '../../../platform/http'
import { contentDisposition } from '../../../platform/files'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { BASE, described, idSchema } from '../api'
import { logMail } from '../log'
import { mailParts } from '../parts'
import { openedMessage } from '../view'

/** Bytes of one file. */
const LARGEST_FILE = 26_214_400
/** Bytes of all files of a mail. */
const LARGEST_MAIL = 31_457_280
/** Files above this come in parts. */
const IN_PARTS = 8_388_608
const SEGMENTS = '/v2/download/downloadCenter/api/segmentUpload'
const FILES = '/v2/download/downloadCenter/api/file'

/** What goes along with mail, and mail as it came (R335). */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, database, files } = moduleParts
  const { config, schema } = described('A file for a mail (multipart `file`); above 8 MB the answer says where its parts go')
  app.post<{ Body: { name?: string; size?: number } | undefined }>(
    `${BASE}/file/upload`,
    { config, schema: { ...schema, consumes: ['multipart/form-data', 'application/json'] } },
    async (request) => {
      if (!request.isMultipart()) {
        const { name, size } = request.body ?? {}
        if (typeof name !== 'string' || typeof size !== 'number' || !(size > 0)) throw new ServiceError('badRequest')
        if (size > LARGEST_FILE) throw tooLarge
        const parted = { partSize: IN_PARTS, parts: Math.ceil(size / IN_PARTS) }
        return ok({ fileId: null, name, size, url: SEGMENTS, ...parted, maxFile: LARGEST_FILE, maxMail: LARGEST_MAIL })
      }
      const { id, name, size } = await files.service.take(request, LARGEST_FILE)
      return ok({ fileId: id, name, size, url: `${FILES}/${id}`, maxFile: LARGEST_FILE, maxMail: LARGEST_MAIL })
    },
  )
  const about = described('A message as it came, untouched')
  const params = { type: 'object', required: ['id1', 'id2'], properties: { id1: idSchema, id2: idSchema } } as const
  app.post<{ Params: { id1: string; id2: string } }>(
    `${BASE}/eml/download/:id1/:id2`,
    { ...about, schema: { ...about.schema, params } },
    async (request, reply) => {
      const { user, now } = contextOf(request)
      const { id1: accountId, id2: messageId } = request.params
      const accounts = (await accountsOf(database, user.staffId)).filter(({ id }) => id === accountId)
      const message = await openedMessage(parts, accounts, messageId)
      if (message.rawHash === null) throw new ServiceError('notFound')
      const raw = await parts.raw.read(message.rawHash)
      const { senderEmail: peer, subject } = message
      await logMail(database, [{ accountId, action: 'downloaded', staffId: user.staffId, messageId, peer, subject }], now)
      return reply
        .header('content-disposition', contentDisposition('attachment', `${subject.slice(0, 80) || 'mail'}.eml`))
        .header('cache-control', 'private, no-store')
        .header('x-content-type-options', 'nosniff')
        .type('message/rfc822')
        .send(raw)
    },
  )
}

const tooLarge = new ServiceError('fileRefused', {
  message: { zh: '单个文件最大 25 MB。', en: 'A file is at most 25 MB.' },
})
