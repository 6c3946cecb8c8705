import { createHash } from 'node:crypto'
import { weave, type Listener } from '../../src/schema/effect/weave'
import type { DictionaryDocument } from '../../src/schema/generated/dictionary'
import type { EntityDocument } from '../../src/schema/generated/entity'
import type { ListenerDocument } from '../../src/schema/generated/listener'
import type { ModuleDocument } from '../../src/schema/generated/module'
import type { ListPage, PageDocument } from '../../src/schema/generated/page'
import type { PaperDocument } from '../../src/schema/generated/paper'
import type { TemplateDocument } from '../../src/schema/generated/template'
import { formatProblem } from '../../src/schema'
import { formerNamesOf, presentTarget } from '../../src/schema/formerNames'
import { moduleOf } from '../../src/schema/validate/catalog'
import { readDocuments, type SourceDocument, type Validated, type ValidationContext } from '../../src/schema/validate'
import '../../src/schema/validate/process'
import { StartupError } from '../platform/lifecycle'
import { makeBundle, type PageBundle } from './bundle'
import { CheckNote } from './checkNote'
import { readSchemas } from './readSchemas'
import { recordPage } from './recordPage'
import type { RouteFactsTable } from '../../src/schema/routes'
import { makeRouteTable, withTitles, type RegisteredPage } from './routes'

/** The documents of the portal: what a thing is, how it is shown, where it is found. */
export interface SchemaRegistry {
  entity(name: string): EntityDocument | undefined
  /** Pages that are lists. */
  readonly lists: readonly ListPage[]
  readonly entities: readonly EntityDocument[]
  /** The entities as the gateway acts on them: with the texts of templates, and with what listeners do. */
  readonly woven: readonly EntityDocument[]
  dictionary(name: string): DictionaryDocument | undefined
  readonly dictionaries: readonly DictionaryDocument[]
  /** How records of an entity are printed, by name. */
  paper(name: string): PaperDocument | undefined
  /** By route (/crm/client-partner/my-client, or one of its aliases) or by name, also one of before (crm/follow-up; record:crm.customer is the history of a record). */
  page(pathOrName: string): RegisteredPage | undefined
  readonly pages: readonly RegisteredPage[]
  /** Route of the page that shows one record of an entity, by its `id`. */
  detailPage(entity: string): string | undefined
  /** With menu trees, permission keys of buttons and routes, in the order of the top navigation. */
  readonly modules: readonly ModuleDocument[]
  readonly routes: RouteFactsTable
  /** Hash of the route table. */
  readonly routesRevision: string
  /** Hash of everything that is served; the portal learns of a release by it. */
  readonly revision: string
  /** Made once a page, and once for each set of roles that has a page of its own. */
  bundle(page: RegisteredPage, roles?: ReadonlySet<string>): PageBundle
  /** What stands now, for browsers with the gray flag or for all. */
  snapshot(gray: boolean): SchemaRegistry
  /** What stood before the newest release that made the page another one for these roles; undefined when there was none. */
  before(page: RegisteredPage, roles: ReadonlySet<string>, gray: boolean): Promise<SchemaRegistry | undefined>
}

/**
 * Reads and validates a schemas folder. Documents that stood when this program last started with the `dataDir` are not checked
 * against each other again.
 * @throws StartupError with every error that the documents have; warnings go to `warn`.
 */
export async function readReleasedSchemas(
  directory: string,
  options: { validation?: Pick<ValidationContext, 'services'>; dataDir?: string; warn?: (text: string) => void } = {},
): Promise<readonly AcceptedSource[]> {
  const note = options.dataDir === undefined ? undefined : await CheckNote.in(options.dataDir)
  const { problems, accepted } = await validated(await readSchemas(directory), options.validation?.services, note)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const lines = errors.map((problem) => `  ${formatProblem(problem)}`).join('\n')
    throw new StartupError(
      'configuration',
      `the schemas in ${directory} have ${errors.length} errors:\n${lines}\nCorrect them and start again.`,
    )
  }
  for (const problem of problems) options.warn?.(formatProblem(problem))
  return accepted
}

/** What the newest texts came to: gateways of one process share the documents, and so all that is made of them once. */
let newest: { said: string; outcome: Validated } | undefined

/** Hash of the texts and of the services that they are checked against. */
function saidBy(sources: readonly SourceDocument[], services: ValidationContext['services']): string {
  const hash = createHash('sha256').update(JSON.stringify([services && [...services]]))
  for (const { where, text = '' } of sources) hash.update(`\0${where}\0${text.length}\0`).update(text)
  return `sha256-${hash.digest('base64url')}`
}

async function validated(
  sources: readonly SourceDocument[],
  services: ValidationContext['services'],
  note: CheckNote | undefined,
): Promise<Validated> {
  const said = saidBy(sources, services)
  if (newest?.said === said) return newest.outcome
  const before = await note?.read(said)
  const read = readDocuments(sources, { ...(services && { services }), checked: before !== undefined })
  const outcome = before ? { ...read, problems: before } : read
  if (!before && outcome.problems.every(({ severity }) => severity !== 'error')) await note?.write(said, outcome.problems)
  newest = { said, outcome }
  return outcome
}

