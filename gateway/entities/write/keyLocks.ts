import { sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/database'
import { textArray } from '../clause'

/**
 * Holds keys until the transaction ends, so that whoever writes rows of one of them counts after the others. All keys of a write are
 * taken in one order and one statement, so that two writers never wait for each other.
 */
export async function lockKeys(tx: Transaction, keys: Iterable<string>): Promise<void> {
  const all = [...new Set(keys)]
  if (all.length === 0) return
  await tx.query(
    sql`select pg_advisory_xact_lock(number) from (select distinct hashtextextended(key, 0) as number from unnest(${textArray(all)}) key order by 1) numbers`,
  )
}
