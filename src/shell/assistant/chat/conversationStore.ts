import { makeAutoObservable, observableRef, runInAction } from 'mobx'
import type { SentEvent } from '../../stream/connection'
import { followAnswer, type AnswerStream } from './answerStream'
import type { About, AssistantCalls } from './assistantCalls'
import { afterEvent, newerOf, resumeFrom } from './chatEvents'
import { askedChat, isRunning, type Chat } from './wire'

/** R288 */
export const LONGEST_QUESTION = 100

/** One question with its answer, as it is drawn; `key` stays when the gateway has named it. */
export interface Message {
  key: string
  chat: Chat
  /** The way to the answer is lost; it may go on in the gateway. */
  isLost: boolean
  /** The one in whose place it was asked. */
  replaces: string | null
}

/** What people who cannot see the answer are told. */
export type Announced = 'started' | 'done' | 'stopped' | 'failed' | null

export interface ConversationParts {
  calls: AssistantCalls
  stream: Pick<AnswerStream, 'connection' | 'headers' | 'log'>
  /** Runs something before the next frame: pieces that came meanwhile are drawn at once. */
  soon: (run: () => void) => void
  /** The gateway has a conversation of this name now, or this one has changed. */
  onCreated: (conversation: ConversationStore) => void
  onChanged: (conversation: ConversationStore) => void
  /** Nobody is signed in any more. */
  onOver: () => void
}

let keys = 0

/** One conversation as it is open in this tab (R162): its draft, its messages, and the answer that comes in. */
export class ConversationStore {
  /** Of this tab: it stays when the gateway has named the conversation. */
  readonly id = ++keys
  /** Null stands for a conversation that the gateway does not have yet (R161). */
  uuid: string | null
  /** What is typed and not sent. */
  message = ''
  loading = false
  /** What is typed takes the place of the last question. */
  editing = false
  /** Whether the answer can be stopped: the gateway has begun it (R244). */
  isStopSSE = false
  /** The oldest first. */
  messageData: readonly Message[] = []
  /** Whether there are older ones. */
  hasMore = false
  history: 'none' | 'loading' | 'loaded' | 'failed' = 'none'
  announced: Announced = null
  /** Where it was left, px from the top; null at the end, which is followed. Not observed: only who comes back looks. */
  scrolled: number | null = null
  private following: AbortController | null = null

  constructor(
    private readonly parts: ConversationParts,
    uuid: string | null,
  ) {
    this.uuid = uuid
    if (uuid === null) this.history = 'loaded'
    makeAutoObservable<this, 'parts' | 'following'>(
      this,
      { parts: false, following: false, scrolled: false, messageData: observableRef },
      { autoBind: true },
    )
  }

  /** Nothing was asked yet: the home of the panel stands in its place (R092). */
  get isNew(): boolean {
    return this.uuid === null && this.messageData.length === 0
  }

  get calls(): AssistantCalls {
    return this.parts.calls
  }

  get last(): Message | null {
    return this.messageData.at(-1) ?? null
  }

  write(message: string): void {
    this.message = message.slice(0, LONGEST_QUESTION)
  }

  /** Takes the last question into the draft, or leaves it as it was. */
  edit(editing: boolean): void {
    if (editing && (this.loading || this.last === null)) return
    this.editing = editing
    this.message = editing ? (this.last?.chat.userQuery ?? '') : ''
  }

  /** Asks (R235-R243). Nothing happens while an answer comes in (R291), or without a word (R286). */
  async send(question: string, about: About | null = null): Promise<void> {
    const content = question.trim().slice(0, LONGEST_QUESTION)
    if (content === '' || this.loading) return
    this.message = ''
    this.editing = false
    const asked = messageOf(askedChat(content))
    this.messageData = [...this.messageData.filter(({ chat }) => chat.uuid !== null), asked]
    await this.ask(asked, content, about === null ? {} : { about })
  }

  /** Asks the last question once more, or another one in its place. */
  async askAgain(question: string): Promise<void> {
    const { last } = this
    const content = question.trim().slice(0, LONGEST_QUESTION)
    if (content === '' || last === null || this.loading) return
    if (this.editing) this.edit(false)
    const replaces = last.chat.uuid ?? last.replaces
    const asked = { ...messageOf(askedChat(content)), replaces }
    this.messageData = [...this.messageData.slice(0, -1), asked]
    await this.ask(asked, content, replaces === null ? {} : { regenerateOf: replaces })
  }

  /** Takes the answer up again that is still being written, here or elsewhere. */
  async goOn(): Promise<void> {
    const { last } = this
    if (last === null || this.loading || last.chat.uuid === null || !isRunning(last.chat)) return
    this.set(last.key, { isLost: false })
    this.isStopSSE = true
    await this.follow(last, '', null)
  }

  /** R245, R246 */
  async stop(): Promise<void> {
    const { last } = this
    if (!this.loading || last === null) return
    this.following?.abort()
    this.rest()
    this.set(last.key, { chat: { ...last.chat, state: 'stopped', doing: null } })
    this.announced = 'stopped'
    const { uuid } = last.chat
    if (uuid === null) return
    await this.parts.calls.stop(uuid).catch(this.parts.stream.log)
    this.parts.onChanged(this)
  }

