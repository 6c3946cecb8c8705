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
  // only what the rules read: a copy of every record would be most of the work of a large import
  const scope: Record<string, unknown> = { ...place.scope, record }
  for (const name of fieldsInRules(model)) if (name in record) scope[name] = record[name]
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

const inRules = new WeakMap<EntityModel, readonly string[]>()

function fieldsInRules(model: EntityModel): readonly string[] {
  const known = inRules.get(model) ?? [...new Set(model.rules.flatMap(({ broken }) => dependenciesOf(broken, model.fields)))]
  inRules.set(model, known)
  return known
}
