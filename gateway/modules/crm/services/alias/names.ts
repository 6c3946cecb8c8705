import { randomInt } from 'node:crypto'
import type { Executor } from '../../../../platform/database'
import { makeAlias } from '../../rules/alias'

const MOST_TRIES = 20

/**
 * Whether an alias is or ever was somebody's: aliases of customers, deleted ones too, old aliases, and new ones of changes that
 * are running or done. An alias is never given to another (CRM rule 9.8). `exceptId` = the record that asks.
 */
export async function aliasTaken(db: Executor, alias: string, exceptId: string | null): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from crm_customer where alias = $1
     union all select 1 from crm_alias_record where id is distinct from $2 and (old_alias = $1 or reserved_alias = $1) and status <> 'draft'
     union all select 1 from crm_alias_record where id is distinct from $2 and reserved_alias = $1 limit 1`,
    [alias, exceptId],
  )
  return rows.length > 0
}

/** A free alias for a customer of that country. Callers hold the lock of `lockAliases`. */
export async function freeAlias(db: Executor, country: string, alphabet: string): Promise<string> {
  for (let round = 0; round < MOST_TRIES; round += 1) {
    const alias = makeAlias(country, alphabet, (below) => randomInt(below))
    if (!(await aliasTaken(db, alias, null))) return alias
  }
  throw new Error(`No free alias was found for ${country} in ${MOST_TRIES} tries.`)
}

/** Aliases are given out one after the other. */
export async function lockAliases(db: Executor): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('crm.alias'))`)
}
