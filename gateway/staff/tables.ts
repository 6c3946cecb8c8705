import { boolean, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { jsonb } from '../platform/database'

/** Settings of a person by key: columns of a list, density, quick entries. */
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

/** Views of lists that people keep under a name. */
const staffView = pgTable(
  'staff_view',
  {
    id: text('id').primaryKey(),
    /** The list that it is a view of: the page's name. */
    list: text('list').notNull(),
    ownerId: text('owner_id').notNull(),
    title: text('title').notNull(),
    query: text('query').notNull(),
    settings: jsonb<unknown>('settings'),
    /** Codes of the roles that see it, too. */
    roles: jsonb<readonly string[]>('roles').notNull(),
    opensFirst: boolean('opens_first').notNull(),
    version: integer('version').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'string' }).notNull(),
  },
  (table) => [index('staff_view_list').on(table.list)],
)

/** Homes that were released for roles, in place of the cards that modules put there. */
const staffHome = pgTable('staff_home', {
  /** Code of the role. */
  role: text('role').primaryKey(),
  cards: jsonb<readonly { id: string; span: number }[]>('cards').notNull(),
  version: integer('version').notNull(),
  releasedById: text('released_by_id').notNull(),
  releasedAt: timestamp('released_at', { withTimezone: true, mode: 'string' }).notNull(),
})

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

/** Ways to the rights of somebody else that were asked for, those that needed nobody's confirmation too. */
const staffAccessRequest = pgTable(
  'staff_access_request',
  {
    id: text('id').primaryKey(),
    /** What is asked for: reset, email, enable or grant. */
    kind: text('kind').notNull(),
    /** Whose account or rights. */
    staffId: text('staff_id').notNull(),
    /** The e-mail that is asked for. */
    email: text('email'),
    /** The grant (sys.roleMember) that waits. */
    memberId: text('member_id'),
    reason: text('reason'),
    requestedBy: text('requested_by').notNull(),
    requestedAt: timestamp('requested_at', { withTimezone: true, mode: 'string' }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true, mode: 'string' }).notNull(),
    /** waiting, done, declined, withdrawn or expired. */
    status: text('status').notNull(),
    decidedBy: text('decided_by'),
    decidedAt: timestamp('decided_at', { withTimezone: true, mode: 'string' }),
  },
  (table) => [index('staff_access_request_status').on(table.status), index('staff_access_request_staff').on(table.staffId)],
)

export const staffTables = [staffPreference, staffView, staffHome, usageEvent, staffAccessRequest]
