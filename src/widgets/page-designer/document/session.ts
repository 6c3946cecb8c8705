import { CODES, toFailure } from '../../../headless/failure'
import { RequestError, type Host, type PageBundle } from '../../../headless/host'
import { applyChanges, diffDocuments, isObject, mergeDocuments, sameChange, sameContent } from '../../../schema/overlay'
import type { Change, Conflict, JsonObject } from '../../../schema/overlay'
import type { Problem } from '../../../schema/problem'
import type { Draft, Person, TargetState, Tried } from '../types'
import { repaired } from './repair'
import { edited, redone, startHistory, undone, type History } from './history'

/** Two admins changed the same places: what has to be chosen. */
export interface OpenConflict {
  by: Person
  conflicts: readonly Conflict[]
  ancestor: JsonObject
  theirs: JsonObject
}

export interface SessionState {
  history: History
  /** waiting: not sent yet; failed: it will be sent with the next change, or when somebody says so. */
  saving: 'saved' | 'waiting' | 'saving' | 'failed'
  failure: string | null
  /** Version of the draft; 0: there is none. */
  version: number
  /** What the gateway finds wrong. */
  problems: readonly Problem[]
  /** The entities and dictionaries of the page; its own document is the one of before. */
  bundle: PageBundle | null
  /** Changes whose place is gone. They stay in the draft until somebody drops them. */
  orphans: readonly Change[]
  conflict: OpenConflict | null
  /** What was not saved last time has come back from this computer. */
  restored: boolean
  /** Who else's changes were taken in last. */
  merged: Person | null
}

type Caller = Pick<Host, 'request' | 'locale' | 'local'>

/** What was not saved when the page was left, and what it was based on. */
interface Kept {
  held: readonly Change[]
  changes: readonly Change[]
}

/** Rest before what was typed is put aside on this computer, and before it is sent, ms. */
const KEEP_DELAY = 200
const SAVE_DELAY = 800

const asDocument = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** Work on one document: edits with undo, the draft that follows them, and the meeting with somebody else's draft. */
export class DesignSession {
  private state: SessionState
  private readonly listeners = new Set<() => void>()
  private timer: ReturnType<typeof setTimeout> | undefined
  /** Runs while the copy on this computer is older than the document. */
  private keeping: ReturnType<typeof setTimeout> | undefined
  private running: Promise<void> | null = null
  private readonly base: JsonObject
  /** False: this browser stores nothing, so that what is not saved is lost when the page is left. */
  keeps = true
  /** The changes that the gateway holds. */
  private held: readonly Change[]

  constructor(
    private readonly host: Caller,
    private readonly target: TargetState,
    private readonly options: { delay?: number; now?: () => number } = {},
  ) {
    this.base = asDocument(target.base)
    this.held = target.draft?.changes ?? target.gray?.changes ?? target.released?.changes ?? []
    const { document, outcomes } = applyChanges(this.base, this.held)
    this.state = {
      history: startHistory(asDocument(document)),
      saving: 'saved',
      failure: null,
      version: target.draft?.version ?? 0,
      problems: [],
      bundle: target.bundle,
      orphans: this.held.filter((_, index) => outcomes[index] === 'orphaned'),
      conflict: null,
      restored: false,
      merged: null,
    }
    this.restore()
  }

  private get keepKey(): string {
    return `designer.${this.target.target}.${this.target.role ?? ''}`
  }

