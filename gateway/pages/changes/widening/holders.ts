import type { EntityModel, EntityView, FieldAccess } from '../../../../src/schema/entity'
import { restrictedFields } from '../../../../src/schema/entity'
import type { BilingualText } from '../../../../src/schema/problem'
import type { RightsHolder } from '../../../../src/schema/proof'
import type { Rights } from '../../../entities'
import { systemContext, type ContextUser } from '../../../platform/http'

/** Roles that are held together: what they grant, and one of those who hold them. */
export interface RoleHolder extends Omit<Rights, 'user'> {
  /** None: staff without a role. */
  roles: readonly { code: string; name: BilingualText }[]
  /** Id of a member of staff; null when there is none. */
  member: string | null
}

/** A holder as he is compared: what he may do, and what he sees of the fields of an entity. */
export interface Viewer extends RightsHolder {
  holder: RoleHolder
  rights: Rights
  /** Access to the fields of an entity; worked out once for all holders whom the same is closed to. */
  access(model: EntityModel, view?: string): (field: string) => FieldAccess
  /** Holders with the same one see the same of all fields. */
  signature: string
}

const NOBODY: ContextUser = systemContext().user

/** Makes holders ready. `closing` are the keys that open a field of some entity. */
export function viewersOf(holders: readonly RoleHolder[], closing: ReadonlySet<string>): Viewer[] {
  const known = new WeakMap<EntityModel, Map<string, (field: string) => FieldAccess>>()
  return holders.map((holder): Viewer => {
    const { permissions, scopes, fieldRules } = holder
    const has = (key: string): boolean => permissions.has(key)
    const signature = JSON.stringify([
      [...permissions].filter((key) => closing.has(key)).sort(),
      Object.entries(fieldRules).sort(),
    ])
    return {
      holder,
      rights: { permissions, scopes, fieldRules, user: { ...NOBODY, roleCodes: holder.roles.map(({ code }) => code) } },
      has,
      fieldRules,
      roles: new Set(holder.roles.map(({ code }) => code)),
      signature,
      access: (model, view) => {
        const byKey = known.get(model) ?? new Map<string, (field: string) => FieldAccess>()
        known.set(model, byKey)
        const key = `${view ?? ''} ${signature}`
        const made = byKey.get(key) ?? accessTo(model, { has, fieldRules }, model.views.get(view ?? ''))
        byKey.set(key, made)
        return made
      },
    }
  })
}

function accessTo(
  model: EntityModel,
  viewer: Pick<RightsHolder, 'has' | 'fieldRules'>,
  view: EntityView | undefined,
): (field: string) => FieldAccess {
  const restricted = restrictedFields(model, viewer, view)
  return (field) => restricted.get(field) ?? 'write'
}
