import '@ant-design/v5-patch-for-react-19'
import type { Root } from 'react-dom/client'
import { BookmarkStore } from '../bookmarks/bookmarkStore'
import { NoticeStore } from '../banners/noticeStore'
import { DownloadStore } from '../downloads/downloadStore'
import { DraftKeeper } from '../drafts/draftKeeper'
import type { Configuration } from '../configuration/configuration'
import { RouteStore } from '../guard/routeStore'
import { createHttp } from '../http/client'
import { grayFlag } from '../http/gray'
import type { Reactions } from '../http/reactions'
import type { Language } from '../i18n/i18n'
import { LayoutStore } from '../layout/layoutStore'
import { MenuCounts } from '../layout/menuCounts'
import type { CookieJar } from '../session/cookies'
import { SessionStore } from '../session/sessionStore'
import { createSignOut } from '../session/signOut'
import { keepsLocally, localStore, sessionStore } from '../session/storage'
import { SchemaRevision } from '../stream/schemaRevision'
import { ThemeStore } from '../theme/themeStore'
import type { TokenKeeper } from '../token/tokenKeeper'
import { createAddresses } from './location'
import { createPageKeeper } from './pageKeeper'
import type { PageView } from './Pages'
import type { Portal } from './portal'
import { PortalApp } from './PortalApp'

export interface PortalParts {
  root: Root
  configuration: Configuration
  cookies: CookieJar
  language: Language
  tokens: TokenKeeper
  View: PageView
}

/** Until the portal is drawn there is nowhere to show anything; it replaces these before its first call. */
const silent: Reactions = {
  error: () => undefined,
  endSession: () => undefined,
  open: () => undefined,
  aliasChange: () => undefined,
  cannotExecute: () => undefined,
}

/** Makes everything that stands around the pages of a signed-in person, and draws it. */
export function startPortal({ root, configuration, cookies, language, tokens, View }: PortalParts): void {
  const schemas = new SchemaRevision()
  const http = createHttp({
    configuration,
    tokens,
    locale: () => language.locale,
    t: () => language.t,
    gray: grayFlag,
    onSchemaRevision: schemas.note,
    reactions: silent,
  })
  const pages = createPageKeeper()
  const bookmarks = new BookmarkStore(sessionStore())
  const signOut = createSignOut({ tokens, http, clearPages: () => pages.clear(), beforeLeave: bookmarks.forgetUnsaved })
  const portal: Portal = {
    configuration,
    language,
    cookies,
    http,
    session: new SessionStore(http),
    routes: new RouteStore(http, localStore()),
    layout: new LayoutStore({ width: window.innerWidth, height: window.innerHeight }, localStore()),
    counts: new MenuCounts(http),
    bookmarks,
    drafts: new DraftKeeper(),
    downloads: new DownloadStore(http, sessionStore()),
    theme: new ThemeStore(cookies),
    notices: new NoticeStore(grayFlag(), undefined, keepsLocally()),
    schemas,
    signOut,
    pages,
    addresses: createAddresses(),
    navigation: { go: (address) => window.location.assign(address) },
  }
  portal.notices.watch()
  signOut.follow()
  root.render(<PortalApp portal={portal} tokens={tokens} View={View} />)
}
