import { makeAutoObservable, observableRef } from 'mobx'
import { RequestError } from '../../headless/host'
import type { Http } from '../http/client'
import type { StreamEvent } from '../stream/channel'
import { mailNewsOf } from './mailNews'

const MESSAGES = '/v2/sys/mc/message'
const SHOWN = 20
/** Several events of one moment are one look. */
const SETTLE = 150

/** A message as its receiver reads it. */
export interface Message {
  id: string
  /** What kind of matter it is, in words. */
  matter: string
  title: string
  text: string | null
  link: string | null
  from: string | null
  at: string
  read: boolean
}

interface MessagePage {
  records: readonly Message[]
  total: number
  next: string | null
}

/** The messages of the person who is signed in; how many are unread is followed by the stream, also in tabs that do not hold it. */
export class MessageStore {
  unread = 0
  open = false
  /** Only those that are not read. */
  unreadOnly = false
  /** Newest first; null until the first answer. */
  messages: readonly Message[] | null = null
  total = 0
  next: string | null = null
  loading = false
  failure: string | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly http: Pick<Http, 'request'>) {
    makeAutoObservable<this, 'http' | 'timer'>(this, { messages: observableRef, http: false, timer: false }, { autoBind: true })
  }

  /** R226, R227: a message makes the count rise at once; what else may have changed it is asked for. New mail is counted at the menu. */
  hear(told: StreamEvent): void {
    const { event } = told
    if (mailNewsOf(told)) return
    if (event !== 'message' && event !== 'messageRead' && event !== 'connection') return
    if (event === 'message') this.unread += 1
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      void this.count()
      if (this.open) void this.load()
    }, SETTLE)
  }

  /** Reads how many are unread. The bell keeps what it knew when that fails. */
  async count(): Promise<void> {
    const answer = await this.http
      .request<{ unread: number }>({ method: 'GET', path: `${MESSAGES}/getMsgTypeCount` })
      .catch(() => null)
    if (answer) this.setUnread(answer.unread)
  }

  setOpen(open: boolean): void {
    this.open = open
    if (open) void this.load()
  }

  showUnread(unreadOnly: boolean): void {
    this.unreadOnly = unreadOnly
    this.messages = null
    void this.load()
  }

  /** Reads the newest ones. */
  load(): Promise<void> {
    return this.ask('', (page) => this.take(page.records, page))
  }

  /** Reads those behind the ones that are shown. */
  more(): Promise<void> {
    return this.ask(this.next ?? '', (page) => this.take([...(this.messages ?? []), ...page.records], page))
  }

  /** Marks one as read; rejects with RequestError. */
  async read({ id, read }: Message): Promise<void> {
    if (read) return
    this.mark((message) => message.id === id)
    const path = `${MESSAGES}/changeMsgStatusByMsgId?msgId=${encodeURIComponent(id)}`
    this.setUnread((await this.http.request<{ unread: number }>({ method: 'POST', path })).unread)
  }

  /** Marks all as read; rejects with RequestError. */
  async readAll(): Promise<void> {
    const path = `${MESSAGES}/query/home/message/change/status`
    this.setUnread((await this.http.request<{ unread: number }>({ method: 'POST', path, body: {} })).unread)
    this.mark(() => true)
  }

  /** No more calls: the session ended. */
  stop(): void {
    clearTimeout(this.timer)
  }

  private setUnread(unread: number): void {
    this.unread = unread
  }

  private mark(which: (message: Message) => boolean): void {
    this.messages = (this.messages ?? []).map((message) => (which(message) ? { ...message, read: true } : message))
  }

  private take(messages: readonly Message[], { total, next }: MessagePage): void {
    this.messages = messages
    this.total = total
    this.next = next
    this.failure = null
  }

  private async ask(cursor: string, take: (page: MessagePage) => void): Promise<void> {
    const { unreadOnly } = this
    this.loading = true
    try {
      const body = { unread: unreadOnly, cursor, pageSize: SHOWN }
      const page = await this.http.request<MessagePage>({ method: 'POST', path: `${MESSAGES}/query/home/message/list`, body })
      if (unreadOnly === this.unreadOnly) take(page)
    } catch (error) {
      this.fail(error)
    }
    this.rest()
  }

  private rest(): void {
    this.loading = false
  }

  private fail(error: unknown): void {
    if (error instanceof RequestError && error.kind === 'signedOut') return
    this.failure = error instanceof Error ? error.message : String(error)
  }
}
