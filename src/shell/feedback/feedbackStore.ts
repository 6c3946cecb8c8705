import { makeAutoObservable, runInAction } from 'mobx'
import type { Http } from '../http/client'
import type { StreamEvent } from '../stream/channel'

const BASE = '/v2/sys/staff'
/** After an opening or closing of the rating dialog none opens for so long, ms (R219). */
const BLOCKED = 2_000
/** After these the number of unread answers may be another one. */
const COUNTED_ANEW: ReadonlySet<string> = new Set(['message', 'messageRead', 'connection'])

type Kind = 'score' | 'feedback'
interface Popup {
  kind: Kind
  popupConfigId: string
  resourceId: string
  evaluateType: string
}
interface Hint {
  id: string
  text: string
  version: number
}

/** What the portal asks the person who is signed in, and how many answers to his feedback he has not read. */
export class FeedbackStore {
  unread = 0
  hint: Hint | null = null
  /** What the page asks for now: a rating, or feedback. */
  asks: Popup | null = null
  private watched: readonly { resourceId: string; path: string; kind: Kind }[] = []
  private blockedUntil = 0
  /** Kinds that were shown in this session (R220); the gateway remembers them for other tabs. */
  private readonly seen = new Set<string>()

  constructor(private readonly http: Pick<Http, 'request'>) {
    makeAutoObservable(this, {}, { autoBind: true })
  }

  hear({ event }: StreamEvent): void {
    if (COUNTED_ANEW.has(event)) void this.count()
  }

  /** How many answers are unread (R010); what was known stays when that fails. */
  async count(): Promise<void> {
    const unread = await this.get<number>('feedback/countResponeFeedback')
    if (unread !== null) runInAction(() => (this.unread = unread))
  }

  /** The hint, and which pages may ask for something (R216, R325). */
  async load(path: string): Promise<void> {
    const tip = await this.get<Hint & { enabled: boolean }>('feedbackConfig/getFeedbackTips')
    const flag = await this.get<{ watched: FeedbackStore['watched'] }>('feedback/checkUserHasFeedback')
    runInAction(() => {
      this.hint = tip?.enabled ? tip : null
      this.watched = flag?.watched ?? []
    })
    await this.enter(path)
  }

  /** A page was entered: it asks once, if something is due there (R218). */
  async enter(path: string): Promise<void> {
    for (const { resourceId, kind } of this.watched.filter((one) => one.path === path)) {
      if (Date.now() < this.blockedUntil || this.asks !== null) return
      const found = await this.trigger(kind, { resourceId })
      if (!found?.id || this.seen.has(`${kind} ${found.evaluateType}`)) continue
      const popup = { kind, resourceId, popupConfigId: found.id, evaluateType: found.evaluateType }
      runInAction(() => {
        this.seen.add(`${kind} ${popup.evaluateType}`)
        this.asks = popup
        this.blockedUntil = Date.now() + BLOCKED
      })
      void this.tell(popup, 'shown')
    }
  }

  /** Closes the rating, or the invitation to write. */
  close(action: 'dismissed' | 'submitted'): void {
    if (this.asks) void this.tell(this.asks, action)
    this.asks = null
    this.blockedUntil = Date.now() + BLOCKED
  }

  /** R217 */
  dismissHint(): void {
    if (this.hint) void this.trigger('feedback', { tipId: this.hint.id, version: this.hint.version, action: 'dismissed' })
    this.hint = null
  }

  private tell({ kind, popupConfigId, resourceId }: Popup, action: string): Promise<unknown> {
    return this.trigger(kind, { popupConfigId, resourceId, action })
  }

  /** Nobody waits for these answers: a failure is not told. */
  private trigger(kind: Kind, body: object): Promise<{ id: string | null; evaluateType: string } | null> {
    const path = `${BASE}/feedbackPopupStat/triggerPopup${kind === 'score' ? 'Score' : 'Feedback'}Window`
    return this.http.request<{ id: string | null; evaluateType: string }>({ method: 'POST', path, body }).catch(() => null)
  }

  private get<Answer>(address: string): Promise<Answer | null> {
    return this.http.request<Answer>({ method: 'GET', path: `${BASE}/${address}` }).catch(() => null)
  }
}
