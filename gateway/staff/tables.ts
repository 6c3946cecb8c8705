import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { jsonb } from '../platform/database'

/** Settings of a person by key: columns of a list, density, saved views, quick entries. */
export const staffPreference = pgTable(
  'staff_preference',
  {
    staffId: text('staff_id').notNull(),
    key: text('key').notNull(),
    value: jsonb<unknown>('value'),
    updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.key] })],
)

export const staffTables = [staffPreference]
