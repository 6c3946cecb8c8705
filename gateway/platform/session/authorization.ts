import type { Database } from '../database'
import { ServiceError } from '../http'
import { CODE_SECONDS, REFRESH_GRACE_SECONDS } from './options'
import { hashOf, newSecret } from './secrets'
import { after } from './sessions'
import type { SessionStore, TokenAnswer } from './sessions'

/** What a client wants from the authorization endpoint; its parts were checked. */
export interface AuthorizationRequest {
  clientId: string
  /** Absolute address of the portal's /authorize. */
  redirectUri: string
  state: string
}

/** Why an authorization request is refused: shown as a page, never sent to the wrong address. */
export type AuthorizationFault = 'client' | 'redirect' | 'state' | 'scope' | 'responseType'

/** Checks the parameters of the authorization endpoint. Only /authorize of our own origins receives codes, so there is no open redirect. */
export function parseAuthorization(
  query: Readonly<Record<string, string | undefined>>,
  allowed: { clientId: string; origins: ReadonlySet<string>; ownOrigin: string },
): AuthorizationRequest | AuthorizationFault {
  const {
    client_id: clientId = '',
    redirect_uri: redirect = '',
    state = '',
    scope = 'staff',
    response_type: responseType = 'code',
  } = query
  if (clientId !== allowed.clientId) return 'client'
  const redirectUri = checkedRedirect(redirect, allowed)
  if (!redirectUri) return 'redirect'
  if (state.length < 8 || state.length > 500) return 'state'
  if (scope !== 'staff') return 'scope'
  if (responseType !== 'code') return 'responseType'
  return { clientId, redirectUri, state }
}

function checkedRedirect(redirect: string, allowed: { origins: ReadonlySet<string>; ownOrigin: string }): string | undefined {
  if (redirect === '' || redirect.length > 500 || /[\\\s]/.test(redirect)) return undefined
  const address = URL.canParse(redirect, allowed.ownOrigin) ? new URL(redirect, allowed.ownOrigin) : undefined
  if (!address || address.username || address.password || address.hash || address.search) return undefined
  const known = address.origin === allowed.ownOrigin || allowed.origins.has(address.origin)
  return known && address.pathname === '/authorize' ? address.href : undefined
}

/** Where the browser goes with the code. */
export function returnAddress(request: AuthorizationRequest, code: string): string {
  const address = new URL(request.redirectUri)
  address.searchParams.set('code', code)
  address.searchParams.set('state', request.state)
  return address.href
}

/** Authorization codes: one use, one minute, bound to client and state. */
export class AuthorizationCodes {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionStore,
    private readonly now: () => Date,
  ) {}

  async issue(request: AuthorizationRequest, staffId: string, way: string): Promise<string> {
    const code = newSecret()
    await this.database.query(
      'insert into auth_code (hash, client_id, state_hash, staff_id, way, expires_at) values ($1, $2, $3, $4, $5, $6)',
      [hashOf(code), request.clientId, hashOf(request.state), staffId, way, after(this.now(), CODE_SECONDS)],
    )
    return code
  }

  /**
   * A session for a code. A code that comes a second time is refused; when that is not just a repeated click, the session
   * of its first use ends too, because somebody else has seen the code.
   */
  async exchange(
    code: string,
    state: string,
    caller: { ip: string; userAgent: string },
  ): Promise<{ staffId: string; tokens: TokenAnswer }> {
    const hash = hashOf(code)
    const opened = await this.database.transaction(async (transaction) => {
      const { rows } = await transaction.query<{ staffId: string; way: string }>(
        `update auth_code set used_at = $2 where hash = $1 and state_hash = $3 and used_at is null and expires_at > $2 returning staff_id as "staffId", way`,
        [hash, this.now().toISOString(), hashOf(state)],
      )
      const row = rows[0]
      if (!row) return undefined
      const { sessionId, tokens } = await this.sessions.start(transaction, { ...row, ...caller })
      await transaction.query('update auth_code set session_id = $2 where hash = $1', [hash, sessionId])
      return { staffId: row.staffId, tokens }
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
