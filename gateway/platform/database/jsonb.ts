import { customType } from 'drizzle-orm/pg-core'

/**
 * A jsonb column of a drizzle table: `settings: jsonb<Settings>('settings').notNull()`.
 *
 * drizzle's own jsonb parses strings once more on the way back, so that the JSON string "123" would return as a number;
 * the connection has parsed the value already, and this column leaves it alone. NULL in the column is `null`.
 */
export const jsonb = <Value>(name: string) => column<Value>('jsonb')(name)

/** The same for documents: jsonb sorts the keys of objects, json keeps the text, and with it their order. */
export const json = <Value>(name: string) => column<Value>('json')(name)

const column = <Value>(type: 'json' | 'jsonb') =>
  customType<{ data: Value; driverData: unknown }>({
    dataType: () => type,
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => value as Value,
  })
