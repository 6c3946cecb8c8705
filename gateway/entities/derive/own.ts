import { sql } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import type { InputProblem } from '../errors'
import type { WriteContext } from '../core'
import { columnSql, tableSql } from '../tables'
import { sameValue } from '../sameValue'
import { neverChanges } from './fixed'
import { graphOf } from './graph'
import { PathValues, type Hold } from './paths'
import { derivedValue, emptyRollup, isFrozen, pathsOfField, sameStored } from './value'

/** The kept fields of records that are about to be written: rollups stay as they are, derived values follow what is given. */
export class OwnValues {
  private readonly derived: readonly FieldModel[]
  /** Rollups and what functions say: they follow when the records are written. */
  private readonly later: readonly FieldModel[]
  private readonly behind: PathValues

  /** `only`: names of the derived fields that are wanted, where not everything that the others read is known. */
  constructor(
    private readonly write: Omit<WriteContext, 'tx'> & { tx: Executor },
    only?: ReadonlySet<string>,
  ) {
    const { core, tx, model } = write
    const { stages } = graphOf(core.registry)
    this.derived = stages
      .flatMap((stage) => (stage.model === model ? stage.derived : []))
      .filter(({ name, derivation }) => derivation?.value && (!only || only.has(name)))
    this.later = model.stored.filter(({ field, derivation }) => field['x-rollup'] !== undefined || derivation?.by !== undefined)
    const paths = this.derived.flatMap((field) => pathsOfField(model, field))
    this.behind = new PathValues(tx, model, paths, holdFor(write))
  }

  /** Reads for all records at once what they need behind their references. */
  async load(records: readonly EntityRecord[]): Promise<void> {
    if (this.derived.length > 0) await this.behind.load(records)
  }

  /**
   * Reads again what is kept of stored records: what a hook or an effect wrote meanwhile has let it follow already, and it must
   * neither be counted twice nor be worked out from what was there before.
   */
  async refresh(stored: readonly EntityRecord[]): Promise<void> {
    const { tx, model } = this.write
    const kept = model.columns.filter((field) => field.kept)
    if (kept.length === 0 || stored.length === 0) return
    const columns = [model.fields.get('id')!, ...kept].map(
      (field) => sql`${columnSql('t', field)} as ${sql.identifier(field.name)}`,
    )
    const { rows } = await tx.query<EntityRecord>(
      sql`select ${sql.join(columns, sql`, `)} from ${tableSql(model, 't')} where t."id" = any(${sql.param(stored.map(({ id }) => id))}::text[])`,
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const row of stored) Object.assign(row, byId.get(row.id))
  }

  /** Sets the kept fields of a record; answers what does not fit. */
  async follow(before: EntityRecord | null, record: EntityRecord): Promise<InputProblem[]> {
    const problems: InputProblem[] = []
    for (const field of this.later) record[field.name] = before ? before[field.name] : emptyRollup(field)
    if (this.derived.length === 0) return problems
    const { core, context, model } = this.write
    await this.behind.load([record])
    const behind = this.behind.of(record)
    for (const field of this.derived) {
      const stored = before?.[field.name] ?? null
      if (isFrozen(model, field, before, record, behind)) {
        record[field.name] = stored
        continue
      }
      const { value, problem } = derivedValue(core.registry, context, model, field, record, behind)
      record[field.name] = before && sameStored(field, stored, value) ? stored : value
      if (problem) problems.push({ field: field.name, rule: 'derived', message: problem })
    }
    return problems
  }
}

/** Kept fields are nobody's to set: their names among the given ones, unless the value is the one that is stored. */
export function keptAmong(model: EntityModel, before: EntityRecord | null, values: EntityRecord): FieldModel[] {
  return Object.keys(values).flatMap((name) => {
    const field = model.fields.get(name)
    return field?.kept && !sameValue(before?.[name] ?? null, values[name] ?? null) ? field : []
  })
}

/**
 * What a new record reads is held until it is stored, because nobody else knows of it yet. What it will be counted in is held the way
 * the count needs it, so that two who add to the same one wait instead of standing in each other's way. What never changes is held
 * against deletion and `changeMany` alone, so that who changes other fields of the row need not wait.
 */
function holdFor({ core, model }: Pick<WriteContext, 'core' | 'model'>): Hold {
  const counted = new Set(
    graphOf(core.registry).stages.flatMap((stage) => (stage.rollups.some(({ child }) => child === model) ? [stage.model] : [])),
  )
  return (target, fields) =>
    counted.has(target) ? 'no key update' : fields.every((field) => neverChanges(target, field)) ? 'key share' : 'share'
}
