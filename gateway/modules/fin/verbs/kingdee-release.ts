import { sql } from 'drizzle-orm'
import type { ModuleVerb } from '../../module'

/** `fin.kingdeeRelease`: a mapping got its number: what waited for it goes on. */
export const verb: ModuleVerb = async ({ tx, entities }, runs) => {
  const keys = runs.map(({ subject: { record } }) => ({
    key: `${String(record.mapKind)}:${String(record.localId)}`,
    entity: (record.companyEntityId as string | null) ?? null,
  }))
  const { rows } = await tx.query<{ id: string }>(
    sql`select d.id from fin_kingdee_doc d where d.status = 'blocked' and d.deleted_at is null and exists (
      select 1 from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(key text, entity text), jsonb_array_elements(d.missing) m
      where (m->>'kind') || ':' || (m->>'localId') in (k.key) or ((m->>'kind') = 'material' and k.key = 'material:' || split_part(m->>'localId', ':', 1)))`,
  )
  await entities.transitions(
    'fin.kingdeeDoc',
    rows.map(({ id }) => id),
    'unblock',
  )
}
