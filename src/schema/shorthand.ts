import { isObject, type JsonObject } from './overlay'

/** What an item is called by, of the lists of a page whose items may be written by that name alone. */
const NAMED_BY: Readonly<Record<string, 'field' | 'id'>> = {
  filters: 'field',
  figures: 'field',
  columns: 'field',
  fields: 'field',
  actions: 'id',
  rowActions: 'id',
  bulkActions: 'id',
}

/** What is the widgets' own, or speaks of no items of a page. */
const OTHERS = new Set(['schema', 'props', 'values', 'params', 'where', 'keyword'])

/** A document of that type with what was written in short: pages, and the templates that pages are made of. */
export function writtenOut(type: string, document: unknown): unknown {
  if (type === 'page') return spelledOut(document)
  return type === 'feature' && isObject(document) && document.for === 'page'
    ? { ...document, template: spelledOut(document.template) }
    : document
}

/**
 * A page with everything written out. `"filters": ["status", { "field": "kind", "more": true }]` names what has nothing else to say by
 * its name alone; so does a form with `"schema": ["name", "type"]`, or a node with `"properties": ["name", "type"]`, whose items are
 * the fields of the page's entity. Everything behind the reading of documents sees objects.
 */
export function spelledOut(page: unknown): unknown {
  if (!isObject(page)) return page
  const { entity } = page
  const whole = inside(page) as JsonObject
  return typeof entity === 'string' && 'schema' in page ? { ...whole, schema: nodeOf(page.schema, entity, true) } : whole
}

function inside(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const member = NAMED_BY[name]
    return value.map((item) => (typeof item === 'string' && member ? { [member]: item } : inside(item)))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, OTHERS.has(key) ? child : inside(child, key)]))
}

const fieldsOf = (names: readonly unknown[], entity: string): JsonObject =>
  Object.fromEntries(names.map((name) => [String(name), { $field: `${entity}.${String(name)}` }]))

function nodeOf(node: unknown, entity: string, root = false): unknown {
  if (root && Array.isArray(node)) return { type: 'object', properties: fieldsOf(node, entity) }
  if (!isObject(node)) return node
  const { properties } = node
  if (Array.isArray(properties)) return { ...node, properties: fieldsOf(properties, entity) }
  if (!isObject(properties)) return node
  return {
    ...node,
    properties: Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, nodeOf(child, entity)])),
  }
}

const NAME_ALONE = '#/$defs/NameAlone'

/** The language with everything written out: a meta-schema without the short way, which `spelledOut` has taken by then. */
export function longForm<T>(meta: T): T
export function longForm(meta: unknown): unknown {
  if (Array.isArray(meta)) return meta.map((item) => longForm<unknown>(item))
  if (!isObject(meta)) return meta
  const { anyOf, ...rest } = meta
  const long = Array.isArray(anyOf) ? (anyOf as unknown[]).filter((way) => !isShort(way)) : []
  if (Array.isArray(anyOf) && long.length < anyOf.length) return longForm<unknown>({ ...rest, ...(long[0] as JsonObject) })
  return Object.fromEntries(
    Object.entries(meta).flatMap(([key, value]) => (key === 'NameAlone' ? [] : [[key, longForm<unknown>(value)]])),
  )
}

const isShort = (way: unknown): boolean =>
  isObject(way) && (way.$ref === NAME_ALONE || (isObject(way.items) && way.items.$ref === NAME_ALONE))
