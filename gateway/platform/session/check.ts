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

/** Sessions that may be over: one, or all of a person. */
export type EndedSessions = { sessionId: string } | { staffId: string }

interface TokenClaims {
  staffId: string
  sessionId: string
  /** Milliseconds between which the token counts. */
  from: number
  until: number
}

/** Who stands behind a bearer token: checked on every call, with a short memory. */
export class SessionCheck {
  /** Session id -> until when it is taken to be open (milliseconds). */
  private readonly open = new Map<string, { staffId: string; until: number }>()
  /** Counts ends, so that a session which was read as open before its end is not remembered as open after it. */
  private generation = 0
  /** Tokens whose signature was found right, until they expire. */
  private readonly verified = new Map<string, TokenClaims>()
  /** Told when sessions may have ended: whose, or null for anybody's. */
  private readonly followers = new Set<(ended: EndedSessions | null) => void>()

  constructor(
    private readonly signer: TokenSigner,
    private readonly sessions: SessionStore,
    private readonly directory: StaffDirectory,
    private readonly now: () => Date,
  ) {}

  /** Hears of sessions that ended, here or on another instance. */
  async listen(database: Database): Promise<() => Promise<void>> {
    const onGap = () => {
      this.open.clear()
      for (const follow of this.followers) follow(null)
    }
    return database.listen(SESSION_CHANNEL, (payload) => this.forget(payload), { onGap })
  }

  /** Tells of sessions that may have ended, here or on another instance, as soon as it is known; whoever listens asks again. */
  follow(follower: (ended: EndedSessions | null) => void): void {
    this.followers.add(follower)
  }

  /** `session:<id>` or `staff:<id>`. */
  forget(payload: string): void {
    this.generation += 1
    const [kind, id = ''] = payload.split(':')
    if (kind === 'session') this.open.delete(id)
    else for (const [sessionId, entry] of this.open) if (entry.staffId === id) this.open.delete(sessionId)
    for (const follow of this.followers) follow(kind === 'session' ? { sessionId: id } : { staffId: id })
  }

  /**
   * The context of a call.
   * @throws ServiceError tokenInvalid (11008) for a missing, malformed, expired or unknown token, sessionEnded (11015) when
   * the session was signed out or the person left or was disabled.
   */
  async contextFor(authorization: string | undefined, caller: Caller): Promise<RequestContext> {
    const { staffId, sessionId } = await this.claimsOf(bearerOf(authorization))
    await this.requireOpen(sessionId, staffId)
    const now = this.now()
    const rights = await this.directory.rightsOf(staffId, now)
    if (!rights) throw new ServiceError('sessionEnded')
    return { kind: 'staff', ...rights, ...caller, now, sessionId }
  }

  private async claimsOf(token: string | undefined): Promise<TokenClaims> {
    const moment = this.now().getTime()
    const known = token === undefined ? undefined : this.verified.get(token)
    if (known && known.from <= moment && moment < known.until) return known
    const payload = token === undefined ? 'invalid' : await this.signer.verify('access', token)
    if (token === undefined || typeof payload === 'string') throw new ServiceError('tokenInvalid')
    const { sub, sid, iat, exp } = payload
    if (typeof sub !== 'string' || typeof sid !== 'string' || iat === undefined || exp === undefined)
      throw new ServiceError('tokenInvalid')
    const claims = { staffId: sub, sessionId: sid, from: (iat - 60) * 1000, until: exp * 1000 }
    if (this.verified.size >= MAXIMUM) this.verified.clear()
    this.verified.set(token, claims)
    return claims
  }

  private async requireOpen(sessionId: string, staffId: string): Promise<void> {
    const moment = this.now().getTime()
    const known = this.open.get(sessionId)
    if (known && known.until > moment && known.until - moment <= FRESH) return
    const { generation } = this
    const state = await this.sessions.stateOf(sessionId)
    if (state === 'unknown') throw new ServiceError('tokenInvalid')
    if (state === 'ended') {
      this.open.delete(sessionId)
      throw new ServiceError('sessionEnded')
    }
    if (generation !== this.generation) return
    if (this.open.size >= MAXIMUM) this.open.clear()
    this.open.set(sessionId, { staffId, until: moment + FRESH })
  }
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1]
}
