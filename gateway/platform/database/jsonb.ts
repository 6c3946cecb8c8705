import { customType } from 'drizzle-orm/pg-core'

/**
 * A jsonb column of a drizzle table: `settings: jsonb<Settings>('settings').notNull()`.
 *
 * drizzle's own jsonb parses strings once more on the way back, so that the JSON string "123" would return as a number;
 * the connection has parsed the value already, and this column leaves it alone. NULL in the column is `null`.
 */
export function jsonb<Value>(name: string) {
  return customType<{ data: Value; driverData: unknown }>({
    dataType: () => 'jsonb',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => value as Value,
  })(name)
}
