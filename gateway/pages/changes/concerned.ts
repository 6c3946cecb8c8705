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
 * and those that name one of these, or read fields of it through a reference. Null: all of them.
 */
export function concerned(now: readonly AcceptedSource[], before: readonly AcceptedSource[]): Set<AcceptedSource> | null {
  const known = new Map(before.map((source) => [keyOf(source), source]))
  const changed = now.filter((source) => {
    const was = known.get(keyOf(source))
    return !was || (was.value !== source.value && !dequal(was.value, source.value))
  })
  const present = new Set(now.map(keyOf))
  const gone = before.filter((source) => !present.has(keyOf(source)))
  const words = wordsOfEntities([...changed, ...gone], known, now)
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
    if ([...words].some((word) => mentions(source, word))) result.add(source)
  }
  return result
}

/** Whether a document says a word. That a field only refers to an entity says nothing of its fields, unless it narrows the choice by them. */
function mentions({ value }: AcceptedSource, word: string): boolean {
  const text = textOf(value)
  if (!text.includes(word)) return false
  return /refFilter/i.test(text) || text.replaceAll(`"x-ref":"${word}"`, '').includes(word)
}

/**
 * Names by which others know changed entities: their own, and those of the references that lead to them, as paths begin (`customerId.`).
 * Of an entity that is there no more, or is called or found otherwise, whatever names one that refers to it is concerned too.
 */
function wordsOfEntities(
  changed: readonly AcceptedSource[],
  known: ReadonlyMap<string, AcceptedSource>,
  now: readonly AcceptedSource[],
): Set<string> {
  const entities = now.flatMap(({ type, value }) => (type === 'entity' ? [value as EntityDocument] : []))
  const words = new Set<string>()
  for (const source of changed) {
    if (source.type !== 'entity') continue
    const { name, properties } = source.value as EntityDocument
    const was = known.get(keyOf(source))
    const keeps = was !== undefined && was !== source && dequal({ ...(was.value as EntityDocument), properties }, source.value)
    words.add(name)
    for (const other of entities) {
      const references = Object.entries(other.properties).filter(([, field]) => field['x-ref'] === name)
      for (const [field] of references) words.add(`${field}.`)
      if (!keeps && textOf(other).includes(`"${name}"`)) words.add(other.name)
    }
  }
  return words
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
