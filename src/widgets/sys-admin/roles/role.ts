import type { Locale } from '../../../schema/problem'

/** From the narrowest to the widest. */
export const SCOPES = ['own', 'shared', 'department', 'departmentTree', 'all'] as const
export type RowScope = (typeof SCOPES)[number]
/** From the strictest to the mildest. */
export const RULES = ['hide', 'mask', 'read'] as const
export type FieldRule = (typeof RULES)[number]

/** A role as the gateway stores it. */
export interface Role {
  id: string
  version: number
  code: string
  name: string
  nameEn: string | null
  remark: string | null
  enabled: boolean | null
  memberCount: number
  resourceIds: readonly string[] | null
  buttonKeys: readonly string[] | null
  scopes: Readonly<Record<string, RowScope | readonly RowScope[]>> | null
  fieldRules: Readonly<Record<string, FieldRule>> | null
  $write: boolean
}

/** The part of a role that its page edits. */
export interface RoleDraft {
  resourceIds: ReadonlySet<string>
  buttonKeys: ReadonlySet<string>
  scopes: Readonly<Record<string, readonly RowScope[]>>
  fieldRules: Readonly<Record<string, FieldRule>>
}

export const ROLE = '/v2/sys/role'
export const EDIT_ROLES = 'setModule:authManage:permissions:edit'

export const roleName = (role: Pick<Role, 'name' | 'nameEn'>, locale: Locale): string =>
  (locale === 'en' && role.nameEn) || role.name

export const draftOf = (role: Role): RoleDraft => ({
  resourceIds: new Set(role.resourceIds ?? []),
  buttonKeys: new Set(role.buttonKeys ?? []),
  scopes: Object.fromEntries(Object.entries(role.scopes ?? {}).map(([entity, scopes]) => [entity, [scopes].flat()])),
  fieldRules: role.fieldRules ?? {},
})

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((item) => b.has(item))
const inOrder = (record: Readonly<Record<string, FieldRule | readonly RowScope[]>>): string =>
  JSON.stringify(
    Object.keys(record)
      .sort()
      .map((name) => {
        const value = record[name]
        return [name, typeof value === 'string' ? value : [...(value ?? [])].sort()]
      }),
  )

/** What the draft changes, as it is saved; parts that nobody touched are left out. */
export const changesOf = (role: Role, draft: RoleDraft): Record<string, unknown> => {
  const before = draftOf(role)
  return {
    ...(sameSet(before.resourceIds, draft.resourceIds) ? {} : { resourceIds: [...draft.resourceIds] }),
    ...(sameSet(before.buttonKeys, draft.buttonKeys) ? {} : { buttonKeys: [...draft.buttonKeys] }),
    ...(inOrder(before.scopes) === inOrder(draft.scopes) ? {} : { scopes: draft.scopes }),
    ...(inOrder(before.fieldRules) === inOrder(draft.fieldRules) ? {} : { fieldRules: draft.fieldRules }),
  }
}

/** One entity of the catalogue (GET /v2/sys/role/catalogue). */
export interface CatalogueEntity {
  name: string
  title: string
  /** Row scopes that mean something for it; empty when its rows have no owner. */
  scopes: readonly RowScope[]
  fields: readonly { name: string; title: string; sensitive: boolean }[]
}
export interface Catalogue {
  entities: readonly CatalogueEntity[]
}
