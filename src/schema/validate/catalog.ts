import { allFields, entityPath } from '../entity/fields'
import type { DictionaryDocument } from '../generated/dictionary'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { MenuEntry, ModuleDocument } from '../generated/module'
import type { PageDocument } from '../generated/page'
import type { BilingualText } from '../problem'
import type { AcceptedDocument } from './accepted'

/** What the caller of the validator knows beyond the documents. */
export interface ValidationContext {
  /** Registered widgets; without it, names of widgets are not checked (the gateway does not know the portal's). */
  widgets?: ReadonlySet<string>
  /** What is wrong with the props of a widget: JSON pointers into the props and reasons. */
  checkWidgetProps?: (
    widget: string,
    props: Readonly<Record<string, unknown>>,
  ) => readonly { at: string; message: BilingualText }[]
  /** Registered domain services; without it, they are not checked. */
  services?: ReadonlySet<string>
  /** Documents that are known to be right and are only looked up: for validating one document against the others. */
  known?: readonly AcceptedDocument[]
  /** Only a part of the portal is at hand (one page in a browser): routes, permissions, pages and calls are not checked. */
  partial?: boolean
}

export interface KnownPage {
  name: string
  where: string
  document: PageDocument
}

/** Every name that a document may use. */
export interface Catalog {
  context: ValidationContext
  entities: ReadonlyMap<string, EntityDocument>
  dictionaries: ReadonlyMap<string, DictionaryDocument>
  /** By module/file. */
  pages: ReadonlyMap<string, KnownPage>
  /** Addresses that may be opened, aliases included; undefined = not checked. */
  routes?: ReadonlySet<string>
  permissions?: ReadonlySet<string>
  calls?: ReadonlySet<string>
  widgets?: ReadonlySet<string>
  services?: ReadonlySet<string>
}

/** The calls of every entity, after its base path (docs/architecture.md). */
const ENTITY_CALLS = [
  'POST /queryPage',
  'GET /view/{}',
  'POST /save',
  'POST /stateUpdate',
  'GET /delete/{}',
  'GET /restore/{}',
  'POST /deleteBatch',
  'POST /select',
  'POST /export',
  'POST /exportTask',
  'GET /import/template',
  'POST /import/preview',
  'GET /import/{}/errors',
  'POST /import/commit',
  'GET /log/{}',
]

/** `GET /v2/crm/customer/view/{id}` and `.../view/{customerId}` are one call. */
export const normalizeCall = (call: string): string => call.replace(/\{[^}]*\}/g, '{}').replace(/\/$/, '')

export const makeCatalog = (documents: readonly AcceptedDocument[], context: ValidationContext): Catalog => {
  const all = [...(context.known ?? []), ...documents]
  const of = <T extends AcceptedDocument['type']>(type: T) =>
    all.filter((document) => document.type === type) as Extract<AcceptedDocument, { type: T }>[]
  const entities = new Map(of('entity').map(({ value }) => [value.name, value]))
  const modules = of('module').map(({ value }) => value)
  const pages = of('page').map(({ name, where, value }): KnownPage => ({ name: name ?? where, where, document: value }))
  return {
    context,
    entities,
    dictionaries: new Map(of('dictionary').map(({ value }) => [value.name, value])),
    pages: new Map(pages.map((page) => [page.name, page])),
    ...(context.widgets ? { widgets: context.widgets } : {}),
    ...(context.services ? { services: context.services } : {}),
    ...(context.partial
      ? {}
      : {
          routes: routesOf(modules, pages),
          permissions: permissionsOf(modules),
          calls: callsOf(
            entities,
            of('calls').flatMap(({ value }) => value.calls),
          ),
        }),
  }
}

function routesOf(modules: readonly ModuleDocument[], pages: readonly KnownPage[]): ReadonlySet<string> {
  const declared = modules.flatMap(({ routes }) => routes.flatMap(({ path, aliases = [] }) => [path, ...aliases]))
  const added = pages.flatMap(({ document }) => (document.path === undefined ? [] : [document.path]))
  return new Set([...declared, ...added])
}

/** Every entry of a menu tree, parents first. */
export function* menuEntries(menu: readonly MenuEntry[]): Generator<MenuEntry> {
  for (const entry of menu) {
    yield entry
    yield* menuEntries(entry.children ?? [])
  }
}

function permissionsOf(modules: readonly ModuleDocument[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const { international, menu } of modules) {
    if (international !== undefined) keys.add(international)
    for (const entry of menuEntries(menu)) {
      keys.add(entry.international)
      for (const { key } of entry.buttons ?? []) keys.add(key)
    }
  }
  return keys
}

function callsOf(entities: ReadonlyMap<string, EntityDocument>, further: readonly string[]): ReadonlySet<string> {
  const calls = new Set(further.map(normalizeCall))
  for (const entity of entities.values()) {
    const base = entityPath(entity)
    for (const call of ENTITY_CALLS) {
      const [method, rest = ''] = call.split(' ')
      calls.add(`${method} ${base}${rest}`)
    }
  }
  return calls
}

/** Fields of an entity that a page may name: base and own ones without the internal ones. */
export const readableFields = (entity: EntityDocument): ReadonlyMap<string, EntityField> =>
  new Map(
    allFields(entity)
      .filter(({ field }) => !field['x-internal'])
      .map(({ name, field }) => [name, field]),
  )
