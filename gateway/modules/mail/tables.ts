import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 })

/** Passwords and refresh tokens of mailboxes, encrypted. */
export const mailSecret = pgTable('mail_secret', {
  accountId: text('account_id').primaryKey(),
  /** Which key it was encrypted by. */
  keyId: text('key_id').notNull(),
  iv: text('iv').notNull(),
  data: text('data').notNull(),
  tag: text('tag').notNull(),
  updatedAt: moment('updated_at').notNull(),
})

/** What marks and moves changed, to take it back within half a minute. */
export const mailUndo = pgTable(
  'mail_undo',
  {
    token: text('token').notNull(),
    staffId: text('staff_id').notNull(),
    until: moment('until').notNull(),
    messageId: text('message_id').notNull(),
    /** The columns as they were, as JSON. */
    before: text('before').notNull(),
  },
  (table) => [index('mail_undo_token').on(table.token), index('mail_undo_until').on(table.until)],
)

export const mailTables = [mailSecret, mailUndo]
