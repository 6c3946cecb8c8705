import { useLayoutEffect, useRef } from 'react'
import { decide, isBookmarkable, type Decision } from '../guard/guard'
import { readPlatform } from '../session/platform'
import { useLocation } from './useLocation'
import { usePortal, type Portal } from './portal'
import { splitAddress } from './useNavigation'

/** Decides about the current address and carries the decision out: redirects, tabs, the active layout. */
export function useVisit(): Decision {
  const portal = usePortal()
  const { location, action } = useLocation()
  const { pathname, search, key } = location
  const keepLayout = isKeepLayout(location.state)
  const handled = useRef('')

  const decision = decide({
    path: pathname,
    search,
    origin: window.location.origin,
    signedIn: true,
    table: portal.routes.table,
    rights: portal.session.rights,
    platform: readPlatform(portal.cookies),
    h5: portal.configuration.h5,
  })

  // Before the paint, so that the page that is left is not seen under the new address.
  useLayoutEffect(() => {
    // One visit per navigation: its key changes with each, and the decision may change when the rights arrive.
    const stamp = `${key} ${pathname}${search} ${decision.type}`
    if (handled.current === stamp) return
    handled.current = stamp
    switch (decision.type) {
      case 'redirect':
        portal.addresses.go(decision.to, { replace: true, state: location.state })
        return
      case 'refresh': {
        const [path, search] = splitAddress(decision.to)
        const tab = portal.bookmarks.tabAt(path, search, portal.routes.table.route(path)?.record)
        if (tab !== null) portal.bookmarks.refresh(tab.id)
        portal.addresses.go(decision.to, { replace: true })
        return
      }
      case 'leave':
      case 'signIn':
        window.location.replace(decision.to)
        return
      default:
        visit(portal, decision, pathname, search, action === 'REPLACE', keepLayout)
    }
  })

  return decision
}

function visit(portal: Portal, decision: Decision, path: string, search: string, replaced: boolean, keepLayout: boolean) {
  const { bookmarks, layout } = portal
  if (path === '/home' && decision.type === 'page') {
    if (!keepLayout) layout.setLayout('home')
    bookmarks.visitHome(path + search)
    return
  }
  if (decision.type !== 'page' && decision.type !== 'notYet' && decision.type !== 'embed') return bookmarks.visitNothing()

  const route = decision.type === 'embed' ? null : decision.route
  const content =
    decision.type === 'embed' ? ({ type: 'embed', iframeName: decision.iframeName } as const) : ({ type: decision.type } as const)
  // The layout follows the layout name of the route (R086, R184).
  layout.setLayout(decision.type === 'embed' ? decision.module : decision.route.module)
  const bookmark = decision.type === 'embed' ? decision.bookmark : decision.route.bookmark
  if (!isBookmarkable(path, search, bookmark)) return bookmarks.visitOnce(path + search, content)
  bookmarks.visit(
    {
      path: route?.path ?? path,
      search,
      single: route?.single ?? false,
      international: route?.permission ?? null,
      iframeName: decision.type === 'embed' ? decision.iframeName : null,
      titleFrom: route?.titleFrom,
      record: route?.record,
    },
    content,
    replaced,
  )
}

const isKeepLayout = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'keepLayout' in state && state.keepLayout === true
