import { pointer } from '../diagnosis'
import { namesAt } from '../entity/names'
import { isExpression } from '../expression'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'

/** Limits: fields that make the key, conditions that the database counts by, and what their number and sentence read. */
export const checkLimits = (checker: Checker, entity: EntityDocument, fields: ReadonlyMap<string, EntityField>): void => {
  const limits = entity['x-limits'] ?? []
  checker.unique(
    limits.map(({ id }) => id),
    '/x-limits',
    'id',
  )
  limits.forEach(({ per, where, most, message }, index) => {
    const at = pointer('/x-limits', index)
    per.forEach((name, index) => {
      const here = pointer(at, 'per', index)
      if (!checker.field(fields, name, here, entity.name)) return
      if (fields.get(name)?.type === 'array' || fields.get(name)?.['x-virtual'])
        checker.add('field-kind-mismatch', here, {
          zh: `“${name}”不是单个存储的值，不能按它计数。`,
          en: `"${name}" is not a single stored value, so that nothing is counted by it.`,
        })
    })
    where?.forEach((condition, index) => {
      const here = pointer(at, 'where', index)
      if (!checker.field(fields, condition.field, pointer(here, 'field'), entity.name)) return
      checker.expression(condition.value, pointer(here, 'value'), namesAt('limit', entity))
      const dictionary = fields.get(condition.field)?.['x-dictionary']
      if (dictionary !== undefined)
        for (const code of [condition.value].flat()) checker.code(dictionary, code, pointer(here, 'value'), 'field-kind-mismatch')
    })
    const known = namesAt('rule', entity)
    if (isExpression(most)) checker.expression(most, pointer(at, 'most'), known)
    for (const locale of ['zh', 'en'] as const)
      checker.expression(message[locale], pointer(at, 'message', locale), [...known, 'most', 'count'])
  })
}
