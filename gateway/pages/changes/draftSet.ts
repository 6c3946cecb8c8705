import type { PageDocument } from '../../../src/schema/generated/page'
import { isObject, addressOfChange, type Change } from '../../../src/schema/overlay'
import { newId, type Database, type Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import type { DraftKey, SchemaChanges } from './changes'
import type { Overlay } from './compose'
import { draftOf, draftsOf, dropDraft, writeDraft, type Draft } from './store'

/** The drafts that were made together with this one. */
export async function companionsOf(database: Database, key: DraftKey): Promise<Draft[]> {
  const drafts = await draftsOf(database)
  const own = drafts.find((draft) => isOf(draft, key))
  return own?.set == null ? [] : drafts.filter((draft) => draft.set === own.set && draft !== own)
}

const isOf = (draft: DraftKey, key: DraftKey): boolean => draft.target === key.target && draft.role === key.role

/**
 * Writes several drafts as one set, all or none. What they change in a document that is being drafted already joins that
 * draft, with everything that was made together with it.
 */
export async function saveDraftSet(
  database: Database,
  changes: SchemaChanges,
  context: RequestContext,
  overlays: readonly Overlay[],
): Promise<{ drafts: (DraftKey & { version: number })[] }> {
  for (const overlay of overlays) {
    changes.requireTarget(overlay)
    const known = changes.base(overlay) !== null || changes.releasedChanges(overlay).length > 0
    if (known && overlay.changes.some(({ at }) => at === '')) throw taken(overlay.target)
  }
  return database.transaction(async (tx) => {
    const known = new Map<Overlay, Draft | undefined>()
    for (const overlay of overlays) known.set(overlay, await draftOf(tx, overlay.target, overlay.role))
    const set = [...known.values()].find((draft) => draft?.set != null)?.set ?? newId()
    const drafts: (DraftKey & { version: number })[] = []
    for (const [overlay, draft] of known) {
      if (draft?.changes.some(({ at }) => at === '')) throw taken(overlay.target)
      drafts.push(await write(tx, context, draft, { ...overlay, changes: joined(draft?.changes ?? [], overlay.changes) }, set))
    }
    return { drafts }
  })
}

/** Discards a draft. The menu entry of a page that only the draft has goes with it. */
export async function discardSet(
  database: Database,
  changes: SchemaChanges,
  context: RequestContext,
  key: DraftKey,
  version: number,
): Promise<void> {
  const companions = await companionsOf(database, key)
  const own = await draftOf(database, key.target, key.role)
  const made = own?.changes.find(({ at }) => at === '')
  const page = made && 'set' in made && isObject(made.set) ? (made.set as unknown as PageDocument) : undefined
  await changes.discardDraft(key, version)
  if (page?.path === undefined) return
  await database.transaction(async (tx) => {
    for (const companion of companions) {
      const rest = companion.changes.filter(
        (change) => !('add' in change && isObject(change.add) && change.add.path === page.path),
      )
      if (rest.length === companion.changes.length) continue
      if (rest.length === 0) await dropDraft(tx, companion.target, companion.role, companion.version)
      else await write(tx, context, companion, { ...companion, changes: rest })
    }
  })
}

async function write(
  tx: Transaction,
  context: RequestContext,
  draft: Draft | undefined,
  { target, role, changes }: Overlay,
  set?: string,
): Promise<DraftKey & { version: number }> {
  const version = await writeDraft(tx, {
    target,
    role,
    changes,
    version: draft?.version ?? 0,
    note: draft?.note ?? null,
    by: context.user.staffId,
    at: context.now,
    ...(set === undefined ? {} : { set }),
  })
  if (version === undefined) throw new ServiceError('stale')
  return { target, role, version }
}

const joined = (before: readonly Change[], added: readonly Change[]): Change[] => {
  const addresses = new Set(added.map(addressOfChange))
  return [...before.filter((change) => !addresses.has(addressOfChange(change))), ...added]
}

const taken = (target: string): ServiceError =>
  new ServiceError('validationFailed', {
    message: {
      zh: `“${target}”已经存在，请换一个编码。`,
      en: `"${target}" exists already; choose another code.`,
    },
  })
