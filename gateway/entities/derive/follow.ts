import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'
import { columnSql, tableSql } from '../tables'
import type { WriteContext, Written } from '../core'
import { updateRows } from '../write/row'
import { currencyField, currencyIn, otherCurrency } from './currency'
import { graphOf, neededWith, type Stage } from './graph'
import { addToHotSums } from './hot'
import { ChangeLog } from './log'
import { mixed, recount, shifted, shiftsOf, type Shift } from './rollup'
import { pathsOfField, sameStored } from './value'
import { workOut } from './workOut'

/** Rows that are worked out and written together. */
const AT_ONCE = 1_000

/**
 * Lets every stored value follow rows that were written: rollups over them, values derived from them, and what follows from those,
 * each once. It is no change of the records that hold them: neither version nor time nor history says so. Answers those records.
 */
export async function follow(
  write: WriteContext,
  written: readonly Written[],
): Promise<ReadonlyMap<EntityModel, readonly Written[]>> {
  const { registry } = write.core
  const graph = graphOf(registry)
  const followed = new Map<EntityModel, readonly Written[]>()
  if (!graph.watched.has(write.model.name)) return followed
  const log = new ChangeLog()
  log.add(write.model, written)
  for (const stage of graph.stages) {
    const changed = await followStage(write, stage, log)
    if (changed.length > 0) followed.set(stage.model, [...(followed.get(stage.model) ?? []), ...changed])
  }
  await addToHotSums(write, graph, log)
  return followed
}

async function followStage(write: WriteContext, stage: Stage, log: ChangeLog): Promise<Written[]> {
  const { core, tx } = write
  const shifts = stage.rollups.map((node) => shiftsOf(node, log))
  const ids = new Set(shifts.flatMap((byParent) => [...byParent.keys()]))
  for (const { field } of stage.rollups) {
    const currency = currencyField(field)
    if (currency !== undefined) for (const id of log.renewed(stage.model, currency)) ids.add(id)
  }
  for (const { derivation } of stage.derived)
    // a function is asked when the rows are written; expressions were worked out with their own record
    if (derivation?.by !== undefined)
      for (const name of derivation.own) for (const id of log.changed(stage.model, name)) ids.add(id)
  const reads = new Set(stage.derived.flatMap(({ derivation }) => derivation!.own))
  if (stage.derived.length > 0) for (const id of log.behind(stage.model, reads)) ids.add(id)
  for (const field of stage.derived) for (const id of await referring(write, stage.model, field, log)) ids.add(id)
  const sorted = [...ids].sort()
  const names = [...stage.rollups.map(({ field }) => field), ...stage.derived].map(({ name }) => name)
  const watched = graphOf(core.registry).watched.get(stage.model.name)
  const goesOn = names.some((name) => watched?.has(name))
  const all: Written[] = []
  for (let start = 0; start < sorted.length; start += AT_ONCE) {
    const changed = await followRows(write, stage, sorted.slice(start, start + AT_ONCE), shifts, log)
    log.add(stage.model, goesOn ? changed : changed.filter(({ after }) => log.find(stage.model, String(after.id))), names)
    tx.afterCommit(() => changed.forEach(({ after }) => core.references.forget(stage.model.name, String(after.id))))
    all.push(...changed)
  }
  return all
}

/** Works out anew what functions say of some rows of an entity, with everything that follows from it. */
export async function renewRows(write: WriteContext, fields: ReadonlySet<FieldModel>, ids: readonly string[]): Promise<void> {
  const log = new ChangeLog()
  for (const stage of graphOf(write.core.registry).stages) {
    if (stage.model !== write.model || !stage.derived.some((field) => fields.has(field))) {
      await followStage(write, stage, log)
      continue
    }
    const changed = await followRows(write, { ...stage, rollups: [] }, ids, [], log)
    const names = stage.derived.map(({ name }) => name)
    log.add(stage.model, changed, names)
    write.tx.afterCommit(() => changed.forEach(({ after }) => write.core.references.forget(stage.model.name, String(after.id))))
  }
  await addToHotSums(write, graphOf(write.core.registry), log)
}

/** Rows whose derived field reads, behind a reference, what was changed. */
async function referring({ tx }: WriteContext, model: EntityModel, field: FieldModel, log: ChangeLog): Promise<string[]> {
  const found: string[] = []
  for (const { steps } of pathsOfField(model, field)) {
    const models: EntityModel[] = [model]
    for (const [index, name] of steps.entries()) {
      const at = models[index]!
      // what is new is referred to by nobody but those that came with it
      const ids = index === 0 ? [] : log.changed(at, name).filter((id) => at === model || log.find(at, id)?.before !== null)
      if (ids.length > 0) found.push(...(await leadingTo(tx, models, steps, index, ids)))
      const step = at.fields.get(name)
      const target = step && model.find(referenceOf(step) ?? '')
      if (!target) break
      models.push(target)
    }
  }
  return found
}

