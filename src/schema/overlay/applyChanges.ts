import { dequal } from 'dequal/lite'
import {
  addedId,
  idOf,
  isForbiddenStep,
  isKeyedList,
  isObject,
  isOrderedMap,
  sameContent,
  splitAddress,
  type Change,
  type JsonObject,
  type Outcome,
} from './change'

export interface Applied<T> {
  document: T
  /** One for each change, in their order. */
  outcomes: readonly Outcome[]
}

/**
 * A document with changes laid over it. Pure: the given document stays as it is. The order of the list means nothing:
 * additions come first (while their neighbours are there), then removals, values, and orders. A change whose place is gone is an orphan, never an error.
 */
export function applyChanges<T>(document: T, changes: readonly Change[]): Applied<T> {
  const root = { document: structuredClone(document) as unknown }
  const outcomes: Outcome[] = changes.map(() => 'orphaned')
  const each = <K extends Change>(of: (change: Change) => change is K, run: (change: K) => Outcome): void => {
    changes
      .map((change, index) => ({ change, index }))
      .filter((entry): entry is { change: K; index: number } => of(entry.change))
      .sort((a, b) => compare(a.change.at, b.change.at))
      .forEach(({ change, index }) => {
        outcomes[index] = run(change)
      })
  }
  for (const { index, outcome } of addAll(root, changes)) outcomes[index] = outcome
  each(
    (change): change is Extract<Change, { remove: true }> => 'remove' in change,
    ({ at }) => remove(root, at),
  )
  each(
    (change): change is Extract<Change, { set: unknown }> => 'set' in change,
    ({ at, set }) => put(root, at, set),
  )
  each(
    (change): change is Extract<Change, { order: readonly string[] }> => 'order' in change,
    ({ at, order }) => reorder(root, at, order),
  )
  return { document: root.document as T, outcomes }
}

