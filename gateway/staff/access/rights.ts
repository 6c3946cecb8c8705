import type { FieldRule, Scope } from '../../platform/http'
import type { StaffRights } from '../../platform/session'

/** What a person holds, as far as two people are compared by it. */
export type Held = Pick<StaffRights, 'permissions' | 'scopes' | 'fieldRules' | 'user'>

/** What one person holds and another does not. */
export interface Lacking {
  /** Permission keys of menus and buttons. */
  keys: readonly string[]
  /** Entities of which the person sees rows that the other does not. */
  entities: readonly string[]
  /** Fields, as `entity.field`, that are closer shut to the other. */
  fields: readonly string[]
  /** Ids of departments that the person leads, whose applications he decides therefore, and the other does not lead. */
  departments: readonly string[]
}

/** From the strictest to no rule at all. */
const STRICTNESS: readonly (FieldRule | undefined)[] = ['hide', 'mask', 'read', undefined]

/**
 * Everything that `person` may and `other` may not: keys, rows, fields, departments that are led. Whoever can sign in as `person`
 * gains exactly this.
 */
export function lackingRights(person: Held, other: Held): Lacking {
  const led = new Set(other.user.ledDeptIds)
  return {
    keys: [...person.permissions].filter((key) => !other.permissions.has(key)).sort(),
    entities: Object.keys(person.scopes).filter((entity) => !covers(other, person, entity)),
    fields: Object.entries(other.fieldRules).flatMap(([field, rule]) => {
      const entity = field.slice(0, field.lastIndexOf('.'))
      const freer = STRICTNESS.indexOf(person.fieldRules[field]) > STRICTNESS.indexOf(rule)
      return freer && concernedWith(person, entity) ? [field] : []
    }),
    departments: person.user.ledDeptIds.filter((id) => !led.has(id)),
  }
}

/** Nothing is lacking. */
export const isNothing = ({ keys, entities, fields, departments }: Lacking): boolean =>
  keys.length + entities.length + fields.length + departments.length === 0

/** Whether the rows that a person sees of an entity are all among those that the other sees. */
function covers(other: Held, person: Held, entity: string): boolean {
  const granted = widest(other, entity)
  const needed = widest(person, entity)
  if (granted === 'all' || needed === undefined) return true
  if (granted === undefined || needed === 'all') return false
  const reach = new Set(
    granted === 'departmentTree' ? other.user.scopeTreeIds : granted === 'department' ? other.user.scopeDeptIds : [],
  )
  const { scopeTreeIds, scopeDeptIds, mainDeptId } = person.user
  const rows =
    needed === 'departmentTree' ? scopeTreeIds : needed === 'department' ? scopeDeptIds : mainDeptId === null ? [] : [mainDeptId]
  // rows of one's own are not those of anybody else who sees only his own
  return reach.size > 0 && rows.every((id) => reach.has(id))
}

const BREADTH: readonly Scope[] = ['own', 'shared', 'department', 'departmentTree', 'all']

function widest({ scopes }: Held, entity: string): Scope | undefined {
  const granted = [...(scopes[entity] ?? []), ...(entity === '*' ? [] : (scopes['*'] ?? []))]
  return [...BREADTH].reverse().find((scope) => granted.includes(scope))
}

function concernedWith({ scopes, permissions }: Held, entity: string): boolean {
  if (scopes[entity] !== undefined || scopes['*'] !== undefined) return true
  const prefix = `${entity.replace('.', ':')}:`
  return [...permissions].some((key) => key.startsWith(prefix))
}
