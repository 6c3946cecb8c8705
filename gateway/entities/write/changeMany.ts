import type { WriteContext } from '../core'
import { sql } from 'drizzle-orm'
import { neededWith } from '../derive/graph'
import { keptAmong, OwnValues } from '../derive/own'
import { neededOfPeople } from '../duplicates/follow'
import { neededFields } from '../read/record'
import { columnSql, tableSql } from '../tables'
import { neverChanges } from '../derive/fixed'
import type { EntityRecord } from '../calls'
import type { ChangeManyOptions } from '../entitiesApi'
import { sameValue } from '../sameValue'
import { auditMany, type WrittenRecord } from './audit'
import { consequences } from './consequences'
import { FOR_CHANGE, FOR_DELETION } from './existing'
import { keptField } from './input'
import { keepStates, updateRows } from './row'

/**
 * Changes fields of stored rows at once, each with its version and its audit row, but without hooks and checks: the caller has
 * decided. Rows are locked in the order of their ids; those that are gone or do not differ are left. Answers how many changed.
 */
export async function changeMany(
  write: WriteContext,
  changes: ReadonlyMap<string, EntityRecord>,
  { reason, keepTime = false, deleted = false }: ChangeManyOptions = {},
): Promise<number> {
  const { core, tx, context, model } = write
  const names = [...new Set([...changes.values()].flatMap((values) => Object.keys(values)))]
  if (names.length === 0) return 0
  const needed = [...neededWith(core.registry, model, names), ...neededOfPeople(core.registry, model, names)]
  const fields = neededFields(model, ['version', ...model.titleFields, ...names, ...needed])
  // others rely on what never changes without waiting for the row
  const alone = names.includes('deletedAt') || names.some((name) => neverChanges(model, model.fields.get(name)!))
  const columns = sql.join(
    fields.map((field) => sql`${columnSql('t', field)} as ${sql.identifier(field.name)}`),
    sql`, `,
  )
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${columns} from ${tableSql(model, 't')} where t."id" = any(${sql.param([...changes.keys()])}::text[]) and t."deleted_at" is ${sql.raw(deleted ? 'not null' : 'null')} order by t."id" ${alone ? FOR_DELETION : FOR_CHANGE}`,
  )
  const touched = keepTime
    ? {}
    : { updatedAt: context.now.toISOString(), updatedBy: context.user.staffId === '' ? null : context.user.staffId }
  const written = rows.flatMap((before): WrittenRecord[] => {
    const values = changes.get(String(before.id)) ?? {}
    for (const field of keptAmong(model, before, values)) throw keptField(context, field)
    const after: EntityRecord = { ...before, ...values }
    keepStates(model, before, after)
    if (names.every((name) => sameValue(before[name], after[name]))) return []
    return [{ before, after: { ...after, ...touched, version: Number(before.version) + 1 } }]
  })
  const kept = needed.filter((name) => model.fields.get(name)!.derivation)
  const own = new OwnValues(write, new Set(kept))
  if (kept.length > 0) {
    await own.load(written.map(({ after }) => after))
    for (const { before, after } of written) await own.follow(before, after)
  }
  await updateRows(
    tx,
    context.locale,
    model,
    [...names, ...kept, ...Object.keys(touched), 'version'],
    written.map(({ after }) => after),
  )
  await consequences(write, written)
  await auditMany(core.registry, tx, context, model, { reason, written, fields: names })
  tx.afterCommit(() => {
    for (const { after } of written) core.references.forget(model.name, String(after.id))
  })
  return written.length
}
