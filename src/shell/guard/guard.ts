import { portalAddress, redirectTarget, signInAddress } from '../signIn/address'
import { embedAt, isBelow, isOpenPath, mayOpen, type Rights } from './authorization'
import type { RouteFacts } from '../../schema/routes'
import type { RouteTable } from './routeTable'

/** What the portal does with an address. Pure: the same input always gives the same decision. */
export type Decision =
  | { type: 'redirect'; to: string }
  /** /refresh: go there and load that page anew (R029). */
  | { type: 'refresh'; to: string }
  /** Leave the portal for the mobile site (R194). */
  | { type: 'leave'; to: string }
  | { type: 'signIn'; to: string }
  | { type: 'offerNotice' }
  | { type: 'ddNotice' }
  | { type: 'page'; route: RouteFacts }
  | { type: 'notYet'; route: RouteFacts }
  | { type: 'embed'; module: string; iframeName: string; bookmark: boolean }
  | { type: 'forbidden' }
  | { type: 'notFound' }

export interface GuardInput {
  path: string
  search: string
  origin: string
  signedIn: boolean
  table: RouteTable
  rights: Rights
  /** Chosen platform; H5 with an address sends people to the mobile site. */
  platform: 'PC' | 'H5'
  h5: string
}

export function decide({ path, search, origin, signedIn, table, rights, platform, h5 }: GuardInput): Decision {
  if (platform === 'H5' && h5 !== '') return { type: 'leave', to: h5 + path + search }
  if (!signedIn) {
    if (isBelow(path, '/offerManage')) return { type: 'offerNotice' }
    if (!isOpenPath(path)) return { type: 'signIn', to: signInAddress(path, search) }
    return { type: 'signIn', to: path + search }
  }
  if (path === '/') return { type: 'redirect', to: `/home${search}` }
  if (path === '/login' || path === '/authorize') return { type: 'redirect', to: '/' }
  if (path === '/refresh') return { type: 'refresh', to: redirectTarget(search, origin) }
  if (path === '/ddNotice') {
    // links of chat notices lead here, so that whoever has to sign in first comes to the place all the same
    const target = portalAddress(new URLSearchParams(search).get('target'), origin)
    return target === null ? { type: 'ddNotice' } : { type: 'redirect', to: target }
  }

  const match = table.match(path)
  // What a menu resource says of its own address holds; below it the portal's own pages stay.
  const embed = embedAt(path, rights)
  if (embed !== null && match.kind !== 'redirect' && (embed.exact || match.kind !== 'route' || match.route.page === null))
    return { type: 'embed', module: embed.module, iframeName: embed.iframeName, bookmark: table.route(path)?.bookmark ?? true }
  switch (match.kind) {
    case 'redirect':
      return { type: 'redirect', to: allowedBelow(table, path, match.to, rights) + search }
    case 'embed':
      return { type: 'embed', module: match.module.name, iframeName: match.iframeName, bookmark: match.bookmark }
    case 'unknown':
      return { type: 'notFound' }
    case 'route':
      if (!mayOpen(table, path, rights)) return { type: 'forbidden' }
      return { type: match.route.page === null ? 'notYet' : 'page', route: match.route }
  }
}

/** Where an address leads that stands for those below it: to the page it names, or else to the first one below that may be opened. */
function allowedBelow(table: RouteTable, path: string, to: string, rights: Rights): string {
  if (!isBelow(to, path) || mayOpen(table, to, rights)) return to
  const other = table.data.routes.find(
    (route) => route.page !== null && !route.detail && isBelow(route.path, path) && mayOpen(table, route.path, rights),
  )
  return other?.path ?? to
}

/** Whether tab bar and side menu stand around a page (R025, R082-R084). The home layout has neither. */
export function chrome(
  path: string,
  route: { bookmark: boolean; aside: boolean } | null,
  layout: string,
): { tabs: boolean; aside: boolean } {
  if (path === '/home') return { tabs: layout !== 'home', aside: layout !== 'home' }
  return { tabs: route?.bookmark ?? true, aside: route?.aside ?? true }
}

/** Bare /offerManage and quotation links are never tabs (R191-R193). */
export function isBookmarkable(path: string, search: string, bookmark: boolean): boolean {
  if (path === '/home' || path === '/offerManage' || !bookmark) return false
  return !(isBelow(path, '/offerManage/customerQuotation') && new URLSearchParams(search).has('accountId'))
}
