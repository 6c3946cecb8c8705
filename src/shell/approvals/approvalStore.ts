import { makeAutoObservable } from 'mobx'
import type { Http } from '../http/client'
import type { StreamEvent } from '../stream/channel'

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
    if (event !== 'message' && event !== 'messageRead' && event !== 'connection') return
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