async function leadingTo(
  tx: WriteContext['tx'],
  models: readonly EntityModel[],
  steps: readonly string[],
  index: number,
  ids: readonly string[],
): Promise<string[]> {
  const column = (at: number) => columnSql(`s${at}`, models[at]!.fields.get(steps[at]!)!)
  const joins = models
    .slice(1, index)
    .map((model, at) => sql` join ${tableSql(model, `s${at + 1}`)} on s${sql.raw(String(at + 1))}."id" = ${column(at)}`)
  const { rows } = await tx.query<{ id: string }>(
    sql`select s0."id" from ${tableSql(models[0]!, 's0')}${sql.join(joins, sql``)} where ${column(index - 1)} = any(${sql.param(ids)}::text[]) and s0."deleted_at" is null`,
  )
  return rows.map(({ id }) => id)
}

/** Works out the kept fields of some rows, which are held from here on, and writes those that differ. */
async function followRows(
  write: WriteContext,
  stage: Stage,
  ids: readonly string[],
  shifts: readonly ReadonlyMap<string, Shift>[],
  log: ChangeLog,
): Promise<{ before: EntityRecord; after: EntityRecord }[]> {
  const { core, tx, context } = write
  const { model, derived } = stage
  const kept = [...stage.rollups.map(({ field }) => field), ...derived]
  const rows = await keptRows(write, stage, ids)
  const after = new Map(rows.map((row) => [String(row.id), { ...row }]))
  await shiftRollups(write, stage, after, shifts, log)
  await workOut(
    { core, tx, context },
    model,
    derived,
    [...after.values()].map((record) => {
      const entry = log.find(model, String(record.id))
      return { record, before: entry ? entry.before : { ...record } }
    }),
  )
  const changed = rows.flatMap((before) => {
    const now = after.get(String(before.id))!
    return kept.every((field) => sameStored(field, before[field.name], now[field.name])) ? [] : [{ before, after: now }]
  })
  await updateRows(
    tx,
    context.locale,
    model,
    kept.map(({ name }) => name),
    changed.map((one) => one.after),
  )
  return changed
}

/** Rows with what their kept fields are made of, in the order of their ids, in which they are held. */
export async function keptRows(
  { core, tx }: Pick<WriteContext, 'core' | 'tx'>,
  stage: Stage,
  ids: readonly string[],
  hold = true,
): Promise<EntityRecord[]> {
  const { model, rollups, derived } = stage
  const names = [...rollups.map(({ field }) => field), ...derived].map(({ name }) => name)
  const firsts = derived.flatMap((field) => pathsOfField(model, field).map(({ steps }) => steps[0]!))
  const currencies = rollups.flatMap(({ field }) => currencyField(field) ?? [])
  const own = derived.flatMap(({ derivation }) => derivation!.own)
  const states = derived.some(({ derivation }) => derivation?.states) ? model.machines.map(({ field }) => field) : []
  const wanted = new Set([
    'id',
    'deletedAt',
    ...names,
    ...firsts,
    ...currencies,
    ...own,
    ...states,
    ...neededWith(core.registry, model, names),
  ])
  const columns = model.columns
    .filter(({ name }) => wanted.has(name))
    .map((field) => sql`${columnSql('t', field)} as ${sql.identifier(field.name)}`)
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${sql.join(columns, sql`, `)} from ${tableSql(model, 't')} where t."id" = any(${sql.param(ids)}::text[]) order by t."id"${hold ? sql` for no key update of t` : sql``}`,
  )
  return rows
}

async function shiftRollups(
  { core, tx }: WriteContext,
  { model, rollups }: Stage,
  rows: ReadonlyMap<string, EntityRecord>,
  shifts: readonly ReadonlyMap<string, Shift>[],
  log: ChangeLog,
): Promise<void> {
  for (const [index, node] of rollups.entries()) {
    const again: string[] = []
    for (const [id, row] of rows) {
      const shift = shifts[index]!.get(id)
      if (!shift) continue
      if (node.field.kind === 'money' && node.measure.function === 'sum') {
        const currency = currencyIn(node.field, row)
        const other = shift.added.find((part) => part.currency === undefined || part.currency !== currency)
        if (other) throw otherCurrency(model, node, currency, other.currency)
      }
      const now = shifted(node, row[node.field.name], shift)
      if (now === 'recount') again.push(id)
      else row[node.field.name] = now.value
    }
    const currency = currencyField(node.field)
    const renamed = currency === undefined ? [] : log.renewed(model, currency).filter((id) => rows.has(id))
    const [wrong] = renamed.length > 0 ? await mixed(tx, core.registry, model, node, renamed) : []
    if (wrong !== undefined) throw otherCurrency(model, node, currencyIn(node.field, rows.get(wrong)!), undefined)
    if (again.length === 0) continue
    for (const [id, value] of await recount(tx, core.registry, node, again)) rows.get(id)![node.field.name] = value
  }
}
