import { sql } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { exactText, toExact } from '../../../src/schema/formats/decimal'
import type { Transaction } from '../../platform/database'
import { systemContext, type RequestContext } from '../../platform/http'
import type { EntityRecord, FieldDrift } from '../calls'
import type { Core } from '../core'
import { storedColumns } from '../read/record'
import { tableSql } from '../tables'
import { updateRows } from '../write/row'
import { keptRows } from './follow'
import { graphOf, type RollupNode, type Stage } from './graph'
import { boundIn, boundOf } from './hot'
import { isLive } from './log'
import { recount } from './rollup'
import { sameStored } from './value'
import { workOut } from './workOut'

/** Rows that are compared, or filled, in one transaction. */
export const AT_ONCE = 1_000

/** What a batch of rows says, by field (`entity.field`). */
export interface BatchResult {
  /** Id of its last row; null when there was none. */
  last: string | null
  fields: Map<string, { rows: number; drifted: number }>
}

export interface Pass {
  core: Core
  tx: Transaction
  context: RequestContext
  /** Writes what differs; without it nothing is held. */
  fix: boolean
}

/** The rows of an entity behind an id, in the order of their ids. */
async function nextIds(tx: Transaction, model: EntityModel, after: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select t."id" from ${tableSql(model, 't')} where t."id" > ${after} order by t."id" limit ${AT_ONCE}`,
  )
  return rows.map(({ id }) => id)
}

/** Works out the kept fields of the next rows of a stage from scratch. */
export async function rebuildBatch(pass: Pass, stage: Stage, after: string): Promise<BatchResult> {
  const { core, tx, context, fix } = pass
  const { registry } = core
  const { model, rollups, derived } = stage
  const ids = await nextIds(tx, model, after)
  const result: BatchResult = { last: ids.at(-1) ?? null, fields: new Map() }
  if (ids.length === 0) return result
  const rows = await keptRows(pass, stage, ids, fix)
  const now = new Map(rows.map((row) => [String(row.id), { ...row }]))
  for (const node of rollups)
    for (const [id, value] of await recount(tx, registry, node, ids)) {
      const row = now.get(id)
      if (row) row[node.field.name] = value
    }
  // what was deleted follows again when it comes back
  const live = [...now.values()].filter((row) => isLive(row))
  await workOut(
    { core, tx, context },
    model,
    derived,
    live.map((record) => ({ record, before: { ...record }, fill: true })),
  )
  const fields = [...rollups.map(({ field }) => field), ...derived]
  const changed = new Set<EntityRecord>()
  for (const field of fields) {
    const wrong = rows.filter((row) => !sameStored(field, row[field.name], now.get(String(row.id))![field.name]))
    for (const row of wrong) changed.add(now.get(String(row.id))!)
    result.fields.set(`${model.name}.${field.name}`, { rows: rows.length, drifted: wrong.length })
  }
  const names = fields.map(({ name }) => name)
  if (fix) await updateRows(tx, context.locale, model, names, [...changed])
  return result
}

/** The same for the next rows of a hot sum; its bound is worked out too. */
export async function rebuildHotBatch(
  { core, tx, context, fix }: Pass,
  node: RollupNode & { model: EntityModel },
  after: string,
): Promise<BatchResult> {
  const { model, field } = node
  const key = field.hot!
  const ids = await nextIds(tx, model, after)
  const result: BatchResult = { last: ids.at(-1) ?? null, fields: new Map() }
  if (ids.length === 0) return result
  if (fix)
    await tx.query(
      sql`insert into "entity_hot_sum" ("field", "record_id", "value") select ${key}, id, 0 from unnest(${sql.param(ids)}::text[]) as id on conflict do nothing`,
    )
  const { rows: sums } = await tx.query<{ id: string; value: string; bound: string | null }>(
    sql`select "record_id" as "id", "value", "bound" from "entity_hot_sum" where "field" = ${key} and "record_id" = any(${sql.param(ids)}::text[]) order by "record_id"${fix ? sql` for update` : sql``}`,
  )
  const { rows: records } = await tx.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')} from ${tableSql(model, 't')} where t."id" = any(${sql.param(ids)}::text[])`,
  )
  const said = new Map(sums.map((sum) => [sum.id, sum]))
  const real = await recount(tx, core.registry, node, ids)
  const bound = boundOf(field.field['x-rollup']?.atLeast)
  const wanted = records.map((record) => ({
    id: String(record.id),
    value: exactText(toExact(real.get(String(record.id)) ?? 0)!),
    bound: bound ? boundIn(core.registry, context, model, bound, record) : null,
  }))
  const wrong = wanted.filter(({ id, value, bound: least }) => {
    const sum = said.get(id)
    return !sum || !sameStored(field, sum.value, value) || !sameBound(sum.bound, least)
  })
  result.fields.set(key, { rows: ids.length, drifted: wrong.length })
  if (fix && wrong.length > 0) {
    const list = (values: readonly (string | null)[], type: string) => sql`${sql.param(values)}::${sql.raw(type)}[]`
    await tx.query(
      sql`update "entity_hot_sum" h set "value" = v.value, "bound" = v.bound from unnest(${list(
        wrong.map(({ id }) => id),
        'text',
      )}, ${list(
        wrong.map(({ value }) => value),
        'numeric',
      )}, ${list(
        wrong.map((one) => one.bound),
        'numeric',
      )}) as v(id, value, bound) where h."field" = ${key} and h."record_id" = v.id`,
    )
  }
  return result
}

