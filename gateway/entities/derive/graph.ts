import { measureOf, referenceOf, splitRollup, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import { compileExpression } from '../../../src/schema/expression'
import type { Registry } from '../registry'
import { currencyField } from './currency'
import { pathsOfField } from './value'

/** A rollup with what it is made of. */
export interface RollupNode {
  readonly field: FieldModel
  readonly child: EntityModel
  readonly reference: FieldModel
  readonly measure: ReturnType<typeof measureOf>
  /** The field that is summed up; of a count none. */
  readonly source?: FieldModel
  /** Fields of a record that decide whether and how it counts. */
  readonly reads: readonly string[]
}

/** Kept fields of one entity that can be worked out together, once everything before them is. */
export interface Stage {
  readonly model: EntityModel
  readonly rollups: readonly RollupNode[]
  /** In the order in which they read each other. */
  readonly derived: readonly FieldModel[]
}

/** What follows from what, over all entities. */
export interface Graph {
  readonly stages: readonly Stage[]
  /** Hot sums by the entity of the records that they add up. */
  readonly hot: ReadonlyMap<string, readonly (RollupNode & { model: EntityModel })[]>
  /** By kept field (`entity.field`): what it is made of. */
  readonly sources: ReadonlyMap<string, ReadonlySet<string>>
  /** Fields of an entity that something kept elsewhere, or of the record itself, is made of. */
  readonly watched: ReadonlyMap<string, ReadonlySet<string>>
}

const graphs = new WeakMap<object, Graph>()

/** The graph of the entities that are in use. @throws Error for values that need each other, which the check of schemas refuses. */
export function graphOf(registry: Registry): Graph {
  const known = graphs.get(registry.generation) ?? makeGraph(registry)
  graphs.set(registry.generation, known)
  return known
}

interface Node {
  model: EntityModel
  field: FieldModel
  rollup?: RollupNode
  /** entity.field of what it is made of. */
  sources: ReadonlySet<string>
}

function makeGraph(registry: Registry): Graph {
  const nodes = new Map<string, Node>()
  const hot = new Map<string, (RollupNode & { model: EntityModel })[]>()
  const made = new Map<string, ReadonlySet<string>>()
  const watched = new Map<string, Set<string>>()
  const watch = (entity: string, name: string): void =>
    void (watched.get(entity) ?? watched.set(entity, new Set()).get(entity)!).add(name)
  for (const model of registry.all()) {
    for (const field of model.stored) {
      if (!field.kept) continue
      const rollup = field.field['x-rollup'] ? rollupNode(registry, model, field) : undefined
      if (field.field['x-rollup'] && !rollup) continue
      const sources = rollup ? rollupSources(model, rollup) : derivedSources(model, field)
      made.set(`${model.name}.${field.name}`, sources)
      for (const source of sources) watch(...splitKey(source))
      if (rollup && field.hot !== undefined) {
        hot.set(rollup.child.name, [...(hot.get(rollup.child.name) ?? []), { ...rollup, model }])
        for (const name of ['id', ...boundReads(rollup)]) watch(model.name, name)
      } else nodes.set(`${model.name}.${field.name}`, { model, field, rollup, sources })
    }
  }
  return { stages: stagesOf(nodes), hot, sources: made, watched }
}

/** A rollup over records that are there; one that names what is not has been refused by the check. */
function rollupNode(registry: Registry, model: EntityModel, field: FieldModel): RollupNode | undefined {
  const rollup = field.field['x-rollup']!
  const { entity, reference: name } = splitRollup(rollup)
  const child = registry.find(entity)
  const reference = child?.fields.get(name)
  const measure = measureOf(rollup)
  const source = measure.field === undefined ? undefined : child?.fields.get(measure.field)
  if (!child || !reference || referenceOf(reference) !== model.name || (measure.field !== undefined && !source)) return undefined
  const currency = source && currencyField(source)
  const by = measure.function === 'last' ? [rollup.by ?? 'createdAt'] : []
  const where = (rollup.where ?? []).map((condition) => condition.field)
  const reads = [
    name,
    ...(measure.field === undefined ? [] : [measure.field]),
    ...where,
    ...by,
    ...(currency === undefined ? [] : [currency]),
  ]
  return { field, child, reference, measure, source, reads: [...new Set([...reads, 'deletedAt'])] }
}

function rollupSources(model: EntityModel, { child, reads, field }: RollupNode): ReadonlySet<string> {
  const currency = currencyField(field)
  return new Set([
    ...reads.map((name) => `${child.name}.${name}`),
    ...(currency === undefined ? [] : [`${model.name}.${currency}`]),
  ])
}

/** The fields of its own record that the bound of a hot sum is made of. */
function boundReads({ field }: RollupNode): readonly string[] {
  const text = field.field['x-rollup']?.atLeast
  return text === undefined ? [] : compileExpression(text).dependencies.map((path) => path.split('.', 1)[0]!)
}

function derivedSources(model: EntityModel, field: FieldModel): ReadonlySet<string> {
  const sources = new Set<string>()
  for (const name of field.derivation?.own ?? []) if (model.fields.has(name)) sources.add(`${model.name}.${name}`)
  for (const { steps } of pathsOfField(model, field)) {
    let at: EntityModel | undefined = model
    for (const name of steps) {
      const step: FieldModel | undefined = at?.fields.get(name)
      if (!at || !step) break
      sources.add(`${at.name}.${name}`)
      const target: string | undefined = referenceOf(step)
      at = target === undefined ? undefined : model.find(target)
    }
  }
  return sources
}

/** Nodes after those that they are made of; neighbours of one entity together, so that a row is written once. */
function stagesOf(nodes: ReadonlyMap<string, Node>): Stage[] {
  const waiting = new Map(nodes)
  const stages: Stage[] = []
  while (waiting.size > 0) {
    const first = [...waiting.values()].find((node) => isReady(node, waiting))
    if (!first) throw new Error(`Derived values need each other: ${[...waiting.keys()].join(', ')}.`)
    const { model } = first
    const taken: Node[] = []
    for (let next: Node | undefined = first; next;) {
      waiting.delete(`${model.name}.${next.field.name}`)
      taken.push(next)
      next = [...waiting.values()].find((node) => node.model === model && isReady(node, waiting))
    }
    stages.push(...splitStage(model, taken))
  }
  return stages
}

/** Rollups come first in a stage; one that depends on a derived field of the same stage needs a stage of its own. */
function splitStage(model: EntityModel, taken: readonly Node[]): Stage[] {
  const parts: Node[][] = [[]]
  for (const node of taken) {
    const part = parts.at(-1)!
    const own = new Set(part.map(({ field }) => `${model.name}.${field.name}`))
    if (node.rollup && [...node.sources].some((source) => own.has(source))) parts.push([node])
    else part.push(node)
  }
  return parts.map((part) => ({
    model,
    rollups: part.flatMap(({ rollup }) => rollup ?? []),
    derived: part.flatMap(({ rollup, field }) => (rollup ? [] : field)),
  }))
}

const isReady = ({ sources }: Node, waiting: ReadonlyMap<string, Node>): boolean =>
  [...sources].every((source) => !waiting.has(source))

function splitKey(key: string): [entity: string, field: string] {
  const dot = key.lastIndexOf('.')
  return [key.slice(0, dot), key.slice(dot + 1)]
}

/** References by which rows that follow are found, as `entity.field`: those that rollups count by, and those on the way of a path. */
export function followedReferences(registry: Registry): ReadonlySet<string> {
  const { stages, hot } = graphOf(registry)
  const followed = new Set<string>()
  for (const { child, reference } of [...stages.flatMap(({ rollups }) => rollups), ...[...hot.values()].flat()])
    followed.add(`${child.name}.${reference.name}`)
  for (const { model, derived } of stages)
    for (const { steps } of derived.flatMap((field) => pathsOfField(model, field))) {
      let at: EntityModel | undefined = model
      for (const name of steps.slice(0, -1)) {
        const step: FieldModel | undefined = at?.fields.get(name)
        if (!at || !step) break
        followed.add(`${at.name}.${name}`)
        at = at.find(referenceOf(step) ?? '')
      }
    }
  return followed
}

/**
 * The fields that have to be known of a row, before and after, when these change: what rollups over it and its own derived values
 * are made of.
 */
export function neededWith(registry: Registry, model: EntityModel, names: readonly string[]): string[] {
  const { stages, hot } = graphOf(registry)
  const changed = new Set(names)
  const needed = new Set<string>()
  for (let before = -1; before < needed.size;) {
    before = needed.size
    for (const field of model.stored) {
      const { derivation } = field
      const reads = derivation && [...derivation.own, ...derivation.paths.map(({ steps }) => steps[0]!)]
      if (!reads?.some((name) => changed.has(name))) continue
      changed.add(field.name)
      const states = derivation?.states ? model.machines.map((machine) => machine.field) : []
      for (const name of [field.name, ...reads, ...states]) needed.add(name)
    }
    const over = [...stages.flatMap(({ rollups }) => rollups), ...(hot.get(model.name) ?? [])].filter(
      ({ child }) => child === model,
    )
    for (const node of [...hot.values()].flat()) {
      const reads = node.model === model ? boundReads(node) : []
      if (reads.some((name) => changed.has(name))) for (const name of reads) needed.add(name)
    }
    for (const { reads } of over) if (reads.some((name) => changed.has(name))) for (const name of reads) needed.add(name)
  }
  return [...needed].filter((name) => model.fields.has(name))
}
