import { ok, contextOf, ServiceError } from '../../../platform/http'
import { tableOf } from '../../../entities'
import type { ModuleCall } from '../../module'
import { accountsOf, askedAccounts, mayWrite } from '../accounts'
import { BASE, bodySchema, described, idSchema, idsSchema } from '../api'

const CLOCK = { type: 'string', pattern: '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$' } as const
/** No chat of a person is connected to the portal: what is set is kept for the day when one is. */
const CHAT = { connected: false }
const QUIET = { ...CHAT, enabled: false, from: '08:00', to: '20:00', onlyFollowed: false, accounts: [] as string[] }

interface ChatNotice {
  enabled: boolean
  from: string
  to: string
  onlyFollowed: boolean
  accounts: string[]
}

/** Who is in mailboxes, whether one has any, and what one is told of new mail. */
export const call: ModuleCall = ({ app, engine, database }) => {
  app.post<{ Body: { accountId?: string } }>(
    `${BASE}/account/staff/query`,
    described('Members of the caller’s mailboxes', bodySchema({ accountId: idSchema })),
    async (request) => {
      const { accountId } = request.body
      const accounts = await askedAccounts(database, contextOf(request), accountId ? [accountId] : undefined)
      const { rows } = await database.query(
        `select m.id, m.account_id as "accountId", m.staff_id as "staffId", m."right", coalesce(m.is_default, false) as "isDefault", s.name, s.job_number as "jobNumber"
         from mail_account_staff m join ${tableOf('sys.staff')} s on s.id = m.staff_id where m.account_id = any($1::text[]) and m.deleted_at is null order by m.account_id, s.name, m.id`,
        [accounts.map(({ id }) => id)],
      )
      return ok(rows)
    },
  )
  app.get(`${BASE}/account/staff/state`, described('Whether the caller has a mailbox'), async (request) => {
    const accounts = await accountsOf(database, contextOf(request).user.staffId)
    return ok({
      bound: accounts.length > 0,
      accounts: accounts.map(({ id: accountId, address, state, syncError, lastSyncAt, right }) => {
        return { accountId, address, state, syncError, lastSyncAt, right }
      }),
      failing: accounts.filter(({ state }) => state === 'failing').length,
    })
  })
  app.post<{ Body: { accountId: string; enabled: boolean } }>(
    `${BASE}/account/updateEmailSseStatus`,
    described(
      'Whether new mail of a mailbox is pushed',
      bodySchema({ accountId: idSchema, enabled: { type: 'boolean' } }, ['accountId', 'enabled']),
    ),
    async (request) => {
      const context = contextOf(request)
      const { accountId, enabled } = request.body
      const [account] = await askedAccounts(database, context, [accountId])
      if (!account || !mayWrite(account)) throw new ServiceError('noPermission')
      await engine.transaction(context, (entities) => entities.save('mail.account', { id: accountId, pushEnabled: enabled }))
      return ok({ accountId, enabled })
    },
  )
  const notice = async (staffId: string): Promise<(ChatNotice & { id: string }) | null> => {
    const { rows } = await database.query<ChatNotice & { id: string }>(
      `select id, coalesce(enabled, false) as enabled, coalesce("from", '08:00') as "from", coalesce("to", '20:00') as "to", coalesce(only_followed, false) as "onlyFollowed",
         coalesce(accounts, '[]') as accounts from mail_chat_notice where staff_id = $1 and deleted_at is null`,
      [staffId],
    )
    return rows[0] ?? null
  }
  app.get(`${BASE}/dingNotice/query`, described('The chat notice of new mail'), async (request) => {
    const found = await notice(contextOf(request).user.staffId)
    if (!found) return ok(QUIET)
    const { id: _id, ...settings } = found
    return ok({ ...CHAT, ...settings })
  })
  app.post<{ Body: ChatNotice }>(
    `${BASE}/dingNotice/update`,
    described(
      'Sets the chat notice of new mail',
      bodySchema(
        { enabled: { type: 'boolean' }, from: CLOCK, to: CLOCK, onlyFollowed: { type: 'boolean' }, accounts: idsSchema },
        ['enabled'],
      ),
    ),
    async (request) => {
      const context = contextOf(request)
      const { staffId } = context.user
      if (request.body.accounts) await askedAccounts(database, context, request.body.accounts)
      const found = await notice(staffId)
      await engine.transaction(context, (entities) =>
        entities.save('mail.chatNotice', { ...(found ? { id: found.id } : {}), staffId, ...request.body }),
      )
      const { id: _id, ...settings } = (await notice(staffId))!
      return ok({ ...CHAT, ...settings })
    },
  )
}
