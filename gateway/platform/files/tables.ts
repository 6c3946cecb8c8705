import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/** A large file that comes in segments and can go on after a break. */
export const uploadSession = pgTable(
  'upload_session',
  {
    staffId: text('staff_id').notNull(),
    uploadId: text('upload_id').notNull(),
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    total: integer('total').notNull(),
    createdAt: moment('created_at').notNull(),
    /** The stored file, once all segments were joined. */
    fileId: text('file_id'),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.uploadId] }), index('upload_session_created').on(table.createdAt)],
)

/** Segments that came in. */
export const uploadSegment = pgTable(
  'upload_segment',
  {
    staffId: text('staff_id').notNull(),
    uploadId: text('upload_id').notNull(),
    index: integer('index').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    storageKey: text('storage_key').notNull(),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.uploadId, table.index] })],
)

export const fileTables = [uploadSession, uploadSegment]
