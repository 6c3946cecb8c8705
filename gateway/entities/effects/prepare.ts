import { sql } from 'drizzle-orm'
import { entityExpression, entityScope, HEAD, pathsIn, type EntityModel } from '../../../src/schema/entity'
import { rootsOf } from '../../../src/schema/expression'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import type { WriteContext } from '../core'
import { loadPaths } from '../derive/paths'
import { byParent, lineModel, storedLines } from '../lines/stored'
import { storedColumns, withComputed } from '../read/record'
import { columnSql, tableSql } from '../tables'
import type { Subject } from '../types'
import { fieldsOfRules, loadLookups } from './lookups'
import { textsIn } from './subject'

/**
 * Reads for all subjects at once what some expressions need: paths through references, lines, what the record belongs to (`head`), and
 * look-ups, which may read all of these themselves.
 */
export async function prepare(write: WriteContext, subjects: readonly Subject[], texts: readonly string[]): Promise<void> {
  if (subjects.length === 0) return
  const lookups = lookupsIn(write.model, texts)
  const all = [...texts, ...lookups.flatMap((name) => textsIn(write.model.document['x-lookups']?.[name]))]
  const further = lookups.flatMap((name) => {
    const lookup = write.model.document['x-lookups']?.[name]
    return lookup && 'rules' in lookup ? fieldsOfRules(lookup).filter((field) => field.includes('.')) : []
  })
  const paths = [...new Set([...all.flatMap((text) => pathsIn(write.model, text)), ...further])]
  if (paths.length > 0) {
    const loaded = await loadPaths(
      write.tx,
      write.model,
      subjects.map(({ record }) => record),
      paths,
    )
    for (const subject of subjects) Object.assign(subject.named, loaded.get(subject.record))
  }
  await loadLines(write, subjects, all)
  await loadHeads(write, subjects, all)
  if (lookups.length > 0) await loadLookups(write, subjects, lookups)
}

/** The stored lines of records that do not have them with them: a save has those that it writes. */
async function loadLines(
  { core, tx, context, model }: WriteContext,
  subjects: readonly Subject[],
  texts: readonly string[],
): Promise<void> {
  const read = new Set(texts.flatMap((text) => entityExpression(model, text).dependencies.map((path) => path.split('.', 1)[0]!)))
  for (const field of model.lines.filter(({ name }) => read.has(name))) {
    const lacking = subjects.filter(({ record }) => !(field.name in record))
    if (lacking.length === 0) continue
    const ids = lacking.map(({ record }) => String(record.id))
    const rows = byParent(field, await storedLines(core.registry, tx, field, ids))
    const lines = lineModel(core.registry, field)
    for (const { record, named } of lacking)
      named[field.name] = (rows.get(String(record.id)) ?? []).map((row) =>
        withComputed(core.registry, context, lines, { ...row, head: record }),
      )
  }
}

/** The records that others belong to, of those that do not have theirs with them: a save of lines has the head that it writes. */
async function loadHeads(
  { core, tx, model }: WriteContext,
  subjects: readonly Subject[],
  texts: readonly string[],
): Promise<void> {
  const { scope } = model
  if (scope.kind !== 'parent' || !texts.some((text) => rootsOf(entityExpression(model, text).expression).includes(HEAD))) return
  const lacking = subjects.filter(({ record, named }) => !(HEAD in named) && !(HEAD in record))
  if (lacking.length === 0) return
  const ids = [...new Set(lacking.map(({ record }) => record[scope.field]))].filter((id) => typeof id === 'string')
  const heads = core.registry.model(scope.entity)
  const { rows } =
    ids.length === 0
      ? { rows: [] }
      : await tx.query<EntityRecord>(
          sql`select ${storedColumns(heads, 't')} from ${tableSql(heads, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)})`,
        )
  const byId = new Map(rows.map((row) => [row.id, entityScope(heads, row)]))
  for (const { record, named } of lacking) named[HEAD] = byId.get(record[scope.field]) ?? null
}

/** Look-ups that expressions read, each behind those that its own conditions read. */
function lookupsIn(model: EntityModel, texts: readonly string[]): string[] {
  const known = model.document['x-lookups'] ?? {}
  const found = new Set<string>()
  const seen = new Set<string>()
  const visit = (text: string): void => {
    for (const path of entityExpression(model, text).dependencies) {
      const name = path.split('.', 1)[0]!
      if (seen.has(name) || !Object.hasOwn(known, name)) continue
      seen.add(name)
      textsIn(known[name]).forEach(visit)
      found.add(name)
    }
  }
  texts.forEach(visit)
  return [...found]
}
