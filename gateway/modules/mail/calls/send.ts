import { parseAddresses, type MailAddress } from '../../../../src/headless/mail'
import { ok, contextOf, ServiceError, type RequestContext } from '../../../platform/http'
import { filesIn, wholeFile } from '../../../platform/mail'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { addressesSchema, BASE, bodySchema, described, idSchema, idsSchema, textSchema } from '../api'
import { upstreamLine } from '../imap/upstream'
import { absenceLine } from '../receive/absence'
import { wakingLine } from '../receive/wake'
import { mailParts, type MailParts } from '../parts'
import { filingLine } from '../send/filing'
import { sendingLine } from '../send/line'
import { writeMail, type WrittenMail } from '../send/write'
import { answersOf, openedMessage } from '../view'

const KINDS = ['new', 'reply', 'replyAll', 'forward', 'forwardAsAttachment', 'editAgain'] as const
const ORNULL = (schema: { type: string }) => ({ ...schema, type: [schema.type, 'null'] })

const LETTER = {
  accountId: idSchema,
  to: addressesSchema,
  cc: { ...addressesSchema, default: [] },
  bcc: { ...addressesSchema, default: [] },
  subject: { ...textSchema(998), default: '' },
  content: { ...textSchema(2_000_000), default: '' },
  attachments: { type: 'array', maxItems: 50, items: idSchema, default: [] },
  signatureId: ORNULL(idSchema),
  kind: { enum: KINDS, default: 'new' },
  sourceMessageId: ORNULL(idSchema),
  draftId: ORNULL(idSchema),
  timingTime: { type: ['string', 'null'], format: 'date-time' },
  wantsReceipt: { type: 'boolean' },
} as const

/** Sends mail, and passes many on at once. */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, queue } = moduleParts
  queue.define(sendingLine(parts))
  queue.define(filingLine(parts))
  queue.define(upstreamLine(parts))
  queue.define(wakingLine(parts))
  queue.define(absenceLine(parts))
  app.post<{ Body: WrittenMail & { track?: boolean } }>(
    `${BASE}/email/send`,
    described(
      'Sends a mail, at once (it can be taken back for ten seconds) or at a time',
      bodySchema({ ...LETTER, track: { type: 'boolean' } }, ['accountId', 'to']),
    ),
    async (request) => {
      const { outgoingId, undoUntil } = await writeMail(parts, contextOf(request), request.body)
      return ok({ outgoingId, undoUntil })
    },
  )
  app.post<{ Body: { messageIds: string[]; accountId: string; to: MailAddress[] | string; asAttachment: boolean } }>(
    `${BASE}/email/batch/transmit`,
    described(
      'Passes messages on, each as a mail of its own',
      bodySchema(
        {
          messageIds: { ...idsSchema, maxItems: 100, minItems: 1 },
          accountId: idSchema,
          to: { anyOf: [addressesSchema, textSchema(20_000)] },
          asAttachment: { type: 'boolean', default: false },
        },
        ['messageIds', 'accountId', 'to'],
      ),
    ),
    async (request) => {
      const context = contextOf(request)
      const { messageIds, accountId, asAttachment } = request.body
      const to = typeof request.body.to === 'string' ? parseAddresses(request.body.to) : request.body.to
      const results: { messageId: string; outgoingId: string | null; reason: string | null }[] = []
      for (const messageId of messageIds) {
        try {
          const { outgoingId } = await passOn(parts, context, messageId, { accountId, to, asAttachment })
          results.push({ messageId, outgoingId, reason: null })
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          results.push({ messageId, outgoingId: null, reason: error.messageIn(context.locale) })
        }
      }
      return ok({ results })
    },
  )
}

/** One message as a mail of its own: quoted with its files, or whole as a file. */
async function passOn(
  parts: MailParts,
  context: RequestContext,
  messageId: string,
  { accountId, to, asAttachment }: { accountId: string; to: MailAddress[]; asAttachment: boolean },
): Promise<{ outgoingId: string }> {
  const { locale, user } = context
  const accounts = await accountsOf(parts.database, user.staffId)
  const message = await openedMessage(parts, accounts, messageId)
  const { forwardSubject: subject, quoteHtml } = answersOf(message, [], locale)
  const raw = message.rawHash === null ? null : await parts.raw.read(message.rawHash)
  const files =
    raw === null ? [] : asAttachment ? [wholeFile(message.subject, raw)] : await filesIn(raw, message.attachments.length)
  const kind = asAttachment ? 'forwardAsAttachment' : 'forward'
  const content = asAttachment ? '' : quoteHtml
  const letter = { accountId, to, cc: [], bcc: [], subject, content, attachments: [], kind, sourceMessageId: messageId }
  return writeMail(parts, context, letter, files)
}
