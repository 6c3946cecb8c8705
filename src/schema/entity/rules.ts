import { ExpressionError, type Environment } from '../expression'
import type { BilingualText } from '../problem'
import { dependenciesOf, type EntityModel } from './model'

export interface BrokenRule {
  rule: string
  field?: string
  message: BilingualText
}

/**
 * The invariants (`x-rules`) that a record breaks. With `changed`, only those that read one of the changed fields: what
 * nobody touched does not stand in the way of saving something else. A rule that cannot be evaluated counts as broken.
 */
export function brokenRules(
  model: EntityModel,
  record: Readonly<Record<string, unknown>>,
  place: { scope: Readonly<Record<string, unknown>>; environment: Environment },
  changed?: ReadonlySet<string>,
): BrokenRule[] {
  const scope = { ...place.scope, ...record, record }
  return model.rules.flatMap(({ id, field, broken, message }): BrokenRule[] => {
    if (changed && !dependenciesOf(broken, model.fields).some((name) => changed.has(name))) return []
    try {
      return broken(scope, place.environment) ? [{ rule: id, field, message }] : []
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return [{ rule: id, field, message: error.problem.message }]
    }
  })
}
