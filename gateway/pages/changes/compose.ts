import { withDefaultPages, withoutDefaults } from '../../../src/schema/defaults'
import { explicitPage } from '../../../src/schema/explicit'
import { isMadeOf, libraryOf, makeWhole, type Library } from '../../../src/schema/feature'
import type { EntityDocument } from '../../../src/schema/generated/entity'
import type { PageDocument } from '../../../src/schema/generated/page'
import { migrateDocument } from '../../../src/schema/migrate'
import { applyChanges, type Change, type Outcome } from '../../../src/schema/overlay'
import type { AcceptedDocument } from '../../../src/schema/validate/accepted'
import type { AcceptedSource } from '../registry'
import { parseTarget, targetOf, type TargetKind } from './target'

/** Changes of one target for everybody (`role` empty) or for one role. */
export interface Overlay {
  target: string
  role: string
  changes: readonly Change[]
  /** Of the revision; absent for what is not released. */
  number?: number
}

export interface Composed {
  /** Every document for everybody: the files with what was laid over them, and those that only an overlay has. */
  documents: AcceptedSource[]
  /** Pages of roles: name -> changes of each role, on top of the page for everybody. */
  variants: ReadonlyMap<string, readonly Overlay[]>
  /** By target what its changes are laid over: the files, with what they leave to the entities as these stand now. */
  bases: ReadonlyMap<string, AcceptedSource>
  /** What became of each change, by overlay. */
  outcomes: ReadonlyMap<Overlay, readonly Outcome[]>
}

/** Entities first: what a page leaves to its entity depends on them. */
const ORDER: readonly TargetKind[] = ['entity', 'template', 'module', 'page']

/** The files of the release with overlays laid over them. Pure; says nothing about whether the result is valid. */
export function compose(files: readonly AcceptedSource[], overlays: readonly Overlay[]): Composed {
  const bases = new Map(files.flatMap((file) => byTarget(file)))
  const everybody = new Map(overlays.filter(({ role }) => role === '').map((overlay) => [overlay.target, overlay]))
  const outcomes = new Map<Overlay, readonly Outcome[]>()
  const library = libraryOf(files)
  const entities = new Map<string, EntityDocument>()
  const changed = new Map<string, AcceptedSource>()
  for (const kind of ORDER) {
    const targets = [...new Set([...bases.keys(), ...everybody.keys()])]
    for (const target of targets.filter((one) => one.startsWith(`${kind}:`))) {
      const file = bases.get(target)
      const overlay = everybody.get(target)
      const laid = overlay ? lay(target, file, overlay, entities, outcomes) : file
      if (!laid) continue
      const source = whole(laid, library)
      changed.set(target, source)
      if (kind === 'entity') entities.set((source.value as EntityDocument).name, source.value as EntityDocument)
    }
    // what pages and menus leave to the entities follows these
    if (kind === 'entity' && [...changed].some(([target, source]) => source !== bases.get(target))) {
      const anew = filledAnew([...bases.values()], changed)
      for (const [target, { type }] of bases) if (type !== 'entity' && !anew.has(target)) bases.delete(target)
      for (const [target, source] of anew) bases.set(target, source)
    }
  }
  const variants = new Map<string, Overlay[]>()
  for (const overlay of overlays.filter(({ role }) => role !== '').sort((a, b) => (a.role < b.role ? -1 : 1))) {
    const page = changed.get(overlay.target)
    const target = parseTarget(overlay.target)
    if (!page || target?.kind !== 'page') {
      outcomes.set(
        overlay,
        overlay.changes.map(() => 'orphaned'),
      )
      continue
    }
    const explicit = explicitPage(page.value as PageDocument, Object.fromEntries(entities))
    outcomes.set(overlay, applyChanges(explicit, overlay.changes).outcomes)
    variants.set(target.name, [...(variants.get(target.name) ?? []), overlay])
  }
  const rest = files.filter((file) => targetOf(file) === undefined)
  return { documents: [...rest, ...changed.values()], variants, bases, outcomes }
}

function byTarget(source: AcceptedSource): [string, AcceptedSource][] {
  const target = targetOf(source)
  return target === undefined ? [] : [[target, source]]
}

/** Pages and menus with what changed entities fill in, and the pages that these ask for. */
function filledAnew(
  files: readonly AcceptedSource[],
  entities: ReadonlyMap<string, AcceptedSource>,
): Map<string, AcceptedSource> {
  const others = files.filter(({ type }) => type !== 'entity')
  const filled = withDefaultPages(withoutDefaults([...entities.values(), ...others].map(asAccepted)))
  return new Map(filled.filter(({ type }) => type !== 'entity').flatMap((source) => byTarget(source)))
}

/** A document that was found right before. */
export const asAccepted = (source: AcceptedSource): AcceptedDocument => ({ characters: 0, ...source }) as AcceptedDocument

/**
 * Files come whole; an admin may have let an entity take part in another feature, or made a page that is like one of the files. What is
 * wrong with that is found when it is checked.
 */
function whole(source: AcceptedSource, library: Library): AcceptedSource {
  if ((source.type !== 'entity' && source.type !== 'page') || !isMadeOf(source.value)) return source
  const { document, problems } = makeWhole(source.value, library, source.type)
  return problems.length > 0 ? source : { ...source, value: document }
}

/** One document with its overlay; undefined when nothing is left of it (a made page whose overlay says nothing). */
function lay(
  target: string,
  file: AcceptedSource | undefined,
  overlay: Overlay,
  entities: ReadonlyMap<string, EntityDocument>,
  outcomes: Map<Overlay, readonly Outcome[]>,
): AcceptedSource | undefined {
  const base = baseOf(file, entities)
  const { document: laid, outcomes: ofChanges } = applyChanges<unknown>(base, overlay.changes)
  outcomes.set(overlay, ofChanges)
  const parsed = parseTarget(target)
  if (laid === null || !parsed) return undefined
  const document = file ? inPresentWords(parsed.kind, laid) : laid
  if (file) return ofChanges.includes('kept') ? { ...file, value: document } : file
  return { type: parsed.kind, where: target, ...(parsed.kind === 'page' ? { name: parsed.name } : {}), value: document }
}

/** What changes from before the present format added, in the words of today; a document of its own is migrated when it is read. */
function inPresentWords(kind: TargetKind, document: unknown): unknown {
  const migrated = kind === 'entity' ? migrateDocument(kind, { ...(document as object), formatVersion: 1 }) : undefined
  return migrated?.ok ? migrated.value : document
}

/** The document that changes are addressed in: a page in its explicit form; null when no file has it. */
export function baseOf(file: AcceptedSource | undefined, entities: ReadonlyMap<string, EntityDocument>): unknown {
  if (!file) return null
  return file.type === 'page' ? explicitPage(file.value as PageDocument, Object.fromEntries(entities)) : file.value
}

/** The page as somebody with these roles gets it; the page itself when none of the roles has a variant. */
export function pageForRoles(
  page: PageDocument,
  variants: readonly Overlay[],
  roles: ReadonlySet<string>,
  entities: Readonly<Record<string, EntityDocument | undefined>>,
): PageDocument {
  const own = variants.filter(({ role }) => roles.has(role))
  if (own.length === 0) return page
  const explicit = explicitPage(page, entities)
  return own.reduce((document, { changes }) => applyChanges(document, changes).document, explicit)
}
