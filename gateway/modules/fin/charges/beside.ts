import { sql } from 'drizzle-orm'
import { tableOf, thereIs, type EntityRecord, type LookupFunction } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { chargedSides, productSql, recordColumn } from './open'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Traffic of an account on a day, in the zone of the account. */
export interface DayTraffic {
  accountId: string
  day: string
  /** Dictionary `product`. */
  product: string
}

/**
 * `fin.ratedRecords`: how many records of an account, product and day (`accountId`, `product`, `day`) are charged, so that the same traffic is
 * not typed once more.
 */
export const ratedRecords: LookupFunction = async ({ db }, asked) => {
  const sides = await chargedSides(db, 'revenue')
  const wanted = asked.map((row: EntityRecord, place) => ({
    ...{ place, account: text(row.accountId), product: text(row.product), day: text(row.day) || null },
  }))
  if (sides.length === 0) return wanted.map(() => 0)
  const parts = sides.map(
    ({ charged, side }) =>
      sql`select g.place, count(*) as records from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as g(place int, account text, product text, day date)
        join ${sql.raw(tableOf(charged.entity))} r on ${recordColumn(side.account)} = g.account and ${recordColumn(side.day)} = g.day and ${productSql(charged)} = g.product
        where r.deleted_at is null and ${recordColumn(side.amount)} <> 0 group by 1`,
  )
  const { rows } = await db.query<{ place: number; records: string }>(
    sql`select place, sum(records)::text as records from (${sql.join(parts, sql` union all `)}) x group by 1`,
  )
  const found = new Map(rows.map(({ place, records }) => [Number(place), Number(records)]))
  return wanted.map(({ place }) => found.get(place) ?? 0)
}

/** What of the traffic of some accounts, from a day to another, was typed or imported as usage that does not say that records come beside it. */
export async function typedTraffic(
  db: Executor,
  { accountIds, from, through }: { accountIds: readonly string[]; from: string; through: string },
): Promise<readonly DayTraffic[]> {
  if (accountIds.length === 0 || !(await thereIs(db, 'fin.usage'))) return []
  const { rows } = await db.query<DayTraffic>(
    sql`select distinct account_id as "accountId", day::text as day, product from ${sql.raw(tableOf('fin.usage'))}
      where account_id = any(${sql.param([...accountIds])}::text[]) and day between ${from}::date and ${through}::date and posting_id is not null and not coalesce(beside_records, false) and deleted_at is null`,
  )
  return rows
}
