import type { EntityModel, LinesField } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import type { EntityRecord, References } from '../calls'
import type { Core } from '../core'
import { mayRead } from '../query/queriedTable'
import { presentRows } from '../query/queryPage'
import { byParent, lineModel, MOST_VIEWED, storedLines } from './stored'

/**
 * Adds the lines of a record to an answer, as the caller may see them, with the titles of what they refer to; those of lines among
 * them. Null where there are more than one answer takes.
 */
export async function addLines(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  head: EntityRecord,
  { record, refs }: { record: EntityRecord; refs: References },
): Promise<void> {
  for (const field of model.lines) {
    const lines = lineModel(core.registry, field)
    if (!isSeen(context, model, field, lines)) continue
    const rows = await storedLines(core.registry, db, field, [String(head.id)], { limit: MOST_VIEWED + 1 })
    record[field.name] = rows.length > MOST_VIEWED ? null : await present(core, db, context, lines, [head], rows, refs, field)
  }
}

const isSeen = (context: RequestContext, model: EntityModel, field: LinesField, lines: EntityModel): boolean =>
  accessOf(model, context).readable(field.name) && mayRead(context, lines)

async function present(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  heads: readonly EntityRecord[],
  rows: EntityRecord[],
  refs: References,
  { rows: { parent } }: LinesField,
): Promise<EntityRecord[]> {
  const access = accessOf(model, context)
  await core.views.note(db, context, model, access, rows, 'opened')
  const byId = new Map(heads.map((head) => [head.id, head]))
  const withHead = rows.map((row) => ({ ...row, head: byId.get(row[parent]) }))
  const records = await presentRows(core, db, context, { model, access }, withHead)
  for (const [entity, titles] of Object.entries(await core.references.of(db, context, model, records)))
    refs[entity] = { ...refs[entity], ...titles }
  for (const field of model.lines) {
    const lower = lineModel(core.registry, field)
    if (!isSeen(context, model, field, lower)) continue
    const ids = rows.map(({ id }) => String(id))
    const below = await storedLines(core.registry, db, field, ids, { limit: MOST_VIEWED + 1 })
    if (below.length > MOST_VIEWED) {
      for (const record of records) record[field.name] = null
      continue
    }
    const shown = byParent(field, await present(core, db, context, lower, rows, below, refs, field))
    for (const record of records) record[field.name] = shown.get(String(record.id)) ?? []
  }
  return records
}

/** The lines of many records for a file, by the id of the record; one that has none is not there. */
export async function linesForExport(core: Core, context: RequestContext, field: LinesField, heads: readonly EntityRecord[]) {
  const { registry, database } = core
  const model = lineModel(registry, field)
  const ids = heads.map(({ id }) => String(id))
  const stored = await storedLines(registry, database, field, ids)
  const byId = new Map(heads.map((head) => [head.id, head]))
  const rows = stored.map((row) => ({ ...row, head: byId.get(row[field.rows.parent]) }))
  const records = await presentRows(core, database, context, { model, access: accessOf(model, context) }, rows)
  const refs = await core.references.of(database, context, model, records)
  // what belongs together is known by the stored rows: the caller need not see the reference
  const of = new Map<string, EntityRecord[]>()
  for (const [index, record] of records.entries()) {
    const parent = String(stored[index]![field.rows.parent])
    const siblings = of.get(parent)
    if (siblings) siblings.push(record)
    else of.set(parent, [record])
  }
  return { model, refs, of, count: records.length }
}
