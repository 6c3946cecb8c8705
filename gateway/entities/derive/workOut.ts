import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { PathValues } from './paths'
import { derivedValue, isFrozen, pathsOfField, valueFor } from './value'

/** A record whose derived fields are set, in place; `before` as in `DerivedRow`. */
interface Row {
  record: EntityRecord
  before: EntityRecord | null
  /** Values that were never worked out are, whatever the state. */
  fill?: boolean
}

/** Works out derived fields of records, in the order in which they read each other; those of one function at once. */
export async function workOut(
  { core, tx, context }: { core: Core; tx: Executor; context: RequestContext },
  model: EntityModel,
  derived: readonly FieldModel[],
  rows: readonly Row[],
): Promise<void> {
  const paths = derived.flatMap((field) => pathsOfField(model, field))
  const behind = new PathValues(tx, model, paths)
  await behind.load(rows.map(({ record }) => record))
  const values = new Map(rows.map((row) => [row, behind.of(row.record)]))
  const said = new Map<string, ReadonlyMap<Row, EntityRecord>>()
  for (const field of derived) {
    const open = rows.filter(
      (row) =>
        (row.fill && (row.record[field.name] ?? null) === null) ||
        !isFrozen(model, field, row.before ?? row.record, row.record, values.get(row)!),
    )
    const { by } = field.derivation!
    if (by === undefined) {
      for (const row of open)
        row.record[field.name] = derivedValue(core.registry, context, model, field, row.record, values.get(row)!).value
      continue
    }
    let answers = said.get(by)
    if (!answers && open.length > 0) {
      const call = { db: tx, now: context.now, timeZone: core.registry.timeZone, entity: model.name }
      const found = await core.registry.derivationNamed(by)(call, open)
      answers = new Map(open.map((row, index) => [row, found[index] ?? {}]))
      said.set(by, answers)
    }
    for (const row of open) row.record[field.name] = valueFor(field, answers?.get(row)?.[field.name] ?? null)
  }
}
