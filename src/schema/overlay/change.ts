import { dequal } from 'dequal/lite'

/**
 * One thing that somebody changed in a document, addressed by stable ids: `at` walks objects by key and lists by id,
 * e.g. `columns/level/width`. A `/` inside an id is written `~1`, a `~` is written `~0` (as in RFC 6901).
 */
export type Change =
  | { at: string; set: unknown }
  | { at: string; remove: true }
  /** A new item of a list (its id is its own), or of an ordered map (`id` is its key). No `after`: last; null: first. */
  | { at: string; add: unknown; id?: string; after?: string | null }
  | { at: string; order: readonly string[] }

/** What became of a change when it was applied. */
export type Outcome =
  /** It made a difference. */
  | 'kept'
  /** The document says the same without it. */
  | 'redundant'
  /** What it changes is no longer there; the document stays as it was. */
  | 'orphaned'

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
/** A step of an address that no document has a right to: it would reach the prototype. */
export const isForbiddenStep = (step: string): boolean => FORBIDDEN.has(step)

export const splitAddress = (at: string): string[] =>
  at === '' ? [] : at.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

export const joinAddress = (at: string, ...steps: readonly string[]): string =>
  [...(at === '' ? [] : [at]), ...steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')

/** The place whose content the change decides. Two orders of one list meet, an order and a new item do not. */
export function addressOfChange(change: Change): string {
  if ('add' in change) return joinAddress(change.at, addedId(change))
  return 'order' in change ? `${change.at}#order` : change.at
}

/** Id of what an `add` brings. */
export function addedId(change: Extract<Change, { add: unknown }>): string {
  return change.id ?? idOf(splitAddress(change.at).at(-1) ?? '', change.add) ?? ''
}

/**
 * Lists whose items are known by an id, and the members that hold it, the first that is there. All other lists (values
 * of an enumeration, conditions, sort orders) change as a whole.
 */
const KEYED_LISTS: Readonly<Record<string, readonly string[]>> = {
  columns: ['id', 'field'],
  filters: ['id', 'field'],
  figures: ['id', 'field'],
  fields: ['id', 'field'],
  views: ['id'],
  actions: ['id'],
  rowActions: ['id'],
  bulkActions: ['id'],
  warnings: ['id'],
  sections: ['id'],
  tabs: ['id'],
  dimensions: ['id'],
  measures: ['id'],
  blocks: ['id'],
  menu: ['id'],
  children: ['id'],
  buttons: ['key'],
  routes: ['path'],
  items: ['code'],
  'x-views': ['id'],
  'x-states': ['field'],
  'x-rules': ['id'],
  'x-limits': ['id'],
  'x-deadlines': ['id'],
  'x-tests': ['id'],
  'x-groups': ['id'],
  'x-actions': ['id'],
  'x-participants': ['id'],
  'x-forbids': ['id'],
  'x-unique': ['id'],
  'x-use': ['id'],
  create: ['id'],
  change: ['id'],
  transitions: ['id'],
  refuse: ['id'],
  effects: ['id'],
  remind: ['id'],
}

/** Items of a list of that name are known by an id. */
export const isKeyedName = (name: string): boolean => Object.hasOwn(KEYED_LISTS, name)

/** Objects whose order of keys people see: fields of a form and of an entity, inputs of a transition, look-ups. */
export const isOrderedMap = (name: string): boolean => name === 'properties' || name === 'inputs' || name === 'x-lookups'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Equal, the order of ordered maps included. `name`: under which name the two values stand. */
export function sameContent(a: unknown, b: unknown, name = ''): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameContent(item, b[index]))
  if (!isObject(a) || !isObject(b)) return Object.is(a, b)
  const [left, right] = [definedKeys(a), definedKeys(b)]
  return (
    left.length === right.length &&
    left.every(
      (key, index) => (isOrderedMap(name) ? right[index] === key : b[key] !== undefined) && sameContent(a[key], b[key], key),
    )
  )
}

/** Two changes of one place that leave the same content there; where an added item stands is no contradiction. */
export function sameEffect(a: Change, b: Change): boolean {
  if ('add' in a && 'add' in b) return sameContent(a.add, b.add)
  if ('set' in a && 'set' in b) return sameContent(a.set, b.set, splitAddress(a.at).at(-1))
  return dequal(a, b)
}

export const sameChange = (a: Change, b: Change): boolean =>
  addressOfChange(a) === addressOfChange(b) && sameEffect(a, b) && (!('add' in a && 'add' in b) || a.after === b.after)

export const definedKeys = (object: JsonObject): string[] => Object.keys(object).filter((key) => object[key] !== undefined)

/** Id of an item of the list of that name; undefined when it has none. */
export function idOf(list: string, item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  for (const member of idMembers(list)) {
    const id = item[member]
    if (typeof id === 'string' && id !== '') return id
  }
  return undefined
}

/** The members of an item that may hold its id in the list of that name, the first that is there. */
export const idMembers = (list: string): readonly string[] => KEYED_LISTS[list] ?? []

/** The value is a list of that name whose items all have ids of their own. */
export function isKeyedList(name: string, value: unknown): value is JsonObject[] {
  if (!Array.isArray(value) || !Object.hasOwn(KEYED_LISTS, name)) return false
  const ids = value.map((item) => idOf(name, item))
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length
}

/** What stands at an address; undefined when it is not there. */
export function valueIn(document: unknown, at: string): unknown {
  let value = document
  let name = ''
  for (const step of splitAddress(at)) {
    if (isKeyedList(name, value)) {
      const list: string = name
      value = value.find((item) => idOf(list, item) === step)
    } else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
    name = step
  }
  return value
}
