import { sql } from 'drizzle-orm'
import { tableName } from '../../src/schema/entity'
import type { Executor } from '../platform/database'

/** Whether an entity is kept here: those of modules that are only used may not be. */
export async function thereIs(database: Executor, entity: string): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(sql`select to_regclass(${tableName(entity)}) is not null as found`)
  return rows[0]?.found ?? false
}
