import { sql, type SQL } from 'drizzle-orm'
import { asciiAddress, isMailAddress, parseAddresses } from '../../../../src/headless/mail'
import type { QueryWhere } from '../../../../src/schema/model'
import { refusal, tableOf, type EntityEngine, type EntityRecord } from '../../../entities'
import type { Executor } from '../../../platform/database'
import type { RequestContext } from '../../../platform/http'
import { textOf, textsOf } from '../services/values'
import { skipReasons, type Skip } from './skipping'

/** Whom a campaign can reach at most; more is to be narrowed. */
const MOST = 20_000

/** Somebody whom a campaign is meant for. */
export interface Candidate extends Record<'contactId' | 'customerId' | 'name' | 'customerName', string | null> {
  /** In the form in which addresses are compared. */
  email: string
  /** Code of the dictionary `language`. */
  language: string
  /** Why he gets nothing; null: he gets it. */
  skip: Skip | null
}

type Row = Omit<Candidate, 'skip' | 'language'> & {
  language: string | null
  countryCode: string | null
  unsubscribed: boolean
  bounced: boolean
  barred: boolean
}

/** The fields of a campaign that say whom it is for (`crm.mailCampaign`), as they are typed or stored. */
export type Audience = EntityRecord

/**
 * Everybody whom a campaign is meant for, in the row scope of the caller, with the reason of those who get nothing: each address once.
 * @throws ServiceError for more than 20,000
 */
export async function audienceOf(
  { engine, db }: { engine: EntityEngine; db: Executor },
  context: RequestContext,
  audience: Audience,
): Promise<Candidate[]> {
  const kind = textOf(audience.audienceKind) ?? 'customers'
  const rows =
    kind === 'addresses'
      ? await pasted(db, textOf(audience.addresses) ?? '')
      : kind === 'nonOpeners'
        ? await nonOpeners(engine, db, context, textOf(audience.sourceId))
        : await contactsOf(engine, db, context, audience)
  if (rows.length > MOST)
    throw refusal('validationFailed', context.locale, [
      {
        field: 'audienceKind',
        message: { zh: `收件人超过 ${MOST} 个，请缩小范围。`, en: `More than ${MOST} recipients: narrow the audience.` },
      },
    ])
  const skips = await skipReasons(db, rows, textOf(audience.senderId), context.now)
  const isChinese = /\p{Script=Han}/u.test(textOf(audience.subject) ?? '')
  return rows.map(({ language, countryCode, unsubscribed: _u, bounced: _b, barred: _x, ...row }, index) => ({
    ...row,
    language: language ?? languageOf(countryCode, row.email) ?? (isChinese ? 'zh-CN' : 'en-US'),
    skip: skips[index] ?? null,
  }))
}

const CHINESE = new Set(['CN', 'HK', 'MO', 'TW'])

/** What people of a country read; of an address without one, those of its domain. */
function languageOf(countryCode: string | null, email: string): string | null {
  const country = countryCode ?? /\.(cn|hk|mo|tw)$/u.exec(email)?.[1]?.toUpperCase() ?? null
  if (country === null) return null
  return CHINESE.has(country) ? 'zh-CN' : 'en-US'
}

const COLUMNS = sql.raw(
  `k.id as "contactId", k.customer_id as "customerId", k.name, coalesce(nullif(c.short_name, ''), c.name) as "customerName", k.email, c.language, c.country_code as "countryCode",
   k.unsubscribed_at is not null as unsubscribed, coalesce(k.bounce_count, 0) > 0 as bounced, coalesce(c.blacklisted, false) as barred`,
)
const CONTACTS = sql.raw(tableOf('crm.contact'))
const CUSTOMERS = sql.raw(tableOf('crm.customer'))

async function contactsOf(engine: EntityEngine, db: Executor, context: RequestContext, audience: Audience): Promise<Row[]> {
  const seen = engine.rows('crm.contact', context, { where: conditions(context, audience) })
  const { rows } = await db.query<Row>(sql`
    select ${COLUMNS} from (select t.id ${seen}) s join ${CONTACTS} k on k.id = s.id join ${CUSTOMERS} c on c.id = k.customer_id
    where k.email is not null and k.email <> '' and k.left_at is null and not coalesce(c.voided, false)
    order by k.customer_id, k.is_primary desc nulls last, k.id limit ${MOST + 1}`)
  return rows.map(addressed)
}

