import { setTimeout as pause } from 'node:timers/promises'
import type { Chats } from './chats'
import { isOver, type Block, type Chat, type ChatState, type Voice } from './events'

const KEEP_EVERY = 500
/** How long events of an answer that ended are held for who comes back. */
const REMEMBERED = 60_000
/** An answer that another gateway did not go on with for so long has failed. */
const SILENT = 90_000

/** One event of the stream. */
export interface Sent {
  id: string
  event: string
  data: unknown
}
type Listener = (sent: Sent | null) => void

/** Where a reader stopped: `chat.event.characters`. */
export interface Place {
  chatUuid: string
  event: number
  characters: number
}

/** @returns undefined for an id that the stream never gave */
export function placeOf(lastEventId: string | undefined): Place | undefined {
  const found = /^([\w-]{1,40})\.(\d{1,9})\.(\d{1,9})$/.exec(lastEventId ?? '')
  return found ? { chatUuid: found[1] ?? '', event: Number(found[2]), characters: Number(found[3]) } : undefined
}

/** An answer while it is given. It goes on when its readers leave. */
class Run implements Voice {
  readonly sent: Sent[] = []
  readonly listeners = new Set<Listener>()
  readonly abort = new AbortController()
  readonly signal = this.abort.signal
  private firstAt: string | null = null
  private endedAt: string | null = null
  private model: string | null = null
  private tokens: number | null = null
  private keeping: NodeJS.Timeout | undefined

  constructor(
    readonly conversationUuid: string,
    public chat: Chat,
    private readonly chats: Chats,
    private readonly now: () => Date,
    private readonly onError: (error: unknown) => void,
  ) {}

  emit(event: string, data: unknown): void {
    const sent = { id: `${this.chat.uuid}.${this.sent.length + 1}.${this.chat.aiResponse.length}`, event, data }
    this.sent.push(sent)
    for (const listener of this.listeners) listener(sent)
  }

  private change(values: Partial<Chat>): void {
    this.chat = { ...this.chat, ...values }
    this.keeping ??= setTimeout(() => {
      this.keeping = undefined
      void this.keep()
    }, KEEP_EVERY)
  }

  private async keep(): Promise<void> {
    if (isOver(this.chat.state)) return
    try {
      if ((await this.chats.stateOf(this.chat.uuid)) === 'stopped') return this.abort.abort()
      const { firstAt, endedAt, model, tokens } = this
      await this.chats.keep(this.chat, { firstAt, endedAt, model, tokens })
    } catch (error) {
      this.onError(error)
    }
  }

  say(content: string): void {
    if (this.signal.aborted || content === '') return
    this.firstAt ??= this.now().toISOString()
    this.change({ aiResponse: this.chat.aiResponse + content, state: 'answering' })
    this.emit('message', { content, conversationUuid: this.conversationUuid, chatUuid: this.chat.uuid })
  }
  think = (text: string): void => this.emit('thinking', { text })
  show(block: Block): void {
    if (this.signal.aborted) return
    this.change({ blocks: [...this.chat.blocks, block] })
    this.emit(block.kind, block)
  }
  called(call: Chat['toolCalls'][number]): void {
    this.change({ toolCalls: [...this.chat.toolCalls, call] })
    this.emit('tool', call)
  }
  cite(kbDocuments: Chat['kbDocuments']): void {
    if (this.signal.aborted || kbDocuments.length === 0) return
    this.change({ kbDocuments })
    this.emit('kbdocs', kbDocuments)
  }
  guess(guessQuestions: readonly string[]): void {
    if (this.signal.aborted || guessQuestions.length === 0) return
    this.change({ guessQuestions })
    this.emit('guessQuestions', guessQuestions)
  }
  by(engine: 'embedded' | 'model', model?: string, tokens?: number): void {
    this.model = model ?? null
    this.tokens = tokens ?? null
    this.change({ engine })
  }

  /** Keeps the answer as it ends, then tells it. */
  async end(state: ChatState): Promise<void> {
    if (isOver(this.chat.state)) return
    clearTimeout(this.keeping)
    this.endedAt = this.now().toISOString()
    this.chat = { ...this.chat, state }
    const { firstAt, endedAt, model, tokens } = this
    await this.chats.keep(this.chat, { firstAt, endedAt, model, tokens })
    this.emit('end', { state, chat: this.chat })
    for (const listener of this.listeners) listener(null)
    this.listeners.clear()
  }
}

/** The answers that this gateway gives now. */
export class Running {
  private readonly runs = new Map<string, Run>()

  constructor(
    private readonly chats: Chats,
    private readonly now: () => Date,
    private readonly onError: (error: unknown, message: string) => void,
  ) {}

