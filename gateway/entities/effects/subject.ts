import { entityExpression, entityScope } from '../../../src/schema/entity'
import { isExpression, withoutAmounts } from '../../../src/schema/expression'
import type { Terms } from '../../../src/schema/generated/entity'
import type { QueryCondition, QueryWhere } from '../../../src/schema/model'
import { queryOf } from '../../../src/schema/where'
import type { Locale, Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { Subject } from '../types'
import type { WriteContext } from '../core'

export type { Subject }

export const subjectOf = (record: EntityRecord, before: EntityRecord | null = record, input: EntityRecord = {}): Subject => ({
  before,
  record,
  input,
  named: {},
})

/** What an expression of an entity's rules may read of a record. */
export function scopeOf({ core, context, model }: WriteContext, subject: Subject, more: EntityRecord = {}): EntityRecord {
  const { record, input, named } = subject
  const before = subject.before && entityScope(model, subject.before)
  return { ...core.registry.expressionScope(context, model, record), before, input, ...named, ...more }
}

/** The value of an expression, exact numbers as text in rows too; what is none is itself. */
export function evaluate(write: WriteContext, value: unknown, scope: EntityRecord): unknown {
  if (!isExpression(value)) return value
  return withoutAmounts(entityExpression(write.model, value)(scope, write.core.registry.environment(write.context)) ?? null)
}

/** A value whose expressions are evaluated, however deep they stand. */
export function evaluateDeep(write: WriteContext, value: unknown, scope: EntityRecord): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluateDeep(write, item, scope))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, evaluateDeep(write, item, scope)]))
  return evaluate(write, value, scope)
}

const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
/** No row has it. */
const NOTHING: QueryCondition = { field: 'id', operator: 'eq', value: '-' }

/**
 * Conditions of the rules of an entity, with their values: without an operator a value is compared, a list is looked through. A value
 * that is not there is met by nothing.
 */
export function conditionsOf(write: WriteContext, where: Terms | undefined, scope: EntityRecord): QueryWhere[] {
  return queryOf(where, ({ field, operator, value }) => {
    if (operator === 'empty' || operator === 'notEmpty') return { field, operator }
    const asked = evaluateDeep(write, value, scope)
    if (!isAbsent(asked)) return { field, operator: operator ?? (Array.isArray(asked) ? 'in' : 'eq'), value: asked }
    return operator === 'ne' || operator === 'notIn' ? { field, operator: 'notEmpty' } : NOTHING
  })
}

/** A text in both languages, each with its expressions evaluated in that language. */
export function evaluateText(write: WriteContext, text: Text, scope: EntityRecord): Text {
  const of = (locale: Locale): string => {
    const inLocale = { ...write, context: { ...write.context, locale } }
    return String(evaluate(inLocale, text[locale], { ...scope, locale }) ?? '')
  }
  return { zh: of('zh'), en: of('en') }
}

/** Every expression in a value. */
export function textsIn(value: unknown): string[] {
  if (isExpression(value)) return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