function sameBound(a: string | null, b: string | null): boolean {
  const [first, second] = [toExact(a), toExact(b)]
  return first && second ? first.eq(second) : a === b
}

/** Everything that is kept, in the order in which it can be worked out: fields by `entity.field`, and how a batch of them is. */
export function keptParts(core: Core): {
  fields: readonly { key: string; field: FieldModel }[]
  batch: (pass: Pass, after: string, only: ReadonlySet<string>) => Promise<BatchResult>
}[] {
  const { stages, hot } = graphOf(core.registry)
  return [
    ...stages.map((stage) => ({
      fields: [...stage.rollups.map(({ field }) => field), ...stage.derived].map((field) => ({
        key: `${stage.model.name}.${field.name}`,
        field,
      })),
      batch: (pass: Pass, after: string, only: ReadonlySet<string>) => {
        const among = ({ name }: FieldModel): boolean => only.has(`${stage.model.name}.${name}`)
        const part = {
          model: stage.model,
          rollups: stage.rollups.filter(({ field }) => among(field)),
          derived: stage.derived.filter(among),
        }
        return rebuildBatch(pass, part, after)
      },
    })),
    ...[...hot.values()].flat().map((node) => ({
      fields: [{ key: node.field.hot!, field: node.field }],
      batch: (pass: Pass, after: string) => rebuildHotBatch(pass, node, after),
    })),
  ]
}

/** Compares every kept field with what it is made of, batch by batch; with `fix` what differs is mended. */
export async function reconcile(core: Core, { fix = false }: { fix?: boolean } = {}): Promise<FieldDrift[]> {
  const context = systemContext()
  const drifts = new Map<string, FieldDrift>()
  for (const { fields: all, batch } of keptParts(core)) {
    // what functions say depends on more than the records: the nightly renewal keeps it
    const fields = all.filter(({ field }) => field.derivation?.by === undefined)
    if (fields.length === 0) continue
    for (const { key } of fields) drifts.set(key, { field: key, rows: 0, drifted: 0 })
    const only = new Set(fields.map(({ key }) => key))
    for (let after: string | null = ''; after !== null;) {
      const from: string = after
      const result: BatchResult = await core.database.transaction(
        (tx) => batch({ core, tx, context, fix }, from, only),
        fix ? { retries: 3 } : { isolation: 'repeatable read', readOnly: true },
      )
      for (const [key, { rows, drifted }] of result.fields) {
        const sum = drifts.get(key)!
        sum.rows += rows
        sum.drifted += drifted
      }
      after = result.last
    }
  }
  return [...drifts.values()].sort((a, b) => (a.field < b.field ? -1 : 1))
}
