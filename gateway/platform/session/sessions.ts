import { newId } from '../database'
import type { Database, Executor } from '../database'
import { ServiceError } from '../http'
import { REFRESH_GRACE_SECONDS } from './options'
import { hashOf, newSecret } from './secrets'
import type { TokenSigner } from './tokens'

/** Answer of the token calls (R149). */
export interface TokenAnswer {
  tokenHead: 'Bearer'
  token: string
  /** Seconds. */
  expiresIn: number
  refreshToken: string
}

/** New tokens, and the value of the cookie that goes with them. */
export interface IssuedTokens {
  tokens: TokenAnswer
  companion: string
}

export interface SessionStart {
  staffId: string
  way: string
  ip: string
  userAgent: string
}

export interface SessionDurations {
  access: number
  refresh: number
  session: number
}

/** Why a session is not usable; undefined = it is. */
export type SessionState = 'open' | 'ended' | 'unknown'

/** Channel on which instances tell each other that sessions ended: payload is `session:<id>` or `staff:<id>`. */
export const SESSION_CHANNEL = 'session_ended'

interface SessionRow {
  id: string
  staffId: string
  expiresAt: string
  revokedAt: string | null
}

/** Sign-ins, their token families and how they end. Nothing here trusts a cache: see SessionCheck for that. */
export class SessionStore {
  constructor(
    private readonly database: Database,
    private readonly signer: TokenSigner,
    private readonly durations: SessionDurations,
    private readonly now: () => Date,
  ) {}

  /** Opens a session; inside the transaction of the caller, so that a code cannot be used twice. */
  async start(
    executor: Executor,
    { staffId, way, ip, userAgent }: SessionStart,
  ): Promise<{ sessionId: string; issued: IssuedTokens }> {
    const now = this.now()
    const sessionId = newId()
    await executor.query(
      `insert into auth_session (id, staff_id, created_at, refreshed_at, expires_at, way, ip, user_agent) values ($1, $2, $3, $3, $4, $5, $6, $7)`,
      [sessionId, staffId, now.toISOString(), after(now, this.durations.session), way, ip, userAgent.slice(0, 300)],
    )
    await executor.query('insert into auth_sign_in (staff_id, at, ip, way) values ($1, $2, $3, $4) on conflict do nothing', [
      staffId,
      now.toISOString(),
      ip,
      way,
    ])
    return { sessionId, issued: await this.issue(executor, sessionId, staffId) }
  }

  /**
   * Changes a refresh token and its companion for new ones. A token works once; within a few seconds it works again for the same
   * family, because two tabs race; later reuse means that somebody has a copy of both, and the whole family ends.
   * A token without its companion is refused and otherwise ignored: whoever found it can neither use nor end the session.
   */
  async refresh(refreshToken: string, companion: string): Promise<IssuedTokens> {
    const hash = hashOf(refreshToken)
    const outcome = await this.database.transaction(async (transaction) => {
      const now = this.now()
      if (!(await this.isAccompanied(transaction, hash, hashOf(companion), now))) return 'refused'
      const taken = await transaction.query<{ sessionId: string }>(
        `update auth_refresh_token set used_at = $2 where hash = $1 and used_at is null and expires_at > $2 returning session_id as "sessionId"`,
        [hash, now.toISOString()],
      )
      const known = taken.rows[0] ?? (await this.usedBefore(transaction, hash, now))
      if (known === undefined) return 'refused'
      if (known === 'reused') return 'reused'
      const session = await this.read(transaction, known.sessionId)
      if (!session || session.revokedAt || new Date(session.expiresAt) <= now) return 'refused'
      await transaction.query('update auth_session set refreshed_at = $2 where id = $1', [session.id, now.toISOString()])
      return this.issue(transaction, session.id, session.staffId)
    })
    if (outcome === 'reused') {
      const { rows } = await this.database.query<{ sessionId: string }>(
        'select session_id as "sessionId" from auth_refresh_token where hash = $1',
        [hash],
      )
      if (rows[0]) await this.revoke(rows[0].sessionId, 'reuse')
    }
    if (outcome === 'reused' || outcome === 'refused') throw new ServiceError('refreshInvalid')
    return outcome
  }

  /** The session of a refresh token that could still be used, for signing out with an expired access token. */
  async sessionOfRefreshToken(refreshToken: string): Promise<{ sessionId: string; staffId: string } | null> {
    const { rows } = await this.database.query<{ sessionId: string; staffId: string }>(
      `select s.id as "sessionId", s.staff_id as "staffId" from auth_refresh_token t join auth_session s on s.id = t.session_id where t.hash = $1 and t.expires_at > $2`,
      [hashOf(refreshToken), this.now().toISOString()],
    )
    return rows[0] ?? null
  }

