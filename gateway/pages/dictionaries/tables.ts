import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import type { DictionaryItem } from '../../../src/schema/generated/dictionary'
import { json } from '../../platform/database'
import type { ValueChange } from './merge'

/** What administrators changed over a released dictionary; one row a dictionary. */
const dictionaryChange = pgTable('dictionary_change', {
  name: text('name').primaryKey(),
  values: json<Record<string, ValueChange>>('changes').notNull(),
  order: json<string[]>('sequence').notNull(),
  version: integer('version').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'string' }).notNull(),
  updatedBy: text('updated_by'),
})

/** The values of the release that ran last, so that a new one is compared with it. */
const dictionaryRelease = pgTable('dictionary_release', {
  name: text('name').primaryKey(),
  items: json<DictionaryItem[]>('items').notNull(),
})

export const dictionaryTables = [dictionaryChange, dictionaryRelease]
