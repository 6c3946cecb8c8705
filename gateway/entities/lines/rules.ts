import { dependenciesOf, type EntityModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { withComputed } from '../read/record'
import { lineModel, storedLines } from './stored'

/**
 * The record as its rules read it: with its lines, computed fields among them, where a rule that has to be looked at reads them. They
 * are those that are written with it, else the stored ones.
 */
export async function giveLines(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  before: EntityRecord | null,
  record: EntityRecord,
  changed: ReadonlySet<string>,
): Promise<EntityRecord> {
  const read = new Set(
    model.rules.flatMap(({ broken }) => {
      const names = dependenciesOf(broken, model.fields)
      return before === null || names.some((name) => changed.has(name)) ? names : []
    }),
  )
  const fields = model.lines.filter(({ name }) => read.has(name))
  if (fields.length === 0) return record
  const given: EntityRecord = { ...record }
  for (const field of fields) {
    const planned = record[field.name] as EntityRecord[] | undefined
    const rows = planned ?? (before ? await storedLines(core.registry, db, field, [String(before.id)]) : [])
    const lines = lineModel(core.registry, field)
    given[field.name] = rows.map((row) => withComputed(core.registry, context, lines, { ...row, head: record }))
  }
  return given
}