/** The released files as a registry, without any changes of admins. */
export const openSchemaRegistry = async (...given: Parameters<typeof readReleasedSchemas>): Promise<SchemaRegistry> =>
  createSchemaRegistry(await readReleasedSchemas(...given))

export const hashOf = (content: unknown): string =>
  `sha256-${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}`

const hashes = new WeakMap<object, string>()

/** Documents are never changed in place: each is hashed once. */
function contentHash(value: unknown): string {
  if (typeof value !== 'object' || value === null) return hashOf(value)
  const known = hashes.get(value)
  if (known !== undefined) return known
  const made = hashOf(value)
  hashes.set(value, made)
  return made
}

/** A registry over documents that were validated. */
export function createSchemaRegistry(documents: readonly AcceptedSource[]): SchemaRegistry {
  const of = <T>(type: SourceDocument['type']): T[] =>
    documents.filter((source) => source.type === type).map(({ value }) => value as T)
  const entities = new Map(of<EntityDocument>('entity').map((document) => [document.name, document]))
  const dictionaries = new Map(of<DictionaryDocument>('dictionary').map((document) => [document.name, document]))
  const papers = new Map(of<PaperDocument>('paper').map((document) => [document.name, document]))
  const pages = documents
    .filter(({ type }) => type === 'page')
    .map(({ where, name, value }): RegisteredPage => ({ name: name ?? where, where, document: value as PageDocument }))
  const modules = withTitles(of<ModuleDocument>('module'), pages).sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0))
  const routes = makeRouteTable(modules, pages)
  const former = formerNamesOf(modules)
  const lookup = new Map(pages.map((page) => [page.name, page]))
  const named = (pathOrName: string): RegisteredPage | undefined =>
    lookup.get(pathOrName) ?? lookup.get(presentTarget(former, `page:${pathOrName}`).slice('page:'.length))
  for (const { path, aliases = [], page } of routes.routes) {
    const found = page === null ? undefined : lookup.get(page)
    if (found) for (const address of [path, ...aliases]) lookup.set(address, found)
  }
  const details = new Map<string, string>()
  for (const { document } of pages)
    if (document.kind === 'detail' && document.path !== undefined && document.view === undefined && !document.record)
      if (!details.has(document.entity)) details.set(document.entity, document.path)
  const bundles = new Map<string, PageBundle>()
  let woven: readonly EntityDocument[] | undefined
  const lists = pages.flatMap(({ document }) => (document.kind === 'list' ? [document] : []))
  const sources = { lists, entity: (name: string) => entities.get(name), dictionary: (name: string) => dictionaries.get(name) }
  const registry: SchemaRegistry = {
    ...sources,
    entities: [...entities.values()],
    get woven() {
      return (woven ??= weaveAll([...entities.values()], documents, modules))
    },
    dictionaries: [...dictionaries.values()],
    paper: (name) => papers.get(name),
    page: (pathOrName) => named(pathOrName) ?? recordPage(pathOrName, sources.entity),
    pages,
    detailPage: (entity) => details.get(entity),
    modules,
    routes,
    routesRevision: hashOf(routes),
    revision: hashOf(documents.map(({ where, value }) => [where, contentHash(value)])),
    bundle: ({ name, where, document }) => {
      const known = bundles.get(name)
      if (known) return known
      const made = makeBundle({ ...document, name }, where, sources)
      bundles.set(name, made)
      return made
    },
    snapshot: () => registry,
    before: () => Promise.resolve(undefined),
  }
  return registry
}

/** Documents stay the same objects while they and what is added to them are the same: what was made of them is kept. */
const known = new WeakMap<EntityDocument, { said: string; woven: EntityDocument }>()

function weaveAll(
  entities: readonly EntityDocument[],
  documents: readonly AcceptedSource[],
  modules: readonly ModuleDocument[],
): EntityDocument[] {
  const templates = new Map(
    documents.flatMap(({ type, value }) =>
      type === 'template' ? [[(value as TemplateDocument).name, value as TemplateDocument]] : [],
    ),
  )
  const order = new Map(modules.map(({ name }, index) => [name, index]))
  const rank = ({ module }: Listener): number => order.get(module) ?? order.size
  const listeners = documents
    .flatMap(({ type, name, value }) =>
      type === 'listener' ? [{ module: moduleOf(name), document: value as ListenerDocument }] : [],
    )
    .sort((a, b) => rank(a) - rank(b) || (a.document.id < b.document.id ? -1 : 1))
  const said = JSON.stringify([[...templates.values()], listeners])
  return entities.map((entity) => {
    const before = known.get(entity)
    if (before?.said === said) return before.woven
    const woven = weave(entity, { templates, listeners })
    known.set(entity, { said, woven })
    return woven
  })
}

/** A document whose value was read and found right. */
export type AcceptedSource = Pick<SourceDocument, 'type' | 'where' | 'name' | 'value'> & { written?: unknown }
