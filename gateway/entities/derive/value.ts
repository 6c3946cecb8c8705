import { readValue, referenceOf, type EntityModel, type FieldPath, type FieldModel } from '../../../src/schema/entity'
import { Amount, ExpressionError } from '../../../src/schema/expression'
import { computedValue, Exact, toExact } from '../../../src/schema/formats'
import type { RequestContext, Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Registry } from '../registry'
import { storageOf } from '../storage'
import { sameValue } from '../sameValue'

/** A derived value of a record, as it is stored. A value that does not fit its field is told, and empty. */
export function derivedValue(
  registry: Registry,
  context: RequestContext,
  model: EntityModel,
  field: FieldModel,
  record: EntityRecord,
  behind: EntityRecord,
): { value: unknown; problem?: Text } {
  const { value: expression, own, paths } = field.derivation!
  if (!expression) return { value: null }
  const reads: EntityRecord = {}
  for (const name of own) reads[name] = record[name] ?? null
  const given = Object.fromEntries(paths.map((path) => [path.name, exactBehind(model, path, behind[path.name] ?? null)]))
  try {
    const found = expression({ ...registry.expressionScope(context, model, reads), ...given }, registry.environment(context))
    const read = readValue(field, storable(field, found))
    return 'problem' in read ? { value: null, problem: read.problem } : { value: read.value }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { value: null }
  }
}

/** What a function says of a field as it is stored; what does not fit is empty. */
export function valueFor(field: FieldModel, said: unknown): unknown {
  const read = readValue(field, storable(field, said))
  return 'problem' in read ? null : read.value
}

/** A number behind references as expressions calculate with it. */
function exactBehind(model: EntityModel, { steps }: FieldPath, value: unknown): unknown {
  let at: EntityModel | undefined = model
  for (const [index, step] of steps.entries()) {
    const field: FieldModel | undefined = at?.fields.get(step)
    if (index < steps.length - 1) at = field && model.find(referenceOf(field) ?? '')
    else if (field && EXACT_KINDS.has(field.kind)) {
      const exact = toExact(value)
      return exact ? new Amount(exact) : value
    }
  }
  return value
}

const EXACT_KINDS: ReadonlySet<string> = new Set(['decimal', 'money', 'percent'])

/** Numbers as exact text, with no more decimals than are stored; what is nothing is empty. */
function storable(field: FieldModel, value: unknown): unknown {
  if (value === undefined || value === null) return null
  const storage = storageOf(field)
  if (storage !== 'numeric' && storage !== 'integer') return value
  const exact = value instanceof Exact ? value : toExact(value)
  if (!exact) return Number.isNaN(value) ? null : value
  if (storage === 'integer') return exact.toNumber()
  return computedValue(field, exact)
}

/** The same value as it is stored; 10.50 is 10.5. */
export function sameStored(field: FieldModel, a: unknown, b: unknown): boolean {
  if (storageOf(field) !== 'numeric') return sameValue(a ?? null, b ?? null)
  const [first, second] = [toExact(a), toExact(b)]
  return first && second ? first.eq(second) : (a ?? null) === (b ?? null)
}

/** The record of a line, whose state decides where the line has none of its own. */
function headOf(model: EntityModel): EntityModel | undefined {
  return model.scope.kind === 'parent' ? model.find(model.scope.entity) : undefined
}

/** Everything behind references that a derived field needs: what it reads, and the state that decides whether it follows. */
export function pathsOfField(model: EntityModel, { derivation }: FieldModel): readonly FieldPath[] {
  if (!derivation) return []
  const head = derivation.states && model.machines.length === 0 ? headOf(model) : undefined
  if (!head || model.scope.kind !== 'parent') return derivation.paths
  const { field } = model.scope
  return [
    ...derivation.paths,
    ...head.machines.map((machine) => ({ name: `head.${machine.field}`, steps: [field, machine.field] })),
  ]
}

/** Whether a derived field stays as it is: the record is, and was, in none of the states in which it follows. */
export function isFrozen(
  model: EntityModel,
  { derivation }: FieldModel,
  before: EntityRecord | null,
  record: EntityRecord,
  behind: EntityRecord,
): boolean {
  const states = derivation?.states
  if (!states || before === null) return false
  const fields = model.machines.map((machine) => machine.field)
  const held =
    fields.length > 0
      ? fields.flatMap((name) => [record[name], before[name]])
      : (headOf(model)?.machines ?? []).map((machine) => behind[`head.${machine.field}`])
  return !held.some((state) => states.has(state as string))
}

/** A rollup over nothing. */
export function emptyRollup({ field, kind }: FieldModel): unknown {
  const rollup = field['x-rollup']
  if (rollup?.count) return 0
  if (rollup?.sum === undefined) return null
  return storageOf({ kind }) === 'numeric' ? '0' : 0
}
