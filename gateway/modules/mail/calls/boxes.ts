import { ok, contextOf, ServiceError, type RequestContext } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { accountsOf, askedAccounts, mayWrite, type OwnAccount } from '../accounts'
import { BASE, bodySchema, described, idSchema, equals, idsSchema, listSchema, textSchema, type ListRequest } from '../api'
import { markMessages, moveMessages, undoChange } from '../changes'
import { SYNC_CHANNEL } from '../imap/runner'
import { idsOfList, isIncomplete, listMessages, type Box, type MessageFilter } from '../messages'

const FLAG = { type: 'boolean' } as const
const FILTERS = {
  ...{ accountIds: idsSchema, folder: idSchema, from: textSchema(200), to: textSchema(200) },
  ...{ hasAttachment: FLAG, seen: FLAG, starred: FLAG, snoozed: FLAG, markIds: idsSchema },
  period: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', format: 'date-time' } },
  ...{ customerId: idSchema, followStaffId: idSchema, threadId: idSchema },
} as const

/** Messages that one call changes at most. */
const MOST = 30_000
const NOTHING = { type: 'null' } as const
const PAST = new ServiceError('badRequest', {
  message: { zh: '请选择将来的时间。', en: 'Choose a moment that is still to come.' },
})
const TARGETS = ['inbox', 'junk', 'trash', 'archive'] as const

type Query = ListRequest & MessageFilter

interface MarkRequest extends Partial<Record<'all' | 'seen' | 'starred', boolean>> {
  messageIds?: string[]
  query?: MessageFilter
  count?: number
  markIds?: string[]
  snoozedUntil?: string | null
  undoToken?: string
}

interface MoveRequest {
  messageIds?: string[]
  to?: (typeof TARGETS)[number]
  always?: boolean
  undoToken?: string
}

