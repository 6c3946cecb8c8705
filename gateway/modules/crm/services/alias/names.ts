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
export const freeAlias = async (db: Executor, country: string, alphabet: string): Promise<string> =>
  (await freeAliases(db, [country], alphabet))[0]!

/** Free aliases for customers of these countries, in their order. Callers hold the lock of `lockAliases`. */
export async function freeAliases(db: Executor, countries: readonly string[], alphabet: string): Promise<string[]> {
  const found: string[] = []
  for (let round = 0; round < MOST_TRIES && found.length < countries.length; round += 1) {
    const tried = countries.slice(found.length).map((country) => makeAlias(country, alphabet, (below) => randomInt(below)))
    const taken = await takenAmong(db, tried)
    // those up to the first that is taken keep their places; the others are tried anew
    for (const alias of tried) {
      if (taken.has(alias) || found.includes(alias)) break
      found.push(alias)
    }
  }
  if (found.length === countries.length) return found
  throw new Error(`No free alias was found for ${countries[found.length]} in ${MOST_TRIES} tries.`)
}

async function takenAmong(db: Executor, aliases: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ alias: string }>(
    `select alias from crm_customer where alias = any($1::text[])
     union select old_alias from crm_alias_record where old_alias = any($1::text[]) and status <> 'draft'
     union select reserved_alias from crm_alias_record where reserved_alias = any($1::text[])`,
    [aliases],
  )
  return new Set(rows.map(({ alias }) => alias))
}

/** Aliases are given out one after the other. */
export async function lockAliases(db: Executor): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('crm.alias'))`)
}
