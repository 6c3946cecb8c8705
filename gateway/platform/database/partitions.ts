import { sql } from 'drizzle-orm'
import type { Executor } from './types'

/** Milliseconds of a day in UTC, in which rows are kept together. */
const DAY = 86_400_000

const dayOf = (at: number): string => new Date(Math.floor(at / DAY) * DAY).toISOString().slice(0, 10)
const tableOf = (table: string, day: string): string => `${table}_d${day.replaceAll('-', '')}`

/**
 * Makes the tables of the days (UTC) of these moments where they are not there yet. Readers and writers of other days go on meanwhile:
 * a table is made alone and joins the others by a lock that neither of them needs.
 * @param moments milliseconds since 1970
 * @returns how many were made
 */
export async function ensureDays(db: Executor, table: string, moments: Iterable<number>): Promise<number> {
  const days = [...new Set([...moments].map(dayOf))]
  const without = (names: ReadonlySet<string>): string[] => days.filter((day) => !names.has(tableOf(table, day)))
  const names = days.map((day) => tableOf(table, day))
  // a name that to_regclass did not find stays unknown to it for the whole transaction: it is asked once, by whoever holds the lock
  const { rows: seen } = await db.query<{ name: string }>(
    `select relname::text as name from pg_class where relname = any($1::text[]) and relnamespace = current_schema()::regnamespace`,
    [names],
  )
  const unseen = without(new Set(seen.map(({ name }) => name)))
  if (unseen.length === 0) return 0
  await db.query('select pg_advisory_xact_lock(hashtext($1))', [`days of ${table}`])
  const { rows: there } = await db.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where to_regclass(quote_ident(name)) is not null`,
    [unseen.map((day) => tableOf(table, day))],
  )
  const made = without(new Set([...seen, ...there].map(({ name }) => name)))
  for (const day of made) {
    const own = sql.identifier(tableOf(table, day))
    const parent = sql.identifier(table)
    const from = sql.raw(`'${day}T00:00:00Z'`)
    const until = sql.raw(`'${dayOf(Date.parse(`${day}T00:00:00Z`) + DAY)}T00:00:00Z'`)
    await db.query(sql`create table ${own} (like ${parent} including defaults including constraints including storage)`)
    await db.query(sql`alter table ${parent} attach partition ${own} for values from (${from}) to (${until})`)
  }
  return made.length
}

/** Drops the tables of all days (UTC) before the one of this moment (milliseconds since 1970), with their rows; tells which days. */
export async function dropDaysBefore(db: Executor, table: string, moment: number): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = quote_ident($1)::regclass and c.relname < $2 order by 1`,
    [table, tableOf(table, dayOf(moment))],
  )
  for (const { name } of rows) await db.query(sql`drop table ${sql.identifier(name)}`)
  return rows.map(({ name }) => name.slice(-8).replace(/(\d{4})(\d{2})(\d{2})/, '$1-$2-$3'))
}
