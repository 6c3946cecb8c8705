import type { Listener } from '../effect/weave'
import { allFields, entityPath } from '../entity/fields'
import type { DictionaryDocument } from '../generated/dictionary'
import type { EntityOperation } from '../entity/model'
import type { EntityDocument, EntityField } from '../generated/entity'
import type { MenuEntry, ModuleDocument } from '../generated/module'
import type { PageDocument } from '../generated/page'
import type { ProcessDocument } from '../generated/process'
import type { RuleSetDocument } from '../generated/rules'
import type { TemplateDocument } from '../generated/template'
import type { BilingualText } from '../problem'
import { segmentOf } from '../routes'
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
  /** Registered domain services, with what a save of their entities takes besides its fields; without it, they are not checked. */
  services?: ReadonlyMap<string, readonly string[]>
  /** Documents that are known to be right and are only looked up: for validating one document against the others. */
  known?: readonly AcceptedDocument[]
  /** Only a part of the portal is at hand (one page in a browser): routes, permissions, pages and calls are not checked. */
  partial?: boolean
  /** These very documents were found right before: they are read, and not checked against each other again. */
  checked?: boolean
  /** Which files are looked at, by `where`; the others are only read. Default all. */
  only?: (where: string) => boolean
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
  ruleSets: ReadonlyMap<string, RuleSetDocument>
  /** Ids of the entries of each module's menu. */
  menuGroups: ReadonlyMap<string, ReadonlySet<string>>
  templates: ReadonlyMap<string, TemplateDocument>
  listeners: readonly Listener[]
  /** Approval processes, by their code. */
  processes: ReadonlyMap<string, ProcessDocument>
  /** By module/file. */
  pages: ReadonlyMap<string, KnownPage>
  /** What pages, and places of them, are called, by address. */
  titles: ReadonlyMap<string, BilingualText>
  /** Codes of roles that some module names. */
  roles: ReadonlySet<string>
  /** Undefined = not checked. */
  modules?: ReadonlySet<string>
  /** Addresses that may be opened, aliases included; undefined = not checked. */
  routes?: ReadonlySet<string>
  permissions?: ReadonlySet<string>
  /** The document that is looked at works with a module that is not there: references to it read as text. */
  lacksModule?: boolean
  calls?: ReadonlySet<string>
  widgets?: ReadonlySet<string>
  /** Names of documents that are there and are wrong: that is said of them, not of whoever names them. */
  faulty: ReadonlySet<string>
  services?: ReadonlyMap<string, readonly string[]>
}

/** The module of a document that is named module/file. */
export const moduleOf = (name: string | undefined): string => (name ?? '').split('/', 1)[0]!

/** The calls of an entity after its base path (docs/calls.md), by the operations that it offers; without one: always there. */
const ENTITY_CALLS: readonly { calls: readonly string[]; offered?: readonly EntityOperation[] }[] = [
  { calls: ['POST /queryPage', 'POST /aggregate', 'GET /view/{}', 'POST /select', 'GET /log/{}'] },
  { calls: ['POST /save'], offered: ['add', 'edit'] },
  { calls: ['GET /delete/{}', 'POST /deleteBatch'], offered: ['delete'] },
  { calls: ['GET /restore/{}'], offered: ['restore'] },
  { calls: ['POST /export', 'POST /exportTask'], offered: ['export'] },
  {
    calls: ['GET /import/template', 'POST /import/preview', 'GET /import/{}', 'GET /import/{}/errors', 'POST /import/commit'],
    offered: ['import'],
  },
]

/** `GET /v2/crm/customer/view/{id}` and `.../view/{customerId}` are one call. */
export const normalizeCall = (call: string): string =>
  call
    .replace(/\?.*$/, '')
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/\/$/, '')

