import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createTokenKeeper, RefreshRefused, type Exclusively } from '../../../../src/shell/token/tokenKeeper'
import type { TokenState } from '../../../../src/shell/token/tokenState'
import type { TokenStorage } from '../../../../src/shell/token/tokenStorage'

const LIFETIME = 1_000_000
const state = (token: string, expiresAt: number): TokenState => ({
  token,
  refreshToken: `refresh-${token}`,
  expiresAt,
  lifetime: LIFETIME,
})

/** Two tabs share storage and lock; each has its own keeper. */
function world() {
  let stored: TokenState | null = state('old', LIFETIME)
  const storage: TokenStorage = {
    read: () => stored,
    write: (next) => {
      stored = next
    },
    clear: () => {
      stored = null
    },
  }
  let tail: Promise<unknown> = Promise.resolve()
  let inside = 0
  const exclusively: Exclusively = (_name, work) => {
    const waited = inside++ > 0
    const run = tail.then(() => work(waited)).finally(() => (inside -= 1))
    tail = run.catch(() => undefined)
    return run
  }
  return { storage, exclusively, stored: () => stored }
}

describe('keeping the token', () => {
  let now = 0
  let shared: ReturnType<typeof world>
  let served = 0
  const refresh = vi.fn(async (refreshToken: string) => {
    const mine = ++served
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (refreshToken !== `refresh-${served === 1 ? 'old' : `new${mine - 1}`}`) throw new RefreshRefused('used')
    return state(`new${mine}`, now + LIFETIME)
  })
  const tab = (over: Partial<Parameters<typeof createTokenKeeper>[0]> = {}) =>
    createTokenKeeper({ storage: shared.storage, exclusively: shared.exclusively, refresh, now: () => now, ...over })

  beforeEach(() => {
    now = 0
    served = 0
    shared = world()
    refresh.mockClear()
  })

  it('gives the stored token while it is fresh (R195)', async () => {
    expect(await tab().current()).toBe('old')
    expect(refresh).not.toHaveBeenCalled()
  })

  it('takes what another tab has stored, though it shows a moment after that tab let go (R197)', async () => {
    const late: TokenStorage = { ...shared.storage, read: () => seen }
    let seen = shared.storage.read()
    const first = tab({
      storage: {
        ...shared.storage,
        write: (next) => {
          shared.storage.write(next)
          setTimeout(() => (seen = next), 20)
        },
      },
    })
    now = LIFETIME * 0.99
    expect(await Promise.all([first.current(), tab({ storage: late }).current()])).toEqual(['new1', 'new1'])
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('refreshes once for all callers of a tab (R197)', async () => {
    now = 960_000
    const keeper = tab()
    expect(await Promise.all(Array.from({ length: 10 }, () => keeper.current()))).toEqual(Array(10).fill('new1'))
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(refresh).toHaveBeenCalledWith('refresh-old')
  })

  it('refreshes once for all tabs: inside the lock the stored token is read again (R197)', async () => {
    now = 960_000
    const [one, two] = [tab(), tab()]
    expect(await Promise.all([one.current(), two.current(), one.current(), two.current()])).toEqual(Array(4).fill('new1'))
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('replaces a refused token once for ten calls, in two tabs (R197)', async () => {
    const [one, two] = [tab(), tab()]
    const all = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two).replace('old')))
    expect(all).toEqual(Array(10).fill('new1'))
    expect(refresh).toHaveBeenCalledTimes(1)
    expect(await one.replace('old')).toBe('new1')
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('adopts the newer token of another tab when its own refresh is refused, also without locks', async () => {
    now = 960_000
    const unlocked: Exclusively = (_name, work) => work(false)
    const refuse = vi.fn(async () => {
      shared.storage.write(state('other', now + LIFETIME))
      throw new RefreshRefused('used')
    })
    expect(await tab({ exclusively: unlocked, refresh: refuse }).current()).toBe('other')
    const slow = vi.fn(async () => {
      setTimeout(() => shared.storage.write(state('later', now + LIFETIME)), 10)
      throw new RefreshRefused('used')
    })
    shared.storage.write(state('old', LIFETIME))
    expect(await tab({ exclusively: unlocked, refresh: slow, grace: 50 }).current()).toBe('later')
  })

  it('says so when the refresh is refused (R200)', async () => {
    now = 960_000
    await expect(tab({ refresh: () => Promise.reject(new RefreshRefused('gone')) }).current()).rejects.toThrow('gone')
  })

  it('uses the rest of a token when the gateway cannot be reached, and fails when nothing is left', async () => {
    now = 960_000
    const keeper = tab({ refresh: () => Promise.reject(new Error('network')) })
    expect(await keeper.current()).toBe('old')
    now = 1_000_001
    await expect(keeper.current()).rejects.toThrow('network')
  })

  it('does not sign in again when a late refresh answers after the sign-out', async () => {
    now = 960_000
    const keeper = tab()
    const late = keeper.current()
    shared.storage.clear()
    expect(await late).toBeNull()
    expect(shared.stored()).toBeNull()
  })

  it('has nothing for a signed-out visitor', async () => {
    shared.storage.clear()
    expect(await tab().current()).toBeNull()
    expect(tab().present()).toBe(false)
  })
})
