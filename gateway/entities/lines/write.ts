import { ServiceError } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { refusal } from '../errors'
import type { FieldChange } from '../read/changes'
import { auditMany, insertAudited } from '../write/audit'
import { consequences, type Written } from '../write/consequences'
import { OwnValues } from '../derive/own'
import { followFiles } from '../write/files'
import { stampNew, writerOf } from '../write/newRecord'
import { insertRows, updateRows } from '../write/row'
import { changeOfLines } from './difference'
import { changedIn, type LinesContext, type PlannedLines } from './plan'

/** Writes planned lines after their heads: first those that go, then those that changed, then the new ones, each in one statement. */
export async function writeLines(
  write: LinesContext,
  planned: readonly PlannedLines[],
  heads?: ReadonlySet<unknown>,
): Promise<void> {
  for (const lines of planned) {
    const own = heads ? { ...lines, rows: lines.rows.filter(({ head }) => heads.has(head.record.id)) } : lines
    try {
      await writeField(write, own)
    } catch (error) {
      throw atField(error, lines, write)
    }
    await writeLines(write, lines.below, heads && new Set(own.rows.map(({ record }) => record.id)))
  }
}

async function writeField(write: LinesContext, { model, field, rows, removed }: PlannedLines): Promise<void> {
  const { core, tx, context } = write
  const { locale } = context
  const at = context.now.toISOString()
  const who = writerOf(context)
  const touched = { updatedAt: at, updatedBy: who }
  const gone = removed.map((before) => ({ before, after: stamped(before, { ...touched, deletedAt: at, deletedBy: who }) }))
  // derived values of the lines themselves, with what their head is now
  const own = new OwnValues({ core, tx, context, model })
  await own.load(rows.map(({ record }) => record))
  for (const { before, record } of rows) {
    const problems = await own.follow(before, record)
    if (problems.length > 0) throw refusal('validationFailed', locale, problems)
  }
  const names = new Set(Object.keys(touched))
  const changed: { before: EntityRecord; after: EntityRecord }[] = []
  for (const { before, record } of rows) {
    const differing = before ? changedIn(model, before, record, field.rows.parent) : new Set<string>()
    if (!before || differing.size === 0) continue
    for (const name of differing) names.add(name)
    Object.assign(record, stamped(before, touched, record))
    changed.push({ before, after: record })
  }
  const added = rows.filter(({ before }) => before === null).map(({ record }) => record)
  for (const record of added) stampNew(context, record)
  const after = (written: readonly Written[]) => written.map((one) => one.after)
  await updateRows(tx, locale, model, [...Object.keys(touched), 'version', 'deletedAt', 'deletedBy'], after(gone))
  await updateRows(tx, locale, model, [...names, 'version'], after(changed))
  if (model.audited) {
    await insertAudited(core.registry, tx, context, model, added)
    await auditMany(core.registry, tx, context, model, {
      written: [...gone, ...changed],
      fields: model.stored.map(({ name }) => name),
    })
  } else await insertRows(tx, locale, model, added)
  const written: Written[] = [...gone, ...changed, ...added.map((record) => ({ before: null, after: record }))]
  for (const one of written) await followFiles({ core, tx, context, model }, one.before, one.after)
  await consequences({ core, tx, context, model }, written)
  tx.afterCommit(() => written.forEach((one) => core.references.forget(model.name, String(one.after.id))))
}

const stamped = (before: EntityRecord, changes: EntityRecord, record: EntityRecord = before): EntityRecord => ({
  ...record,
  ...changes,
  version: Number(before.version) + 1,
})

/** A value that another line has taken is a problem of the field that holds the lines. */
function atField(error: unknown, { field, model }: PlannedLines, { context }: LinesContext): unknown {
  if (!(error instanceof ServiceError) || error.reason !== 'uniqueTaken') return error
  return refusal('uniqueTaken', context.locale, [{ field: field.name, message: error.text, rule: model.name }])
}

/** What a record's history says of its lines. */
export const changesOfLines = (planned: readonly PlannedLines[], id: unknown): FieldChange[] =>
  planned.flatMap(({ field, differences }) => {
    const difference = differences.get(String(id))
    return difference ? [changeOfLines(field.name, difference)] : []
  })

/** Names of the fields whose lines differ. */
export const differingLines = (planned: readonly PlannedLines[], id: unknown): string[] =>
  planned.flatMap(({ field, differences }) => (differences.has(String(id)) ? [field.name] : []))
