import { pointer } from '../diagnosis'
import { eventOf, SAVE_EVENTS, type Listener } from '../effect/weave'
import { allFields } from '../entity/fields'
import type { Effect, EntityDocument } from '../generated/entity'
import type { BilingualText } from '../problem'
import type { Catalog } from './catalog'
import type { Checker } from './checker'
import { findCycles } from './cycles'

const known = new WeakMap<Catalog, readonly string[][]>()

function circlesOf(catalog: Catalog): readonly string[][] {
  const circles = known.get(catalog) ?? findCycles(edgesOf(catalog))
  known.set(catalog, circles)
  return circles
}

const told = (circle: readonly string[]): BilingualText => {
  const path = [...circle, circle[0]].join(' -> ')
  return { zh: `效果互相引发，没有尽头：${path}。`, en: `Effects cause one another without end: ${path}.` }
}

/** Circles of transitions, saves and listeners that cause one another by their effects: a record would never come to rest. */
export function checkEffectCycles(checker: Checker, entity: EntityDocument): void {
  // No circle leads on from it. The form of a process is an entity of its own catalog, whose circles would all be looked for anew.
  if (!leadsOn(entity, checker.catalog.listeners)) return
  for (const circle of circlesOf(checker.catalog)) {
    const own = circle.find((node) => node.startsWith(`${entity.name}.`))
    if (own !== undefined) checker.add('effect-cycle', pointerTo(entity, own.slice(entity.name.length + 1)), told(circle))
  }
}

const leadsOn = (entity: EntityDocument, listeners: Catalog['listeners']): boolean =>
  entity['x-effects'] !== undefined ||
  (entity['x-states'] ?? []).length > 0 ||
  listeners.some(({ document }) => eventOf(document).entity === entity.name)

/** The same circles, at a listener that is part of one. */
export function effectCyclesThrough(checker: Checker, listener: Listener): void {
  for (const circle of circlesOf(checker.catalog))
    if (circle.includes(nodeOf(listener))) checker.add('effect-cycle', '/effects', told(circle))
}

/** How a path names a listener. */
const nodeOf = ({ module, document: { id } }: Listener): string => `${module}/${id}`

function pointerTo(entity: EntityDocument, transition: string): string {
  for (const [index, { transitions }] of (entity['x-states'] ?? []).entries()) {
    const row = transitions.findIndex(({ id }) => id === transition)
    if (row >= 0) return pointer('/x-states', index, 'transitions', row, 'effects')
  }
  return SAVE_EVENTS.some((word) => word === transition) ? pointer('/x-effects', transition) : '/x-states'
}

/** `entity.event` -> events that its effects cause, and the listeners that hear it; listener -> what its effects cause. */
function edgesOf({ entities, listeners }: Catalog): Map<string, ReadonlySet<string>> {
  const edges = new Map<string, Set<string>>()
  const add = (own: string, caused: readonly string[]): void => {
    const all = edges.get(own) ?? new Set()
    // along a tree of records the same transition comes to an end
    for (const other of caused) if (other !== own) all.add(other)
    edges.set(own, all)
  }
  for (const entity of entities.values()) {
    const caused = (effects: readonly Effect[]) => effects.flatMap((effect) => causedBy(entities, entity, effect))
    for (const { transitions, enter = {}, moved = [] } of entity['x-states'] ?? [])
      for (const { id, to, effects = [] } of transitions)
        add(`${entity.name}.${id}`, caused([...effects, ...moved, ...(to === undefined ? [] : (enter[to] ?? []))]))
    for (const word of SAVE_EVENTS) add(`${entity.name}.${word}`, caused(entity['x-effects']?.[word] ?? []))
  }
  for (const listener of listeners) {
    const { on, effects } = listener.document
    const entity = entities.get(eventOf(listener.document).entity)
    if (!entity) continue
    add(on, [nodeOf(listener)])
    add(
      nodeOf(listener),
      effects.flatMap((effect) => causedBy(entities, entity, effect)),
    )
  }
  return edges
}

function causedBy(entities: Catalog['entities'], entity: EntityDocument, effect: Effect): string[] {
  const { do: verb, on, with: given, whenRefused } = effect
  if (verb === 'create') return typeof given.entity === 'string' ? [`${given.entity}.create`] : []
  const target = on && (on.entity ?? behind(entities, entity, on.reference ?? ''))
  if (target === undefined) return []
  if (verb === 'set') return [`${target}.change`]
  const names =
    verb === 'transition' ? [given.transition, typeof whenRefused === 'object' ? whenRefused.transition : undefined] : []
  return names.flatMap((name) => (typeof name === 'string' ? [`${target}.${name}`] : []))
}

/** The entity at the end of a path of references. */
function behind(entities: Catalog['entities'], entity: EntityDocument, path: string): string | undefined {
  let found: EntityDocument | undefined = entity
  let name: string | undefined
  for (const step of path.split('.')) {
    name = found && allFields(found).find((field) => field.name === step)?.field['x-ref']
    found = name === undefined ? undefined : entities.get(name)
  }
  return name
}
