import { pointer } from '../diagnosis'
import { dependencies, isExpression, parseExpression } from '../expression'
import type { FormNode } from '../generated/page'
import { BUDGETS } from './cost'
import type { Checker } from './checker'
import { findCycles } from './cycles'

/** A node of a form that has a value. */
export interface FormField {
  /** Where its value lies; array rows have one path for all of them. */
  path: string
  at: string
  node: FormNode
}

/** Words whose result changes values: a hidden field loses its value, so visibility belongs to them. */
const CHANGING_WORDS = ['x-value', 'x-visible', 'x-hidden', 'x-display'] as const
const OTHER_WORDS = [
  'x-disabled',
  'x-editable',
  'x-read-only',
  'x-read-pretty',
  'x-pattern',
  'x-required',
  'required',
  'title',
  'description',
] as const
const CHANGING_STATES: ReadonlySet<string> = new Set(['value', 'visible', 'hidden', 'display', 'initialValue'])

/** A linkage that runs only when somebody types is not run again by what another linkage sets: no circle. */
const TYPED = 'onFieldInputValueChange'

interface Edge {
  from: string
  to: string
  changing: boolean
}

/** Linkages that chase each other for ever, with the whole path, and fields that drive too many others. */
export const checkLinkages = (checker: Checker, schema: FormNode): void => {
  const fields = collectFields(schema)
  const byPath = new Map(fields.map((field) => [field.path, field]))
  const edges = fields.flatMap((field) => edgesOf(field)).filter(({ from, to }) => byPath.has(from) && byPath.has(to))
  const changing = new Map<string, Set<string>>()
  const dependents = new Map<string, Set<string>>()
  for (const { from, to, changing: changes } of edges) {
    if (changes) add(changing, to, from)
    if (from !== to) add(dependents, from, to)
  }
  for (const cycle of findCycles(changing)) {
    // The graph says what a field depends on; people read what drives what.
    const path = [...cycle, cycle[0]].reverse().join(' -> ')
    checker.add('linkage-cycle', byPath.get(cycle[0] ?? '')?.at ?? '/schema', {
      zh: `联动成环：${path}。`,
      en: `These fields drive one another in a circle: ${path}.`,
    })
  }
  for (const [path, driven] of dependents) {
    if (driven.size <= BUDGETS.dependents) continue
    checker.warn('linkage-fan-out', byPath.get(path)?.at ?? '/schema', {
      zh: `“${path}”联动 ${driven.size} 个字段，超过 ${BUDGETS.dependents} 个时输入会变慢。`,
      en: `"${path}" drives ${driven.size} fields; beyond ${BUDGETS.dependents} typing becomes slow.`,
    })
  }
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key)
  if (set) set.add(value)
  else map.set(key, new Set([value]))
}

/** Every node with a value, in reading order. */
export const collectFields = (schema: FormNode): FormField[] => {
  const found: FormField[] = []
  const walk = (node: FormNode, path: string, at: string): void => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const inside = child.type === 'void' ? path : path === '' ? name : `${path}.${name}`
      const here = pointer(at, 'properties', name)
      if (child.type !== 'void') found.push({ path: inside, at: here, node: child })
      walk(child, inside, here)
    }
    if (node.items) walk(node.items, path, pointer(at, 'items'))
  }
  walk(schema, '', '/schema')
  return found
}

function edgesOf({ path, node }: FormField): Edge[] {
  const edges: Edge[] = []
  for (const word of CHANGING_WORDS) for (const from of readPaths(node[word])) edges.push({ from, to: path, changing: true })
  for (const word of OTHER_WORDS) for (const from of readPaths(node[word])) edges.push({ from, to: path, changing: false })
  for (const from of readPaths(node['x-component-props'])) edges.push({ from, to: path, changing: false })
  // a choice that is offered no more is cleared
  const options = node['x-options']
  for (const from of readPaths(options)) edges.push({ from, to: path, changing: true })
  if (options?.rows !== undefined) edges.push({ from: resolvePath(options.rows, path), to: path, changing: true })
  const reactions = node['x-reactions']
  for (const reaction of Array.isArray(reactions) ? (reactions as unknown[]) : [reactions])
    edges.push(...edgesOfReaction(reaction, path))
  return edges
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function edgesOfReaction(reaction: unknown, path: string): Edge[] {
  if (typeof reaction === 'string') return readPaths(reaction).map((from) => ({ from, to: path, changing: true }))
  if (!isObject(reaction)) return []
  const { target } = reaction
  const to = typeof target === 'string' ? resolvePath(target, path) : path
  const read = new Set([...dependencyPaths(reaction.dependencies, path), ...readPaths(reaction)])
  // An active reaction without dependencies runs when its own field changes.
  if (typeof target === 'string') read.add(path)
  const typedOnly = Array.isArray(reaction.effects) && (reaction.effects as unknown[]).every((effect) => effect === TYPED)
  const changing = !typedOnly && (changesValues(reaction.fulfill) || changesValues(reaction.otherwise))
  return [...read].filter((from) => from !== to || from !== path).map((from) => ({ from, to, changing }))
}

function changesValues(effect: unknown): boolean {
  if (!isObject(effect)) return false
  const state = isObject(effect.state) ? Object.keys(effect.state) : []
  const schema = isObject(effect.schema) ? Object.keys(effect.schema) : []
  return (
    state.some((word) => CHANGING_STATES.has(word.split('.')[0] ?? '')) ||
    schema.some((word) => (CHANGING_WORDS as readonly string[]).includes(word))
  )
}

/** `['a', '.b', { source: 'c#visible' }]` or `{ name: 'a' }`. */
function dependencyPaths(given: unknown, path: string): string[] {
  const entries = Array.isArray(given) ? (given as unknown[]) : isObject(given) ? Object.values(given) : []
  return entries.flatMap((entry) => {
    const source = isObject(entry) ? entry.source : entry
    return typeof source === 'string' ? [resolvePath(source.split('#')[0] ?? '', path)] : []
  })
}

/** `.b` is a sibling. */
export function resolvePath(source: string, path: string): string {
  if (!source.startsWith('.')) return source
  const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : ''
  const name = source.replace(/^\.+/, '')
  return parent === '' ? name : `${parent}.${name}`
}

/** Fields that expressions in a value read: `$values.a.b`, `$form.values.a.b`. Each prefix counts, `a` drives what reads `a.b`. */
function readPaths(value: unknown): string[] {
  const found = new Set<string>()
  const visit = (inside: unknown): void => {
    if (isExpression(inside)) {
      const parsed = parseExpression(inside)
      if (parsed.ok) for (const path of dependencies(parsed.expression)) for (const name of prefixes(path)) found.add(name)
    } else if (Array.isArray(inside)) inside.forEach(visit)
    else if (isObject(inside)) Object.values(inside).forEach(visit)
  }
  visit(value)
  return [...found]
}

function prefixes(dependency: string): string[] {
  const match = /^(?:\$values|\$form\.values)\.(.+)$/.exec(dependency)
  if (!match?.[1]) return []
  const steps = match[1].split('.').filter((step) => step !== 'length' && !/^\d+$/.test(step))
  return steps.map((_, index) => steps.slice(0, index + 1).join('.'))
}