/** Received, spam and sent mail: lists, marks, moves, synchronisation, unread counts. */
export const call: ModuleCall = ({ app, engine, database, queue }) => {
  const boxes: readonly (readonly [Box, string])[] = [
    ['receive', 'Received mail'],
    ['junk', 'Spam'],
    ['send', 'Sent mail'],
  ]
  for (const [box, title] of boxes)
    app.post<{ Body: Query }>(`${BASE}/${box}/query`, described(title, listSchema(FILTERS)), async (request) => {
      const { page, size, sort, ...filter } = request.body
      const accounts = await askedAccounts(database, contextOf(request), filter.accountIds)
      const asked = { page, size, ...(sort ? { sort } : {}) }
      const { list, total, isMore } = await listMessages(database, accounts, box, filter, asked)
      const searching = Boolean(filter.keyword) && (await isIncomplete(database, accounts))
      const failed = accounts.flatMap(({ id, state, syncError }) =>
        state === 'failing' ? [{ accountId: id, reason: syncError ?? '' }] : [],
      )
      return ok({ list, total, isMore, page, size, searching, failed })
    })

  const markBody = bodySchema({
    messageIds: { ...idsSchema, maxItems: MOST },
    query: bodySchema({ ...FILTERS, keyword: textSchema(200) }),
    ...{ all: FLAG, count: { type: 'integer', minimum: 0 }, seen: FLAG, starred: FLAG },
    ...{ markIds: { ...idsSchema, maxItems: 20 }, undoToken: textSchema(60) },
    snoozedUntil: { anyOf: [{ type: 'string', format: 'date-time' }, NOTHING] },
  })
  for (const box of ['receive', 'junk'] as const)
    app.post<{ Body: MarkRequest }>(
      `${BASE}/${box}/mark`,
      described('Marks messages, named or all of a list with the count that was seen; `undoToken` takes a change back', markBody),
      async (request) => {
        const context = contextOf(request)
        const { seen, starred, markIds, snoozedUntil, undoToken } = request.body
        if (snoozedUntil && Date.parse(snoozedUntil) <= context.now.getTime()) throw PAST
        const accounts = (await accountsOf(database, context.user.staffId)).filter(mayWrite)
        const own = accounts.map(({ id }) => id)
        if (undoToken !== undefined) return ok(await undone(context, own, undoToken))
        const ids = await named(box, accounts, request.body)
        const what = {
          ...(seen === undefined ? {} : { seen }),
          ...(starred === undefined ? {} : { starred }),
          ...(markIds ? { markIds } : {}),
          ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
        }
        return ok(await engine.transaction(context, (_entities, tx) => markMessages(tx, queue, context, own, ids, what)))
      },
    )

  app.post<{ Body: MoveRequest }>(
    `${BASE}/junk/move`,
    described(
      'Moves messages to spam or back, to the trash or the archive; `always` teaches the lists of the caller, `undoToken` takes a move back',
      bodySchema({ messageIds: idsSchema, to: { enum: TARGETS }, always: FLAG, undoToken: textSchema(60) }),
    ),
    async (request) => {
      const context = contextOf(request)
      const { messageIds, to, always = false, undoToken } = request.body
      const own = (await accountsOf(database, context.user.staffId)).filter(mayWrite).map(({ id }) => id)
      if (undoToken !== undefined) return ok(await undone(context, own, undoToken))
      if (!messageIds || !to) throw new ServiceError('badRequest')
      const answer = await engine.transaction(context, async (entities, tx) => {
        const { senders, ...moved } = await moveMessages(tx, queue, context, own, messageIds, to)
        if (always && (to === 'junk' || to === 'inbox'))
          for (const value of senders) {
            const [list, other] =
              to === 'junk' ? (['mail.blacklist', 'mail.whitelist'] as const) : (['mail.whitelist', 'mail.blacklist'] as const)
            const { staffId } = context.user
            const mine = equals({ value, staffId, scope: 'mine' }, ['value', 'staffId', 'scope'])
            for (const { id } of await entities.list(other, { where: mine })) await entities.remove(other, id)
            if ((await entities.count(list, mine)) === 0)
              await entities.save(list, { value, scope: 'mine', staffId, reason: 'from now on' })
          }
        return moved
      })
      return ok(answer)
    },
  )

  app.post<{ Body: { accountIds?: string[] } }>(
    `${BASE}/receive/sync`,
    described('Asks servers for new mail now; that it is there is pushed', bodySchema({ accountIds: idsSchema })),
    async (request) => {
      const accounts = await askedAccounts(database, contextOf(request), request.body.accountIds)
      const asked = accounts.filter(({ transport }) => transport === 'imapSmtp')
      await database.query('update mail_account set retry_at = null where id = any($1::text[])', [asked.map(({ id }) => id)])
      for (const { id } of asked) await database.notify(SYNC_CHANNEL, id)
      const last = accounts.flatMap(({ lastSyncAt }) => (lastSyncAt === null ? [] : [new Date(lastSyncAt).toISOString()])).sort()
      return ok({ started: asked.length > 0, lastSyncAt: last.at(-1) ?? null })
    },
  )

  app.post(`${BASE}/message/non/read`, described('Unread mail (R153)', { anyOf: [bodySchema({}), NOTHING] }), async (request) => {
    const accounts = await accountsOf(database, contextOf(request).user.staffId)
    const { rows } = await database.query<{ accountId: string; receive: number; junk: number }>(
      `select account_id as "accountId", coalesce(sum(unread) filter (where role = 'inbox'), 0)::int as receive, coalesce(sum(unread) filter (where role = 'junk'), 0)::int as junk
         from mail_folder where account_id = any($1::text[]) and deleted_at is null group by account_id`,
      [accounts.map(({ id }) => id)],
    )
    const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0)
    return ok({
      receiveUnReadNum: sum(({ receive }) => receive),
      junkUnReadNum: sum(({ junk }) => junk),
      byAccount: rows.map(({ accountId, receive, junk }) => ({ accountId, receiveUnReadNum: receive, junkUnReadNum: junk })),
    })
  })

  async function undone(context: RequestContext, own: readonly string[], token: string): Promise<{ changed: number }> {
    return { changed: await engine.transaction(context, (_entities, tx) => undoChange(tx, queue, context, own, token)) }
  }

  /** The messages that a mark is about; a list that is another by now is not marked. */
  async function named(box: Box, accounts: readonly OwnAccount[], asked: MarkRequest): Promise<string[]> {
    const { messageIds, query = {}, all = false, count } = asked
    if (!all) {
      if (!messageIds) throw new ServiceError('badRequest')
      return messageIds
    }
    const within = query.accountIds ? accounts.filter(({ id }) => query.accountIds?.includes(id)) : accounts
    const ids = await idsOfList(database, within, box, query, MOST + 1)
    if (ids.length > MOST)
      throw new ServiceError('limitRefused', { message: { zh: `一次最多 ${MOST} 封。`, en: `At most ${MOST} at once.` } })
    if (count !== undefined && count !== ids.length)
      throw new ServiceError('factsChanged', {
        message: {
          zh: `列表已变化：现在有 ${ids.length} 封，请确认后重试。`,
          en: `The list has changed: there are ${ids.length} now. Look again.`,
        },
        data: { count: ids.length },
      })
    return ids
  }
}
