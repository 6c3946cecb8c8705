import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import type { FormPage } from '../../../src/schema/generated/page'
import { formValues, type FormValues } from '../../../src/schema/formRevision'
import { jsonb, type Database } from '../../platform/database'
import type { PageBundle } from '../bundle'

/** What each revision of a form asked for, as long as somebody may still have it open. */
const schemaForm = pgTable(
  'schema_form',
  {
    page: text('page').notNull(),
    revision: text('revision').notNull(),
    fields: jsonb<FormValues>('fields').notNull(),
    servedAt: timestamp('served_at', { withTimezone: true, mode: 'string' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.page, table.revision] })],
)

export const formTables = [schemaForm]

const MOST_REMEMBERED = 2_000

/** Remembers the forms that were served, so that a submission can be held against the revision that it was opened with. */
export class FormMemory {
  private readonly known = new Map<string, FormValues>()

  constructor(private readonly database: Database) {}

  /** Once a revision; the database keeps it for the other gateways and for after a restart. */
  async note(
    name: string,
    revision: string,
    bundle: Pick<PageBundle, 'page' | 'entities'>,
    rules: Readonly<Record<string, string>>,
  ): Promise<FormValues> {
    const key = `${name} ${revision}`
    const known = this.known.get(key)
    if (known) return known
    const fields = formValues({ page: bundle.page as FormPage, entities: bundle.entities, fieldRules: rules })
    await this.database.query(
      `insert into schema_form (page, revision, fields, served_at) values ($1, $2, $3::jsonb, now())
       on conflict (page, revision) do update set served_at = excluded.served_at`,
      [name, revision, JSON.stringify(fields)],
    )
    this.remember(key, fields)
    return fields
  }

  async of(name: string, revision: string): Promise<FormValues | undefined> {
    const key = `${name} ${revision}`
    const known = this.known.get(key)
    if (known) return known
    const { rows } = await this.database.query<{ fields: FormValues }>(
      'select fields from schema_form where page = $1 and revision = $2',
      [name, revision],
    )
    if (rows[0]) this.remember(key, rows[0].fields)
    return rows[0]?.fields
  }

  private remember(key: string, fields: FormValues): void {
    if (this.known.size >= MOST_REMEMBERED) this.known.clear()
    this.known.set(key, fields)
  }
}
