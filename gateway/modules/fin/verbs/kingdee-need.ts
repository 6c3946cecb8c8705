import { sql } from 'drizzle-orm'
import type { EntityRecord } from '../../../entities'
import { newId } from '../../../platform/database'
import type { ModuleVerb } from '../../module'
import type { MissingMapping } from '../kingdee/numbers'

/** `fin.kingdeeNeed`: what documents wait for stands among the mappings without a number (`missing`), where finance fills it in. */
export const verb: ModuleVerb = async ({ tx, entities, context, now }, runs) => {
  const missing = new Map<string, MissingMapping>()
  for (const { with: given } of runs)
    for (const one of Array.isArray(given.missing) ? (given.missing as MissingMapping[]) : [])
      missing.set(`${one.kind}:${one.localId}`, one)
  await addMappings({ tx, entities, staffId: context.user.staffId, now }, [...missing.values()])
}

/** Adds mappings without a number, those that are there are left. */
async function addMappings(
  { tx, entities, staffId, now }: Pick<Parameters<ModuleVerb>[0], 'tx' | 'entities' | 'now'> & { staffId: string },
  wanted: readonly MissingMapping[],
): Promise<void> {
  if (wanted.length === 0) return
  const { rows } = await tx.query<{ key: string }>(
    sql`select map_kind || ':' || local_id as key from fin_kingdee_mapping where map_kind || ':' || local_id = any(${sql.param(wanted.map(({ kind, localId }) => `${kind}:${localId}`))}::text[]) and deleted_at is null`,
  )
  const known = new Set(rows.map(({ key }) => key))
  const fresh = wanted.filter(({ kind, localId }) => !known.has(`${kind}:${localId}`))
  await entities.insertMany(
    'fin.kingdeeMapping',
    fresh.map(({ kind, localId, name }): EntityRecord => ({
      ...{ id: newId(), mapKind: kind, localId, localName: name, kingdeeNo: null },
      ...{ createdAt: now.toISOString(), createdBy: staffId || null },
    })),
  )
}
