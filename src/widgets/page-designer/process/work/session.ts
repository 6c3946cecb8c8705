import type { Host } from '../../../../headless/host'
import { isObject, sameContent, type JsonObject } from '../../../../schema/overlay'
import { edited, redone, startHistory, undone, type History } from '../../document/history'

export interface SessionState {
  history: History
  /** What the gateway holds. */
  held: JsonObject
  /** What was not published last time has come back from this computer. */
  restored: boolean
}

interface Kept {
  /** Version that the work began with. */
  version: number
  document: JsonObject
}

/** Rest before what was changed is put aside on this computer, ms. */
const KEEP_DELAY = 300

const readKept = (text: string | null): Kept | null => {
  if (text === null) return null
  try {
    const kept: unknown = JSON.parse(text)
    return isObject(kept) && typeof kept.version === 'number' && isObject(kept.document)
      ? { version: kept.version, document: kept.document }
      : null
  } catch {
    return null
  }
}

/** Work on one document that is published as a whole: edits with undo, kept on this computer until they are published or dropped. */
export class PublishSession {
  private state: SessionState
  private readonly listeners = new Set<() => void>()
  private keeping: ReturnType<typeof setTimeout> | undefined
  /** The work of last time began with an older version than the one that is published now. */
  readonly behind: boolean

  /**
   * @param key what the work is kept under, e.g. `process.prepay`
   * @param version of the document, which publishing counts up
   */
  constructor(
    private readonly drafts: Host['drafts'],
    private readonly key: string,
    document: JsonObject,
    private readonly version: number,
  ) {
    const kept = readKept(drafts.get(this.keepKey))
    const restored = kept !== null && !sameContent(kept.document, document)
    this.behind = restored && kept.version !== version
    const history = startHistory(document)
    this.state = { history: restored ? edited(history, kept.document, null, 0) : history, held: document, restored }
  }

  private get keepKey(): string {
    return `designer.${this.key}`
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }
  readonly snapshot = (): SessionState => this.state

  get document(): JsonObject {
    return this.state.history.present
  }

  get unsaved(): boolean {
    return !sameContent(this.state.history.present, this.state.held)
  }

  /** Takes a new document; edits with the same key shortly after each other are one step of undo. */
  readonly edit = (document: JsonObject, key: string | null = null): void =>
    this.move(edited(this.state.history, document, key, Date.now()))
  readonly undo = (): void => this.move(undone(this.state.history))
  readonly redo = (): void => this.move(redone(this.state.history))

  /** Drops what was not published; undo brings it back until the page is left. */
  readonly drop = (): void => {
    this.move(edited(this.state.history, this.state.held, null, Date.now()))
    this.set({ restored: false })
    this.keep()
  }

  /** The document of that moment has been published. */
  readonly published = (document: JsonObject): void => {
    this.set({ held: document, restored: false })
    this.keep()
  }

  /** Puts aside what is not published yet, at once. */
  readonly keep = (): void => {
    clearTimeout(this.keeping)
    this.keeping = undefined
    if (this.unsaved)
      void this.drafts.set(this.keepKey, JSON.stringify({ version: this.version, document: this.document } satisfies Kept))
    else this.drafts.remove(this.keepKey)
  }

  private move(history: History): void {
    if (history === this.state.history) return
    this.set({ history })
    clearTimeout(this.keeping)
    this.keeping = setTimeout(this.keep, KEEP_DELAY)
  }

  private set(part: Partial<SessionState>): void {
    this.state = { ...this.state, ...part }
    for (const listener of this.listeners) listener()
  }
}
