import type { ListBodyModel, SavedView, Scope } from '../../schema/model'
import type { Host } from '../../headless/host'
import { parseQuery, writeQuery, type ListQuery } from '../../headless/list/query'
import { readSettings, type ListSettings } from './settings'

const VIEWS = '/v2/sys/staff/views'

/** How a view is to be kept: what is shown, or what `from` keeps; with `view` instead of that one. */
export interface ViewToKeep extends Pick<SavedView, 'title' | 'roles' | 'opensFirst'> {
  view?: SavedView
  from?: SavedView
}

/** The saved views of a list with the person's own settings of it. Rejects with RequestError. */
export const askViews = (host: Host, list: string): Promise<{ settings: unknown; views: readonly SavedView[] }> =>
  host.request({ method: 'GET', path: VIEWS, query: { list } })

/** Keeps a view; resolves with its id. Rejects with RequestError. */
export const sendView = async (
  host: Host,
  list: string,
  { view, title, roles, opensFirst }: Omit<ViewToKeep, 'from'>,
  kept: Pick<SavedView, 'query' | 'settings'>,
): Promise<string> => {
  const known = view ? { id: view.id, version: view.version } : {}
  const body = { ...known, list, title, roles, opensFirst, ...kept }
  return (await host.request<{ id: string }>({ method: 'POST', path: `${VIEWS}/save`, body, idempotent: true })).id
}

export const takeAway = (host: Host, { id, version }: SavedView): Promise<unknown> =>
  host.request({ method: 'POST', path: `${VIEWS}/remove`, body: { id, version }, idempotent: true })

/** Roles that a view can be shared with. Rejects with RequestError. */
export const askRoles = (host: Host, signal: AbortSignal): Promise<readonly { code: string; title: string }[]> =>
  host.request({ method: 'GET', path: `${VIEWS}/roles`, signal })

/** The columns alone: density and rows of a page stay the person's own. */
export const columnsOf = ({ order, hidden, widths, pins }: ListSettings): ListSettings => ({
  ...(order ? { order } : {}),
  ...(hidden ? { hidden } : {}),
  ...(widths ? { widths } : {}),
  ...(pins ? { pins } : {}),
})

/** What of a query a view keeps. */
export const keptQuery = (body: ListBodyModel, scope: Scope, query: ListQuery): string =>
  writeQuery(body, { ...query, page: 1, size: undefined, saved: undefined, month: undefined }, '', scope)

/** What a list asks for when a saved view is chosen. */
export const queryOf = (body: ListBodyModel, scope: Scope, { id, query }: SavedView): ListQuery => ({
  ...parseQuery(body, query, scope),
  page: 1,
  saved: id,
})

/** The settings that hold with a query: those of its saved view before the person's own. */
export const settingsWith = (own: ListSettings, views: readonly SavedView[], { saved }: ListQuery): ListSettings => {
  const columns = saved === undefined ? null : (views.find(({ id }) => id === saved)?.settings ?? null)
  return columns === null ? own : { ...own, ...columnsOf(readSettings(columns)) }
}

/** Whether a list shows something else than its saved view keeps. */
export const differs = (
  body: ListBodyModel,
  scope: Scope,
  view: SavedView,
  { query, settings }: { query: ListQuery; settings: ListSettings },
): boolean =>
  keptQuery(body, scope, query) !== keptQuery(body, scope, queryOf(body, scope, view)) ||
  (view.settings !== null &&
    JSON.stringify(columnsOf(readSettings(settings))) !== JSON.stringify(columnsOf(readSettings(view.settings))))
