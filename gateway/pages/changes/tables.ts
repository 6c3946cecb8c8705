import { index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { Change } from '../../../src/schema/overlay'
import { json } from '../../platform/database'
import type { Origin } from './store'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/** The one unfinished overlay of a target; `role` is empty for everybody. */
export const schemaDraft = pgTable(
  'schema_draft',
  {
    target: text('target').notNull(),
    role: text('role').notNull(),
    version: integer('version').notNull(),
    changes: json<readonly Change[]>('changes').notNull(),
    note: text('note'),
    by: text('by').notNull(),
    at: moment('at').notNull(),
    /** Drafts that were made together and are released together; empty: it stands alone. */
    set: text('draft_set'),
    /** Where it came from as a file; empty: it was made here. */
    origin: json<Origin>('origin'),
  },
  (table) => [primaryKey({ columns: [table.target, table.role] })],
)

/** Who, when, why, for whom; kept for ever. */
export const schemaRelease = pgTable('schema_release', {
  id: text('id').primaryKey(),
  kind: text('kind').notNull(),
  stage: text('stage').notNull(),
  title: text('title').notNull(),
  reason: text('reason').notNull(),
  by: text('by').notNull(),
  at: moment('at').notNull(),
  effectiveAt: moment('effective_at').notNull(),
  cancelledAt: moment('cancelled_at'),
})

/** A whole overlay as it was released; never changed. */
export const schemaRevision = pgTable(
  'schema_revision',
  {
    target: text('target').notNull(),
    role: text('role').notNull(),
    number: integer('number').notNull(),
    releaseId: text('release_id').notNull(),
    changes: json<readonly Change[]>('changes').notNull(),
    /** Hash of the document that the changes were made against. */
    base: text('base').notNull(),
    /** Where its draft came from as a file; empty: it was made here. */
    origin: json<Origin>('origin'),
  },
  (table) => [
    primaryKey({ columns: [table.target, table.role, table.number] }),
    index('schema_revision_release').on(table.releaseId),
  ],
)

/** Who has a draft open, so that a second admin sees the first. */
export const schemaEditor = pgTable(
  'schema_editor',
  {
    target: text('target').notNull(),
    role: text('role').notNull(),
    staffId: text('staff_id').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.target, table.role, table.staffId] })],
)

/** What browsers could not show of a page, counted by place. */
export const schemaFault = pgTable(
  'schema_fault',
  {
    page: text('page').notNull(),
    at: text('at').notNull(),
    revision: text('revision').notNull(),
    message: text('message').notNull(),
    count: integer('count').notNull(),
    lastAt: moment('last_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.page, table.revision, table.at] })],
)

/** What documents were called before, and are now: rows keep the name that they were written with. */
export const schemaFormerName = pgTable('schema_former_name', { was: text('was').primaryKey(), now: text('now').notNull() })

export const schemaTables = [schemaDraft, schemaRelease, schemaRevision, schemaEditor, schemaFault, schemaFormerName]
