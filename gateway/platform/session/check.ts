import type { Database } from '../database'
import { ServiceError } from '../http'
import type { RequestContext } from '../http'
import type { StaffDirectory } from './options'
import { SESSION_CHANNEL } from './sessions'
import type { SessionStore } from './sessions'
import type { TokenSigner } from './tokens'

/** Milliseconds for which a session that was found open is taken to be open; ends are told by push at once. */
const FRESH = 5000
const MAXIMUM = 5000

interface Caller {
  locale: RequestContext['locale']
  traceId: string
  ip: string
}

/** Who stands behind a bearer token: checked on every call, with a short memory. */
export class SessionCheck {
  /** Session id -> until when it is taken to be open (milliseconds). */
  private readonly open = new Map<string, { staffId: string; until: number }>()

  constructor(
    private readonly signer: TokenSigner,
    private readonly sessions: SessionStore,
    private readonly directory: StaffDirectory,
    private readonly now: () => Date,
  ) {}

  /** Hears of sessions that ended, here or on another instance. */
  async listen(database: Database): Promise<() => Promise<void>> {
    return database.listen(SESSION_CHANNEL, (payload) => this.forget(payload), { onGap: () => this.open.clear() })
  }

  /** `session:<id>` or `staff:<id>`. */
  forget(payload: string): void {
    const [kind, id] = payload.split(':')
    if (kind === 'session') this.open.delete(id ?? '')
    else for (const [sessionId, entry] of this.open) if (entry.staffId === id) this.open.delete(sessionId)
  }

  /**
   * The context of a call.
   * @throws ServiceError tokenInvalid (11008) for a missing, malformed, expired or unknown token, sessionEnded (11015) when
   * the session was signed out or the person left or was disabled.
   */
  async contextFor(authorization: string | undefined, caller: Caller): Promise<RequestContext> {
    const token = bearerOf(authorization)
    const claims = token === undefined ? 'invalid' : await this.signer.verify('access', token)
    if (typeof claims === 'string' || typeof claims.sub !== 'string' || typeof claims['sid'] !== 'string')
      throw new ServiceError('tokenInvalid')
    const staffId = claims.sub
    const sessionId = claims['sid']
    await this.requireOpen(sessionId, staffId)
    const now = this.now()
    const rights = await this.directory.rightsOf(staffId, now)
    if (!rights) throw new ServiceError('sessionEnded')
    return { kind: 'staff', ...rights, ...caller, now, sessionId }
  }

  private async requireOpen(sessionId: string, staffId: string): Promise<void> {
    const moment = this.now().getTime()
    const known = this.open.get(sessionId)
    if (known && known.until > moment && known.until - moment <= FRESH) return
    const state = await this.sessions.stateOf(sessionId)
    if (state === 'unknown') throw new ServiceError('tokenInvalid')
    if (state === 'ended') {
      this.open.delete(sessionId)
      throw new ServiceError('sessionEnded')
    }
    if (this.open.size >= MAXIMUM) this.open.clear()
    this.open.set(sessionId, { staffId, until: moment + FRESH })
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
}
