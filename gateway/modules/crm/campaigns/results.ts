import { sql, type SQL } from 'drizzle-orm'
import type { QueryCondition } from '../../../../src/schema/model'
import { tableOf, type EntityEngine } from '../../../entities'

/** Days after a click in which what a customer does counts as brought by the campaign. */
const DAYS = 90

const idsIn = (conditions: readonly QueryCondition[], field: string): string[] | null => {
  const condition = conditions.find((one) => one.field === field)
  if (!condition) return null
  const { value } = condition
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

const clicks = (ids: readonly string[]): SQL =>
  sql`${sql.raw(tableOf('crm.mailRecipient'))} r where r.campaign_id in (${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )}) and r.clicked_at is not null and r.deleted_at is null`

/** Opportunities that began within 90 days of a click of their customer (`afterCampaign`). */
export function opportunitiesAfter(conditions: readonly QueryCondition[], alias: string): SQL | undefined {
  const ids = idsIn(conditions, 'afterCampaign')
  if (ids === null) return undefined
  if (ids.length === 0) return sql`false`
  const row = sql.raw(`"${alias}"`)
  return sql`exists (select from ${clicks(ids)} and r.customer_id = ${row}.customer_id
    and ${row}.created_at between r.clicked_at and r.clicked_at + make_interval(days => ${DAYS}))`
}

/** Customers whose first traffic came within 90 days of a click of theirs (`startedAfterCampaign`). */
export function customersStartedAfter(
  engine: EntityEngine,
  conditions: readonly QueryCondition[],
  alias: string,
): SQL | undefined {
  const ids = idsIn(conditions, 'startedAfterCampaign')
  if (ids === null) return undefined
  if (ids.length === 0) return sql`false`
  if (!engine.names().includes('fin.customerAccount')) return sql`false`
  const row = sql.raw(`"${alias}"`)
  return sql`exists (select from ${clicks(ids)} and r.customer_id = ${row}.id and (
    select min(a.first_traffic_at) from ${sql.raw(tableOf('fin.customerAccount'))} a where a.customer_id = ${row}.id and a.deleted_at is null)
    between r.clicked_at and r.clicked_at + make_interval(days => ${DAYS}))`
}
