import { createContext, use } from 'react'
import type { PageBundle } from '../../headless/host'
import type { BookmarkStore } from '../bookmarks/bookmarkStore'
import type { Configuration } from '../configuration/configuration'
import type { DraftKeeper } from '../drafts/draftKeeper'
import type { DownloadStore } from '../downloads/downloadStore'
import type { RouteStore } from '../guard/routeStore'
import type { Http } from '../http/client'
import type { Language } from '../i18n/i18n'
import type { LayoutStore } from '../layout/layoutStore'
import type { MenuCounts } from '../layout/menuCounts'
import type { CookieJar } from '../session/cookies'
import type { SessionStore } from '../session/sessionStore'
import type { SignOut } from '../session/signOut'
import type { ThemeStore } from '../theme/themeStore'
import type { NoticeStore } from '../banners/noticeStore'
import type { SchemaRevision } from '../stream/schemaRevision'
import type { Addresses } from './location'

/** Everything that stands around the pages, made once when somebody is signed in. */
export interface Portal {
  configuration: Configuration
  language: Language
  cookies: CookieJar
  http: Http
  session: SessionStore
  routes: RouteStore
  layout: LayoutStore
  counts: MenuCounts
  bookmarks: BookmarkStore
  downloads: DownloadStore
  drafts: DraftKeeper
  theme: ThemeStore
  notices: NoticeStore
  schemas: SchemaRevision
  signOut: SignOut
  pages: PageKeeper
  addresses: Addresses
  /** Goes to an address as a person does: asks first where unsaved input would be lost. Set when the shell is mounted. */
  navigation: { go: (address: string, options?: NavigationOptions) => void }
}

export interface NavigationOptions {
  replace?: boolean
  /** The home tab keeps the menu of the module that is open (R084). */
  keepLayout?: boolean
}

/** A page as the gateway last answered it. */
export interface KeptPage {
  etag: string | null
  bundle: PageBundle
}

/** Page schemas, kept in this browser: each as it was last answered, and as it last stood without a fault. */
export interface PageKeeper {
  /** Null too for what is no page of the format that this portal reads. */
  get(idOrPath: string): Promise<KeptPage | null>
  put(idOrPath: string, value: KeptPage): Promise<void>
  good(idOrPath: string): Promise<PageBundle | null>
  /** Written once a revision. */
  keepGood(idOrPath: string, bundle: PageBundle): Promise<void>
  clear(): Promise<void>
}

const PortalContext = createContext<Portal | null>(null)
export const PortalProvider = PortalContext.Provider

export function usePortal(): Portal {
  const portal = use(PortalContext)
  if (portal === null) throw new Error('usePortal() was called outside the portal.')
  return portal
}
