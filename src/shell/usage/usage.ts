import type { Addresses } from '../portal/location'
import type { TokenKeeper } from '../token/tokenKeeper'

const PATH = '/v2/sys/staff/usage'
/** How long opened pages are collected before they are told, ms. */
export const BATCH_EVERY = 30_000
/** The gateway takes 100 at once; what a person opens beyond that in half a minute is not counted. */
const MOST = 100
/** R412 */
export const RANDOM_LENGTH = 8
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const randomString = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(RANDOM_LENGTH)), (value) => CHARACTERS[value % CHARACTERS.length]).join('')

/**
 * Tells the gateway which pages are opened (R303): paths without their query, in batches. The gateway knows from the session
 * whose they are; nobody else is told anything. What cannot be told is forgotten: nobody waits for it.
 *
 * @returns the end of it
 */
export function trackUsage(addresses: Addresses, tokens: Pick<TokenKeeper, 'current'>, gateway: string): () => void {
  const visit = randomString()
  let opened: { path: string; at: number }[] = []
  let last = ''
  const note = (): void => {
    const path = addresses.current().location.pathname
    if (path === last) return
    last = path
    if (opened.length < MOST && path.length <= 300) opened.push({ path, at: Date.now() })
  }
  const tell = async (): Promise<void> => {
    if (opened.length === 0) return
    const events = opened.map(({ path, at }) => ({ path, ago: Math.max(0, Date.now() - at) }))
    opened = []
    try {
      const token = await tokens.current()
      if (token === null) return
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
      // Like a beacon it outlives the page that is left; a beacon itself carries no token.
      await fetch(gateway + PATH, { method: 'POST', headers, body: JSON.stringify({ visit, events }), keepalive: true })
    } catch {
      // No session ends, and nobody reads of it, because a count did not arrive.
    }
  }
  const onHide = (): void => {
    if (document.visibilityState === 'hidden') void tell()
  }
  note()
  const stop = addresses.subscribe(note)
  const timer = setInterval(() => void tell(), BATCH_EVERY)
  document.addEventListener('visibilitychange', onHide)
  return () => {
    stop()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', onHide)
  }
}
