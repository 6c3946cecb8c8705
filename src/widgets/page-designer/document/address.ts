import { idOf, isKeyedList, isObject, isOrderedMap, joinAddress, splitAddress, type JsonObject } from '../../../schema/overlay'

/** The item of a container that a step of an address names. */
const step = (container: unknown, name: string, key: string): unknown => {
  if (isKeyedList(name, container)) return container.find((item) => idOf(name, item) === key)
  if (Array.isArray(container)) return container[Number(key)]
  return isObject(container) && Object.hasOwn(container, key) ? container[key] : undefined
}

/** What stands at an address (ids, not positions); undefined when nothing does. */
export const valueAt = (document: unknown, at: string): unknown => {
  let value = document
  let name = ''
  for (const key of splitAddress(at)) {
    value = step(value, name, key)
    name = key
  }
  return value
}

/** The address without its last step, and that step. */
export const parentOf = (at: string): { parent: string; last: string } => {
  const steps = splitAddress(at)
  return { parent: joinAddress('', ...steps.slice(0, -1)), last: steps.at(-1) ?? '' }
}

/** A new document with a value at an address; undefined removes what is there. What the address needs on its way is made. */
export const withValue = (document: JsonObject, at: string, value: unknown): JsonObject => {
  const put = (container: unknown, name: string, steps: readonly string[]): unknown => {
    const [key, ...rest] = steps
    if (key === undefined) return value
    const next = put(step(container, name, key), key, rest)
    if (isKeyedList(name, container) || Array.isArray(container)) {
      const index = isKeyedList(name, container) ? container.findIndex((item) => idOf(name, item) === key) : Number(key)
      if (index < 0) return container
      return next === undefined
        ? container.filter((_, position) => position !== index)
        : container.with(index, next as JsonObject)
    }
    const object = isObject(container) ? container : {}
    if (next !== undefined) return { ...object, [key]: next }
    return Object.fromEntries(Object.entries(object).filter(([word]) => word !== key))
  }
  const made = put(document, '', splitAddress(at))
  return isObject(made) ? made : document
}

/** Ids of the items of a list or an ordered map, in their order. */
export const idsAt = (document: unknown, list: string): string[] => {
  const { last: name } = parentOf(list)
  const value = valueAt(document, list)
  if (Array.isArray(value)) return value.map((item) => idOf(name, item) ?? '')
  return isObject(value) ? Object.keys(value) : []
}

/** A new document with an item behind another one of the list (null: first, undefined: last). */
export const withItem = (document: JsonObject, list: string, id: string, item: unknown, after?: string | null): JsonObject => {
  const { last: name } = parentOf(list)
  const value = valueAt(document, list)
  const ids = idsAt(document, list)
  const found = after === null ? 0 : after === undefined ? ids.length : ids.indexOf(after) + 1 || ids.length
  if (isOrderedMap(name)) {
    const entries = Object.entries(isObject(value) ? value : {})
    entries.splice(found, 0, [id, item])
    return withValue(document, list, Object.fromEntries(entries))
  }
  const items: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : []
  items.splice(found, 0, item)
  return withValue(document, list, items)
}

/** A new document with an item of a list at another position. */
export const withMoved = (document: JsonObject, list: string, id: string, to: number): JsonObject => {
  const { last: name } = parentOf(list)
  const value = valueAt(document, list)
  const ids = idsAt(document, list)
  const from = ids.indexOf(id)
  const position = Math.max(0, Math.min(ids.length - 1, to))
  if (from < 0 || from === position) return document
  const moved = <T>(items: readonly T[]): T[] => {
    const rest = items.filter((_, index) => index !== from)
    const item = items[from]
    return item === undefined ? rest : [...rest.slice(0, position), item, ...rest.slice(position)]
  }
  if (isOrderedMap(name) && isObject(value)) return withValue(document, list, Object.fromEntries(moved(Object.entries(value))))
  return Array.isArray(value) ? withValue(document, list, moved(value as unknown[])) : document
}

/** The steps of a JSON pointer. */
export const splitPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The address of what a JSON pointer (positions) names in this document. */
export const addressOf = (document: unknown, pointer: string): string => {
  let value = document
  let name = ''
  const steps: string[] = []
  for (const key of splitPointer(pointer)) {
    const item = Array.isArray(value) ? (value as unknown[])[Number(key)] : undefined
    const id = isKeyedList(name, value) ? idOf(name, item) : undefined
    steps.push(id ?? key)
    value = item ?? step(value, '', key)
    name = key
  }
  return joinAddress('', ...steps)
}

/** The steps with positions, as JSON pointers use them, of what an address names in this document. */
export const positionsOf = (document: unknown, at: string): string[] => {
  let value = document
  let name = ''
  return splitAddress(at).map((key) => {
    const position = isKeyedList(name, value) ? value.findIndex((item) => idOf(name, item) === key) : -1
    value = step(value, name, key)
    name = key
    return position < 0 ? key : String(position)
  })
}
