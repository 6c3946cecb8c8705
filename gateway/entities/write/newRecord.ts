import type { EntityModel } from '../../../src/schema/entity'
import { compileExpression, isExpression } from '../../../src/schema/expression'
import type { RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord } from '../types'

/** A new record: defaults, initial states, the caller as owner. */
export function newRecord(
  { registry }: Pick<Core, 'registry'>,
  context: RequestContext,
  model: EntityModel,
  given: EntityRecord,
  id: string,
): EntityRecord {
  const record: EntityRecord = {}
  for (const { name, field } of model.stored) {
    record[name] = null
    const fallback: unknown = field.default
    if (fallback === undefined || name in given) continue
    record[name] = isExpression(fallback)
      ? (compileExpression(fallback)(registry.expressionScope(context, given), registry.environment(context)) ?? null)
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
