import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs, type FieldDrift } from '../../../entities'
import type { Database } from '../../../platform/database'
import type { VerifyOptions } from '../../module'
import { chargedNumbers, makeFees, missingFees } from './make'

/** Days that the job has for a fee before it counts as left out. */
const DAYS = 2
const DAY = 86_400_000

const FEES = sql.raw(tableOf('biz.numberFee'))

/** Both sides of the rows, and what the accounts of their postings changed by. */
const POSTED = sql`select f.posting_id as id, 'customer' as kind, f.amount from ${FEES} f where f.posting_id is not null and f.deleted_at is null
  union all select f.cost_posting_id, 'supplier', f.cost_amount from ${FEES} f where f.cost_posting_id is not null and f.deleted_at is null`
const ENTERED = sql`select e.posting_id as id, e.account_kind as kind, -sum(e.signed_amount) as amount from ${sql.raw(tableOf('fin.ledgerEntry'))} e join ${sql.raw(tableOf('fin.posting'))} p on p.id = e.posting_id
  where p.source_type = 'asset' and p.reverses_id is null and e.account_kind in ('customer', 'supplier') group by 1, 2`

const WAITS = (before: Date): SQL => sql`select x.day < ${before.toISOString()}::timestamptz at time zone 'UTC' as wrong from (
    select f.day from ${FEES} f where f.posting_id is null and f.amount is distinct from 0 and f.day is not null and f.deleted_at is null
    union all select f.cost_day from ${FEES} f where f.cost_posting_id is null and f.cost_amount is distinct from 0 and f.cost_day is not null and f.deleted_at is null) x`

/**
 * Whether numbers are charged what they are rented for, and whether that stands in the ledger (quotes-traffic 5.6): months that were left out, rows that wait for a price or an
 * account, and rows against their entries. With `fix` months that were left out are made.
 */
export async function verifyNumbers(database: Database, { fix, now = new Date() }: VerifyOptions): Promise<FieldDrift[]> {
  if (!(await thereIs(database, 'fin.posting'))) return []
  const before = new Date(now.getTime() - DAYS * DAY)
  const counted = async (field: string, rows: SQL): Promise<FieldDrift> => {
    const {
      rows: [found],
    } = await database.query<{ rows: number; drifted: number }>(
      sql`select count(*)::int as rows, (count(*) filter (where wrong))::int as drifted from (${rows}) x`,
    )
    return { field, rows: found?.rows ?? 0, drifted: found?.drifted ?? 0 }
  }
  const numbers = await chargedNumbers(database)
  const { revenue, cost } = await missingFees(database, numbers, before)
  const left = new Set([...revenue, ...cost].map(({ assetId }) => assetId))
  if (fix && left.size > 0) await database.transaction((tx) => makeFees(tx, numbers, before))
  return [
    { field: 'biz.numberAsset (months that are not charged)', rows: numbers.length, drifted: left.size },
    await counted('biz.numberFee (not posted)', WAITS(before)),
    await counted(
      'biz.numberFee = fin.ledgerEntry',
      sql`select f.amount is distinct from e.amount as wrong from (${POSTED}) f full join (${ENTERED}) e using (id, kind)`,
    ),
  ]
}
