import type { FieldRule, Scope } from '../platform/http'

/** A role as it is stored. */
export interface StoredRole {
  id: string
  name: string
  nameEn: string | null
  code: string
  enabled: boolean
  resourceIds: readonly string[] | null
  buttonKeys: readonly string[] | null
  scopes: Readonly<Record<string, Scope | readonly Scope[]>> | null
  fieldRules: Readonly<Record<string, FieldRule>> | null
}

export interface MergedRights {
  /** Granted menu resources. */
  resourceIds: ReadonlySet<string>
  permissions: ReadonlySet<string>
  scopes: Readonly<Record<string, readonly Scope[]>>
  fieldRules: Readonly<Record<string, FieldRule>>
}

const SCOPES: readonly Scope[] = ['own', 'shared', 'department', 'departmentTree', 'all']
/** From the strictest to the least strict; no rule is less strict than any. */
const RULES: readonly FieldRule[] = ['hide', 'mask', 'read']

/**
 * A person's rights: the union of the roles; of field rules the least strict holds. A role without a rule for a field frees
 * the field, if it has anything to do with the entity (a scope for it, another rule on it, or one of its keys): a role about
 * something else does not undo a rule.
 */
export function mergeRoles(
  roles: readonly StoredRole[],
  internationalOf: (resourceId: string) => string | undefined,
): MergedRights {
  const live = roles.filter((role) => role.enabled)
  const resourceIds = new Set<string>()
  const permissions = new Set<string>()
  const scopes = new Map<string, Set<Scope>>()
  for (const role of live) {
    for (const id of role.resourceIds ?? []) {
      const international = internationalOf(id)
      if (international === undefined) continue
      resourceIds.add(id)
      permissions.add(international)
    }
    for (const key of role.buttonKeys ?? []) permissions.add(key)
    for (const [entity, granted] of Object.entries(role.scopes ?? {})) {
      const known = scopes.get(entity) ?? new Set<Scope>()
      for (const scope of [granted].flat()) if (SCOPES.includes(scope as Scope)) known.add(scope as Scope)
      if (known.size > 0) scopes.set(entity, known)
    }
  }
  return {
    resourceIds,
    permissions,
    scopes: Object.fromEntries([...scopes].map(([entity, granted]) => [entity, SCOPES.filter((scope) => granted.has(scope))])),
    fieldRules: mergeFieldRules(live),
  }
}

function mergeFieldRules(roles: readonly StoredRole[]): Record<string, FieldRule> {
  const merged: Record<string, FieldRule> = {}
  const named = new Set(roles.flatMap((role) => Object.keys(role.fieldRules ?? {})))
  for (const field of named) {
    const entity = field.slice(0, field.lastIndexOf('.'))
    const concerned = roles.filter((role) => concerns(role, entity))
    const rules = concerned.map((role) => role.fieldRules?.[field])
    if (rules.some((rule) => rule === undefined)) continue
    const known = rules.filter((rule) => rule !== undefined && RULES.includes(rule)) as FieldRule[]
    const least = known.sort((a, b) => RULES.indexOf(b) - RULES.indexOf(a))[0]
    if (least) merged[field] = least
  }
  return merged
}

function concerns(role: StoredRole, entity: string): boolean {
  if (role.scopes?.[entity] !== undefined || role.scopes?.['*'] !== undefined) return true
  if (Object.keys(role.fieldRules ?? {}).some((field) => field.slice(0, field.lastIndexOf('.')) === entity)) return true
  const prefix = `${entity.replace('.', ':')}:`
  return (role.buttonKeys ?? []).some((key) => key.startsWith(prefix))
}
