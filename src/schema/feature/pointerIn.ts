import { pointer } from '../diagnosis'
import { idOf, isObject } from '../overlay'

/** Items of both lists are known by ids of their own. */
export function keysOf(name: string, ...lists: readonly unknown[][]): ((item: unknown) => string) | undefined {
  const keyOf = (item: unknown): string | undefined =>
    idOf(name, item) ?? (isObject(item) && typeof item.id === 'string' ? item.id : undefined)
  const known = lists.every((list) => new Set(list.map(keyOf)).size === list.length && !list.map(keyOf).includes(undefined))
  return known ? (item) => keyOf(item)! : undefined
}

/** Where in `part` stands what stands at a place of the whole; undefined when it says nothing of it. */
export function pointerIn(at: string, whole: unknown, part: unknown): string | undefined {
  let [name, said] = ['', '']
  for (const step of at.split('/').slice(1)) {
    const key = step.replace(/~1/g, '/').replace(/~0/g, '~')
    if (Array.isArray(whole) && Array.isArray(part)) {
      const keyOf = keysOf(name, whole, part)
      const wanted: unknown = whole[Number(key)]
      const index = keyOf ? part.findIndex((item) => keyOf(item) === keyOf(wanted)) : Number(key)
      ;[whole, part, said] = [wanted, part[index], pointer(said, index)]
    } else if (Array.isArray(whole) && isObject(part)) {
      // an object over a list: items by their ids
      const wanted: unknown = whole[Number(key)]
      const id = keysOf(name, whole)?.(wanted) ?? ''
      ;[whole, part, said] = [wanted, Object.hasOwn(part, id) ? part[id] : undefined, pointer(said, id)]
    } else if (isObject(whole) && isObject(part)) {
      ;[whole, part, said] = [whole[key], part[key], pointer(said, key)]
    } else return undefined
    if (part === undefined) return undefined
    name = key
  }
  return said
}
