import { dequal } from 'dequal/lite'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { ModuleDocument } from '../../../src/schema/generated/module'
import type { PageDocument } from '../../../src/schema/generated/page'
import type { AcceptedSource } from '../registry'
import { flatten } from '../routes'

const texts = new WeakMap<object, string>()

/** The document as text, to look for names in it; made once. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const made = JSON.stringify(value)
  texts.set(value, made)
  return made
}

const keyOf = ({ type, where }: AcceptedSource): string => `${type} ${where}`

/**
 * The documents that have to be looked at again when `before`, which were right, have become `now`: those that are others,
 * and those that name one of these (or an entity that refers to it). Null: all of them.
 */
export function concerned(now: readonly AcceptedSource[], before: readonly AcceptedSource[]): Set<AcceptedSource> | null {
  const known = new Map(before.map((source) => [keyOf(source), source]))
  const changed = now.filter((source) => {
    const was = known.get(keyOf(source))
    return !was || (was.value !== source.value && !dequal(was.value, source.value))
  })
  const present = new Set(now.map(keyOf))
  const gone = before.filter((source) => !present.has(keyOf(source)))
  const entities = namesOfEntities([...changed, ...gone], now)
  const words = new Set(entities)
  for (const source of [...changed, ...gone]) {
    const was = known.get(keyOf(source))
    if (source.type === 'dictionary' || source.type === 'calls') return null
    if (
      source.type === 'module' &&
      !(was && source !== was && keepsAll(was.value as ModuleDocument, source.value as ModuleDocument))
    )
      return null
    if (source.type === 'page') for (const word of wordsOfPage(source, was)) words.add(word)
  }
  const result = new Set(changed)
  for (const source of now) {
    if (result.has(source)) continue
    const text = textOf(source.value)
    if ([...words].some((word) => text.includes(word))) result.add(source)
  }
  return result
}

/** Changed entities and those that refer to one of them: a page may read a field through the reference. */
function namesOfEntities(changed: readonly AcceptedSource[], now: readonly AcceptedSource[]): Set<string> {
  const own = changed.flatMap(({ type, value }) => (type === 'entity' ? [(value as EntityDocument).name] : []))
  const names = new Set(own)
  if (own.length === 0) return names
  for (const { type, value } of now)
    if (type === 'entity' && own.some((name) => textOf(value).includes(`"${name}"`))) names.add((value as EntityDocument).name)
  return names
}

/** Others know a page by its name, its address and its kind; what it holds is its own. */
function wordsOfPage(source: AcceptedSource, was: AcceptedSource | undefined): string[] {
  const { name } = source
  const pages = [source.value as PageDocument, was?.value as PageDocument | undefined]
  if (was && was !== source && pages[0]?.path === pages[1]?.path && pages[0]?.kind === pages[1]?.kind) return []
  const paths = pages.flatMap((page) => page?.path ?? [])
  return [...(name === undefined ? [] : [name]), ...paths]
}

/** Nothing of the module that another document may name has gone. */
function keepsAll(before: ModuleDocument, now: ModuleDocument): boolean {
  const left = namesIn(now)
  return [...namesIn(before)].every((name) => left.has(name))
}

const namesIn = ({ international, menu, routes }: ModuleDocument): Set<string> =>
  new Set([
    ...(international === undefined ? [] : [international]),
    ...[...flatten(menu)].flatMap((entry) => [entry.international, ...(entry.buttons ?? []).map(({ key }) => key)]),
    ...routes.flatMap(({ path, aliases = [] }) => [path, ...aliases]),
  ])