export const makeCatalog = (
  documents: readonly AcceptedDocument[],
  context: ValidationContext,
  faulty: ReadonlySet<string>,
): Catalog => {
  const all = [...(context.known ?? []), ...documents]
  const of = <T extends AcceptedDocument['type']>(type: T) =>
    all.filter((document) => document.type === type) as Extract<AcceptedDocument, { type: T }>[]
  const entities = new Map(of('entity').map(({ value }) => [value.name, value]))
  const modules = of('module').map(({ value }) => value)
  const pages = of('page').map(({ name, where, value }): KnownPage => ({ name: name ?? where, where, document: value }))
  return {
    context,
    faulty,
    entities,
    dictionaries: new Map(of('dictionary').map(({ value }) => [value.name, value])),
    menuGroups: new Map(
      modules.map(({ menu, ...module }) => [segmentOf(module), new Set([...menuEntries(menu)].map(({ id }) => id))]),
    ),
    ruleSets: new Map(of('rules').map(({ value }) => [value.key, value])),
    templates: new Map(of('template').map(({ value }) => [value.name, value])),
    listeners: of('listener').map(({ name, value }) => ({ module: moduleOf(name), document: value })),
    processes: new Map(of('process').map(({ value }) => [value.name, value])),
    titles: titlesOf(modules, pages),
    roles: new Set(of('roles').flatMap(({ value }) => value.roles.flatMap(({ code, label }) => (label ? [code] : [])))),
    pages: new Map(pages.map((page) => [page.name, page])),
    ...(context.widgets ? { widgets: context.widgets } : {}),
    ...(context.services ? { services: context.services } : {}),
    ...(context.partial
      ? {}
      : {
          modules: new Set(modules.map(({ name }) => name)),
          routes: routesOf(modules, pages),
          permissions: permissionsOf(modules),
          calls: callsOf(entities.values(), [
            ...of('calls').flatMap(({ value }) => value.calls),
            ...of('rules').flatMap(({ value }) => ruleCalls(value)),
          ]),
        }),
  }
}

function routesOf(modules: readonly ModuleDocument[], pages: readonly KnownPage[]): ReadonlySet<string> {
  const declared = modules.flatMap(({ routes }) => routes.flatMap(({ path, aliases = [] }) => [path, ...aliases]))
  const added = pages.flatMap(({ document }) => (document.path === undefined ? [] : [document.path]))
  return new Set([...declared, ...added])
}

const titlesOf = (modules: readonly ModuleDocument[], pages: readonly KnownPage[]): ReadonlyMap<string, BilingualText> =>
  new Map([
    ...modules.flatMap(({ routes }) => routes.map(({ path, title }) => [path, title] as const)),
    ...pages.flatMap(({ document: { path, title } }) => (path === undefined ? [] : [[path, title] as const])),
  ])

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

/** Every call that a page may name, normalized: those of all entities, and `further` ones of `schemas/calls.json`. */
export function callsOf(entities: Iterable<EntityDocument>, further: readonly string[]): ReadonlySet<string> {
  const calls = new Set(further.map(normalizeCall))
  for (const entity of entities) {
    const permissions = entity['x-permissions'] ?? {}
    const own = ENTITY_CALLS.filter(
      ({ offered }) => !offered || offered.some((operation) => permissions[operation] !== undefined),
    )
    const changing = (entity['x-states'] ?? []).length > 0 ? ['POST /stateUpdate'] : []
    const doubles = [
      ...(entity['x-duplicates'] && (permissions.add ?? permissions.edit) !== undefined ? ['POST /duplicates'] : []),
      ...(entity['x-duplicates']?.like && entity['x-duplicates'].reason ? ['POST /notDuplicate'] : []),
      ...(entity['x-merge'] ? ['POST /merge', 'POST /merge/preview'] : []),
      ...(entity['x-ownership']?.cap ? ['GET /claimQuota', 'POST /ownershipMap'] : []),
    ]
    for (const call of [...own.flatMap((group) => group.calls), ...changing, ...doubles])
      calls.add(call.replace(' ', ` ${entityPath(entity)}`))
  }
  return calls
}

/** The calls of a rule set that its pages name. */
const ruleCalls = ({ key, test }: RuleSetDocument): string[] => [
  `POST /v2/sys/rule/preview/${key}`,
  ...(test === undefined ? [] : [`POST /v2/sys/rule/test/${key}`]),
]

/** Fields of an entity that a page may name: base and own ones without the internal ones. */
export const readableFields = (entity: EntityDocument): ReadonlyMap<string, EntityField> =>
  new Map(
    allFields(entity)
      .filter(({ field }) => !field['x-internal'])
      .map(({ name, field }) => [name, field]),
  )
