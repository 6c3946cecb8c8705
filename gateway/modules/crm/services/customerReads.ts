import type { Executor } from '../../../platform/database'
import { findDuplicates, type DuplicateHit, type Identity } from '../duplicate/findDuplicates'
import type { CrmRules } from '../rules/ruleSets'
import { findBlacklisted, type BlacklistIdentity, type BlacklistMatch } from './blacklist/match'
import { usageOf } from './usage'

/** What the rules around a saved customer read. A single save asks the database; an import has read it for many customers at once. */
export interface CustomerReads {
  /** For rules and people, which are the same for every customer. */
  db: Executor
  blacklisted(
    identity: BlacklistIdentity,
    rules: { similarWarn: number; freeMailDomains: readonly string[] },
  ): Promise<BlacklistMatch[]>
  duplicates(identity: Identity, rules: CrmRules['crm.duplicate'], sharedDomains: ReadonlySet<string>): Promise<DuplicateHit[]>
  /** Nobody else saves a customer of this name key until the transaction ends. */
  lockName(nameKey: string): Promise<void>
  /** How many customers count against the cap of their owner, and the cap. */
  usage(staffId: string): Promise<{ counted: number; cap: number }>
  /** Customers that a person keeps from being recycled. */
  pinnedBy(staffId: string): Promise<number>
}

/** One by one, from the database. */
export function readsOf(tx: Executor, now: Date, timeZone: string): CustomerReads {
  return {
    db: tx,
    blacklisted: (identity, rules) => findBlacklisted(tx, identity, rules, now),
    duplicates: (identity, rules, sharedDomains) => findDuplicates(tx, identity, rules, sharedDomains),
    lockName: async (nameKey) => void (await tx.query(`select pg_advisory_xact_lock(hashtext($1))`, [nameLock(nameKey)])),
    usage: (staffId) => usageOf(tx, staffId, now, timeZone),
    pinnedBy: (staffId) => pinnedBy(tx, staffId),
  }
}

export const nameLock = (nameKey: string): string => `crm.customer ${nameKey}`

export async function pinnedBy(db: Executor, staffId: string): Promise<number> {
  const { rows } = await db.query<{ held: number }>(
    `select count(*) as held from crm_customer where owner_id = $1 and deleted_at is null and tags @> '["keep"]'::jsonb`,
    [staffId],
  )
  return Number(rows[0]?.held ?? 0)
}
