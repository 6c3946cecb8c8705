import { index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
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

/** Pages that somebody opened (R303), for as long as the configuration says. */
const usageEvent = pgTable(
  'usage_event',
  {
    id: text('id').primaryKey(),
    at: timestamp('at', { withTimezone: true, mode: 'string' }).notNull(),
    jobNumber: text('job_number').notNull(),
    name: text('name').notNull(),
    /** One open browser tab. */
    visit: text('visit').notNull(),
    /** Path of the page, never its query. */
    path: text('path').notNull(),
  },
  (table) => [index('usage_event_at').on(table.at)],
)

export const staffTables = [staffPreference, usageEvent]
