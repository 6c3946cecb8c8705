import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs, type EntityRecord } from '../../entities'
import type { Executor, SqlStep, Transaction } from '../../platform/database'

/** What a row of costs may name beside its account: the channel of messages, the landing gateway of calls (quotes-traffic 1.2). */
const ROUTES = [
  { field: 'channelId', column: 'channel_id', entity: 'biz.channel', products: ['sms', 'otpSms'], names: ['name', 'alias'] },
  {
    field: 'gatewayId',
    column: 'gateway_id',
    entity: 'biz.gateway',
    products: ['voice', 'otpVoice', 'aiVoice'],
    names: ['name'],
  },
] as const
type Route = (typeof ROUTES)[number]

/** The route of an account whose code, or else whose only name, a text is; null without one. */
function routeSql({ entity, names }: Route, account: SQL, text: SQL): SQL {
  const of = sql`from ${sql.raw(tableOf(entity))} c where c.deleted_at is null and c.supplier_account_id = ${account} and lower(btrim(${text}))`
  return sql`coalesce((select min(c.id) ${of} = lower(c.code)),
    (select min(c.id) ${of} in (${sql.raw(names.map((name) => `lower(c.${name})`).join(', '))}) having count(*) = 1))`
}

/** What a text that named no route of its account leaves behind. */
const unmatched = (text: string): string => `原通道文字 / channel so far: ${text}`

/**
 * An application that was filled in while its form still asked for the channel as text: the text is the reference that it means, or stands in
 * its remark.
 */
export async function withRoute(db: Executor, given: EntityRecord): Promise<EntityRecord> {
  const { channel, ...rest } = given
  if (typeof channel !== 'string' || channel.trim() === '') return rest
  const route = ROUTES.find(({ products }) => (products as readonly unknown[]).includes(given.product))
  if (route && (await thereIs(db, route.entity))) {
    const { rows } = await db.query<{ id: string | null }>(
      sql`select ${routeSql(route, sql`${given.supplierAccountId ?? null}::text`, sql`${channel}::text`)} as id`,
    )
    if (rows[0]?.id) return { ...rest, [route.field]: rows[0].id }
  }
  return {
    ...rest,
    remark: [rest.remark, unmatched(channel)].filter((part) => typeof part === 'string' && part !== '').join(' · '),
  }
}

const TABLES = ['qm.supplierRate', 'qm.quoteIntake', 'qm.supplierQuoteApply'] as const

async function hasText(tx: Transaction, table: string): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from information_schema.columns where table_schema = current_schema() and table_name = $1 and column_name = 'channel'`,
    [table],
  )
  return rows.length > 0
}

/**
 * Channels that were texts become references. A text that is no channel or gateway of its account is kept in the remark, and the row holds for the whole
 * account from now on; where two of them hold at once, the later one ends the earlier, as a new rate does.
 */
async function namedRoutes(tx: Transaction): Promise<void> {
  for (const entity of TABLES) {
    const table = tableOf(entity)
    if (!(await hasText(tx, table))) continue
    await tx.query(
      `alter table ${table} add column if not exists channel_id text, add column if not exists gateway_id text, add column if not exists remark text`,
    )
    const row = sql.raw(table)
    for (const route of ROUTES) {
      if (!(await thereIs(tx, route.entity))) continue
      await tx.query(
        sql`update ${row} t set ${sql.raw(route.column)} = ${routeSql(route, sql`t.supplier_account_id`, sql`t.channel`)}
          where t.product = any(${sql.param([...route.products])}::text[]) and btrim(t.channel) <> ''`,
      )
    }
    await tx.query(
      sql`update ${row} t set remark = concat_ws(' · ', nullif(t.remark, ''), ${unmatched('')}::text || btrim(t.channel))
        where btrim(t.channel) <> '' and t.channel_id is null and t.gateway_id is null`,
    )
  }
  if (await hasText(tx, tableOf('qm.supplierRate'))) await endTwins(tx)
}

/** Of rows without a route that hold at once for one key, each ends where the next begins; of those that begin together the last one stays. */
async function endTwins(tx: Transaction): Promise<void> {
  const table = tableOf('qm.supplierRate')
  await tx.query(
    `with own as (
        select t.id, t.effective_from, t.effective_to,
          lead(t.effective_from) over w as next
        from ${table} t where t.channel_id is null and t.gateway_id is null and t.deleted_at is null and t.status in ('pending', 'held', 'active')
        window w as (partition by t.supplier_id, t.supplier_account_id, t.rate_key order by t.effective_from, t.id))
      update ${table} t set
        effective_to = own.next, version = t.version + 1,
        status = case when own.next = own.effective_from then 'cancelled' else t.status end
      from own where t.id = own.id and own.next is not null and (own.effective_to is null or own.effective_to > own.next)`,
  )
}

/** Channels of supplier rates, intakes and applications: texts until now. */
export const routeStep: SqlStep = { id: '2026-11-qm-named-routes', when: 'before', run: namedRoutes }
