import { dequal } from 'dequal/lite'
import type { DictionaryDocument } from '../../../src/schema/generated/dictionary'
import { addressOfChange, type Outcome } from '../../../src/schema/overlay'
import type { PageDocument } from '../../../src/schema/generated/page'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import { formatProblem } from '../../../src/schema'
import type { Problem } from '../../../src/schema/problem'
import { readDocuments, type ValidationContext } from '../../../src/schema/validate'
import type { Database, Executor } from '../../platform/database'
import { makeBundle, type PageBundle } from '../bundle'
import { createSchemaRegistry, hashOf, type AcceptedSource, type SchemaRegistry } from '../registry'
import type { RegisteredPage } from '../routes'
import { asAccepted, baseOf, compose, pageForRoles, type Composed, type Overlay } from './compose'
import { concerned } from './concerned'
import { adviceOf, isolate, withoutDocument, withoutKnown, type Fault, type LeftOut } from './isolate'
import { lastReleaseOf, nextRelease, noteFormerNames, overlaysInForce, type InForce } from './store'
import { formerNamesIn, targetOf } from './target'
import { unreadableFaults } from './unreadable'

/** Channel on which gateways tell each other of a release. */
const CHANNEL = 'schema_release'
/** Releases that are gone back over for a page that is another one; and how many states of before are kept. */
const MOST_BACK = 5
/** Longest time that a timer may wait. */
const LONGEST_TIMER = 2_000_000_000

/** Documents in force for one stage: files with overlays, validated. */
export interface Snapshot extends SchemaRegistry {
  readonly composed: Composed
  /** Changes that could not be used because the documents would not be valid with them, each with the reason. */
  readonly refused: readonly LeftOut[]
  /** The page as somebody with these roles gets it. */
  pageOf(page: RegisteredPage, roles: ReadonlySet<string>): PageDocument
}

export interface LiveSchemasOptions {
  database: Database
  files: readonly AcceptedSource[]
  validation: ValidationContext
  now: () => Date
  warn: (text: string) => void
}

/**
 * The documents that are served: the files of the release with the released changes of the admins over them. It is a
 * registry itself (as for all browsers) and always the newest; `snapshot` is what stands at one moment.
 */
export class LiveSchemas implements SchemaRegistry {
  private forAll: Snapshot
  private forGray: Snapshot
  private timer: NodeJS.Timeout | undefined
  private loading: Promise<void> = Promise.resolve()
  private inForce: InForce = { all: [], gray: [] }
  private changedDictionaries: ReadonlyMap<string, DictionaryDocument> = new Map()
  /** What was tried last: a release tries again what its check tried a moment before. */
  private lastTried: { from: Snapshot; key: string; snapshot: Snapshot } | null = null
  private stopped = false
  private readonly earlier = new Map<string, Snapshot>()
  private readonly listeners = new Set<(registry: SchemaRegistry) => void | Promise<void>>()

  private constructor(private readonly options: LiveSchemasOptions) {
    this.forAll = this.make([])
    this.forGray = this.forAll
  }

  /** Reads what is in force. The tables of the changes have to be there. */
  static async open(options: LiveSchemasOptions): Promise<LiveSchemas> {
    await noteFormerNames(options.database, formerNamesIn(options.files))
    const live = new LiveSchemas(options)
    await live.reload()
    for (const line of reportOf(live.forAll)) options.warn(line)
    return live
  }

  /** Follows the releases of other gateways and those that begin later. */
  async listen(): Promise<() => Promise<void>> {
    const again = () => void this.reload().catch((error: unknown) => this.options.warn(`schemas: ${String(error)}`))
    const end = await this.options.database.listen(CHANNEL, again, { onGap: again })
    return async () => {
      this.stopped = true
      clearTimeout(this.timer)
      await end()
    }
  }

  /** Called after the documents have changed, before anybody gets them. */
  onChange(listener: (registry: SchemaRegistry) => void | Promise<void>): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Reads the overlays anew; calls that overlap come one after the other. */
  reload(): Promise<void> {
    const next = this.loading.catch(() => undefined).then(() => this.load())
    this.loading = next
    return next
  }

  /** Tells the other gateways, when the transaction is committed. */
  static tell(tx: Executor & { notify(channel: string, payload: string): Promise<void> }): Promise<void> {
    return tx.notify(CHANNEL, '')
  }

  snapshot(gray: boolean): Snapshot {
    return gray ? this.forGray : this.forAll
  }

