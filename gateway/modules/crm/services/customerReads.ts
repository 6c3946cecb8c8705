import type { Executor } from '../../../platform/database'
import { findBlacklisted } from './blacklist/manyMatches'
import type { BlacklistIdentity, BlacklistMatch } from './blacklist/match'
import { usageOf } from './usage'

/** What the rules around a saved customer read. A single save asks the database; an import has read it for many customers at once. */
export interface CustomerReads {
  /** For rules and people, which are the same for every customer. */
  db: Executor
  blacklisted(
    identity: BlacklistIdentity,
    rules: { similarWarn: number; freeMailDomains: readonly string[] },
  ): Promise<BlacklistMatch[]>
  /** How many customers count against the cap of their owner, and the cap. */
  usage(staffId: string): Promise<{ counted: number; cap: number }>
  /** Customers that a person keeps from being recycled. */
  pinnedBy(staffId: string): Promise<number>
}

/** One by one, from the database. */
export function readsOf(tx: Executor, now: Date): CustomerReads {
  return {
    db: tx,
    blacklisted: (identity, rules) => findBlacklisted(tx, identity, rules, now),
    usage: (staffId) => usageOf(tx, staffId, now),
    pinnedBy: (staffId) => pinnedBy(tx, staffId),
  }
}

export async function pinnedBy(db: Executor, staffId: string): Promise<number> {
  const { rows } = await db.query<{ held: number }>(
    `select count(*) as held from crm_customer where owner_id = $1 and deleted_at is null and tags @> '["keep"]'::jsonb`,
    [staffId],
  )
  return Number(rows[0]?.held ?? 0)
}
