import { localStore, sessionStore } from './storage'

/** Tabs of the browser tell each other that its session ended, or is another one. */
export const SESSION_CHANNEL = 'switchboard.session'
const KEY = 'switchboard.replaced'

/** Another person takes the place of whoever was signed in: what this browser kept of him goes, and his other tabs begin anew. */
export function beginAnew(): void {
  localStore().clear()
  sessionStore().clear()
  sessionStore().setItem(KEY, '1')
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(SESSION_CHANNEL)
  channel.postMessage('replaced')
  channel.close()
}

/** Whether this sign-in took the place of another one; told once. */
export function tookPlace(): boolean {
  const took = sessionStore().getItem(KEY) !== null
  sessionStore().removeItem(KEY)
  return took
}
