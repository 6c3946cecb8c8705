import { makeAutoObservable, observableRef, runInAction } from 'mobx'
import type { About, AssistantCalls } from './chat/assistantCalls'
import { ConversationStore, type ConversationParts } from './chat/conversationStore'
import type { Question, Session } from './chat/wire'

const KEPT = 'switchboard.assistant'
const CHANNEL = 'switchboard.assistant'
/** While somebody types into the search of conversations, ms. */
const SETTLE = 250
const NEW = 'new'

/** What one tab tells the others. */
type News = { type: 'sessions' } | { type: 'conversation'; uuid: string }

export interface AssistantParts extends Pick<ConversationParts, 'stream' | 'soon' | 'onOver'> {
  calls: AssistantCalls
  /** Of this tab: where the panel stood, and what was typed. */
  storage: Storage
}

/** What the panel of the assistant shows (R090, R253): how wide it is, the conversations, and the one that is open. It outlives the panel. */
export class AssistantStore {
  fullScreen = false
  /** R253 */
  sidebarCollapsed = true
  /** Pinned ones first; null until they are here. */
  sessions: readonly Session[] | null = null
  sessionsFailure: string | null = null
  keyword = ''
  /** R092; null until they are here. */
  questions: readonly Question[] | null = null
  current: ConversationStore
  private page: About | null = null
  private leftOut: string | null = null
  private opened = new Map<string, ConversationStore>()
  private drafts: Record<string, string> = {}
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL)

  constructor(private readonly parts: AssistantParts) {
    const kept = read(parts.storage)
    this.fullScreen = kept.fullScreen
    this.sidebarCollapsed = kept.sidebarCollapsed
    this.drafts = kept.drafts
    this.current = this.make(kept.uuid)
    if (kept.uuid !== null) this.opened.set(kept.uuid, this.current)
    makeAutoObservable<this, 'parts' | 'opened' | 'drafts' | 'timer' | 'channel' | 'page'>(
      this,
      {
        parts: false,
        opened: false,
        drafts: false,
        timer: false,
        channel: false,
        sessions: observableRef,
        questions: observableRef,
        current: observableRef,
        page: observableRef,
      },
      { autoBind: true },
    )
    if (this.channel) this.channel.onmessage = ({ data }: MessageEvent<News>) => this.hear(data)
  }

  toggleFullScreen(): void {
    this.fullScreen = !this.fullScreen
    this.keep()
  }

  toggleSidebar(): void {
    this.sidebarCollapsed = !this.sidebarCollapsed
    this.keep()
  }

  write(text: string): void {
    this.current.write(text)
    const name = this.current.uuid ?? NEW
    if (this.current.editing) return
    if (this.current.message === '') delete this.drafts[name]
    else this.drafts[name] = this.current.message
    this.keep()
  }

  /** Asks in the conversation that is shown, of the open page or not. */
  ask(question: string): void {
    const { current, about } = this
    if (current.editing) void current.askAgain(question)
    else {
      current.write('')
      void current.send(question, about)
    }
    this.keep()
  }

  /** The page that the person looks at; null where there is nothing to ask about. */
  look(about: About | null): void {
    this.page = about
  }

  /** Questions are not about the open page, until another one is open. */
  withoutAbout(): void {
    this.leftOut = this.page?.path ?? null
  }

  get about(): About | null {
    return this.page?.path === this.leftOut ? null : this.page
  }

  /** The home of the panel: the next question begins a conversation. */
  startNew(): void {
    this.show(this.make(null))
  }

  choose(uuid: string): void {
    const known = this.opened.get(uuid) ?? this.make(uuid)
    this.opened.set(uuid, known)
    this.show(known)
    if (known.history === 'none' || known.history === 'failed') void known.load()
    else void known.refresh()
  }

  /** The conversations that match what is typed. */
  async loadSessions(): Promise<void> {
    const { keyword } = this
    try {
      const sessions = await this.parts.calls.sessions(keyword.trim())
      runInAction(() => {
        if (keyword !== this.keyword) return
        this.sessions = sessions
        this.sessionsFailure = null
      })
    } catch (error) {
      runInAction(() => (this.sessionsFailure = error instanceof Error ? error.message : String(error)))
    }
  }

  search(keyword: string): void {
    this.keyword = keyword
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.loadSessions(), SETTLE)
  }

  /** Others than those that are shown (R092); what was shown stays when that fails. */
  async loadQuestions(type: string): Promise<void> {
    const questions = await this.parts.calls.questions(type).catch(this.parts.stream.log)
    if (questions) runInAction(() => (this.questions = questions))
  }

  /** R251. Rejects with RequestError. */
  async pin({ uuid, isTop }: Session): Promise<void> {
    await this.parts.calls.pin(uuid, !isTop)
    this.tell({ type: 'sessions' })
    await this.loadSessions()
  }

  /** R252. Rejects with RequestError. */
  async remove({ uuid }: Session): Promise<void> {
    await this.parts.calls.remove(uuid)
    this.forget(uuid)
    this.tell({ type: 'sessions' })
    await this.loadSessions()
  }

  /** Everything of the current conversation that has to be there: after a reload, or when the panel opens again. */
  arrive(): void {
    if (this.current.history === 'none') void this.current.load()
    else void this.current.refresh()
    void this.loadSessions()
  }

  /** The session ended: nothing is followed any more. */
  end(): void {
    clearTimeout(this.timer)
    this.channel?.close()
    for (const conversation of new Set([this.current, ...this.opened.values()])) conversation.leave()
  }

  private hear(news: News): void {
    if (this.sessions !== null) void this.loadSessions()
    if (news.type === 'conversation') void this.opened.get(news.uuid)?.refresh()
  }

  private tell(news: News): void {
    this.channel?.postMessage(news)
  }

  private show(conversation: ConversationStore): void {
    this.current = conversation
    this.keep()
  }

  private forget(uuid: string): void {
    this.opened.get(uuid)?.leave()
    this.opened.delete(uuid)
    delete this.drafts[uuid]
    if (this.current.uuid === uuid) this.startNew()
  }

  private make(uuid: string | null): ConversationStore {
    const { calls, stream, soon, onOver } = this.parts
    const conversation = new ConversationStore(
      {
        calls,
        stream,
        soon,
        onOver,
        // R236, R237
        onCreated: (created) => {
          if (created.uuid === null) return
          this.opened.set(created.uuid, created)
          this.keep()
          this.tell({ type: 'sessions' })
          void this.loadSessions()
        },
        onChanged: ({ uuid: changed }) => {
          if (changed === null) return
          this.tell({ type: 'conversation', uuid: changed })
        },
      },
      uuid,
    )
    const draft = this.drafts[uuid ?? NEW]
    if (draft !== undefined) conversation.write(draft)
    return conversation
  }

  private keep(): void {
    const { fullScreen, sidebarCollapsed, drafts } = this
    const { uuid, message } = this.current
    if (message === '') delete drafts[uuid ?? NEW]
    try {
      this.parts.storage.setItem(KEPT, JSON.stringify({ fullScreen, sidebarCollapsed, drafts, uuid } satisfies Kept))
    } catch {
      // A full storage costs only the memory of it.
    }
  }
}

interface Kept {
  fullScreen: boolean
  sidebarCollapsed: boolean
  uuid: string | null
  drafts: Record<string, string>
}

function read(storage: Storage): Kept {
  const kept: Kept = { fullScreen: false, sidebarCollapsed: true, uuid: null, drafts: {} }
  try {
    const value: unknown = JSON.parse(storage.getItem(KEPT) ?? 'null')
    if (typeof value !== 'object' || value === null) return kept
    const { fullScreen, sidebarCollapsed, uuid, drafts } = value as Partial<Record<keyof Kept, unknown>>
    const texts = typeof drafts === 'object' && drafts !== null ? Object.entries(drafts) : []
    return {
      fullScreen: fullScreen === true,
      sidebarCollapsed: sidebarCollapsed !== false,
      uuid: typeof uuid === 'string' ? uuid : null,
      drafts: Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    }
  } catch {
    return kept
  }
}
