import { asciiAddress, domainOf, isMailAddress } from '../../../../src/headless/mail'
import type { QueryWhere } from '../../../../src/schema/model'
import { tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { ok, contextOf, type RequestContext } from '../../../platform/http'
import type { ModuleCall, ModuleParts } from '../../module'
import { accountsOf, ownDomains } from '../accounts'
import { BASE, bodySchema, described, idSchema, textSchema } from '../api'
import { listedSender } from '../receive/lists'
import { partiesOf } from '../receive/parties'

interface Suggestion {
  email: string
  name: string
  company: string | null
  source: 'customer' | 'supplier' | 'book' | 'staff'
  lastUsedAt: string | null
}

const LIMIT = { type: 'integer', minimum: 1, maximum: 50, default: 10 } as const
const EMAILS = { type: 'array', maxItems: 500, items: textSchema(320) } as const

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Who a mail may go to, and what to look out for before it goes. */
export const call: ModuleCall = ({ app, engine, database }) => {
  app.post<{ Body: { keyword?: string; customerId?: string; limit: number } }>(
    `${BASE}/email/customer/contact`,
    described(
      'Contacts of customers and suppliers, best first',
      bodySchema({ keyword: textSchema(100), customerId: idSchema, limit: LIMIT }),
    ),
    async (request) => {
      const context = contextOf(request)
      const { keyword = '', customerId, limit } = request.body
      const where: QueryWhere[] = [
        { field: 'email', operator: 'notEmpty' },
        ...(customerId ? [{ field: 'customerId', operator: 'eq', value: customerId } as const] : []),
      ]
      const customers = await contacts(engine, context, 'crm.contact', 'customerId', {
        keyword,
        where,
        limit,
        source: 'customer',
      })
      const suppliers = customerId
        ? []
        : await contacts(engine, context, 'srm.supplierContact', 'supplierId', {
            keyword,
            where: where.slice(0, 1),
            limit,
            source: 'supplier',
          })
      return ok(await bestFirst(database, context, [...customers, ...suppliers], limit))
    },
  )
  app.post<{ Body: { keyword?: string; groupName?: string; limit: number } }>(
    `${BASE}/email/book/contact`,
    described(
      'Addresses of the book and colleagues, best first',
      bodySchema({ keyword: textSchema(100), groupName: textSchema(60), limit: LIMIT }),
    ),
    async (request) => {
      const context = contextOf(request)
      const { keyword = '', groupName, limit } = request.body
      const like = `%${keyword.replace(/[\\%_]/gu, '\\$&')}%`
      const { rows } = await database.query<Suggestion>(
        `select email, name, company, 'book' as source, last_used_at as "lastUsedAt" from mail_address_book
         where (scope = 'company' or staff_id = $1) and deleted_at is null and (name ilike $2 or email ilike $2 or company ilike $2) and ($3::text is null or group_names ? $3)
         order by last_used_at desc nulls last, name limit $4`,
        [context.user.staffId, like, groupName ?? null, limit],
      )
      const { rows: staff } = groupName
        ? { rows: [] }
        : await database.query<Suggestion>(
            `select s.email, s.name, null as company, 'staff' as source, null as "lastUsedAt" from ${tableOf('sys.staff')} s
             where s.email is not null and s.status <> 'left' and s.deleted_at is null and (s.name ilike $1 or s.name_en ilike $1 or s.email ilike $1 or s.job_number ilike $1) order by s.name limit $2`,
            [like, limit],
          )
      return ok(await bestFirst(database, context, [...rows, ...staff], limit))
    },
  )
  app.post<{ Body: { emails: string[] } }>(
    `${BASE}/email/check/owner`,
    described('Whose customers addresses belong to', bodySchema({ emails: EMAILS }, ['emails'])),
    async (request) => {
      const { user, now } = contextOf(request)
      const { emails } = request.body
      const parties = await partiesOf(engine, database, emails, now)
      const ids = [...parties.values()].flatMap(({ customerId }) => (customerId === null ? [] : [customerId]))
      const { rows } =
        ids.length === 0
          ? { rows: [] }
          : await database.query<{ id: string; code: string | null; ownerId: string | null; ownerName: string | null }>(
              `select c.id, c.code, c.owner_id as "ownerId", s.name as "ownerName" from ${tableOf('crm.customer')} c left join ${tableOf('sys.staff')} s on s.id = c.owner_id where c.id = any($1::text[])`,
              [ids],
            )
      return ok(
        emails.map((email) => {
          const customer = rows.find(({ id }) => id === parties.get(email.toLowerCase())?.customerId)
          const ownedByOther = customer !== undefined && customer.ownerId !== null && customer.ownerId !== user.staffId
          return { email, ownerName: customer?.ownerName ?? null, ownedByOther, customerCode: customer?.code ?? null }
        }),
      )
    },
  )
  app.post<{ Body: { emails: string[]; accountId?: string } }>(
    `${BASE}/email/check/cc/email`,
    described('What speaks against recipients', bodySchema({ emails: EMAILS, accountId: idSchema }, ['emails'])),
    async (request) => {
      const { user } = contextOf(request)
      const { emails, accountId } = request.body
      const own = await accountsOf(database, user.staffId)
      const account = own.find(({ id }) => id === accountId) ?? own[0]
      const domains = await ownDomains(database)
      const isInside = (email: string): boolean => domains.includes(domainOf(email))
      const isMixed = emails.some(isInside)
      const seen = new Set<string>()
      const answers: { email: string; ok: boolean; reason: string | null }[] = []
      for (const email of emails) {
        const key = isMailAddress(email) ? asciiAddress(email) : email
        const listed = account && isMailAddress(email) ? await listedSender(database, account, email) : null
        const reason = !isMailAddress(email)
          ? 'invalid'
          : seen.has(key)
            ? 'duplicate'
            : listed?.list === 'black'
              ? 'blacklisted'
              : isMixed && !isInside(email)
                ? 'outside'
                : null
        seen.add(key)
        answers.push({ email, ok: reason === null, reason })
      }
      return ok(answers)
    },
  )
}

interface Asked {
  keyword: string
  where: readonly QueryWhere[]
  limit: number
  source: Suggestion['source']
}

/** Contacts that the caller may see, by what he types. */
async function contacts(
  engine: ModuleParts['engine'],
  context: RequestContext,
  entity: string,
  party: string,
  { keyword, where, limit, source }: Asked,
): Promise<Suggestion[]> {
  if (!engine.names().includes(entity)) return []
  const { records, refs } = await engine.queryPage(entity, context, { pageSize: limit, where, ...(keyword ? { keyword } : {}) })
  const [target] = Object.keys(refs).filter((name) => name.endsWith('customer') || name.endsWith('supplier'))
  return records.map((record) => ({
    ...{ email: text(record.email), name: text(record.name), source, lastUsedAt: null },
    company: (target && refs[target]?.[text(record[party])]?.title) ?? null,
  }))
}

/** Those that were written to lately come first, then by name. */
async function bestFirst(
  db: Executor,
  { user }: RequestContext,
  found: readonly Suggestion[],
  limit: number,
): Promise<Suggestion[]> {
  const { rows } = await db.query<{ email: string; at: string }>(
    `select lower(r.email) as email, max(o.created_at) as at from mail_outgoing o, jsonb_to_recordset(o."to") as r(email text)
     where o.staff_id = $1 and lower(r.email) = any($2::text[]) and o.deleted_at is null group by 1`,
    [user.staffId, found.map(({ email }) => email.toLowerCase())],
  )
  const used = new Map(rows.map(({ email, at }) => [email, new Date(at).toISOString()]))
  const once = new Map(
    found.map((one) => [one.email.toLowerCase(), { ...one, lastUsedAt: used.get(one.email.toLowerCase()) ?? one.lastUsedAt }]),
  )
  return [...once.values()]
    .sort((a, b) => String(b.lastUsedAt ?? '').localeCompare(String(a.lastUsedAt ?? '')) || a.name.localeCompare(b.name, 'zh'))
    .slice(0, limit)
}
