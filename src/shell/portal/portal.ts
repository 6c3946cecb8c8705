import { createContext, use } from 'react'
import type { PageBundle } from '../../runtime/host'
import type { BookmarkStore } from '../bookmarks/bookmarkStore'
import type { Configuration } from '../configuration/configuration'
import type { DownloadStore } from '../downloads/downloadStore'
import type { RouteStore } from '../guard/routeStore'
import type { Http } from '../http/client'
import type { Language } from '../i18n/i18n'
import type { LayoutStore } from '../layout/layoutStore'
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
  bookmarks: BookmarkStore
  downloads: DownloadStore
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

/** Last good page schemas, kept in this browser. */
export interface PageKeeper {
  get(idOrPath: string): Promise<{ etag: string | null; bundle: PageBundle } | null>
  put(idOrPath: string, value: { etag: string | null; bundle: PageBundle }): Promise<void>
  clear(): Promise<void>
}

const PortalContext = createContext<Portal | null>(null)
export const PortalProvider = PortalContext.Provider

export function usePortal(): Portal {
  const portal = use(PortalContext)
  if (portal === null) throw new Error('usePortal() was called outside the portal.')
  return portal
}
