import { sql, type SQL } from 'drizzle-orm'
import { numeric, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Hot sums, each on a row that nothing else locks. */
export const hotSumTable = pgTable(
  'entity_hot_sum',
  {
    /** entity.field */
    field: text('field').notNull(),
    recordId: text('record_id').notNull(),
    value: numeric('value').notNull(),
    /** No write may take it lower; empty without a bound. */
    bound: numeric('bound'),
  },
  (table) => [primaryKey({ columns: [table.field, table.recordId] })],
)

/** Which kept fields hold a value in every row, and by which definition; how far the filling of the others is. */
export const keptFieldTable = pgTable('entity_kept_field', {
  /** entity.field */
  field: text('field').primaryKey(),
  definition: text('definition').notNull(),
  /** Id of the last row that was filled. */
  filledTo: text('filled_to'),
  filledAt: timestamp('filled_at', { withTimezone: true, mode: 'string', precision: 3 }),
})

/** The value of a hot sum of the row under an alias. */
export function hotValueSql(alias: string, field: string): SQL {
  return sql`coalesce((select "hot_sum"."value" from "entity_hot_sum" as "hot_sum" where "hot_sum"."field" = ${sql.raw(`'${field.replaceAll("'", "''")}'`)} and "hot_sum"."record_id" = ${sql.identifier(alias)}."id"), 0)`
}
