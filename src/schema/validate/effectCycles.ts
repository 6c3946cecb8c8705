import { pointer } from '../diagnosis'
import { allFields } from '../entity/fields'
import type { Effect, EntityDocument } from '../generated/entity'
import type { Catalog } from './catalog'
import type { Checker } from './checker'
import { findCycles } from './cycles'

type Entities = Catalog['entities']

const known = new WeakMap<Entities, readonly string[][]>()

/** Circles of transitions that take one another by their effects: a record would never come to rest. */
export function checkEffectCycles(checker: Checker, entity: EntityDocument): void {
  const { entities } = checker.catalog
  const circles = known.get(entities) ?? findCycles(edgesOf(entities))
  known.set(entities, circles)
  for (const circle of circles) {
    const own = circle.find((node) => node.startsWith(`${entity.name}.`))
    if (own === undefined) continue
    const path = [...circle, circle[0]].join(' -> ')
    checker.add('effect-cycle', placeOf(entity, own.slice(entity.name.length + 1)), {
      zh: `效果互相引发，没有尽头：${path}。`,
      en: `Effects cause one another without end: ${path}.`,
    })
  }
}

function placeOf(entity: EntityDocument, transition: string): string {
  for (const [index, { transitions }] of (entity['x-states'] ?? []).entries()) {
    const row = transitions.findIndex(({ id }) => id === transition)
    if (row >= 0) return pointer('/x-states', index, 'transitions', row, 'effects')
  }
  return '/x-states'
}

/** `entity.transition` -> those that its effects take, and those of the state that it leads into. */
function edgesOf(entities: Entities): Map<string, ReadonlySet<string>> {
  const edges = new Map<string, ReadonlySet<string>>()
  for (const entity of entities.values())
    for (const { transitions, enter = {} } of entity['x-states'] ?? [])
      for (const { id, to, effects = [] } of transitions) {
        const done = [...effects, ...(to === undefined ? [] : (enter[to] ?? []))]
        const own = `${entity.name}.${id}`
        const taken = done.flatMap((effect) => takenBy(entities, entity, effect))
        // along a tree of records the same transition comes to an end
        edges.set(own, new Set(taken.filter((other) => other !== own)))
      }
  return edges
}

function takenBy(entities: Entities, entity: EntityDocument, { do: verb, on, with: given, whenRefused }: Effect): string[] {
  if (verb !== 'transition' || !on) return []
  const target = on.entity ?? behind(entities, entity, on.reference ?? '')
  const names = [given.transition, typeof whenRefused === 'object' ? whenRefused.transition : undefined]
  return names.flatMap((name) => (typeof name === 'string' && target !== undefined ? [`${target}.${name}`] : []))
}

/** The entity at the end of a path of references. */
function behind(entities: Entities, entity: EntityDocument, path: string): string | undefined {
  let found: EntityDocument | undefined = entity
  let name: string | undefined
  for (const step of path.split('.')) {
    name = found && allFields(found).find((field) => field.name === step)?.field['x-ref']
    found = name === undefined ? undefined : entities.get(name)
  }
  return name
}
