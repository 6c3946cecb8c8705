import type { Executor } from '../platform/database'

/** Keys of one person at most: a page may not fill the database. */
const MOST_KEYS = 2000

export async function readPreference(db: Executor, staffId: string, key: string): Promise<unknown> {
  const { rows } = await db.query<{ value: unknown }>('select value from staff_preference where staff_id = $1 and key = $2', [
    staffId,
    key,
  ])
  return rows[0]?.value ?? null
}

/** Stores a setting, or forgets it when the value is null. Returns false when the person has too many. */
export async function writePreference(db: Executor, staffId: string, key: string, value: unknown): Promise<boolean> {
  if (value === null || value === undefined) {
    await db.query('delete from staff_preference where staff_id = $1 and key = $2', [staffId, key])
    return true
  }
  const { rowCount } = await db.query(
    `insert into staff_preference (staff_id, key, value, updated_at)
     select $1, $2, $3::jsonb, now() where (select count(*) from staff_preference where staff_id = $1 and key <> $2) < $4
     on conflict (staff_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`,
    [staffId, key, JSON.stringify(value), MOST_KEYS],
  )
  return rowCount === 1
}
