import type { SaveHook } from '../entities'

const SCOPES = new Set(['own', 'shared', 'department', 'departmentTree', 'all'])
const RULES = new Set(['hide', 'mask', 'read'])
const KEY = /^[a-zA-Z][A-Za-z0-9-]*(?::[A-Za-z0-9-]+)+$/
const ENTITY = /^(?:\*|[a-z][a-z0-9]*\.[a-z][A-Za-z0-9]*)$/
const FIELD = /^[a-z][a-z0-9]*\.[a-z][A-Za-z0-9]*\.[a-z][A-Za-z0-9]*$/

/** The parts of a role that are plain JSON have the shapes that rights are made of; single scopes become lists. */
export async function checkRole({ record, given, fail }: SaveHook): Promise<void> {
  if (given.has('buttonKeys') && Array.isArray(record['buttonKeys'])) {
    const wrong = record['buttonKeys'].find((key) => typeof key !== 'string' || !KEY.test(key))
    if (wrong !== undefined)
      fail({
        field: 'buttonKeys',
        message: { zh: `“${String(wrong)}”不是权限键`, en: `"${String(wrong)}" is not a permission key` },
      })
    record['buttonKeys'] = [...new Set(record['buttonKeys'])]
  }
  if (given.has('scopes') && record['scopes'] !== null) record['scopes'] = checkedScopes(record['scopes'], fail)
  if (given.has('fieldRules') && record['fieldRules'] !== null) checkFieldRules(record['fieldRules'], fail)
}

function checkedScopes(scopes: unknown, fail: SaveHook['fail']): unknown {
  if (!isObject(scopes)) {
    fail({ field: 'scopes', message: { zh: '数据范围应为对象：实体 → 范围', en: 'Row scopes are an object: entity -> scopes' } })
    return scopes
  }
  for (const [entity, granted] of Object.entries(scopes)) {
    const wrong = [granted].flat().find((scope) => typeof scope !== 'string' || !SCOPES.has(scope))
    if (!ENTITY.test(entity))
      fail({ field: 'scopes', message: { zh: `“${entity}”不是实体名`, en: `"${entity}" is not the name of an entity` } })
    if (wrong !== undefined)
      fail({ field: 'scopes', message: { zh: `“${String(wrong)}”不是数据范围`, en: `"${String(wrong)}" is not a row scope` } })
  }
  return Object.fromEntries(Object.entries(scopes).map(([entity, granted]) => [entity, [granted].flat()]))
}

function checkFieldRules(rules: unknown, fail: SaveHook['fail']): void {
  if (!isObject(rules))
    return fail({
      field: 'fieldRules',
      message: { zh: '字段规则应为对象：实体.字段 → 规则', en: 'Field rules are an object: entity.field -> rule' },
    })
  for (const [field, rule] of Object.entries(rules)) {
    if (!FIELD.test(field))
      fail({ field: 'fieldRules', message: { zh: `“${field}”不是“实体.字段”`, en: `"${field}" is not an entity.field` } })
    if (typeof rule !== 'string' || !RULES.has(rule))
      fail({ field: 'fieldRules', message: { zh: `“${String(rule)}”不是字段规则`, en: `"${String(rule)}" is not a field rule` } })
  }
  return undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
