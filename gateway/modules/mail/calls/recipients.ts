import { asciiAddress, domainOf, isMailAddress } from '../../../../src/headless/mail'
import type { QueryWhere } from '../../../../src/schema/model'
import { tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ok, contextOf, type RequestContext } from '../../../platform/http'
import type { ModuleCall } from '../../module'
import { accountsOf, localAccounts, ownDomains } from '../accounts'
import { BASE, bodySchema, described, idSchema, likely, textSchema } from '../api'
import { listedSender } from '../receive/lists'
import { partiesOf } from '../receive/parties'

interface Suggestion extends Record<'email' | 'name' | 'source', string>, Record<'company' | 'lastUsedAt', string | null> {}

const LIMIT = { type: 'integer', minimum: 1, maximum: 50, default: 10 } as const
const EMAILS = bodySchema({ emails: { type: 'array', maxItems: 500, items: textSchema(320) }, accountId: idSchema }, ['emails'])

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Who a mail may go to, and what to look out for before it goes. */
export const call: ModuleCall = ({ app, engine, database }) => {
  const has = (entity: string): boolean => engine.names().includes(entity)

  app.post<{ Body: { keyword?: string; customerId?: string; limit: number } }>(
    `${BASE}/email/customer/contact`,
    described('Contacts, best first', bodySchema({ keyword: textSchema(100), customerId: idSchema, limit: LIMIT })),
    async (request) => {
      const context = contextOf(request)
      const { keyword = '', customerId, limit } = request.body
      const found: Suggestion[] = []
      for (const [entity, party] of [
        ['crm.contact', 'customer'],
        ['srm.supplierContact', 'supplier'],
      ] as const) {
        if (!has(entity) || (customerId && party !== 'customer') || !engine.readable(context, `${entity}.email`)) continue
        const where: QueryWhere[] = [{ field: 'email', operator: 'notEmpty' }]
        if (customerId) where.push({ field: 'customerId', operator: 'eq', value: customerId })
        const { records, refs } = await engine.queryPage(entity, context, { pageSize: limit, where, keyword })
        const companies = Object.assign({}, ...Object.values(refs)) as Record<string, { title: string }>
        for (const record of records) {
          const company = companies[text(record[`${party}Id`])]?.title ?? null
          found.push({ email: text(record.email), name: text(record.name), company, source: party, lastUsedAt: null })
        }
      }
      return ok(await bestFirst(database, context, found, limit))
    },
  )
  app.post<{ Body: { keyword?: string; groupName?: string; limit: number } }>(
    `${BASE}/email/book/contact`,
    described(
      'The book and colleagues, best first',
      bodySchema({ keyword: textSchema(100), groupName: textSchema(60), limit: LIMIT }),
    ),
    async (request) => {
      const context = contextOf(request)
      const { keyword = '', groupName = null, limit } = request.body
      const { rows } = await database.query<Suggestion>(
        `(select email, name, company, 'book' as source, last_used_at as "lastUsedAt" from mail_address_book
            where (scope = 'company' or staff_id = $1) and deleted_at is null and (name ilike $2 or email ilike $2 or company ilike $2) and ($3::text is null or group_names ? $3)
            order by last_used_at desc nulls last, name limit $4)
         union all (select s.email, s.name, null, 'staff', null from ${tableOf('sys.staff')} s
            where $3::text is null and s.email is not null and s.status <> 'left' and s.deleted_at is null
              and (s.name ilike $2 or s.name_en ilike $2 or s.email ilike $2 or s.job_number ilike $2) order by s.name limit $4)`,
        [context.user.staffId, likely(keyword), groupName, limit],
      )
      return ok(await bestFirst(database, context, rows, limit))
    },
  )
  app.post<{ Body: { emails: string[] } }>(
    `${BASE}/email/check/owner`,
    described('Whose customers addresses belong to', EMAILS),
    async (request) => {
      const { user, now } = contextOf(request)
      const { emails } = request.body
      const parties = await partiesOf(engine, database, emails, now)
      const ids = [...parties.values()].flatMap(({ customerId }) => (customerId === null ? [] : [customerId]))
      const { rows } = has('crm.customer')
        ? await database.query<{ id: string; code: string | null; ownerId: string | null; ownerName: string | null }>(
            `select c.id, c.code, c.owner_id as "ownerId", s.name as "ownerName" from ${tableOf('crm.customer')} c left join ${tableOf('sys.staff')} s on s.id = c.owner_id where c.id = any($1::text[])`,
            [ids],
          )
        : { rows: [] }
      const answers = emails.map((email) => {
        const customer = rows.find(({ id }) => id === parties.get(email.toLowerCase())?.customerId)
        const { ownerId = null, ownerName = null, code = null } = customer ?? {}
        return { email, ownerName, ownedByOther: ownerId !== null && ownerId !== user.staffId, customerCode: code }
      })
      return ok(answers)
    },
  )
  app.post<{ Body: { emails: string[]; accountId?: string } }>(
    `${BASE}/email/check/cc/email`,
    described('What speaks against recipients', EMAILS),
    async (request) => {
      const { emails, accountId } = request.body
      const own = await accountsOf(database, contextOf(request).user.staffId)
      const account = own.find(({ id }) => id === accountId) ?? own[0]
      const domains = await ownDomains(database)
      const isInside = (email: string): boolean => domains.includes(domainOf(email))
      const isMixed = emails.some(isInside)
      const here = account?.transport === 'local' ? await localAccounts(database, emails.filter(isMailAddress)) : null
      const reached = here && new Set(here.map(({ address }) => address))
      const seen = new Set<string>()
      const against = async (email: string): Promise<string | null> => {
        if (!isMailAddress(email)) return 'invalid'
        if (seen.has(asciiAddress(email))) return 'duplicate'
        seen.add(asciiAddress(email))
        const listed = account ? await listedSender(database, account, email) : null
        if (listed?.list === 'black') return 'blacklisted'
        if (reached && !reached.has(asciiAddress(email))) return 'notConnected'
        return isMixed && !isInside(email) ? 'outside' : null
      }
      const answers: { email: string; ok: boolean; reason: string | null }[] = []
      for (const email of emails) {
        const reason = await against(email)
        answers.push({ email, ok: reason === null, reason })
      }
      return ok(answers)
    },
  )
}

/** Those that were written to lately come first, then by name; each address once. */
async function bestFirst(db: Executor, { user }: RequestContext, found: readonly Suggestion[], limit: number) {
  const key = ({ email }: Suggestion): string => email.toLowerCase()
  const { rows } = await db.query<{ email: string; at: string }>(
    `select lower(r.email) as email, max(o.created_at) as at from mail_outgoing o, jsonb_to_recordset(o."to") as r(email text)
     where o.staff_id = $1 and lower(r.email) = any($2::text[]) and o.deleted_at is null group by 1`,
    [user.staffId, found.map(key)],
  )
  const used = new Map(rows.map(({ email, at }) => [email, new Date(at).toISOString()]))
  const once = new Map(found.map((one) => [key(one), { ...one, lastUsedAt: used.get(key(one)) ?? one.lastUsedAt }]))
  const lately = ({ lastUsedAt }: Suggestion): string => lastUsedAt ?? ''
  return [...once.values()]
    .sort((a, b) => lately(b).localeCompare(lately(a)) || a.name.localeCompare(b.name, 'zh'))
    .slice(0, limit)
}
