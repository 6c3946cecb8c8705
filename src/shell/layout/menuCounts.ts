import { makeAutoObservable, observableRef } from 'mobx'
import type { Http } from '../http/client'

interface Unread {
  receiveUnReadNum: number
  junkUnReadNum: number
}

/** How many wait behind entries of the menu, by their paths: unread mail (R153), which the bell does not count. */
export class MenuCounts {
  byPath: Readonly<Record<string, number>> = {}

  constructor(private readonly http: Pick<Http, 'request'>) {
    makeAutoObservable<this, 'http'>(this, { byPath: observableRef, http: false }, { autoBind: true })
  }

  /** Asks how much mail is unread; what was known stays when that fails. */
  async load(): Promise<void> {
    const answer = await this.http
      .request<Unread>({ method: 'POST', path: '/v2/emailbox/message/non/read', body: {} })
      .catch(() => null)
    if (answer) this.take(answer)
  }

  private take({ receiveUnReadNum, junkUnReadNum }: Unread): void {
    this.byPath = { '/message/email/inbox': receiveUnReadNum, '/message/email/spam': junkUnReadNum }
  }
}
