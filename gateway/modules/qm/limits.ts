import { sql, type SQL } from 'drizzle-orm'
import { exactText, toExact } from '../../../src/schema/formats'
import { tableOf, type EntityRecord, type EntityService } from '../../entities'

const SOLD = sql.raw(tableOf('qm.customerRate'))
const LIMITS = sql.raw(tableOf('qm.smsPriceLimit'))

/**
 * Whether a rate under `s` is one that a limit under `l` is about: in force, of its destination and currency. The limit of a network holds
 * before that of its country (quotes 1.9).
 */
const isAbout = (s: SQL, now: Date): SQL => {
  const at = sql`${now.toISOString()}::timestamptz`
  return sql`${s}.product = l.product and ${s}.country = l.country and ${s}.currency = l.currency and (l.route_class is null or ${s}.route_class = l.route_class)
    and ${s}.status = 'active' and ${s}.price is not null and ${s}.deleted_at is null
    and (${s}.mccmnc = l.mccmnc or (l.mccmnc is null and not exists (select 1 from ${LIMITS} n where n.product = l.product and n.country = l.country
      and n.mccmnc = ${s}.mccmnc and n.currency = l.currency and (n.route_class is null or n.route_class = ${s}.route_class) and n.status = 'enabled'
      and n.deleted_at is null and n.effective_from <= ${at} and coalesce(n.effective_to > ${at}, true))))`
}
const breaks = (s: SQL): SQL =>
  sql`((${s}.price < l.min_price or ${s}.price > l.max_price) and not coalesce(l.except_customers @> to_jsonb(array[${s}.customer_id]), false))`

/** The condition that a rate breaks a limit; of exceptions and of other currencies none does. */
export const breaksLimit = (alias: string, limitId: string, now: Date): SQL => {
  const s = sql`${sql.identifier(alias)}`
  return sql`exists (select 1 from ${LIMITS} l where l.id = ${limitId} and l.deleted_at is null and ${isAbout(s, now)} and ${breaks(s)})`
}

/** Tells of each limit the lowest price in force that it is about, and how many prices in force break it. */
export const priceLimits: EntityService<'qm.smsPriceLimit'> = {
  async computeFields(records, { db, now }) {
    const ids = records.map(({ id }) => String(id))
    const s = sql.raw('s')
    const { rows } = await db.query<{ id: string; lowest: string | null; violations: string }>(
      sql`select l.id, min(s.price)::text as lowest, count(*) filter (where ${breaks(s)}) as violations
        from ${LIMITS} l join ${SOLD} s on ${isAbout(s, now)} where l.id = any(${sql.param(ids)}::text[]) group by l.id`,
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const record of records) {
      const own = found.get(String(record.id))
      const lowest = toExact(own?.lowest)
      record.lowestSold = lowest ? exactText(lowest) : null
      record.violations = inForce(record, now) ? Number(own?.violations ?? 0) : 0
    }
  },
}

const inForce = ({ status, effectiveFrom, effectiveTo }: EntityRecord, now: Date): boolean =>
  status === 'enabled' &&
  Date.parse(String(effectiveFrom)) <= now.getTime() &&
  (typeof effectiveTo !== 'string' || Date.parse(effectiveTo) > now.getTime())
