import type { BilingualText } from './problem'

/** What the portal has to know of a route before it opens it (R038-R041); told by GET /v2/sys/page/routes. It carries no roles (R307). */
export interface RouteFacts {
  path: string
  /** First segment of the routes of its module. */
  module: string
  title: BilingualText
  kind: string
  /** In the menu: the route belongs there and its page exists. */
  menu: boolean
  /** The menu entry that this page highlights (R039). */
  activeMenu?: string
  /** One tab a path, replaced when it is opened again (R041). */
  single: boolean
  bookmark: boolean
  aside: boolean
  /** Always permitted, never in the menu (R049, R050). */
  detail: boolean
  /** Key of its menu resource; absent = no key is needed. */
  permission?: string
  aliases?: readonly string[]
  redirect?: string
  titleFrom?: string
  /** Query parameter that names the record which the page shows: whatever else the address says, it is one record. */
  record?: string
  /** Name of its page; null = the route stands and its page is not there yet. */
  page: string | null
}

export interface ModuleFacts {
  /** First segment of its routes. */
  name: string
  title: BilingualText
  icon?: string
  sort?: number
  international?: string
  /** Name of the sub-application behind the module's catch-all (R035). */
  embed?: string
}

/** All routes of the portal and the modules that they belong to. */
export interface RouteFactsTable {
  modules: readonly ModuleFacts[]
  routes: readonly RouteFacts[]
}

/** First segment of the routes of a module: its name, where it does not say otherwise. */
export const segmentOf = ({ name, segment }: { name: string; segment?: string | undefined }): string => segment ?? name

/** The first segment of a route, by which its module is known. */
export const segmentOfPath = (path: string): string => path.split('/')[1] ?? ''
