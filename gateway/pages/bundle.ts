import { createHash } from 'node:crypto'
import { allFields } from '../../src/schema/entity/fields'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import type { EntityDocument, EntityField } from '../../src/schema/generated/entity'
import type { EntityList } from '../../src/schema/compile'
import { plainSchema } from '../../src/schema/compile/definitions'
import type { FormNode, ListPage, PageDocument } from '../../src/schema/generated/page'

/** A page with everything that compiling it needs, as the bundle call answers it. */
export interface PageBundle {
  page: PageDocument
  where: string
  /** Hash of the whole content: the same revision, the same page. */
  revision: string
  /** Of the changes of admins that are released in it; absent when there are none. */
  number?: number
  entities: Readonly<Record<string, EntityDocument>>
  dictionaries: Readonly<Record<string, DictionaryDocument>>
  /** By `entity.field`: what is hidden from the caller, masked or read-only for him; absent when nothing is. */
  fieldRules?: Readonly<Record<string, string>>
  /** Addresses that start a process which the caller may not start; absent when there are none. */
  closedStarts?: readonly string[]
  /** Of a report: by entity the tabs of lists to which its figures lead. */
  lists?: Readonly<Record<string, readonly EntityList[]>>
}

export interface BundleSources {
  /** Of all pages. */
  lists: readonly ListPage[]
  entity(name: string): EntityDocument | undefined
  dictionary(name: string): DictionaryDocument | undefined
}

/**
 * The entities that the page itself names go in whole; those one reference further only with what is shown of them
 * (label, title field, base path and the fields that columns read through the reference).
 */
export function makeBundle(page: PageDocument, where: string, sources: BundleSources): PageBundle {
  const entities: Record<string, EntityDocument> = {}
  const dictionaries: Record<string, DictionaryDocument> = {}
  const addDictionary = (name: string | undefined): void => {
    const found = name === undefined ? undefined : sources.dictionary(name)
    if (found) dictionaries[found.name] = found
  }
  const { names, paths, dictionaries: named } = mentions(page)
  // (names grow on the way: the rows of lines are shown and edited with their head)
  for (const name of names) {
    const entity = sources.entity(name)
    if (!entity) continue
    entities[name] = shown(entity)
    for (const field of fieldsOf(entity)) {
      addDictionary(field['x-dictionary'])
      if (field['x-lines']) names.add(field['x-lines'].entity)
    }
  }
  /** What stands behind the references of an entity, as far as paths from it go; `shown`: also where none goes, for titles. */
  const addBehind = (entity: EntityDocument, from: readonly string[], shown: boolean): void => {
    for (const { name, field } of allFields(entity)) {
      const behind = from.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1))
      const target = field['x-ref'] === undefined ? undefined : sources.entity(field['x-ref'])
      if (!target || (!shown && behind.length === 0)) continue
      if (!names.has(target.name)) {
        const trimmed = trim(target, behind.map(firstOf))
        const before = entities[target.name]
        entities[target.name] = before ? { ...trimmed, properties: { ...before.properties, ...trimmed.properties } } : trimmed
        for (const part of Object.values(trimmed.properties)) addDictionary(part['x-dictionary'])
      }
      addBehind(target, behind, false)
    }
  }
  for (const entity of Object.values({ ...entities })) addBehind(entity, [...paths], true)
  for (const name of named) addDictionary(name)
  const lists =
    page.kind === 'report'
      ? Object.fromEntries([...names].map((name) => [name, listsOf(sources.entity(name), sources.lists, page.path)]))
      : undefined
  const content = { page, entities, dictionaries, ...(lists ? { lists } : {}) }
  const revision = `sha256-${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}`
  return { where, revision, ...content }
}

/** What pages have no use for stays behind. */
function shown({ 'x-tests': _examples, 'x-actions': _actions, ...entity }: EntityDocument): EntityDocument {
  return entity
}

const firstOf = (path: string): string => path.split('.', 1)[0]!
/**
 * Tabs of lists with all rows of a row view: whatever is counted can be looked for there. Lists that belong to the report first, then
 * those of the menu.
 */
