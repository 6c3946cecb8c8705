import type { Http } from '../http/client'
import { signInAddress, type SignInReason } from '../signIn/address'
import type { TokenKeeper } from '../token/tokenKeeper'
import { SESSION_CHANNEL } from './replaced'
import { localStore, sessionStore } from './storage'

const GOODBYE_TIMEOUT = 3_000

/** Ends the session in this browser (R178-R180) and tells the other tabs. */
export interface SignOut {
  /** Clears everything and goes to the sign-in page with the current address as the way back. */
  leave(reason?: SignInReason): void
  /** Signs out by hand: tells the gateway first; it need not answer. `before` runs when this session ends in any case. */
  farewell(everywhere: boolean, before?: () => Promise<void>): Promise<void>
  /** Follows a sign-out that another tab made. */
  follow(): () => void
}

export function createSignOut(wiring: {
  tokens: TokenKeeper
  http: Http
  clearPages: () => Promise<void>
  beforeLeave: () => void
}): SignOut {
  const { tokens, http, clearPages, beforeLeave } = wiring
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(SESSION_CHANNEL)
  let leaving = false

  function leave(reason?: SignInReason, tellOthers = true) {
    if (leaving) return
    leaving = true
    beforeLeave()
    tokens.clear()
    localStore().clear()
    sessionStore().clear()
    if (tellOthers) channel?.postMessage('signedOut')
    const { pathname, search } = window.location
    void clearPages().finally(() => window.location.assign(signInAddress(pathname, search, reason)))
  }

  return {
    leave: (reason) => leave(reason),
    async farewell(everywhere, before) {
      await http
        .request({ method: 'POST', path: '/v2/sys/staff/user/signOut', body: { everywhere }, timeout: GOODBYE_TIMEOUT })
        .catch((error: unknown) => {
          // Ending the other sessions is a promise to the person; ending this one works without the gateway.
          if (everywhere) throw error
        })
      await before?.()
      leave('signedOut')
    },
    follow() {
      if (channel === null) return () => undefined
      const listen = (event: MessageEvent<unknown>) => {
        if (event.data === 'signedOut') leave('ended', false)
        if (event.data === 'replaced') {
          // the token is that of the other person already: what stands here is not his
          beforeLeave()
          sessionStore().clear()
          window.location.assign('/')
        }
      }
      channel.addEventListener('message', listen)
      return () => channel.removeEventListener('message', listen)
    },
  }
}
