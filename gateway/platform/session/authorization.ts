import type { Database } from '../database'
import { ServiceError } from '../http'
import { CODE_SECONDS, REFRESH_GRACE_SECONDS } from './options'
import { hashOf, newSecret } from './secrets'
import { after } from './sessions'
import type { IssuedTokens, SessionStore } from './sessions'

/** What a client wants from the authorization endpoint; its parts were checked. */
export interface AuthorizationRequest {
  clientId: string
  /** Absolute address of the portal's /authorize. */
  redirectUri: string
  state: string
  /** SHA-256 of the verifier that the code is exchanged with (PKCE, S256). */
  codeChallenge: string
}

/** Why an authorization request is refused: shown as a page, never sent to the wrong address. */
export type AuthorizationFault = 'client' | 'redirect' | 'state' | 'scope' | 'responseType' | 'challenge'

const CHALLENGE = /^[\w-]{43}$/

/** Checks the parameters of the authorization endpoint. Only /authorize of the given origins, letter by letter, receives codes. */
export function parseAuthorization(
  query: Readonly<Record<string, string | undefined>>,
  allowed: { clientId: string; origins: readonly string[] },
): AuthorizationRequest | AuthorizationFault {
  const {
    client_id: clientId = '',
    redirect_uri: redirectUri = '',
    state = '',
    scope = 'staff',
    response_type: responseType = 'code',
    code_challenge: codeChallenge = '',
    code_challenge_method: method = '',
  } = query
  if (clientId !== allowed.clientId) return 'client'
  if (!allowed.origins.some((origin) => redirectUri === `${origin}/authorize`)) return 'redirect'
  if (typeof state !== 'string' || state.length < 8 || state.length > 500) return 'state'
  if (scope !== 'staff') return 'scope'
  if (responseType !== 'code') return 'responseType'
  if (!CHALLENGE.test(codeChallenge) || method !== 'S256') return 'challenge'
  return { clientId, redirectUri, state, codeChallenge }
}

/** Where the browser goes with the code. */
export function returnAddress(request: AuthorizationRequest, code: string): string {
  const address = new URL(request.redirectUri)
  address.searchParams.set('code', code)
  address.searchParams.set('state', request.state)
  return address.href
}

/** Authorization codes: one use, one minute, bound to client, state and the browser that holds the verifier. */
export class AuthorizationCodes {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStore,
    private readonly now: () => Date,
  ) {}

  async issue(request: AuthorizationRequest, staffId: string, way: string): Promise<string> {
    const code = newSecret()
    await this.database.query(
      `insert into auth_code (hash, client_id, state_hash, code_challenge, staff_id, way, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        hashOf(code),
        request.clientId,
        hashOf(request.state),
        request.codeChallenge,
        staffId,
        way,
        after(this.now(), CODE_SECONDS),
      ],
    )
    return code
  }

  /**
   * A session for a code, given to whoever holds its state and its verifier. A code that comes a second time is refused; when that is not just a repeated click, the session
   * of its first use ends too, because somebody else has seen the code.
   */
  async exchange(
    code: string,
    proof: { state: string; verifier: string },
    caller: { ip: string; userAgent: string },
  ): Promise<IssuedTokens> {
    const hash = hashOf(code)
    const opened = await this.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<{ staffId: string; way: string }>(
        `update auth_code set used_at = $2
         where hash = $1 and state_hash = $3 and code_challenge = $4 and used_at is null and expires_at > $2
         returning staff_id as "staffId", way`,
        // The challenge of S256 is what every secret is stored as.
        [hash, this.now().toISOString(), hashOf(proof.state), hashOf(proof.verifier)],
      )
      const row = rows[0]
      if (!row) return undefined
      const { sessionId, issued } = await this.sessions.start(transaction, { ...row, ...caller })
      await transaction.query('update auth_code set session_id = $2 where hash = $1', [hash, sessionId])
      return issued
    })
    if (opened) return opened
    await this.punishReuse(hash)
    throw new ServiceError('badRequest', {
      message: {
        zh: '登录授权码无效、已使用或已过期，请重新登录。',
        en: 'The sign-in code is not valid, was used already or has expired. Please sign in again.',
      },
      data: { errors: [{ field: 'code', message: 'code' }] },
    })
  }

  private async punishReuse(hash: string): Promise<void> {
    const { rows } = await this.database.query<{ usedAt: string | null; sessionId: string | null }>(
      'select used_at as "usedAt", session_id as "sessionId" from auth_code where hash = $1',
      [hash],
    )
    const row = rows[0]
    if (!row?.usedAt || !row.sessionId) return
    if (this.now().getTime() - new Date(row.usedAt).getTime() > REFRESH_GRACE_SECONDS * 1000)
      await this.sessions.revoke(row.sessionId, 'codeReuse')
  }
}
