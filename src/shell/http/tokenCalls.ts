import axios from 'axios'
import type { TFunction } from 'i18next'
import type { Locale } from '../../schema/problem'
import type { Configuration } from '../configuration/configuration'
import { RefreshRefused } from '../token/tokenKeeper'
import { isTokenResponse, receiveToken, type TokenState } from '../token/tokenState'
import { readAnswer, statusText } from './answer'

const SCOPE = 'staff'
const TIMEOUT = 30_000

/** Why a sign-in did not work; the screen has a sentence for each. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure'
  constructor(
    readonly why: 'unreachable' | 'refused' | 'badAnswer',
    message = '',
  ) {
    super(message)
  }
}

/** The calls that work without a token (R316). They stand beside the client, because the client needs them. */
export function createTokenCalls(wiring: { configuration: Configuration; locale: () => Locale; t: () => TFunction }) {
  const { configuration, locale, t } = wiring
  const { clientId, clientSecret } = configuration.oauth

  async function get(
    path: string,
    params: Record<string, string>,
  ): Promise<{ status: number; statusText: string; body: string }> {
    const answer = await axios.get<string>(path, {
      baseURL: configuration.gateway,
      params,
      timeout: TIMEOUT,
      // The gateway keeps the other half of a refresh token in a cookie, also for a portal of another origin.
      withCredentials: true,
      responseType: 'text',
      transformResponse: [(data: unknown) => data],
      validateStatus: () => true,
      headers: { 'Accept-Language': locale() === 'zh' ? 'zh-CN' : 'en', 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
    })
    return { status: answer.status, statusText: answer.statusText, body: answer.data ?? '' }
  }

  return {
    /** Rejects with RefreshRefused when the gateway answers with anything but a token; other errors: it did not answer. */
    async refresh(refreshToken: string): Promise<TokenState> {
      const answer = await get('/auth/oauth/token', {
        grant_type: 'refresh_token',
        client_id: clientId,
        client_secret: clientSecret,
        scope: SCOPE,
        refresh_token: refreshToken,
      })
      const read = readAnswer(answer.body)
      if (read.kind === 'envelope' && read.code === 0 && isTokenResponse(read.data)) return receiveToken(read.data, Date.now())
      throw new RefreshRefused((read.kind === 'envelope' && read.code !== 0 && read.msg) || t()('error.refresh'))
    },

    /** Ends the session of a refresh token that another one takes the place of; what does not reach the gateway ends by itself. */
    async end(refreshToken: string): Promise<void> {
      await axios
        .post('/v2/sys/staff/user/signOut', { refreshToken }, { baseURL: configuration.gateway, timeout: TIMEOUT })
        .catch(() => undefined)
    },

    /** Exchanges the authorization code of the corporate platform. Rejects with SignInFailure. */
    async exchange(
      { code, state, verifier }: { code: string; state: string; verifier: string },
      redirectUri: string,
    ): Promise<TokenState> {
      const query = { code, state, code_verifier: verifier, client_id: clientId, redirect_uri: redirectUri }
      const answer = await get('/auth/oauth/dingAuth', query).catch(() => {
        throw new SignInFailure('unreachable')
      })
      const read = readAnswer(answer.body)
      if (read.kind === 'envelope' && read.code === 0) {
        if (isTokenResponse(read.data)) return receiveToken(read.data, Date.now())
        throw new SignInFailure('badAnswer')
      }
      if (answer.status >= 500) throw new SignInFailure('unreachable')
      if (read.kind === 'malformed' && answer.status < 400) throw new SignInFailure('badAnswer')
      throw new SignInFailure(
        'refused',
        (read.kind === 'envelope' && read.msg) || `${answer.status} ${statusText(answer.status, answer.statusText)}`,
      )
    },
  }
}
