import { isReusable, type TokenState } from './tokenState'
import type { TokenStorage } from './tokenStorage'

/** Runs `work` while no other tab runs its own under the same name; it is told whether it had to wait for another. */
export type Exclusively = <T>(name: string, work: (waited: boolean) => Promise<T>) => Promise<T>

/** The gateway answered the refresh with a no (R378); an unreachable gateway is another error and ends no session. */
export class RefreshRefused extends Error {
  override readonly name = 'RefreshRefused'
}

export interface TokenKeeper {
  /** A token to send, refreshed when 5 % or less of its lifetime remains. Null: nobody is signed in. Rejects with RefreshRefused. */
  current(): Promise<string | null>
  /** After a 401: a token other than `refused`, by a refresh or because somebody else already got one. */
  replace(refused: string): Promise<string | null>
  store(state: TokenState): void
  clear(): void
  /** True when a token is stored, whatever its age. */
  present(): boolean
}

interface Wiring {
  storage: TokenStorage
  /** Asks the gateway for a new token; rejects with RefreshRefused when it says no. */
  refresh: (refreshToken: string) => Promise<TokenState>
  exclusively: Exclusively
  now: () => number
  /** How long a refused tab waits for another tab's newer token where the browser has no locks, ms. */
  grace?: number
}

/** How long the browser may need to show one tab what another has stored, ms. */
const SETTLING = 100

/** One refresh for all callers of the tab, and one for all tabs of the browser (R197). */
export function createTokenKeeper({ storage, refresh, exclusively, now, grace = 0 }: Wiring): TokenKeeper {
  let running: Promise<string | null> | null = null

  /** `accept`: a stored token that makes the refresh unnecessary. */
  async function renew(accept: (state: TokenState) => boolean): Promise<string | null> {
    return exclusively('token-refresh', async (waited) => {
      const stored = storage.read()
      if (stored === null) return null
      if (accept(stored)) return stored.token
      // What the other tab has stored may show here a moment after it let go.
      const others = waited ? await newerThan(stored, SETTLING) : null
      if (others !== null && accept(others)) return others.token
      try {
        const fresh = await refresh(stored.refreshToken)
        // Signed out meanwhile: a late answer must not sign in again.
        if (storage.read() === null) return null
        storage.write(fresh)
        return fresh.token
      } catch (error) {
        const newer = await newerThan(stored, grace)
        if (newer !== null) return newer.token
        // The last 5 % still count when the gateway could not be asked.
        if (!(error instanceof RefreshRefused) && accept === isFresh && stored.expiresAt > now()) return stored.token
        throw error
      }
    })
  }

  const isFresh = (state: TokenState) => isReusable(state, now())

  async function newerThan(stored: TokenState, wait: number): Promise<TokenState | null> {
    for (const pause of wait > 0 ? [0, wait] : [0]) {
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      const other = storage.read()
      if (other !== null && other.refreshToken !== stored.refreshToken && other.expiresAt > now()) return other
    }
    return null
  }

  const once = (accept: (state: TokenState) => boolean) => {
    running ??= renew(accept).finally(() => {
      running = null
    })
    return running
  }

  return {
    async current() {
      if (running !== null) return running
      const stored = storage.read()
      if (stored === null) return null
      return isFresh(stored) ? stored.token : once(isFresh)
    },
    async replace(refused) {
      const stored = storage.read()
      if (stored !== null && stored.token !== refused && isFresh(stored)) return stored.token
      const accept = (state: TokenState) => state.token !== refused && isFresh(state)
      const token = await once(accept)
      // A refresh that was already under way may have ended with the very token that was refused.
      return token === refused ? once(accept) : token
    },
    store: storage.write,
    clear: storage.clear,
    present: () => storage.read() !== null,
  }
}

/** Web Locks where the browser has them (secure contexts), else no exclusion: the keeper then adopts a newer token. */
export const exclusivelyInBrowser =
  (prefix: string): Exclusively =>
  async (name, work) => {
    if (!('locks' in navigator)) return work(false)
    const lock = `${prefix}:${name}`
    const free = await navigator.locks.request(lock, { ifAvailable: true }, async (held) =>
      held === null ? null : { result: await work(false) },
    )
    return free === null ? navigator.locks.request(lock, () => work(true)) : free.result
  }
