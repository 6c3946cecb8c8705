import type { EntityDocument, EntityField } from '../generated/entity'
import { computedNames, HEAD, headField } from './derived'
import { allFields } from './fields'

/** Who asks, and when: every expression of an entity reads them. */
export const MOMENT = ['user', 'today', 'now', 'locale'] as const

/** The record by one name, beside its fields; a field of this name goes before it. */
export const RECORD = 'record'

type Among = (entity: EntityDocument, name: string, field: EntityField) => boolean

const any: Among = () => true
/** What is read with a record by the caller's rights. */
const shown: Among = (_entity, _name, field) => !field['x-internal']
/** What is not worked out when it is read. */
const stored: Among = (entity, name, field) =>
  !computedNames(entity).has(name) && !field['x-virtual'] && !field['x-condition'] && !field['x-lines']

/** What may be read at a place besides the moment. */
interface Names {
  /** Which fields of one record, by their own names. */
  fields?: Among
  /** The same record as `record`. */
  record?: true
  lookups?: true
  /** `head`, where the entity belongs to another one. */
  head?: true
  more?: readonly string[]
}

/**
 * Where expressions of an entity stand, and what the engine gives them there: the check refuses other names. `rule` are all that are asked
 * with the record at hand: rules, grants, deadlines, effects; `transition` those on the way through one. Effects add `row` with their `on`
 * or `each`, values that follow others in a line add `head`.
 */
export const PLACES = {
  title: { fields: shown, record: true },
  default: {},
  exportText: { more: ['value'] },
  view: {},
  limit: {},
  reference: { fields: any, record: true, head: true, more: ['values'] },
  derived: { fields: any },
  duplicates: { fields: stored },
  merge: { fields: any, record: true, more: ['other'] },
  rule: { fields: any, record: true, lookups: true, head: true, more: ['before'] },
  transition: { fields: any, record: true, lookups: true, head: true, more: ['before', 'input'] },
} as const satisfies Readonly<Record<string, Names>>

export type Place = keyof typeof PLACES

/** The names that an expression of an entity may read at a place. */
export function namesAt(place: Place, entity: EntityDocument): readonly string[] {
  const { fields, record, lookups, head, more = [] }: Names = PLACES[place]
  const among = allFields(entity).filter(({ name, field }) => fields?.(entity, name, field))
  return [
    ...among.map(({ name }) => name),
    ...(record ? [RECORD] : []),
    ...(lookups ? Object.keys(entity['x-lookups'] ?? {}) : []),
    ...(head && headField(entity) !== undefined ? [HEAD] : []),
    ...MOMENT,
    ...more,
  ]
}