interface Root {
  document: unknown
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

interface Slot {
  container: JsonObject | JsonObject[]
  /** Name of the container: it says by what the items of a list are known. */
  name: string
  step: string
}

/** Where an address leads: what holds its last step. Undefined when something before the last step is not there. */
function find(root: Root, at: string): Slot | undefined {
  const steps = ['document', ...splitAddress(at)]
  if (steps.some(isForbiddenStep)) return undefined
  let container: unknown = root
  let name = ''
  for (const step of steps.slice(0, -1)) {
    container = itemOf(container, name, step)
    name = step
  }
  const step = steps.at(-1) ?? ''
  return isObject(container) || isKeyedList(name, container) ? { container, name, step } : undefined
}

function itemOf(container: unknown, name: string, step: string): unknown {
  if (isKeyedList(name, container)) return container.find((item) => idOf(name, item) === step)
  return isObject(container) && Object.hasOwn(container, step) ? container[step] : undefined
}

function remove(root: Root, at: string): Outcome {
  const slot = at === '' ? undefined : find(root, at)
  if (!slot || itemOf(slot.container, slot.name, slot.step) === undefined) return slot ? 'redundant' : 'orphaned'
  const { container, name, step } = slot
  if (Array.isArray(container)) {
    container.splice(
      container.findIndex((item) => idOf(name, item) === step),
      1,
    )
  } else delete container[step]
  return 'kept'
}

function put(root: Root, at: string, value: unknown): Outcome {
  const slot = find(root, at)
  if (!slot) return 'orphaned'
  const { container, name, step } = slot
  if (sameContent(itemOf(container, name, step), value, step)) return 'redundant'
  if (Array.isArray(container)) {
    const index = container.findIndex((item) => idOf(name, item) === step)
    // An item that is gone does not come back by one of its values; it comes whole, as an addition.
    if (index < 0 || idOf(name, value) !== step) return 'orphaned'
    container[index] = structuredClone(value) as JsonObject
  } else container[step] = structuredClone(value)
  return 'kept'
}

interface Addition {
  index: number
  change: Extract<Change, { add: unknown }>
  id: string
}

/** Additions in the order in which their neighbours come to be; what comes to one place stands in the order of the ids. */
function addAll(root: Root, changes: readonly Change[]): { index: number; outcome: Outcome }[] {
  const additions = changes.flatMap((change, index): Addition[] =>
    'add' in change ? [{ index, change, id: addedId(change) }] : [],
  )
  const result: { index: number; outcome: Outcome }[] = []
  const growing: Growing = { ids: new Map(), unordered: new Set() }
  for (const round of inRounds(additions)) {
    const last = round.filter(({ change }) => change.after === undefined).sort((a, b) => compare(a.id, b.id))
    // Each is put right behind the same neighbour, so the last comes first.
    const behind = round.filter(({ change }) => change.after !== undefined).sort((a, b) => compare(b.id, a.id))
    for (const addition of [...last, ...behind]) result.push({ index: addition.index, outcome: add(root, addition, growing) })
  }
  order(growing)
  return result
}

/** Additions whose neighbour is there already, then those that stand behind them, and so on. Those that stand behind one another in a circle belong nowhere: they come last. */
function inRounds(additions: readonly Addition[]): Addition[][] {
  const keyOf = (at: string, id: string | null | undefined): string => `${at}#${String(id)}`
  const coming = new Map<string, number>()
  const behind = new Map<string, Addition[]>()
  const free: Addition[] = []
  for (const addition of additions) {
    const key = keyOf(addition.change.at, addition.id)
    coming.set(key, (coming.get(key) ?? 0) + 1)
  }
  for (const addition of additions) {
    const { change, id } = addition
    const neighbour = keyOf(change.at, change.after)
    if (change.after === id || !coming.has(neighbour)) free.push(addition)
    else behind.set(neighbour, [...(behind.get(neighbour) ?? []), addition])
  }
  const rounds: Addition[][] = []
  let left = additions.length
  for (let round = free; round.length > 0;) {
    rounds.push(round)
    left -= round.length
    const next: Addition[] = []
    for (const { change, id } of round) {
      const key = keyOf(change.at, id)
      const count = (coming.get(key) ?? 1) - 1
      coming.set(key, count)
      if (count === 0) next.push(...(behind.get(key) ?? []))
      if (count === 0) behind.delete(key)
    }
    round = next
  }
  if (left === 0) return rounds
  const circular = [...behind.values()].flat()
  return [...rounds, circular.map((addition) => ({ ...addition, change: { ...addition.change, after: undefined } }))]
}

/** Lists and maps that items are added to: thousands may come to one, which is not read and ordered anew for each. */
interface Growing {
  ids: Map<object, string[]>
  /** Maps whose new keys still stand last. */
  unordered: Set<JsonObject>
}

/** Brings the keys of maps into the order of their ids. */
function order({ ids, unordered }: Growing): void {
  for (const map of unordered)
    for (const key of ids.get(map) ?? []) {
      const value = map[key]
      delete map[key]
      map[key] = value
    }
  unordered.clear()
}

function add(root: Root, { change, id }: Addition, growing: Growing): Outcome {
  const slot = find(root, change.at)
  if (!slot || id === '' || isForbiddenStep(id)) return 'orphaned'
  const { container, name, step } = slot
  const value = structuredClone(change.add)
  const present = itemOf(container, name, step)
  const again = (): Outcome => {
    order(growing)
    return put(root, `${change.at}/${escape(id)}`, value)
  }
  if (isOrderedMap(step)) {
    if (present !== undefined && !isObject(present)) return 'orphaned'
    if (present && Object.hasOwn(present, id)) return again()
    if (Array.isArray(container)) return 'orphaned'
    const map = (container[step] = present ?? {})
    const keys = growing.ids.get(map) ?? Object.keys(map).filter((key) => !isForbiddenStep(key))
    const position = positionAfter(keys, change.after)
    if (position < keys.length) growing.unordered.add(map)
    keys.splice(position, 0, id)
    growing.ids.set(map, keys)
    map[id] = value
    return 'kept'
  }
  const added = idOf(step, value)
  if (present === undefined) return added === undefined ? 'orphaned' : put(root, change.at, [value])
  if (!Array.isArray(present)) return 'orphaned'
  const items: unknown[] = present
  const ids = growing.ids.get(items) ?? idsOf(step, items)
  if (!ids) return 'orphaned'
  if (ids.includes(id)) return again()
  if (added === undefined) return 'orphaned'
  const position = positionAfter(ids, change.after)
  const ambiguous = ids.includes(added)
  items.splice(position, 0, value)
  ids.splice(position, 0, added)
  if (ambiguous) growing.ids.delete(items)
  else growing.ids.set(items, ids)
  return 'kept'
}

const idsOf = (name: string, items: unknown): string[] | undefined =>
  isKeyedList(name, items) ? items.map((item) => idOf(name, item) ?? '') : undefined

const escape = (id: string): string => id.replaceAll('~', '~0').replaceAll('/', '~1')

function positionAfter(ids: readonly string[], after: string | null | undefined): number {
  if (after === null) return 0
  const index = after === undefined ? -1 : ids.indexOf(after)
  return index < 0 ? ids.length : index + 1
}

function reorder(root: Root, at: string, order: readonly string[]): Outcome {
  const slot = find(root, at)
  const present = slot && itemOf(slot.container, slot.name, slot.step)
  if (!slot) return 'orphaned'
  const { step } = slot
  if (isKeyedList(step, present)) {
    const ids = present.map((item) => idOf(step, item) ?? '')
    const wanted = inOrder(ids, order)
    if (dequal(ids, wanted)) return 'redundant'
    const position = new Map(wanted.map((id, index) => [id, index]))
    present.sort((a, b) => (position.get(idOf(step, a) ?? '') ?? 0) - (position.get(idOf(step, b) ?? '') ?? 0))
    return 'kept'
  }
  if (!isOrderedMap(step) || !isObject(present)) return 'orphaned'
  const wanted = inOrder(Object.keys(present), order)
  if (dequal(Object.keys(present), wanted)) return 'redundant'
  const sorted = Object.fromEntries(wanted.map((key) => [key, present[key]]))
  // The values are the same: only their order is new, which a comparison of values would not see.
  if (Array.isArray(slot.container)) return 'orphaned'
  slot.container[step] = sorted
  return 'kept'
}

/** The listed ids in the wanted order; those that it does not know stay behind the one that they stood behind. */
export function inOrder(ids: readonly string[], order: readonly string[]): string[] {
  const present = new Set(ids)
  const result = [...new Set(order)].filter((id) => present.has(id))
  const listed = new Set(result)
  ids.forEach((id, index) => {
    if (listed.has(id)) return
    const before = ids[index - 1]
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, id)
  })
  return result
}