  get files(): readonly AcceptedSource[] {
    return this.options.files
  }

  /** The documents as they would be with these overlays instead of those of the same targets that are in force for all. */
  tryOut(drafts: readonly Overlay[]): Snapshot {
    const key = JSON.stringify(drafts)
    if (this.lastTried?.from !== this.forAll || this.lastTried.key !== key)
      this.lastTried = { from: this.forAll, key, snapshot: this.made(drafts) }
    return this.lastTried.snapshot
  }

  private made(drafts: readonly Overlay[]): Snapshot {
    const overlays = withoutKnown(drafts, this.forAll.refused)
    const replaced = new Set(overlays.map(({ target, role }) => `${target}#${role}`))
    const others = [...this.forAll.composed.outcomes.keys()].filter(({ target, role }) => !replaced.has(`${target}#${role}`))
    return this.make([...others, ...overlays], this.forAll, overlays)
  }

  /** Dictionaries as their files have them. */
  get releasedDictionaries(): readonly DictionaryDocument[] {
    return this.options.files.flatMap(({ type, value }) => (type === 'dictionary' ? [value as DictionaryDocument] : []))
  }

  /** Dictionaries whose values admins changed, instead of those of the files. They hold at once. */
  replaceDictionaries(changed: readonly DictionaryDocument[]): void {
    if (dequal(changed, [...this.changedDictionaries.values()])) return
    this.changedDictionaries = new Map(changed.map((dictionary) => [dictionary.name, dictionary]))
    this.rebuild().catch((error: unknown) => this.options.warn(`schemas: ${String(error)}`))
  }

  /**
   * What stood before the newest release that made this page another one for these roles: for a browser that cannot show what
   * stands now. Undefined when there was none.
   */
  async before(page: RegisteredPage, roles: ReadonlySet<string>, gray: boolean): Promise<Snapshot | undefined> {
    const now = this.snapshot(gray).bundle(page, roles)
    const stages = gray ? (['all', 'gray'] as const) : (['all'] as const)
    const targets = [`page:${page.name}`, ...Object.keys(now.entities).map((name) => `entity:${name}`)]
    let until = this.options.now()
    for (let back = 0; back < MOST_BACK; back += 1) {
      const at = await lastReleaseOf(this.options.database, { targets, roles: [...roles], stages, before: until })
      if (!at) return undefined
      const snapshot = await this.stoodAt(new Date(at.getTime() - 1), gray)
      const then = snapshot.page(page.name)
      if (then && snapshot.bundle(then, roles).revision !== now.revision) return snapshot
      until = at
    }
    return undefined
  }

  private async stoodAt(moment: Date, gray: boolean): Promise<Snapshot> {
    const key = `${moment.getTime()} ${gray}`
    const known = this.earlier.get(key)
    if (known) return known
    const { all, gray: forGray } = await overlaysInForce(this.options.database, moment)
    const made = this.make(gray ? forGray : all, this.forAll)
    if (this.earlier.size >= MOST_BACK) this.earlier.clear()
    this.earlier.set(key, made)
    return made
  }

  private async load(): Promise<void> {
    const { database, now } = this.options
    const moment = now()
    const inForce = await overlaysInForce(database, moment)
    // The gateway that releases hears of its own release, too: nothing is made twice.
    if (!dequal(inForce, this.inForce)) {
      this.inForce = { all: asKept(inForce.all, this.inForce.all), gray: asKept(inForce.gray, this.inForce.gray) }
      await this.rebuild()
    }
    await this.waitForNext(moment)
  }

  /** What is served is exchanged before this gives way to anything else. */
  private async rebuild(): Promise<void> {
    const before = [this.forAll.revision, this.forGray.revision]
    const { all, gray } = this.inForce
    // What is served was found right: only what differs from it is looked at, while everybody waits for the newer pages.
    this.forAll = this.make(all, this.forAll)
    this.forGray = dequal(all, gray) ? this.forAll : this.make(gray, this.forAll)
    this.earlier.clear()
    if (dequal(before, [this.forAll.revision, this.forGray.revision])) return
    for (const listener of this.listeners) await listener(this)
  }

