import type { EntityField, Transition } from '../generated/entity'
import type { Scope } from '../model'
import { isRecord } from './refusal'

type People = NonNullable<Transition['by']>
type Judgement = 'yes' | 'no' | 'unknown'

const STAFF = 'sys.staff'

/** Is it offered for this record (in lists the row) at all? */
export type Offer = (record: unknown, scope: Scope) => boolean

/**
 * Is a transition offered for a record at all: the record is in one of its states, and the viewer is not surely somebody who
 * may not. What is refused for a reason is offered with it (`makeRefusal`). What the record does not tell is left to the
 * gateway.
 */
export const makeOffer =
  (fields: ReadonlyMap<string, EntityField>, state: string, { from, by, not }: Transition): Offer =>
  (record, scope) => {
    if (!isRecord(record)) return true
    const now = record[state]
    if (now !== undefined && now !== null && !from.includes(String(now))) return false
    if (by?.every((one) => isOneOf(one, record, scope, fields) === 'no')) return false
    return !not?.some((one) => isOneOf(one, record, scope, fields) === 'yes')
  }

function isOneOf(
  one: People[number],
  record: Readonly<Record<string, unknown>>,
  { user }: Scope,
  fields: ReadonlyMap<string, EntityField>,
): Judgement {
  const viewer = isRecord(user) ? user.staffId : undefined
  if (one === 'user') return 'yes'
  if (one === 'system') return 'no'
  const name = one === 'creator' ? 'createdBy' : one === 'owner' ? 'ownerId' : 'field' in one ? one.field : undefined
  if (name === undefined || typeof viewer !== 'string' || viewer === '' || !Object.hasOwn(record, name)) return 'unknown'
  if (fields.get(name)?.['x-ref'] !== STAFF) return 'unknown'
  const named = record[name]
  return (Array.isArray(named) ? named.includes(viewer) : named === viewer) ? 'yes' : 'no'
}
