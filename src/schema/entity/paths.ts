import { compileExpression, type CompiledExpression } from '../expression'
import { referenceOf, type EntityModel } from './model'

/** Steps through references that one path may take. */
const MOST_STEPS = 4

/** A path through references of an entity: `customerId.ownerId.mainDeptId`. Its last name is any field of the last entity. */
function isReferencePath(model: EntityModel, path: string): boolean {
  const [first = '', ...rest] = path.split('.')
  const field = model.fields.get(first)
  if (!field) return false
  if (rest.length === 0) return true
  const target = field.kind === 'ref' ? model.find(referenceOf(field) ?? '') : undefined
  return target !== undefined && rest.length < MOST_STEPS && isReferencePath(target, rest.join('.'))
}

const compiled = new WeakMap<EntityModel, Map<string, CompiledExpression>>()

/** An expression of an entity's rules, compiled once: a path through references is one name of its scope. */
export function entityExpression(model: EntityModel, text: string): CompiledExpression {
  const known = compiled.get(model) ?? new Map<string, CompiledExpression>()
  compiled.set(model, known)
  const expression =
    known.get(text) ?? compileExpression(text, { paths: (path) => path.includes('.') && isReferencePath(model, path) })
  known.set(text, expression)
  return expression
}

/** The paths through references that an expression of an entity reads. */
export const pathsIn = (model: EntityModel, text: string): readonly string[] =>
  entityExpression(model, text).dependencies.filter((path) => path.includes('.') && isReferencePath(model, path))