  /** `reference`: a snapshot that is right; only what differs from it is checked. `onTrial`: the overlays that answer for every problem. */
  private make(overlays: readonly Overlay[], reference?: Snapshot, onTrial?: readonly Overlay[]): Snapshot {
    const files = this.options.files.map((file) => {
      const changed =
        file.type === 'dictionary' ? this.changedDictionaries.get((file.value as DictionaryDocument).name) : undefined
      return changed ? { ...file, value: changed } : file
    })
    return makeSnapshot(files, this.options.validation, overlays, { reference, onTrial })
  }

  /** What begins after the moment whose releases are in force: also what began while they were taken over. */
  private async waitForNext(moment: Date): Promise<void> {
    clearTimeout(this.timer)
    const at = await nextRelease(this.options.database, moment)
    if (!at || this.stopped) return
    const wait = Math.min(Math.max(0, at.getTime() - this.options.now().getTime()), LONGEST_TIMER)
    this.timer = setTimeout(
      () => void this.reload().catch((error: unknown) => this.options.warn(`schemas: ${String(error)}`)),
      wait,
    )
    this.timer.unref()
  }

  entity = (name: string) => this.forAll.entity(name)
  dictionary = (name: string) => this.forAll.dictionary(name)
  paper = (name: string) => this.forAll.paper(name)
  detailPage = (entity: string) => this.forAll.detailPage(entity)
  page = (pathOrName: string) => this.forAll.page(pathOrName)
  bundle = (page: RegisteredPage, roles?: ReadonlySet<string>) => this.forAll.bundle(page, roles)
  get entities() {
    return this.forAll.entities
  }
  get woven() {
    return this.forAll.woven
  }
  get dictionaries() {
    return this.forAll.dictionaries
  }
  get lists() {
    return this.forAll.lists
  }
  get pages() {
    return this.forAll.pages
  }
  get modules() {
    return this.forAll.modules
  }
  get routes() {
    return this.forAll.routes
  }
  get revision() {
    return this.forAll.revision
  }
  get routesRevision() {
    return this.forAll.routesRevision
  }
}

/** The same changes stay the same object: what was found right with them is not looked at again. */
const asKept = (overlays: readonly Overlay[], before: readonly Overlay[]): readonly Overlay[] =>
  overlays.map((overlay) => before.find((known) => dequal(known, overlay)) ?? overlay)

/** Everything of the admins' changes that is not used, with the reason: what collides with the release, and what it has no document for. */
export const notUsed = ({ composed, refused }: Pick<Snapshot, 'composed' | 'refused'>): readonly LeftOut[] => [
  ...refused,
  ...withoutDocument(composed),
]

/** What an upgrade has left of the admins' changes; nothing when all of them still make a difference. */
export function reportOf({ composed, refused }: Pick<Snapshot, 'composed' | 'refused'>): string[] {
  const unused = refused.map((left) => {
    const { overlay, changes, problem, stands } = left
    const whole = changes.length === overlay.changes.length
    const what = whole ? `the changes of ${overlay.target}` : `${changes.map(addressOfChange).join(', ')} of ${overlay.target}`
    const said = stands ? 'and the release say different things' : whole ? 'are not used' : 'is not used'
    return `${what} ${said}: ${formatProblem(problem)} ${adviceOf(left).en}`
  })
  const partly = [...composed.outcomes].flatMap(([{ target, role }, outcomes]) => {
    const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
    const [kept, orphaned, redundant] = [count('kept'), count('orphaned'), count('redundant')]
    if (orphaned + redundant === 0) return []
    const whose = role === '' ? '' : ` for the role ${role}`
    return [
      `changes of ${target}${whose}: ${kept} kept, ${orphaned} without a place in this release, ${redundant} that it has by itself`,
    ]
  })
  return [...unused, ...partly]
}

/** Lays the overlays over the files. What would make a document invalid is left out and named; the rest is used. */
export function makeSnapshot(
  files: readonly AcceptedSource[],
  validation: ValidationContext,
  overlays: readonly Overlay[],
  { reference, onTrial }: { reference?: Snapshot | undefined; onTrial?: readonly Overlay[] | undefined } = {},
): Snapshot {
  const errors = (used: readonly Overlay[]): readonly Fault[] => {
    if (used.length === 0) return []
    try {
      return errorsOf(compose(files, used), validation, reference?.composed)
    } catch (error) {
      const unreadable = used.flatMap(faultsOf)
      if (unreadable.length === 0) throw error
      return unreadable
    }
  }
  const faultsOf = (overlay: Overlay): readonly Fault[] => {
    try {
      errorsOf(compose(files, [overlay]), validation, reference?.composed)
      return []
    } catch (reason) {
      const file = files.find((source) => targetOf(source) === overlay.target)
      const entities = files.flatMap(({ type, value }) => (type === 'entity' ? [value as EntityDocument] : []))
      const value = baseOf(file, new Map(entities.map((entity) => [entity.name, entity])))
      return unreadableFaults(overlay, { where: file?.where ?? overlay.target, value }, reason)
    }
  }
  if (!onTrial) {
    const { used, leftOut } = isolate(files, overlays, errors, reference?.refused)
    return snapshotOf(compose(files, used), leftOut)
  }
  const refused = refusedOf(files, onTrial, errors(overlays))
  const gone = new Set(refused.map(({ overlay }) => overlay))
  const used = overlays.filter((overlay) => !gone.has(overlay))
  return snapshotOf(compose(files, used), refused)
}