  /** The newest messages, or those before the ones that are shown (R345, R413). */
  async load(older = false): Promise<void> {
    if (this.uuid === null || this.history === 'loading') return
    this.history = 'loading'
    const before = older ? (this.messageData.find(({ chat }) => chat.uuid !== null)?.chat.uuid ?? null) : null
    try {
      const { chats, hasMore } = await this.parts.calls.history(this.uuid, before)
      runInAction(() => {
        this.history = 'loaded'
        this.hasMore = hasMore
        const known = new Set(this.messageData.map(({ chat }) => chat.uuid))
        const found = chats.toReversed().filter(({ uuid }) => !known.has(uuid))
        this.messageData = [...found.map(messageOf), ...this.messageData]
      })
      if (!older) void this.goOn()
    } catch (error) {
      // R393
      this.parts.stream.log(error)
      runInAction(() => (this.history = 'failed'))
    }
  }

  /** Another tab has asked, stopped or rated here: what is shown becomes what is kept. */
  async refresh(): Promise<void> {
    if (this.uuid === null || this.history !== 'loaded') return
    const page = await this.parts.calls.history(this.uuid, null).catch((error: unknown) => this.parts.stream.log(error))
    if (!page) return
    runInAction(() => {
      const chats = page.chats.toReversed()
      const kept = new Map(this.messageData.map((message) => [message.chat.uuid, message]))
      const oldest = this.messageData.findIndex(({ chat }) => chat.uuid === chats[0]?.uuid)
      const before = oldest < 0 ? [] : this.messageData.slice(0, oldest)
      // what the gateway does not have yet, or refused
      const own = this.messageData.filter(({ chat }) => chat.uuid === null)
      const replaced = new Set(own.map(({ replaces }) => replaces))
      const shown = chats
        .filter(({ uuid }) => !replaced.has(uuid))
        .map((chat) => {
          const known = kept.get(chat.uuid)
          return known ? { ...known, chat: newerOf(known.chat, chat) } : messageOf(chat)
        })
      this.messageData = [...before, ...shown, ...own]
      if (oldest < 0) this.hasMore = page.hasMore
    })
    if (this.last !== null && this.loading && !isRunning(this.last.chat)) {
      this.following?.abort()
      runInAction(() => this.rest())
    }
    void this.goOn()
  }

  /** Rejects with RequestError. */
  async rate({ key, chat }: Message, like: 1 | 0 | null, tags: readonly string[], content: string): Promise<void> {
    if (chat.uuid === null) return
    await this.parts.calls.rate(chat.uuid, like, tags, content)
    const now = this.messageData.find((message) => message.key === key)
    if (now) runInAction(() => this.set(key, { chat: { ...now.chat, like } }))
    this.parts.onChanged(this)
  }

  /** No more is followed: the panel is gone. The gateway goes on. */
  leave(): void {
    this.following?.abort()
    this.rest()
  }

  private async ask(asked: Message, content: string, more: object): Promise<void> {
    this.loading = true
    this.announced = 'started'
    if (this.uuid === null) {
      const created = await this.create(content)
      if (!created) return
    }
    await this.follow(asked, content, more)
  }

  private async create(question: string): Promise<boolean> {
    try {
      const uuid = await this.parts.calls.create(question)
      if (uuid === null) throw new Error()
      runInAction(() => (this.uuid = uuid))
      this.parts.onCreated(this)
      return true
    } catch (error) {
      const failure = error instanceof Error && error.message !== '' ? error.message : null
      runInAction(() => this.fail(this.last?.key ?? '', failure))
      return false
    }
  }

  /** `more` is null for an answer that was asked for before, maybe elsewhere: nobody has to be told of it. */
  private async follow(message: Message, content: string, more: object | null): Promise<void> {
    const { key } = message
    const following = new AbortController()
    this.following = following
    this.loading = true
    let chat = message.chat
    let lastId: string | null = null
    let drawn = true
    const draw = (): void => {
      if (drawn || following.signal.aborted) return
      drawn = true
      runInAction(() => this.set(key, { chat }))
    }
    const onEvent = (event: SentEvent): void => {
      try {
        chat = afterEvent(chat, event)
      } catch (error) {
        return this.parts.stream.log(error)
      }
      lastId = event.id ?? lastId
      if (event.event === 'init') {
        runInAction(() => (this.isStopSSE = true))
        if (more) this.parts.onChanged(this)
      }
      if (drawn) this.parts.soon(draw)
      drawn = false
    }
    const end = await followAnswer({
      ...this.parts.stream,
      body: { stream: true, content, conversationUuid: this.uuid, ...more },
      resumeFrom: () => resumeFrom(chat, lastId),
      onEvent,
      signal: following.signal,
    })
    if (end.type === 'aborted') return
    draw()
    runInAction(() => {
      this.following = null
      switch (end.type) {
        case 'ended':
          this.rest()
          this.announced = chat.state === 'failed' ? 'failed' : chat.state === 'stopped' ? 'stopped' : 'done'
          break
        case 'refused':
          this.fail(key, end.message)
          break
        default:
          this.rest()
          this.announced = 'failed'
          this.set(key, chat.uuid === null ? { chat: { ...chat, state: 'failed', doing: null } } : { isLost: true })
      }
    })
    if (end.type === 'over') this.parts.onOver()
    if (more) this.parts.onChanged(this)
  }

  private rest(): void {
    this.loading = false
    this.isStopSSE = false
  }

  private fail(key: string, failure: string | null): void {
    this.rest()
    this.announced = 'failed'
    const message = this.messageData.find((each) => each.key === key)
    if (message) this.set(key, { chat: { ...message.chat, state: 'failed', doing: null, failure } })
  }

  private set(key: string, change: Partial<Message>): void {
    this.messageData = this.messageData.map((message) => (message.key === key ? { ...message, ...change } : message))
  }
}

const messageOf = (chat: Chat): Message => ({ key: chat.uuid ?? `asked-${++keys}`, chat, isLost: false, replaces: null })
