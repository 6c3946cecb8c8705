import { dequal } from 'dequal/lite'
import { applyChanges } from './applyChanges'
import {
  definedKeys,
  idOf,
  isKeyedList,
  isObject,
  isOrderedMap,
  joinAddress,
  sameContent,
  type Change,
  type JsonObject,
} from './change'

/**
 * The changes that make `wanted` of `base`: the inverse of applying them. The same two documents always give the same
 * list; equal documents give an empty one.
 */
export function diffDocuments(base: unknown, wanted: unknown): Change[] {
  return diff(base, wanted, '', '')
}

function diff(base: unknown, wanted: unknown, at: string, name: string): Change[] {
  if (isKeyedList(name, base) && isKeyedList(name, wanted)) return diffItems(toMap(name, base), toMap(name, wanted), at, name)
  if (!isObject(base) || !isObject(wanted)) return sameContent(base, wanted, name) ? [] : [{ at, set: wanted }]
  if (isOrderedMap(name)) return diffItems(new Map(Object.entries(base)), new Map(Object.entries(wanted)), at, name)
  const gone = sortedKeys(base).filter((key) => wanted[key] === undefined)
  const there = sortedKeys(wanted)
  return [
    ...gone.map((key): Change => ({ at: joinAddress(at, key), remove: true })),
    ...there.flatMap((key) => {
      const here = joinAddress(at, key)
      return Object.hasOwn(base, key) && base[key] !== undefined
        ? diff(base[key], wanted[key], here, key)
        : [{ at: here, set: wanted[key] } satisfies Change]
    }),
  ]
}

/** In an order of their own: how an object was written must not show in the list of changes. */
const sortedKeys = (object: JsonObject): string[] => definedKeys(object).sort()

type Items = ReadonlyMap<string, unknown>

const toMap = (name: string, list: readonly JsonObject[]): Items => new Map(list.map((item) => [idOf(name, item) ?? '', item]))

/** Items of a list or of an ordered map: what went, what came, what changed inside, and the order where that is not enough. */
function diffItems(base: Items, wanted: Items, at: string, name: string): Change[] {
  const ids = [...wanted.keys()]
  const changes = [
    ...[...base.keys()].filter((id) => !wanted.has(id)).map((id): Change => ({ at: joinAddress(at, id), remove: true })),
    ...ids.flatMap((id, index): Change[] => {
      if (base.has(id)) return diff(base.get(id), wanted.get(id), joinAddress(at, id), '')
      return [{ at, add: wanted.get(id), ...(isOrderedMap(name) ? { id } : {}), after: ids[index - 1] ?? null }]
    }),
  ]
  return dequal(orderAfter(base, changes, at, name), ids) ? changes : [...changes, { at, order: ids }]
}

/** In which order the items stand once the changes are applied. */
function orderAfter(base: Items, changes: readonly Change[], at: string, name: string): string[] {
  const content = isOrderedMap(name) ? Object.fromEntries(base) : [...base.values()]
  const here = joinAddress('', name)
  const moved = changes
    .filter((change) => 'add' in change || 'remove' in change)
    .filter((change) => change.at === at || isDirectly(at, change.at))
    .map((change) => ({ ...change, at: here + change.at.slice(at.length) }))
  const { document } = applyChanges<JsonObject>({ [name]: content }, moved)
  const result = document[name]
  if (isKeyedList(name, result)) return result.map((item) => idOf(name, item) ?? '')
  return isObject(result) ? Object.keys(result) : []
}

const isDirectly = (at: string, address: string): boolean =>
  address.startsWith(at === '' ? '' : `${at}/`) && !address.slice(at.length + 1).includes('/')
