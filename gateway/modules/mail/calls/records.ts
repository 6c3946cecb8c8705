import { ok, contextOf } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { accountsOf } from '../accounts'
import { BASE, described, keepRecords, listSchema, textSchema, entityList, equals, type ListRequest } from '../api'
import { tableOf } from '../../../entities'

/** Templates, signatures, address book, white and black list: as their entities keep them, by the addresses that mail calls them by. */
export const call: ModuleCall = (parts) => {
  const { app, database, engine } = parts
  const names = (base: string, save: string, list = 'query', view = 'view/:id') => ({
    ...{ list: `${base}/${list}`, save: `${base}/${save}`, remove: `${base}/del`, view: `${base}/${view}` },
  })
  keepRecords(parts, 'mail.template', names('temp', 'save'), ['kind', 'scope', 'language'])
  keepRecords(parts, 'mail.signature', names('signature', 'update'), ['scope', 'language'])
  keepRecords(parts, 'mail.whitelist', names('whitelist', 'update'), ['scope'])
  keepRecords(parts, 'mail.blacklist', names('blacklist', 'update'), ['scope'])
  keepRecords(parts, 'mail.addressBook', names('emailBook', 'save', 'queryPage', 'getEmailBook'), ['scope', 'company'])

  app.get(`${BASE}/emailBook/queryBookAll`, described('The whole address book'), async (request) => {
    const context = contextOf(request)
    const { rows } = await database.query(
      `select id, name, email, company, coalesce(group_names, '[]') as "groupNames", scope, last_used_at as "lastUsedAt" from mail_address_book
       where (scope = 'company' or staff_id = $1) and deleted_at is null order by name, id limit 5000`,
      [context.user.staffId],
    )
    return ok(rows)
  })

  app.post<{ Body: ListRequest & { period?: [string, string] } }>(
    `${BASE}/emailLog/query`,
    described(
      'What was done with mail of the caller’s mailboxes',
      listSchema({
        ...{ accountId: textSchema(40), action: textSchema(20), messageId: textSchema(40) },
        period: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string', format: 'date-time' } },
      }),
    ),
    async (request) => {
      const { period } = request.body
      const within = period ? [{ field: 'at', operator: 'between' as const, value: period }] : []
      const where = [...equals(request.body, ['accountId', 'action', 'messageId']), ...within]
      return ok(await entityList(parts, contextOf(request), 'mail.log', request.body, where))
    },
  )

  const lists: Readonly<Record<string, string>> = { signature: 'mail.signature', temp: 'mail.template', mark: 'mail.mark' }
  for (const [name, entity] of Object.entries(lists))
    app.get(`${BASE}/select/${name}`, described(`To choose from: ${name}`), async (request) => {
      const { records } = await engine.queryPage(entity, contextOf(request), { pageSize: 500 })
      return ok(records.map(({ id, name: called, ...more }) => ({ id, name: called, ...chosen(more) })))
    })
  app.get(`${BASE}/select/follow`, described('Whom mail of the caller’s mailboxes can be given to'), async (request) => {
    const own = await accountsOf(database, contextOf(request).user.staffId)
    const { rows } = await database.query(
      `select distinct s.id, s.name, s.job_number as "jobNumber" from mail_account_staff m join ${tableOf('sys.staff')} s on s.id = m.staff_id
       where m.account_id = any($1::text[]) and m."right" <> 'read' and m.deleted_at is null and s.deleted_at is null order by s.name, s.id`,
      [own.map(({ id }) => id)],
    )
    return ok(rows)
  })
}

/** What tells choices apart; texts of templates come when one is chosen. */
const chosen = ({ scope, language, kind, colour, accountId, subject }: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries({ scope, language, kind, colour, accountId, subject }).filter(([, value]) => value !== undefined),
  )