const addressed = (row: Row): Row => ({ ...row, email: asciiAddress(row.email) })

function conditions(context: RequestContext, audience: Audience): QueryWhere[] {
  const { user } = context
  const owner = textOf(audience.audienceOwner) ?? 'mine'
  const among = (field: string, name: string, operator: 'in' | 'overlaps' = 'in'): QueryWhere[] => {
    const value = textsOf(audience[name])
    return value.length === 0 ? [] : [{ field, operator, value }]
  }
  return [
    ...(owner === 'mine' ? [{ field: 'customerId.ownerId', operator: 'eq' as const, value: user.staffId }] : []),
    ...(owner === 'department'
      ? [{ field: 'customerId.ownerDeptId', operator: 'in' as const, value: [...user.scopeTreeIds] }]
      : []),
    ...among('customerId.countryCode', 'countries'),
    ...among('customerId.level', 'levels'),
    ...among('customerId.industry', 'industries'),
    ...among('customerId.stage', 'stages'),
    ...among('customerId.products', 'products', 'overlaps'),
    ...among('role', 'roles'),
  ]
}

/** Typed addresses; where one is a contact's, whatever is known of him decides too. */
async function pasted(db: Executor, text: string): Promise<Row[]> {
  const typed = parseAddresses(text).slice(0, MOST + 1)
  const emails = [...new Set(typed.map(({ email }) => asciiAddress(email)))]
  const { rows } = await db.query<Pick<Row, 'email' | 'unsubscribed' | 'bounced' | 'barred'>>(
    `select lower(k.email) as email, bool_or(k.unsubscribed_at is not null) as unsubscribed, bool_or(coalesce(k.bounce_count, 0) > 0) as bounced, bool_or(coalesce(c.blacklisted, false)) as barred
     from ${tableOf('crm.contact')} k join ${tableOf('crm.customer')} c on c.id = k.customer_id where lower(k.email) = any($1::text[]) and k.deleted_at is null group by 1`,
    [emails],
  )
  const known = new Map(rows.map((row) => [row.email, row]))
  return typed.map(({ email, name }) => {
    const ascii = isMailAddress(email) ? asciiAddress(email) : email
    const { unsubscribed = false, bounced = false, barred = false } = known.get(ascii) ?? {}
    const nobody = { contactId: null, customerId: null, customerName: null, language: null, countryCode: null }
    return { ...nobody, email: ascii, name: name ?? null, unsubscribed, bounced, barred }
  })
}

/** Who was sent an earlier campaign and neither opened nor clicked nor answered it. */
async function nonOpeners(engine: EntityEngine, db: Executor, context: RequestContext, sourceId: string | null): Promise<Row[]> {
  const seen: SQL = engine.rows('crm.mailRecipient', context, {
    where: [{ field: 'campaignId', operator: 'eq', value: sourceId ?? '' }],
  })
  const { rows } = await db.query<Row>(sql`
    select r.contact_id as "contactId", r.customer_id as "customerId", r.name, coalesce(nullif(c.short_name, ''), c.name) as "customerName", r.email, r.language,
      c.country_code as "countryCode", k.unsubscribed_at is not null as unsubscribed, coalesce(k.bounce_count, 0) > 0 as bounced, coalesce(c.blacklisted, false) as barred
    from (select t.id ${seen}) s join ${sql.raw(tableOf('crm.mailRecipient'))} r on r.id = s.id
      left join ${CONTACTS} k on k.id = r.contact_id and k.deleted_at is null left join ${CUSTOMERS} c on c.id = r.customer_id
    where r.sent_at is not null and r.opened_at is null and r.clicked_at is null and r.replied_at is null and r.bounced_at is null
    order by r.id limit ${MOST + 1}`)
  return rows.map(addressed)
}
