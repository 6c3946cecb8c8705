import type { Database } from '../database'
import { ServiceError } from '../http'
import type { AuthorizationRequest } from './authorization'
import type { CorporateIdentity, CorporatePlatform } from './options'
import { hashOf, newSecret } from './secrets'
import { after } from './sessions'

/** How long somebody may stay at the platform. */
export const ROUND_TRIP_SECONDS = 600
const PATIENCE = 10_000

/** Sign-in through a corporate messaging platform (R003): authorization code flow with PKCE; the secret stays on the server. */
export class CorporateSignIn {
  constructor(
    private readonly database: Database,
    private readonly platform: CorporatePlatform,
    private readonly now: () => Date,
  ) {}

  /** Remembers what to go back to, and which browser leaves; returns the address of the platform. */
  async begin(request: AuthorizationRequest, callback: string, browser: string): Promise<string> {
    const state = newSecret()
    const verifier = newSecret()
    await this.database.query(
      `insert into auth_round_trip (state_hash, client_id, redirect_uri, state, code_challenge, code_verifier, browser_hash, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        hashOf(state),
        request.clientId,
        request.redirectUri,
        request.state,
        request.codeChallenge,
        verifier,
        hashOf(browser),
        after(this.now(), ROUND_TRIP_SECONDS),
      ],
    )
    const address = new URL(this.platform.authorizeUrl)
    const parameters = {
      response_type: 'code',
      client_id: this.platform.clientId,
      redirect_uri: callback,
      scope: this.platform.scope,
      state,
      code_challenge: hashOf(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return address.href
  }

  /**
   * Takes up the round trip that a state belongs to (once) and asks the platform who came. Only for the browser that left:
   * somebody else's return, sent as a link, would sign people in as him.
   */
  async complete(
    code: string,
    state: string,
    callback: string,
    browser: string,
  ): Promise<{ request: AuthorizationRequest; identity: CorporateIdentity }> {
    const { rows } = await this.database.query<AuthorizationRequest & { codeVerifier: string }>(
      `delete from auth_round_trip where state_hash = $1 and expires_at > $2 and browser_hash = $3
       returning client_id as "clientId", redirect_uri as "redirectUri", state, code_challenge as "codeChallenge", code_verifier as "codeVerifier"`,
      [hashOf(state), this.now().toISOString(), hashOf(browser)],
    )
    const trip = rows[0]
    if (!trip) {
      throw new ServiceError('badRequest', {
        message: {
          zh: '登录请求不存在、已过期，或不是由此浏览器发起（state 不符），请重新登录。',
          en: 'This sign-in request is unknown, has expired or was begun in another browser (the state does not match). Please sign in again.',
        },
      })
    }
    const { codeVerifier, ...request } = trip
    return { request, identity: await this.identify(code, callback, codeVerifier) }
  }

  private async identify(code: string, callback: string, codeVerifier: string): Promise<CorporateIdentity> {
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: this.platform.clientId,
      client_secret: this.platform.clientSecret,
      code_verifier: codeVerifier,
    })
    const token = await this.ask(this.platform.tokenUrl, { method: 'POST', body: form })
    const accessToken = textIn(token, 'access_token') ?? textIn(token, 'accessToken')
    if (!accessToken) throw this.failure('the answer to the code holds no access token')
    const person = await this.ask(this.platform.userInfoUrl, { headers: { authorization: `Bearer ${accessToken}` } })
    const { fields } = this.platform
    const openId = firstIn(person, fields.openId)
    if (!openId) throw this.failure(`the answer about the person holds no ${fields.openId.join(' or ')}`)
    return { openId, email: firstIn(person, fields.email) ?? null, jobNumber: firstIn(person, fields.jobNumber) ?? null }
  }

  private async ask(address: string, init: RequestInit): Promise<unknown> {
    let answer: Response
    try {
      const headers = { accept: 'application/json', ...init.headers }
      answer = await fetch(address, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) })
    } catch (error) {
      throw this.failure('it does not answer', error)
    }
    if (!answer.ok) throw this.failure(`it answered with status ${answer.status}`)
    try {
      return await answer.json()
    } catch (error) {
      throw this.failure('its answer is not JSON', error)
    }
  }

  private failure(reason: string, cause?: unknown): ServiceError {
    const host = new URL(this.platform.tokenUrl).host
    return new ServiceError('unavailable', {
      message: {
        zh: `企业登录平台（${host}）没有给出可用的回答，请稍后重试或联系管理员。`,
        en: `The corporate sign-in platform (${host}) gave no usable answer: ${reason}. Please try again later or ask an administrator.`,
      },
      cause: cause ?? new Error(reason),
    })
  }
}

function firstIn(answer: unknown, names: readonly string[]): string | undefined {
  return names.map((name) => textIn(answer, name)).find((value) => value !== undefined)
}

/** A text or number at a property of a JSON answer; the answer may be wrapped in `data`. */
function textIn(answer: unknown, name: string): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const value = (answer as Record<string, unknown>)[name]
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number') return String(value)
  return 'data' in answer ? textIn(answer.data, name) : undefined
}