/** What stood before was right: the drafts answer for everything, each for what is wrong with its document if that can be told. */
function refusedOf(files: readonly AcceptedSource[], onTrial: readonly Overlay[], wrong: readonly Fault[]): LeftOut[] {
  const targets = new Map(files.map((file) => [file.where, targetOf(file)]))
  return wrong.flatMap(({ problem, variant, unreadable }) => {
    const target = targets.get(problem.where) ?? problem.where
    const own = onTrial.filter((overlay) => overlay === variant || (!variant && overlay.target === target && overlay.role === ''))
    const left = own.length > 0 ? own : onTrial
    return left.map((overlay) => ({ overlay, changes: overlay.changes, problem, ...(unreadable && { unreadable }) }))
  })
}

function errorsOf(composed: Composed, validation: ValidationContext, right?: Composed): Fault[] {
  const isError = ({ severity }: Problem) => severity === 'error'
  const wanted = (right && concerned(composed.documents, right.documents)) ?? new Set(composed.documents)
  const rest = composed.documents.filter((document) => !wanted.has(document)).map(asAccepted)
  const { problems, accepted } = readDocuments([...wanted], { ...validation, known: rest })
  const found: Fault[] = problems.filter(isError).map((problem) => ({ problem }))
  const all = [...rest, ...accepted]
  const entities = Object.fromEntries(all.flatMap((one) => (one.type === 'entity' ? [[one.value.name, one.value]] : [])))
  const checked = new Set<unknown>(accepted)
  for (const page of all) {
    for (const variant of page.type === 'page' ? (composed.variants.get(page.name ?? '') ?? []) : []) {
      if (!checked.has(page) && right?.outcomes.has(variant)) continue
      const value = pageForRoles(page.value as PageDocument, [variant], new Set([variant.role]), entities)
      const known = all.filter((other) => other !== page)
      const ofVariant = readDocuments([{ type: 'page', where: page.where, name: page.name, value }], { ...validation, known })
      found.push(...ofVariant.problems.filter(isError).map((problem) => ({ problem, variant })))
    }
  }
  return found
}

function snapshotOf(composed: Composed, refused: Snapshot['refused']): Snapshot {
  const registry = createSchemaRegistry(composed.documents)
  const entities: Readonly<Record<string, EntityDocument>> = Object.fromEntries(
    registry.entities.map((entity) => [entity.name, entity]),
  )
  const pageOf = (page: RegisteredPage, roles: ReadonlySet<string>) =>
    pageForRoles(page.document, composed.variants.get(page.name) ?? [], roles, entities)
  const numbers = new Map(
    [...composed.outcomes.keys()].flatMap(({ target, role, number }) => (role === '' ? [[target, number]] : [])),
  )
  const bundles = new Map<string, PageBundle>()
  const snapshot: Snapshot = {
    ...registry,
    revision: hashOf([registry.revision, [...composed.variants]]),
    composed,
    refused,
    pageOf,
    bundle: (page, roles = new Set()) => {
      const variants = (composed.variants.get(page.name) ?? []).filter(({ role }) => roles.has(role))
      const key = [page.name, ...variants.map(({ role }) => role)].join(' ')
      const known = bundles.get(key)
      if (known) return known
      const own = variants.length === 0
      const shown = own ? registry.bundle(page) : makeBundle({ ...pageOf(page, roles), name: page.name }, page.where, registry)
      const number = own ? numbers.get(`page:${page.name}`) : variants.at(-1)?.number
      const made = number === undefined ? shown : { ...shown, number }
      bundles.set(key, made)
      return made
    },
    snapshot: () => snapshot,
  }
  return snapshot
}