  /** Takes up what was not saved last time, put together with what has been saved since. */
  private restore(): void {
    const kept = readKept(this.host.local.get(this.keepKey))
    if (!kept) return
    const documentOf = (changes: readonly Change[]): JsonObject => asDocument(applyChanges(this.base, changes).document)
    const [ancestor, mine, theirs] = [documentOf(kept.held), documentOf(kept.changes), this.document]
    const { document } = mergeDocuments(ancestor, mine, theirs)
    if (sameContent(document, theirs)) return
    this.state = { ...this.state, history: edited(this.state.history, document, null, 0), saving: 'waiting', restored: true }
    this.sendLater()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  readonly snapshot = (): SessionState => this.state

  get document(): JsonObject {
    return this.state.history.present
  }

  /** What the document differs by from the base, with what has lost its place. */
  changes(): Change[] {
    // What no file has stands in its overlay as a whole.
    if (this.target.base === null) return [{ at: '', set: this.document }]
    return [...diffDocuments(this.base, this.document), ...this.state.orphans]
  }

  /** Takes a new document; edits with the same key shortly after each other are one step of undo. */
  readonly edit = (document: JsonObject, key: string | null = null): void =>
    this.move(edited(this.state.history, document, key, (this.options.now ?? Date.now)()))

  readonly undo = (): void => this.move(undone(this.state.history))
  readonly redo = (): void => this.move(redone(this.state.history))

  /** Gives a change whose place is gone another item of the same list. */
  readonly repairOrphan = (orphan: Change, id: string): void => {
    const { document } = applyChanges(this.document, [repaired(this.document, orphan, id)])
    this.set({ orphans: this.state.orphans.filter((other) => other !== orphan) })
    this.edit(asDocument(document))
    this.wait()
  }

  readonly dropOrphan = (orphan: Change): void => {
    this.set({ orphans: this.state.orphans.filter((other) => other !== orphan) })
    this.wait()
  }

  readonly dropOrphans = (): void => {
    this.set({ orphans: [] })
    this.wait()
  }

  /** Saves what is not saved yet. With `always` there is a draft afterwards even when it changes nothing. */
  readonly flush = async (always = false): Promise<void> => {
    clearTimeout(this.timer)
    this.timer = undefined
    this.keep()
    while (this.running) await this.running
    const changes = this.changes()
    if (this.state.conflict || (!(always && this.state.version === 0) && sameChanges(changes, this.held))) {
      if (!this.state.conflict) this.set({ saving: 'saved' })
      return
    }
    this.running = this.save(changes).finally(() => {
      this.running = null
    })
    await this.running
  }

  /** Ends a conflict: at the named places mine stands, at the others theirs. */
  readonly settle = (mine: ReadonlySet<string>): void => {
    const open = this.state.conflict
    if (!open) return
    const { document } = mergeDocuments(open.ancestor, this.document, open.theirs, { mine })
    this.set({ conflict: null, merged: open.by })
    this.edit(document)
    void this.flush()
  }

  /** Gives the draft up; the document is again what is released. */
  readonly discard = async (): Promise<void> => {
    clearTimeout(this.timer)
    clearTimeout(this.keeping)
    this.keeping = undefined
    while (this.running) await this.running
    const { target, role } = this.target
    if (this.state.version > 0) {
      const body = { target, role, version: this.state.version }
      await this.host.request({ method: 'POST', path: '/v2/sys/schema/draft/discard', body })
    }
    this.host.local.remove(this.keepKey)
    this.held = this.target.gray?.changes ?? this.target.released?.changes ?? []
    const { document } = applyChanges(this.base, this.held)
    this.set({ history: edited(this.state.history, asDocument(document), null, 0), version: 0, saving: 'saved', failure: null })
    // nothing is left to be saved: of a document that only the draft had, an empty one would be
    this.held = this.changes()
  }

  /** Puts aside on this computer what is not there yet: before the page may go. */
  readonly keep = (): void => {
    if (this.keeping === undefined) return
    clearTimeout(this.keeping)
    this.keeping = undefined
    const kept: Kept = { held: this.held, changes: this.changes() }
    this.keeps = this.host.local.set(this.keepKey, JSON.stringify(kept))
  }

  private move(history: History): void {
    if (history === this.state.history) return
    this.wait({ history })
  }

  /** What differs is worked out after the key, not with it. */
  private wait(part: Partial<SessionState> = {}): void {
    this.set({ ...part, saving: 'waiting' })
    this.keeping ??= setTimeout(this.keep, KEEP_DELAY)
    this.sendLater()
  }

  private sendLater(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flush(), this.options.delay ?? SAVE_DELAY)
  }

  private async save(changes: readonly Change[]): Promise<void> {
    this.set({ saving: 'saving' })
    const { target, role } = this.target
    try {
      const answer = await this.host.request<Tried & { version: number }>({
        method: 'POST',
        path: '/v2/sys/schema/draft/save',
        body: { target, role, version: this.state.version, changes },
      })
      this.held = changes
      // Somebody may have gone on typing while it was sent.
      const saving = sameChanges(this.changes(), changes) ? 'saved' : 'waiting'
      if (saving === 'saved') this.host.local.remove(this.keepKey)
      this.set({ version: answer.version, problems: answer.problems, bundle: this.fresh(answer.bundle), saving, failure: null })
    } catch (error) {
      const theirs = staleDraft(error)
      if (theirs) this.meet(theirs)
      else this.set({ saving: 'failed', failure: toFailure(error, this.host.locale).message })
    }
  }

  /** Somebody else saved first: what both did is put together; only true conflicts ask. */
  private meet(draft: Draft): void {
    const ancestor = asDocument(applyChanges(this.base, this.held).document)
    const theirs = asDocument(applyChanges(this.base, draft.changes).document)
    const { document, conflicts } = mergeDocuments(ancestor, this.document, theirs)
    this.held = draft.changes
    if (conflicts.length > 0) {
      this.set({ version: draft.version, saving: 'waiting', conflict: { by: draft.by, conflicts, ancestor, theirs } })
      return
    }
    this.set({ version: draft.version, merged: draft.by })
    this.edit(document)
    this.wait()
  }

  /** The bundle of before when only its page is another one: the preview then keeps its data. */
  private fresh(bundle: PageBundle | null): PageBundle | null {
    const known = this.state.bundle
    if (!known || !bundle) return bundle ?? known
    return sameContent(known.entities, bundle.entities) && sameContent(known.dictionaries, bundle.dictionaries) ? known : bundle
  }

  private set(part: Partial<SessionState>): void {
    this.state = { ...this.state, ...part }
    for (const listener of this.listeners) listener()
  }
}

const sameChanges = (a: readonly Change[], b: readonly Change[]): boolean =>
  a.length === b.length && a.every((change, index) => sameChange(change, b[index]!))

const readKept = (text: string | null): Kept | undefined => {
  if (text === null) return undefined
  try {
    const kept: unknown = JSON.parse(text)
    return isObject(kept) && Array.isArray(kept.held) && Array.isArray(kept.changes) ? (kept as unknown as Kept) : undefined
  } catch {
    return undefined
  }
}

/** The newer draft that a refused save tells of. */
const staleDraft = (error: unknown): Draft | null => {
  if (!(error instanceof RequestError) || error.code !== CODES.stale || !isObject(error.data)) return null
  const { draft } = error.data
  return isObject(draft) && Array.isArray(draft.changes) ? (draft as unknown as Draft) : null
}
