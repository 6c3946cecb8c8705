/** Kingdee: the documents that the ledger makes for it, the numbers that things have there, and how both meet. */
import { sql } from 'drizzle-orm'
import type { EntityService } from '../../../entities'
import type { ModuleServiceParts } from '../../module'
import { kingdeeBaseCheck } from './base'
import { kingdeeOf } from './connection'
import { kingdeeCheck } from './numbers'

/** Makes known what documents and mappings ask for. */
export function registerKingdee(
  parts: Pick<ModuleServiceParts, 'engine' | 'configuration'>,
): Readonly<Record<string, EntityService>> {
  const connected = kingdeeOf(parts) !== undefined
  parts.engine.registerFunction('fin.kingdeeCheck', kingdeeCheck(connected))
  parts.engine.registerFunction('fin.kingdeeBaseCheck', kingdeeBaseCheck(connected))
  return { 'fin.kingdeeMapping': mappingService }
}

/** How many documents wait for each mapping. */
const mappingService: EntityService<'fin.kingdeeMapping'> = {
  async computeFields(records, { db }) {
    const keys = records.map(({ mapKind, localId }) => `${String(mapKind)}:${String(localId)}`)
    if (keys.length === 0) return
    const { rows } = await db.query<{ key: string; count: number }>(
      sql`select (m->>'kind') || ':' || (m->>'localId') as key, count(*)::int as count from fin_kingdee_doc d, jsonb_array_elements(d.missing) m
        where d.status = 'blocked' and d.deleted_at is null and (m->>'kind') || ':' || (m->>'localId') = any(${sql.param(keys)}::text[]) group by 1`,
    )
    const waiting = new Map(rows.map(({ key, count }) => [key, count]))
    for (const [index, record] of records.entries()) record.blockedDocs = waiting.get(keys[index]!) ?? 0
  },
}
