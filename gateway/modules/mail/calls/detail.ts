import { tableOf } from '../../../entities'
import { ok, contextOf } from '../../../platform/http'
import { contentOf, hasRemoteImages, originOf } from '../../../platform/mail'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { BASE, bodySchema, described, idSchema, textSchema } from '../api'
import { logMail } from '../log'
import { listMessages } from '../messages'
import { mailParts } from '../parts'
import { answersOf, openedMessage, quotedOf } from '../view'
import { domainOf } from '../../../../src/headless/mail'

/** One message, opened or quoted (R150, R151). */
export const call: ModuleCall = (moduleParts) => {
  const parts = mailParts(moduleParts)
  const { app, engine, database } = moduleParts
  app.post<{ Body: { messageId: string; quoted?: boolean; charset?: string } }>(
    `${BASE}/email/detail`,
    described(
      'One message; `quoted` as it is quoted or passed on, `charset` read anew in that one',
      bodySchema(
        { messageId: idSchema, quoted: { type: 'boolean' }, charset: { ...textSchema(40), pattern: '^[A-Za-z0-9._:+-]+$' } },
        ['messageId'],
      ),
    ),
    async (request) => {
      const context = contextOf(request)
      const { user, now, locale } = context
      const { messageId, quoted = false, charset } = request.body
      const accounts = await accountsOf(database, user.staffId)
      const message = await openedMessage(parts, accounts, messageId, charset)
      if (quoted) return ok(quotedOf(message))
      const { accountId, senderEmail: peer, subject, customerId } = message
      await logMail(database, [{ accountId, action: 'opened', staffId: user.staffId, messageId, peer, subject }], now)
      const account = accounts.filter(({ id }) => id === accountId)
      const { list: thread } = message.threadId
        ? await listMessages(database, account, 'receive', { threadId: message.threadId }, { page: 1, size: 100 })
        : { list: [] }
      const { rows: trusted } = await database.query(
        'select 1 from mail_image_trust where staff_id = $1 and value = any($2::text[]) and deleted_at is null limit 1',
        [user.staffId, [peer.toLowerCase(), domainOf(peer)]],
      )
      const isSeen = customerId !== null && (await engine.count('crm.customer', context, { ids: [customerId] })) > 0
      const own = accounts.map(({ address }) => address)
      const { htmlBody: _h, textBody: _t, htmlVersion: _v, rawHash: _r, uid: _u, path: _p, bodyState: _b, ...shown } = message
      return ok({
        ...shown,
        content: contentOf(message),
        remoteImages: hasRemoteImages(message),
        imagesTrusted: trusted.length > 0,
        origin: originOf(message.authResults)[locale],
        customer: isSeen ? await customerOf(customerId) : null,
        thread: thread.map((one) => {
          const { id, receiveTime, senderEmail, senderName, seen } = one
          return { id, receiveTime, subject: one.subject, senderEmail, senderName, seen }
        }),
        answers: answersOf(message, own, locale),
      })
    },
  )

  async function customerOf(id: string): Promise<object | null> {
    const { rows } = await database.query<{ id: string; code: string; name: string; ownerName: string | null }>(
      `select c.id, c.code, c.name, s.name as "ownerName" from ${tableOf('crm.customer')} c left join ${tableOf('sys.staff')} s on s.id = c.owner_id where c.id = $1`,
      [id],
    )
    return rows[0] ?? null
  }
}
