import { pointer } from '../diagnosis'
import { isExpression, parseExpression, rootsOf } from '../expression'
import { fieldKind } from '../formats'
import type { Condition, EntityDocument, EntityField } from '../generated/entity'
import type { Checker } from './checker'

/** What the database can hold an index to. */
const FIXED: ReadonlySet<string> = new Set(['eq', 'ne', 'in', 'notIn', 'empty', 'notEmpty'])

/** Conditions of an entity that hold whoever asks and whenever: values written down, operators that an index knows. */
export const checkFixedWhere = (
  checker: Checker,
  entity: EntityDocument,
  fields: ReadonlyMap<string, EntityField>,
  where: readonly Condition[] | undefined,
  at: string,
): void => where?.forEach((condition, index) => checkFixed(checker, entity, fields, condition, pointer(at, index)))

/** One of them. */
export function checkFixed(
  checker: Checker,
  entity: EntityDocument,
  fields: ReadonlyMap<string, EntityField>,
  { field: name, operator = 'eq', value }: Condition,
  here: string,
): void {
  if (!checker.field(fields, name, pointer(here, 'field'), entity.name)) return
  const field = fields.get(name)!
  if (!FIXED.has(operator))
    checker.add('field-kind-mismatch', pointer(here, 'operator'), {
      zh: `这里的条件由数据库保证，不能用“${operator}”；可用：${[...FIXED].join('、')}。`,
      en: `The database holds this condition and cannot do so with "${operator}"; possible: ${[...FIXED].join(', ')}.`,
    })
  if ([value].flat().some(isExpression))
    checker.add('field-kind-mismatch', pointer(here, 'value'), {
      zh: '这里的值须是固定值，不能是表达式：数据库要随时能够判断。',
      en: 'The value has to be a fixed one, not an expression: the database decides by it at any time.',
    })
  const list = (fieldKind(field) === 'json' || field.type === 'array') && operator !== 'empty' && operator !== 'notEmpty'
  if (list || field['x-virtual'] || readsTheMoment(field))
    checker.add('field-kind-mismatch', pointer(here, 'field'), {
      zh: `“${name}”不是单个存储的值，不能作为这里的条件。`,
      en: `"${name}" is not a single stored value, so that it cannot be a condition here.`,
    })
  if (field['x-dictionary'] !== undefined)
    for (const code of [value].flat()) checker.code(field['x-dictionary'], code, pointer(here, 'value'), 'field-kind-mismatch')
}

/** Derived from what changes while nobody writes: such a value is not stored. */
function readsTheMoment(field: EntityField): boolean {
  const parsed = parseExpression(field['x-derived']?.value ?? '')
  return parsed.ok && rootsOf(parsed.expression).some((root) => root === 'now' || root === 'today' || root === 'user')
}
