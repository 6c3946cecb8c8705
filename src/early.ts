import { readConfiguration } from './shell/configuration/configuration'
import { askEarly } from './shell/http/early'
import { grayFlag } from './shell/http/gray'
import { firstLocale } from './shell/i18n/locale'
import { createCookieJar } from './shell/session/cookies'
import { isReusable } from './shell/token/tokenState'
import { createTokenStorage } from './shell/token/tokenStorage'

/** Addresses that are no pages of the portal, or lead to one of which is not known which. */
const ELSEWHERE = /^\/(?:login|authorize|refresh|offerManage)(?:\/|$)/
const STAFF = '/v2/sys/staff/overseas'

/** What pages are drawn with, by their kind. */
const KINDS: Readonly<Record<string, () => Promise<unknown>>> = {
  list: () => import('./runtime/list/ListPage'),
  detail: () => import('./runtime/detail/DetailPage'),
  form: () => import('./runtime/form'),
  report: () => import('./runtime/report/ReportPage'),
}

/** A file that does not arrive is asked for again by whoever needs it, who also says so. */
const prepare = (load: () => Promise<unknown>): void => void load().catch(() => undefined)

/**
 * The first script: where somebody is signed in, what every visit asks for and the page of the address are under way before
 * the portal's own scripts are here, and they are too.
 */
function begin(): void {
  const { environment, gateway, h5 } = readConfiguration(document)
  const cookies = createCookieJar(environment)
  const state = createTokenStorage(cookies).read()
  const { pathname } = window.location
  if (state === null || !isReusable(state, Date.now()) || ELSEWHERE.test(pathname) || h5 !== '' || grayFlag() !== null) return
  const asker = { gateway, token: state.token, locale: firstLocale(cookies, navigator.languages) }
  const ask = (path: string, query?: Readonly<Record<string, unknown>>) =>
    void askEarly({ path, ...(query ? { query } : {}) }, asker)
  ask(`${STAFF}/getUserInfo`)
  ask(`${STAFF}/getResourceByMenu`, { mobileFlag: false })
  ask(`${STAFF}/getResourceByBtn`, { mobileFlag: false })
  ask('/v2/sys/page/routes')
  const path = pathname === '/' ? '/home' : pathname
  const page = askEarly({ path: '/v2/sys/page/bundle', query: { path } }, asker, '&early=true')
  prepare(() => import('./portalView'))
  void page.then((answer) => {
    const kind = /^\{"code":0,.*?"kind":"(\w+)"/s.exec(answer?.body.slice(0, 2_000) ?? '')?.[1] ?? ''
    const load = KINDS[kind]
    if (load) prepare(load)
  })
}

begin()
