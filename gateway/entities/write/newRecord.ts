import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { compileExpression, isExpression } from '../../../src/schema/expression'
import { computedValue } from '../../../src/schema/formats'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord } from '../calls'

/** A new record: defaults, initial states, the caller as owner. */
export function newRecord(
  { registry }: Pick<Core, 'registry'>,
  context: RequestContext,
  model: EntityModel,
  given: EntityRecord,
  id: string,
): EntityRecord {
  const record = emptyRecord(model)
  for (const own of withDefault(model)) {
    const { name } = own
    if (name in given) continue
    const fallback: unknown = own.field.default
    record[name] = isExpression(fallback)
      ? computedValue(
          own,
          compileExpression(fallback)(registry.expressionScope(context, model, given), registry.environment(context)) ?? null,
        )
      : fallback
  }
  for (const machine of model.machines) record[machine.field] = machine.initial
  if (model.scope.kind === 'owned' && context.user.staffId !== '') {
    Object.assign(record, {
      ownerId: context.user.staffId,
      ownerDeptId: context.user.mainDeptId,
      ownedAt: context.now.toISOString(),
    })
  }
  record.id = id
  return record
}

const empty = new WeakMap<EntityModel, EntityRecord>()

/**
 * A record with all stored fields and no value. An object that is parsed in one piece, and so a copy of it, needs a sixth of the
 * memory of one that gets its fields one by one; an import has many.
 */
function emptyRecord(model: EntityModel): EntityRecord {
  const known =
    empty.get(model) ??
    (JSON.parse(JSON.stringify(Object.fromEntries(model.stored.map(({ name }) => [name, null])))) as EntityRecord)
  empty.set(model, known)
  return { ...known }
}

const defaults = new WeakMap<EntityModel, readonly FieldModel[]>()

function withDefault(model: EntityModel): readonly FieldModel[] {
  const known = defaults.get(model) ?? model.stored.filter(({ field }) => field.default !== undefined)
  defaults.set(model, known)
  return known
}

/** When and by whom a new record was made. */
export function stampNew(context: RequestContext, record: EntityRecord): void {
  const at = context.now.toISOString()
  const who = writerOf(context)
  record.createdAt ??= at
  record.createdBy ??= who
  record.updatedAt ??= at
  record.updatedBy ??= who
  record.version = 1
}

/** Who writes; null where nobody stands behind it. */
export const writerOf = ({ user }: RequestContext): string | null => (user.staffId === '' ? null : user.staffId)
