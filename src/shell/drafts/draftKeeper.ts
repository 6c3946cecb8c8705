import { createStore, promisifyRequest, type UseStore } from 'idb-keyval'

/** What somebody typed and has not submitted. */
interface KeptDraft {
  person: string
  /** When it was written, ms. */
  at: number
  text: string
}

type News = { person: string; id: string; draft: KeptDraft | null } | { person: string; gone: true }

const CHANNEL = 'switchboard.drafts'
const DAY = 86_400_000
/** A draft that nobody came back to for so long is given up. */
export const DRAFT_DAYS = 30
/** Of one person; a further one takes the place of the oldest. */
export const MOST_DRAFTS = 50
/** A database that does not open must not keep anybody out of the portal, ms. */
const PATIENCE = 2_000

const isDraft = (value: unknown): value is KeptDraft =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as KeptDraft).person === 'string' &&
  typeof (value as KeptDraft).at === 'number' &&
  typeof (value as KeptDraft).text === 'string'

/**
 * Drafts of forms in IndexedDB, kept by person: they outlive the end of a session, which clears localStorage (R178). Those of
 * the signed-in person are in memory too, the same in all tabs, so that a form shows what was typed in its first render.
 */
export class DraftKeeper {
  private person: string | null = null
  private drafts = new Map<string, KeptDraft>()
  private pages = new Map<string, string>()
  private readonly store: UseStore | null
  private readonly channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)
  private readonly now: () => number

  constructor(now: () => number = Date.now) {
    this.now = now
    this.store = openStore()
    this.channel?.addEventListener('message', ({ data }: MessageEvent<News>) => this.hear(data))
  }

  /** Reads what is kept of a person, and gives up what is too old, of anybody. Never rejects. */
  async open(person: string): Promise<void> {
    const late = new Promise<null>((wake) => setTimeout(() => wake(null), PATIENCE))
    const found = await Promise.race([this.all().catch(() => null), late])
    this.person = person
    for (const [id, draft] of found ?? []) {
      if (!isDraft(draft) || this.now() - draft.at > DRAFT_DAYS * DAY) void this.write((drafts) => drafts.delete(id))
      else if (draft.person === person) this.drafts.set(id, draft)
    }
  }

  /** The draft that the open page `page` goes on with. */
  get(key: string, page: string): string | null {
    const id = this.idOf(key)
    const draft = this.drafts.get(id)
    if (draft) this.pages.set(id, page)
    return draft?.text ?? null
  }

  /** @returns whether the browser keeps it */
  async set(key: string, text: string, page: string): Promise<boolean> {
    if (this.person === null) return false
    const id = this.idOf(key)
    const draft = { person: this.person, at: this.now(), text }
    this.drafts.set(id, draft)
    this.pages.set(id, page)
    this.tell({ person: this.person, id, draft })
    const oldest = [...this.drafts].sort(([, a], [, b]) => b.at - a.at).slice(MOST_DRAFTS)
    for (const [other] of oldest) this.drop(other)
    return this.write((drafts) => drafts.put(draft, id))
  }

  remove(key: string): void {
    this.drop(this.idOf(key))
  }

  /** The records are gone: nobody can go on with what was typed about them. */
  forget(records: readonly string[]): void {
    for (const id of [...this.drafts.keys()]) if (records.some((record) => id.endsWith(`:${record}`))) this.drop(id)
  }

  get count(): number {
    return this.drafts.size
  }

  /** Whether a draft of this open page is kept. */
  keeps(page: string): boolean {
    return [...this.drafts.keys()].some((id) => this.pages.get(id) === page)
  }

  /** The person gives all drafts up, in all tabs; what open forms still hold is not written any more. */
  async discard(): Promise<void> {
    const { person, drafts } = this
    if (person === null) return
    this.close()
    this.tell({ person, gone: true })
    await this.write((all) => {
      for (const id of drafts.keys()) all.delete(id)
    })
  }

  private idOf(key: string): string {
    return `${this.person ?? ''} ${key}`
  }

  private drop(id: string): void {
    if (this.person === null || !this.drafts.delete(id)) return
    this.tell({ person: this.person, id, draft: null })
    void this.write((drafts) => drafts.delete(id))
  }

  private close(): void {
    this.person = null
    this.drafts = new Map()
  }

  private tell(news: News): void {
    this.channel?.postMessage(news)
  }

  private hear(news: News): void {
    if (news.person !== this.person) return
    if ('gone' in news) this.close()
    else if (news.draft) this.drafts.set(news.id, news.draft)
    else this.drafts.delete(news.id)
  }

  private async all(): Promise<readonly (readonly [string, unknown])[]> {
    if (this.store === null) return []
    return this.store('readonly', async (drafts) => {
      const [ids, values] = await Promise.all([promisifyRequest(drafts.getAllKeys()), promisifyRequest(drafts.getAll())])
      return ids.map((id, index) => [String(id), values[index] as unknown] as const)
    })
  }

  /** Committed at once: the page may be going. */
  private async write(change: (drafts: IDBObjectStore) => void): Promise<boolean> {
    try {
      if (this.store === null) return false
      await this.store('readwrite', (drafts) => {
        change(drafts)
        const written = promisifyRequest(drafts.transaction)
        drafts.transaction.commit()
        return written
      })
      return true
    } catch {
      // A full or forbidden storage: the form says that its draft is not kept.
      return false
    }
  }
}

/** Null where there is no such storage, or where asking for it is refused: then drafts live as long as the page. */
function openStore(): UseStore | null {
  try {
    return typeof indexedDB === 'undefined' ? null : createStore('switchboard-drafts', 'drafts')
  } catch {
    return null
  }
}
