import type { CookieJar } from '../session/cookies'
import type { TokenState } from './tokenState'

/** Keeps the token in cookies (R174, R175, R198), which all tabs of the browser share. */
export interface TokenStorage {
  read(): TokenState | null
  write(state: TokenState): void
  clear(): void
}

const NAMES = ['token', 'refreshToken', 'expiresAt', 'lifetime'] as const

export function createTokenStorage(cookies: CookieJar): TokenStorage {
  return {
    read() {
      const token = cookies.get('token')
      const refreshToken = cookies.get('refreshToken')
      if (!token || !refreshToken) return null
      return {
        token,
        refreshToken,
        expiresAt: Number(cookies.get('expiresAt')) || 0,
        lifetime: Number(cookies.get('lifetime')) || 0,
      }
    },
    write(state) {
      cookies.set('token', state.token)
      cookies.set('refreshToken', state.refreshToken)
      cookies.set('expiresAt', String(Math.round(state.expiresAt)))
      cookies.set('lifetime', String(Math.round(state.lifetime)))
    },
    clear() {
      for (const name of NAMES) cookies.remove(name)
    },
  }
}
