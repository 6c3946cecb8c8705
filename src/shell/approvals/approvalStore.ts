import { makeAutoObservable } from 'mobx'
import type { Http } from '../http/client'
import type { StreamEvent } from '../stream/channel'

/** After these the number may be another one: a new task is a message, a decision changes the tasks of whoever took it. */
const COUNTED_ANEW: ReadonlySet<string> = new Set(['message', 'messageRead', 'approvals', 'connection'])
/** Several events of one moment are one look. */
const SETTLE = 150

/** How many approvals wait for the person who is signed in (R323); followed by the stream, as every task tells its holder. */
export class ApprovalStore {
  waiting = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly http: Pick<Http, 'request'>) {
    makeAutoObservable<this, 'http' | 'timer'>(this, { http: false, timer: false }, { autoBind: true })
  }

  hear({ event }: StreamEvent): void {
    if (!COUNTED_ANEW.has(event)) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.count(), SETTLE)
  }

  /** Reads the counts. The shortcut keeps what it knew when that fails. */
  async count(): Promise<void> {
    const answer = await this.http
      .request<{ todoNum: number }>({ method: 'POST', path: '/v2/workflow/my/summary', body: {} })
      .catch(() => null)
    if (answer) this.take(answer.todoNum)
  }

  /** No more calls: the sign-in ended. */
  stop(): void {
    clearTimeout(this.timer)
  }

  private take(waiting: number): void {
    this.waiting = waiting
  }
}