  async stateOf(sessionId: string): Promise<SessionState> {
    const session = await this.read(this.database, sessionId)
    if (!session) return 'unknown'
    return session.revokedAt || new Date(session.expiresAt) <= this.now() ? 'ended' : 'open'
  }

  /** Ends one session; every instance hears of it. */
  async revoke(sessionId: string, reason: string, executor: Executor = this.database): Promise<void> {
    await executor.query('update auth_session set revoked_at = $2, revoke_reason = $3 where id = $1 and revoked_at is null', [
      sessionId,
      this.now().toISOString(),
      reason,
    ])
    await executor.notify(SESSION_CHANNEL, `session:${sessionId}`)
  }

  /** Ends all sessions of a person, except one if given. Returns how many were open. */
  async revokeAll(staffId: string, reason: string, options: { except?: string; executor?: Executor } = {}): Promise<number> {
    const executor = options.executor ?? this.database
    const { rowCount } = await executor.query(
      `update auth_session set revoked_at = $2, revoke_reason = $3 where staff_id = $1 and revoked_at is null and expires_at > $2 and id <> $4`,
      [staffId, this.now().toISOString(), reason, options.except ?? ''],
    )
    await executor.notify(SESSION_CHANNEL, `staff:${staffId}`)
    return rowCount
  }

  /** Removes what is over for good: expired tokens, codes and verification images, sessions that ended a month ago. */
  async sweep(): Promise<void> {
    const now = this.now()
    const monthAgo = after(now, -30 * 86_400)
    await this.database.query('delete from auth_refresh_token where expires_at < $1', [after(now, -86_400)])
    await this.database.query('delete from auth_code where expires_at < $1', [after(now, -3600)])
    await this.database.query('delete from auth_verification where expires_at < $1', [now.toISOString()])
    await this.database.query('delete from auth_round_trip where expires_at < $1', [now.toISOString()])
    await this.database.query('delete from auth_failure where window_ends_at < $1', [now.toISOString()])
    await this.database.query('delete from auth_session where expires_at < $1 or revoked_at < $1', [monthAgo])
    await this.database.query('delete from auth_sign_in where at < $1', [after(now, -366 * 86_400)])
  }

  private async issue(executor: Executor, sessionId: string, staffId: string): Promise<IssuedTokens> {
    const now = this.now()
    const [refreshToken, companion] = [newSecret(), newSecret()]
    await executor.query(
      'insert into auth_refresh_token (hash, session_id, companion_hash, created_at, expires_at) values ($1, $2, $3, $4, $5)',
      [hashOf(refreshToken), sessionId, hashOf(companion), now.toISOString(), after(now, this.durations.refresh)],
    )
    const token = await this.signer.sign('access', { sub: staffId, sid: sessionId }, this.durations.access)
    return { tokens: { tokenHead: 'Bearer', token, expiresIn: this.durations.access, refreshToken }, companion }
  }

  /**
   * Whether the companion is one of the token's family that still counts. Tabs that race get a pair each, and the browser may
   * keep the token of one and the cookie of another. The token's own companion tells a copy of both from a token that was found.
   */
  private async isAccompanied(executor: Executor, hash: string, companionHash: string, now: Date): Promise<boolean> {
    const { rowCount } = await executor.query(
      `select 1 from auth_refresh_token own join auth_refresh_token other on other.session_id = own.session_id
       where own.hash = $1 and other.companion_hash = $2 and (other.hash = own.hash or other.used_at is null or other.used_at >= $3)`,
      [hash, companionHash, after(now, -REFRESH_GRACE_SECONDS)],
    )
    return rowCount > 0
  }

  private async usedBefore(executor: Executor, hash: string, now: Date): Promise<{ sessionId: string } | 'reused' | undefined> {
    const { rows } = await executor.query<{ sessionId: string; usedAt: string | null }>(
      'select session_id as "sessionId", used_at as "usedAt" from auth_refresh_token where hash = $1 and expires_at > $2',
      [hash, now.toISOString()],
    )
    const row = rows[0]
    if (!row?.usedAt) return undefined
    return now.getTime() - new Date(row.usedAt).getTime() <= REFRESH_GRACE_SECONDS * 1000
      ? { sessionId: row.sessionId }
      : 'reused'
  }

  private async read(executor: Executor, sessionId: string): Promise<SessionRow | undefined> {
    const { rows } = await executor.query<SessionRow>(
      'select id, staff_id as "staffId", expires_at as "expiresAt", revoked_at as "revokedAt" from auth_session where id = $1',
      [sessionId],
    )
    return rows[0]
  }
}

/** The moment `seconds` after another, as ISO text. */
export function after(now: Date, seconds: number): string {
  return new Date(now.getTime() + seconds * 1000).toISOString()
}
