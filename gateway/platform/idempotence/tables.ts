import { index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { jsonb } from '../database'
import type { Answer } from '../http'

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/** Idempotence keys by person, with the answer once it is known. */
export const idempotenceKey = pgTable(
  'idempotence_key',
  {
    staffId: text('staff_id').notNull(),
    key: text('key').notNull(),
    /** Digest of method, address and payload: another one is refused. */
    fingerprint: text('fingerprint').notNull(),
    /** Digest of the parts of a multipart payload, known once it was read. */
    content: text('content'),
    /** The request that holds the key; taken over when its gateway died. */
    holder: text('holder').notNull(),
    instance: text('instance').notNull(),
    createdAt: moment('created_at').notNull(),
    status: integer('status'),
    answer: jsonb<Answer>('answer'),
  },
  (table) => [primaryKey({ columns: [table.staffId, table.key] }), index('idempotence_key_created').on(table.createdAt)],
)

/** Running gateways: one that was not seen for a while is dead, and its keys are free again. */
export const gatewayInstance = pgTable('gateway_instance', {
  id: text('id').primaryKey(),
  startedAt: moment('started_at').notNull(),
  seenAt: moment('seen_at').notNull(),
})

export const idempotenceTables = [idempotenceKey, gatewayInstance]
