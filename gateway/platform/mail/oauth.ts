import * as oauth from 'oauth4webapi'
import type { Kind } from '../configuration'

/** What a provider knows this portal by (RFC 6749): where tokens are had, and as whom. */
export interface OauthClient {
  tokenUrl: string
  clientId: string
  /** None: a public client. */
  clientSecret?: string
  /** Asked for with each token, where the provider wants it, e.g. `https://outlook.office.com/IMAP.AccessAsUser.All`. */
  scope?: string
}

/** Clients by the host of the IMAP server whose mailboxes they are for. */
export type OauthClients = Readonly<Record<string, OauthClient>>

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Reads clients from JSON: `{"imap.gmail.com": {"tokenUrl": "https://…", "clientId": "…", "clientSecret": "…"}}`. */
export const oauthClients: Kind<OauthClients> = {
  label: 'JSON: IMAP host -> {tokenUrl, clientId, clientSecret?, scope?}',
  read(text) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new Error('must be JSON like {"imap.gmail.com":{"tokenUrl":"https://host/token","clientId":"id"}}')
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('must be a JSON object')
    for (const [host, given] of Object.entries(value)) {
      const { tokenUrl, clientId } = (given ?? {}) as Partial<OauthClient>
      if (!isText(tokenUrl) || !/^https?:/u.test(tokenUrl) || !URL.canParse(tokenUrl) || !isText(clientId))
        throw new Error(`must give "${host}" a tokenUrl and a clientId`)
    }
    return value as OauthClients
  },
}

/** Why there is no access token, as `faultInWords` says it. `EGRANT`: the provider takes the refresh token no more; `ECLIENT`: no client, or one that it refuses. */
export class OauthError extends Error {
  constructor(
    readonly code: 'EGRANT' | 'ECLIENT',
    message: string,
  ) {
    super(message)
  }
}

interface Held {
  refreshToken: string
  accessToken: string
  until: number
}

/** Milliseconds before its end at which a token counts as over. */
const EARLY = 60_000
/** Seconds of a token whose provider does not say it. */
const USUAL = 3_600
const PATIENCE = 20_000

/** Access tokens of mailboxes: had by their refresh tokens, kept in memory until they run out. */
export class AccessTokens {
  private readonly held = new Map<string, Held>()
  private readonly asked = new Map<string, Promise<string>>()

  /**
   * @param keep keeps another refresh token where a provider gives one with each use
   * @param now the company's clock
   */
  constructor(
    private readonly clients: OauthClients,
    private readonly keep: (accountId: string, refreshToken: string) => Promise<void>,
    private readonly now: () => Date,
  ) {}

  /**
   * The access token of a mailbox.
   * @throws OauthError where the provider refuses; an error of the network where it cannot be reached
   */
  of(accountId: string, host: string, refreshToken: string): Promise<string> {
    const there = this.held.get(accountId)
    if (there?.refreshToken === refreshToken && there.until > this.now().getTime()) return Promise.resolve(there.accessToken)
    const key = `${accountId} ${refreshToken}`
    const asking = this.asked.get(key) ?? this.refresh(accountId, host, refreshToken).finally(() => this.asked.delete(key))
    this.asked.set(key, asking)
    return asking
  }

  /** Forgets the token of a mailbox: its server did not take it. */
  forget(accountId: string): void {
    this.held.delete(accountId)
  }

  private async refresh(accountId: string, host: string, refreshToken: string): Promise<string> {
    const known = this.clients[host.toLowerCase()]
    if (!known) throw new OauthError('ECLIENT', `no client of ${host} is configured`)
    const { tokenUrl, clientId, clientSecret, scope } = known
    const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl }
    const client = { client_id: clientId }
    const proof = clientSecret === undefined ? oauth.None() : oauth.ClientSecretPost(clientSecret)
    const response = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, {
      ...(scope === undefined ? {} : { additionalParameters: { scope } }),
      // an operator names the address: one of the company's own may lie behind its TLS
      [oauth.allowInsecureRequests]: tokenUrl.startsWith('http:'),
      signal: AbortSignal.timeout(PATIENCE),
    })
    // what a provider says of the person beside the token is no matter of mail
    const answer = await oauth.processRefreshTokenResponse(server, client, await withoutIdentity(response)).catch(refused)
    const rotated = answer.refresh_token ?? refreshToken
    if (rotated !== refreshToken) await this.keep(accountId, rotated)
    const until = this.now().getTime() + (answer.expires_in ?? USUAL) * 1_000 - EARLY
    this.held.set(accountId, { refreshToken: rotated, accessToken: answer.access_token, until })
    return answer.access_token
  }
}

async function withoutIdentity(response: Response): Promise<Response> {
  if (!response.ok) return response
  const { id_token: _identity, ...rest } = (await response.json()) as Record<string, unknown>
  return Response.json(rest)
}

/** @throws OauthError */
function refused(error: unknown): never {
  if (error instanceof oauth.ResponseBodyError) {
    const { error: code, error_description: words = '' } = error
    throw new OauthError(code === 'invalid_grant' ? 'EGRANT' : 'ECLIENT', `${code} ${words}`.trim())
  }
  throw error
}
