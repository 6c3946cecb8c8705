/** Addresses that come from outside: a return target may only be a path of this portal (no open redirect). */

const HOME = '/home'

/** The path, query and fragment when `address` is a path of this portal, else null. */
export function portalAddress(address: string | null | undefined, origin: string): string | null {
  if (!address || !address.startsWith('/')) return null
  // Browsers strip tabs and newlines and read "\" as "/": such an address never comes from us.
  if ([...address].some((letter) => letter === '\\' || letter.charCodeAt(0) < 0x20 || letter.charCodeAt(0) === 0x7f)) return null
  let url: URL
  try {
    url = new URL(address, origin)
  } catch {
    return null
  }
  // "/.//host" is of this origin, yet its path alone reads as another host.
  if (url.origin !== new URL(origin).origin || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

/**
 * The target of /refresh and of the sign-in return (R029, R030): the path in redirectPath with the rest of the query
 * merged in and redirectPath dropped. Not a path of this portal: the home page.
 */
export function redirectTarget(search: string, origin: string, ignored: readonly string[] = []): string {
  const query = new URLSearchParams(search)
  const address = portalAddress(query.get('redirectPath'), origin)
  if (address === null) return HOME
  const target = new URL(address, origin)
  for (const [key, value] of query) {
    if (key !== 'redirectPath' && !ignored.includes(key)) target.searchParams.append(key, value)
  }
  return target.pathname + target.search + target.hash
}

/** Names that the sign-in page keeps for itself. */
const OWN = ['redirectPath', 'reason'] as const
export type SignInReason = 'signedOut' | 'ended'

/** The address of the sign-in page for a refused address: it keeps the query (R187) and the way back (R180, R200). */
export function signInAddress(path: string, search: string, reason?: SignInReason): string {
  const query = new URLSearchParams(search)
  const collides = OWN.some((name) => query.has(name))
  const kept = collides ? new URLSearchParams() : query
  const back = collides ? path + search : path
  if (back !== '/' && back !== HOME) kept.set('redirectPath', back)
  if (reason) kept.set('reason', reason)
  const text = kept.toString()
  return `/login${text === '' ? '' : `?${text}`}`
}

/** Where to go after the sign-in that the given /login query asked for. */
export function returnAddress(loginSearch: string, origin: string): string {
  const target = redirectTarget(loginSearch, origin, ['reason'])
  return /^\/(login|authorize)(?=[/?#]|$)/.test(target) ? HOME : target
}