function listsOf(entity: EntityDocument | undefined, pages: readonly ListPage[], report: string | undefined): EntityList[] {
  if (!entity) return []
  const views = new Map((entity['x-views'] ?? []).map((view) => [view.id, view]))
  const rowsOf = (id: string | undefined): { view?: string } => {
    const view = id === undefined ? undefined : views.get(id)
    const all = view === undefined || (view.scope === 'all' && !view.where?.length && !view.fieldRules)
    return all || id === undefined ? {} : { view: id }
  }
  const whole = pages.filter(
    (page) => page.entity === entity.name && page.path !== undefined && !page.where?.length && page.calls?.query === undefined,
  )
  const rank = ({ activeMenu }: ListPage): number => (activeMenu === undefined ? 1 : activeMenu === report ? 0 : 2)
  const ranked = [...whole].sort((a, b) => rank(a) - rank(b))
  return ranked.flatMap(({ path = '', view, views: tabs = [] }): EntityList[] =>
    tabs.length === 0
      ? [{ path, ...rowsOf(view) }]
      : tabs
          .filter(({ where }) => !where?.length)
          .map(({ id, view: own = view, permission }) => ({
            path,
            tab: id,
            ...rowsOf(own),
            ...(permission === undefined ? {} : { permission }),
          })),
  )
}

/** Own fields and the inputs of transitions. */
function fieldsOf(entity: EntityDocument): EntityField[] {
  const inputs = (entity['x-states'] ?? []).flatMap(({ transitions }) =>
    transitions.flatMap(({ inputs = {} }) => Object.values(inputs)),
  )
  return [...allFields(entity).map(({ field }) => field), ...inputs]
}

function trim(entity: EntityDocument, fields: readonly string[]): EntityDocument {
  const kept = Object.entries(entity.properties).filter(([name]) => name === entity.titleField || fields.includes(name))
  return {
    formatVersion: entity.formatVersion,
    name: entity.name,
    label: entity.label,
    titleField: entity.titleField,
    type: 'object',
    ...(entity['x-path'] === undefined ? {} : { 'x-path': entity['x-path'] }),
    ...(entity['x-scope'] === 'owned' ? { 'x-scope': 'owned' as const } : {}),
    properties: Object.fromEntries(kept),
  }
}

interface Mentions {
  names: Set<string>
  /** Fields behind references, e.g. customerId.code. */
  paths: Set<string>
  dictionaries: Set<string>
}

function mentions(page: PageDocument): Mentions {
  const found: Mentions = { names: new Set(), paths: new Set(), dictionaries: new Set() }
  if ('entity' in page && page.entity !== undefined) found.names.add(page.entity)
  if (page.kind === 'detail') for (const tab of page.tabs ?? []) if (tab.list) found.names.add(tab.list.entity)
  if (page.kind === 'form') addFormFields(plainSchema(page.schema), found)
  if (page.kind === 'report') {
    for (const { dictionary } of page.dimensions ?? []) if (dictionary) found.dictionaries.add(dictionary)
    for (const { entity } of [...(page.dimensions ?? []), ...(page.measures ?? [])]) if (entity) found.names.add(entity)
  }
  addPaths(page, found.paths)
  return found
}

function addFormFields(node: FormNode, found: Mentions): void {
  const { names, dictionaries } = found
  const { entity, dictionary } = node['x-options'] ?? {}
  if (entity !== undefined) names.add(entity)
  if (dictionary !== undefined) dictionaries.add(dictionary)
  if (node.$field !== undefined) names.add(node.$field.slice(0, Math.max(0, node.$field.lastIndexOf('.'))))
  if (node['x-fieldOf']) names.add(node['x-fieldOf'].entity)
  for (const child of Object.values(node.properties ?? {})) addFormFields(child, found)
  if (node.items) addFormFields(node.items, found)
}

const FIELD_WORDS: ReadonlySet<string> = new Set(['field', 'distinct', 'sum', 'avg', 'min', 'max', 'median'])

function addPaths(value: unknown, paths: Set<string>): void {
  if (value === null || typeof value !== 'object') return
  for (const [key, item] of Object.entries(value)) {
    if (FIELD_WORDS.has(key) && typeof item === 'string' && item.includes('.')) paths.add(item)
    else addPaths(item, paths)
  }
}
