import { ExpressionError, rootsOf, type Environment } from '../expression'
import type { BilingualText } from '../problem'
import { entityScope } from './exact'
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
  surroundings: { scope: Readonly<Record<string, unknown>>; environment: Environment },
  changed?: ReadonlySet<string>,
): BrokenRule[] {
  // only what the rules read: a copy of every record would be most of the work of a large import
  const { fields, whole } = readByRules(model)
  const scope = {
    ...surroundings.scope,
    record: whole ? entityScope(model, record) : record,
    ...entityScope(model, record, fields),
  }
  return model.rules.flatMap(({ id, field, broken, message }): BrokenRule[] => {
    if (changed && !dependenciesOf(broken, model.fields).some((name) => changed.has(name))) return []
    try {
      return broken(scope, surroundings.environment) ? [{ rule: id, field, message }] : []
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      return [{ rule: id, field, message: error.problem.message }]
    }
  })
}

interface ReadByRules {
  fields: readonly string[]
  /** One reads `record`. */
  whole: boolean
}

const byRules = new WeakMap<EntityModel, ReadByRules>()

function readByRules(model: EntityModel): ReadByRules {
  const known = byRules.get(model)
  if (known) return known
  const read = {
    fields: [...new Set(model.rules.flatMap(({ broken }) => dependenciesOf(broken, model.fields)))],
    whole: model.rules.some(({ broken }) => rootsOf(broken.expression).includes('record')),
  }
  byRules.set(model, read)
  return read
}