  /** Begins an answer; `work` says it. What it throws ends the answer as failed, with a sentence for the person. */
  start(
    conversationUuid: string,
    chat: Chat,
    failure: { code: number; msg: string },
    work: (voice: Voice) => Promise<void>,
  ): void {
    const told = (error: unknown): void => this.onError(error, 'an answer of the assistant could not be kept')
    const run = new Run(conversationUuid, chat, this.chats, this.now, told)
    this.runs.set(chat.uuid, run)
    run.emit('init', { conversationUuid, chatUuid: chat.uuid, engine: chat.engine, resumed: false })
    const going = async (): Promise<void> => {
      try {
        await work(run)
        await run.end(run.signal.aborted ? 'stopped' : 'done')
      } catch (error) {
        if (!run.signal.aborted) {
          this.onError(error, 'the assistant could not answer')
          run.emit('error', failure)
        }
        await run.end(run.signal.aborted ? 'stopped' : 'failed').catch(told)
      }
      setTimeout(() => this.runs.delete(chat.uuid), REMEMBERED).unref()
    }
    void going()
  }

  /** Breaks an answer off; what came of it stays. */
  async stop(chat: Chat): Promise<ChatState> {
    if (isOver(chat.state)) return chat.state
    const run = this.runs.get(chat.uuid)
    if (run) {
      run.abort.abort()
      await run.end('stopped')
      return run.chat.state
    }
    await this.chats.markStopped(chat.uuid)
    return 'stopped'
  }

  /** Forgets an answer that is deleted. */
  forget(chatUuid: string): void {
    this.runs.get(chatUuid)?.abort.abort()
    this.runs.delete(chatUuid)
  }

  /**
   * Follows an answer from a place on until it ends, on whatever gateway it is given. Events come in order; with a place, `init` comes first.
   * @param look reads the answer as it is kept
   */
  async follow(
    place: Place,
    conversationUuid: string,
    look: () => Promise<Chat>,
    tell: (sent: Sent) => void,
    signal: AbortSignal,
  ) {
    const run = this.runs.get(place.chatUuid)
    if (run) return followRun(run, place, tell, signal)
    const init = (chat: Chat, id: string): void =>
      tell({ id, event: 'init', data: { conversationUuid, chatUuid: chat.uuid, engine: chat.engine, resumed: true } })
    let { characters } = place
    let begun = false
    for (let chat = await look(), length = -1, since = Date.now(); !signal.aborted; chat = await look()) {
      const id = `${chat.uuid}.${place.event + 1}.${chat.aiResponse.length}`
      if (!begun) init(chat, id)
      begun = true
      if (chat.aiResponse.length > characters) {
        const content = chat.aiResponse.slice(characters)
        tell({ id, event: 'message', data: { content, conversationUuid, chatUuid: chat.uuid } })
        characters = chat.aiResponse.length
      }
      if (isOver(chat.state)) {
        for (const block of chat.blocks) tell({ id, event: block.kind, data: block })
        if (chat.kbDocuments.length > 0) tell({ id, event: 'kbdocs', data: chat.kbDocuments })
        if (chat.guessQuestions.length > 0) tell({ id, event: 'guessQuestions', data: chat.guessQuestions })
        return tell({ id, event: 'end', data: { state: chat.state, chat } })
      }
      if (chat.aiResponse.length !== length) since = Date.now()
      length = chat.aiResponse.length
      if (Date.now() - since > SILENT) await this.chats.giveUp(chat.uuid, chat.state)
      await pause(KEEP_EVERY)
    }
    return undefined
  }

  /** Breaks off all answers, when the gateway stops. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.runs.values()].map(async (run) => {
        run.abort.abort()
        await run.end('stopped')
      }),
    )
  }
}

function followRun(run: Run, place: Place, tell: (sent: Sent) => void, signal: AbortSignal): Promise<void> {
  const last = run.sent.at(-1)
  if (place.event > 0 || place.characters > 0) {
    const id = last?.id ?? `${run.chat.uuid}.0.0`
    const { conversationUuid, chat } = run
    tell({ id, event: 'init', data: { conversationUuid, chatUuid: chat.uuid, engine: chat.engine, resumed: true } })
    const content = chat.aiResponse.slice(place.characters)
    if (content !== '') tell({ id, event: 'message', data: { content, conversationUuid, chatUuid: chat.uuid } })
    for (const sent of run.sent.slice(place.event)) if (sent.event !== 'message' && sent.event !== 'init') tell(sent)
  } else for (const sent of run.sent) tell(sent)
  if (last?.event === 'end') return Promise.resolve()
  return new Promise((resolve) => {
    const listener: Listener = (sent) => (sent === null ? resolve() : tell(sent))
    run.listeners.add(listener)
    signal.addEventListener('abort', () => {
      run.listeners.delete(listener)
      resolve()
    })
  })
}
