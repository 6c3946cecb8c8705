import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { Executor } from './platform/database'

/** What the gateway has to remember about its own database, e.g. that it holds the demo world. */
export const gatewayFact = pgTable('gateway_fact', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  at: timestamp('at', { withTimezone: true, mode: 'string' }).notNull(),
})

export async function readFact(db: Executor, key: string): Promise<string | null> {
  const { rows } = await db.query<{ value: string }>('select value from gateway_fact where key = $1', [key])
  return rows[0]?.value ?? null
}

export async function writeFact(db: Executor, key: string, value: string): Promise<void> {
  await db.query(
    'insert into gateway_fact (key, value, at) values ($1, $2, now()) on conflict (key) do update set value = excluded.value, at = excluded.at',
    [key, value],
  )
}
