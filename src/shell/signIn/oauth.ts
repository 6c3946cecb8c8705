import type { Configuration } from '../configuration/configuration'
import type { CookieJar } from '../session/cookies'
import { keepsInTab, sessionStore } from '../session/storage'
import { returnAddress } from './address'

/** The corporate OAuth code flow on this side: state and verifier (PKCE) made, kept for this tab, and checked on return (R003, R176). */

const KEY = 'switchboard.signIn'
const SCOPE = 'staff'
/** Where the state lies until the person comes back. */
type StateStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const VALID_FOR = 15 * 60_000

interface Pending {
  state: string
  /** Whoever has the code needs it too. */
  verifier: string
  returnTo: string
  startedAt: number
}

export type SignInReturn =
  | { ok: true; code: string; state: string; verifier: string; returnTo: string }
  | { ok: false; why: 'stateMismatch' | 'refused' | 'noCode'; reason: string }

export const redirectUri = (origin: string): string => `${origin}/authorize`

/** Remembers where to return to and gives the address of the corporate sign-in. */
export async function startSignIn(
  configuration: Configuration,
  loginSearch: string,
  origin: string,
  storage: StateStore,
  now = Date.now(),
): Promise<string> {
  const pending: Pending = {
    state: random(16),
    verifier: random(32),
    returnTo: returnAddress(loginSearch, origin),
    startedAt: now,
  }
  storage.setItem(KEY, JSON.stringify(pending))
  const address = new URL(configuration.oauth.authorizeUrl, configuration.gateway || origin)
  address.searchParams.set('client_id', configuration.oauth.clientId)
  address.searchParams.set('redirect_uri', redirectUri(origin))
  address.searchParams.set('response_type', 'code')
  address.searchParams.set('scope', SCOPE)
  address.searchParams.set('state', pending.state)
  address.searchParams.set('code_challenge', await challengeOf(pending.verifier))
  address.searchParams.set('code_challenge_method', 'S256')
  return address.href
}

/** Reads the query of /authorize against what was kept. A state is good once. */
export function finishSignIn(search: string, storage: StateStore, now = Date.now()): SignInReturn {
  const query = new URLSearchParams(search)
  const pending = readPending(storage)
  storage.removeItem(KEY)
  if (pending === null || query.get('state') !== pending.state || now - pending.startedAt > VALID_FOR) {
    return { ok: false, why: 'stateMismatch', reason: '' }
  }
  const error = query.get('error')
  if (error !== null) return { ok: false, why: 'refused', reason: query.get('error_description') || error }
  // The corporate platform names the code "authCode" or "code".
  const code = query.get('code') ?? query.get('authCode')
  const { state, verifier, returnTo } = pending
  return code ? { ok: true, code, state, verifier, returnTo } : { ok: false, why: 'noCode', reason: '' }
}

function readPending(storage: StateStore): Pending | null {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? 'null')
    if (typeof value !== 'object' || value === null) return null
    const { state, verifier, returnTo, startedAt } = value as Partial<Pending>
    if (
      typeof state !== 'string' ||
      typeof verifier !== 'string' ||
      typeof returnTo !== 'string' ||
      typeof startedAt !== 'number'
    )
      return null
    return { state, verifier, returnTo, startedAt }
  } catch {
    return null
  }
}

/** The storage of the tab; a cookie that ends with the browser where that is refused, because the way leads over another site. */
export const stateStore = (cookies: CookieJar): StateStore =>
  keepsInTab()
    ? sessionStore()
    : { getItem: cookies.get, setItem: (name, value) => cookies.set(name, value), removeItem: cookies.remove }

/** That many random bytes in hex. */
function random(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** S256 of PKCE. Browsers digest by themselves in secure contexts only. */
async function challengeOf(verifier: string): Promise<string> {
  const bytes = new TextEncoder().encode(verifier)
  // The type knows secure contexts only.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : (await import('@noble/hashes/sha2.js')).sha256(bytes)
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
