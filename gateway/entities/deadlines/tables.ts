import { bigint, date, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { jsonb } from '../../platform/database'
import type { Text } from '../../platform/http'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string', precision: 3 }).notNull()

/** Records that a deadline could not do anything with: left alone until their next try, or until somebody changes them. */
const parkedTable = pgTable(
  'entity_deadline_parked',
  {
    entity: text('entity').notNull(),
    deadline: text('deadline').notNull(),
    /** Id of the reminder; empty = the deadline itself. */
    step: text('step').notNull(),
    recordId: text('record_id').notNull(),
    /** The record as it was: another version, or another moment, is tried at once. */
    version: bigint('version', { mode: 'number' }).notNull(),
    moment: moment('moment'),
    error: jsonb<Text>('error').notNull(),
    tries: integer('tries').notNull(),
    nextAt: moment('next_at'),
  },
  (table) => [uniqueIndex('entity_deadline_parked_key').on(table.entity, table.deadline, table.recordId, table.step)],
)

/** What was done for a moment of a record, where the record itself does not tell: reminders, and transitions that leave it in its state. */
const doneTable = pgTable(
  'entity_deadline_done',
  {
    entity: text('entity').notNull(),
    deadline: text('deadline').notNull(),
    step: text('step').notNull(),
    recordId: text('record_id').notNull(),
    moment: moment('moment'),
    doneAt: moment('done_at'),
  },
  (table) => [
    uniqueIndex('entity_deadline_done_key').on(table.entity, table.deadline, table.recordId, table.step, table.moment),
    index('entity_deadline_done_done_at_idx').on(table.doneAt),
  ],
)

/** How many records a deadline with a limit took in its last night. */
const nightTable = pgTable(
  'entity_deadline_night',
  {
    entity: text('entity').notNull(),
    deadline: text('deadline').notNull(),
    night: date('night', { mode: 'string' }).notNull(),
    taken: integer('taken').notNull(),
  },
  (table) => [uniqueIndex('entity_deadline_night_key').on(table.entity, table.deadline)],
)

/** What the deadlines of all entities remember. */
export const deadlineTables = [parkedTable, doneTable, nightTable]
