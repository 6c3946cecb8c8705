/**
 * The token as data (R195-R199). Pure: no clock, no storage.
 *
 * The expiry is counted on the local clock from the moment of receipt, so a clock that is wrong but steady changes
 * nothing. A clock that was set back shows as "more than the whole lifetime remains": then the token is refreshed.
 */
export interface TokenState {
  token: string
  refreshToken: string
  /** Local time of expiry, ms since the epoch. */
  expiresAt: number
  /** Whole lifetime in ms (expiresIn seconds x 1000, R199). */
  lifetime: number
}

/** Answer of the token calls. */
export interface TokenResponse {
  tokenHead?: string
  token: string
  /** Seconds. */
  expiresIn: number
  refreshToken: string
}

const REUSE_ABOVE = 0.05
const CLOCK_TOLERANCE = 5_000

export function receiveToken(answer: TokenResponse, receivedAt: number): TokenState {
  const lifetime = answer.expiresIn * 1000
  return { token: answer.token, refreshToken: answer.refreshToken, expiresAt: receivedAt + lifetime, lifetime }
}

/** True while more than 5 % of the lifetime remains (R195). Exactly 5 % is not enough (R196). */
export function isReusable(state: TokenState, now: number): boolean {
  const remaining = state.expiresAt - now
  return remaining > state.lifetime * REUSE_ABOVE && remaining <= state.lifetime + CLOCK_TOLERANCE
}

/** Checks an answer before anything of it is stored. */
export function isTokenResponse(value: unknown): value is TokenResponse {
  if (typeof value !== 'object' || value === null) return false
  const answer = value as Partial<Record<keyof TokenResponse, unknown>>
  return (
    typeof answer.token === 'string' &&
    answer.token !== '' &&
    typeof answer.refreshToken === 'string' &&
    typeof answer.expiresIn === 'number' &&
    Number.isFinite(answer.expiresIn) &&
    answer.expiresIn > 0
  )
}
