import type { SavedView } from '../../schema/model'
import { changedSince, onChanged, tellChanged } from '../changes'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { Row } from '../../headless/row'
import { createStore } from '../store'
import { createLoading, KEYS_PER_PAGE } from './loading'
import { isVoid, parseQuery, writeQuery, type ListQuery } from '../../headless/list/query'
import { activeView, toCountBody, toQueryBody, type QueryBody } from '../../headless/list/request'
import { MOST_SORTS, sortedAlso, sortedBy, sortOf } from '../../headless/list/sorting'
import { listTexts } from '../../headless/list/texts'
import { refreshRow } from './refreshRow'
import { NOTHING_SELECTED, select } from './selection'
import { readSettings, type ListSettings } from './settings'
import { askViews, columnsOf, keptQuery, queryOf, sendView, settingsWith, takeAway } from './savedViews'
import type { ListController, ListOptions, ListState, QueryAnswer } from './types'
import { withoutFurther } from './where'

export type { ListController, ListOptions, ListState, QueryAnswer } from './types'

/** A list that was shown again after this many milliseconds is loaded anew. */
const STALE_AFTER = 30_000
const MOST_WRITTEN = 20
/** What a query may lack. */
const CLEARED: Partial<ListQuery> = {
  view: undefined,
  layout: undefined,
  group: undefined,
  month: undefined,
  where: undefined,
  saved: undefined,
  size: undefined,
}
const NO_COLUMNS: Partial<ListSettings> = { order: undefined, hidden: undefined, widths: undefined, pins: undefined }

const cached = (host: Host, key: string): ListSettings => {
  const text = host.local.get(key)
  if (!text) return {}
  try {
    return readSettings(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The saved views as they were last answered: what a list opens with is known before the answer. */
const cachedViews = (host: Host, key: string): readonly SavedView[] => {
  try {
    const views: unknown = JSON.parse(host.local.get(key) ?? '[]')
    return Array.isArray(views) ? (views as SavedView[]) : []
  } catch {
    return []
  }
}

/** Creates the headless list of one entity. It does nothing until `start`. */
export const createListController = (options: ListOptions): ListController => {
  const { host, scope, prefix = '' } = options
  let { body } = options
  const settingsKey = `list:${options.id}`
  const viewsKey = `views:${options.id}`
  /** The person's own, whatever a saved view shows. */
  let personal = cached(host, settingsKey)
  const views = cachedViews(host, viewsKey)
  const context = { scope, where: options.where }
  let search = options.search
  /** Addresses that this list wrote and that have not come back yet. */
  const written: string[] = []
  /** The address as it was last given from outside. */
  let arrived = options.search
  const asGiven = parseQuery(body, search, scope, prefix)
  /** A list that was opened with nothing asked for shows what its person's role shows at first. */
  const begin = (known: readonly SavedView[]): ListQuery | undefined => {
    const isPlain = prefix === '' && asGiven.saved === undefined && writeQuery(body, asGiven, '', scope) === ''
    const view = isPlain ? known.find((one) => one.first) : undefined
    return view && queryOf(body, scope, view)
  }
  const first = begin(views) ?? asGiven
  const settings = settingsWith(personal, views, first)
  const store = createStore<ListState>({
    query: first,
    size: first.size ?? settings.pageSize ?? body.pageSize,
    phase: 'first',
    busy: false,
    failure: null,
    rows: [],
    total: 0,
    totalAtLeast: false,
    next: null,
    refs: {},
    summary: {},
    selection: NOTHING_SELECTED,
    counts: {},
    elsewhere: {},
    reloads: 0,
    settings,
    saved: views,
  })
  const { getState, set } = store

  const keyOf = (row: Row): string => String(row[body.rowKey])
  const send = (payload: object, signal?: AbortSignal): Promise<QueryAnswer> =>
    host.request<QueryAnswer>({ ...body.calls.query, body: payload, signal })
  const queryBody = (): QueryBody => toQueryBody(body, getState().query, getState().size, context)

  const { load, loadMore, countTabs, ...loading } = createLoading({
    host,
    store,
    context,
    body: () => body,
    asked: queryBody,
    send,
    idsOf: prefix ? undefined : ({ records }) => records.map(keyOf),
    onPastEnd: (page) => change({ page }),
    onWorkIn: (view) => change({ view }),
  })

  /** Settings stay as they are, with what was changed and is not kept, until another saved view is shown. */
  const settingsFor = (query: ListQuery): ListSettings =>
    query.saved === getState().query.saved ? getState().settings : settingsWith(personal, getState().saved, query)

  const change = (patch: Partial<ListQuery>, keepSelection = true): void => {
    const query = { ...getState().query, ...patch }
    const size = query.size ?? personal.pageSize ?? body.pageSize
    set({ query, size, settings: settingsFor(query), ...(keepSelection ? {} : { selection: NOTHING_SELECTED }) })
    search = writeQuery(body, query, search, scope, prefix)
    if (options.onSearch) {
      // Back at the address that stands there already: nothing will come back.
      if (search === arrived) written.length = 0
      else written.push(search)
      if (written.length > MOST_WRITTEN) written.shift()
      options.onSearch(search)
    }
    void load()
  }
  /** A change of what matches: back to page one, and what was selected may not match any more. */
  const refine = (patch: Partial<ListQuery>): void => {
    change({ page: 1, ...patch }, false)
    if (patch.keyword !== undefined || patch.filters !== undefined || 'where' in patch) void countTabs()
  }

  const loadSettings = async (): Promise<void> => {
    const asked = getState().query
    try {
      const answer = await askViews(host, options.id)
      personal = answer.settings === null ? personal : readSettings(answer.settings)
      host.local.set(settingsKey, JSON.stringify(personal))
      takeViews(answer.views)
      // not known when the list was opened, and nobody has asked for anything since
      const begins = getState().query === asked && asked === first ? begin(answer.views) : undefined
      if (begins && asked.saved === undefined) return change(begins)
      const size = getState().query.size ?? personal.pageSize ?? body.pageSize
      const reload = size !== getState().size
      set({ size })
      if (reload) void load()
    } catch (error) {
      if (!isAborted(error)) host.report(error, { preference: settingsKey })
    }
  }

  /** Settings that hold now are told only when they differ: whoever draws them need not draw them again. */
  const takeViews = (saved: readonly SavedView[]): void => {
    host.local.set(viewsKey, JSON.stringify(saved))
    const now = settingsWith(personal, saved, getState().query)
    const same = JSON.stringify(now) === JSON.stringify(getState().settings)
    set({ saved, ...(same ? {} : { settings: now }) })
  }

  const keepOwn = (next: ListSettings, tell = false): void => {
    personal = next
    host.local.set(settingsKey, JSON.stringify(next))
    void host.savePreference(settingsKey, next).catch((error: unknown) => {
      host.report(error, { preference: settingsKey })
      if (tell) host.notify('warning', toFailure(error, host.locale).message)
    })
  }

  /** All that the list asks the gateway as it stands. */
  const question = (): string => {
    const counted = body.views.filter((view) => view.count).map((view) => toCountBody(body, view, getState().query, context))
    return JSON.stringify([body.calls.query, body.rowKey, queryBody(), counted])
  }

  let asked = false
  /** What changes of this list's own are told as: it has loaded anew already. */
  const own = {}
  return {
    options,
    getState,
    subscribe: store.subscribe,
    keyOf,
    queryBody,
    start: () => {
      const at = loading.loadedAt()
      const stale = getState().phase !== 'ready' || Date.now() - at > STALE_AFTER || changedSince(body.path, at)
      // a preview shows what everybody sees
      if (!asked && !host.preview) void loadSettings()
      // together, so that the number of a tab never contradicts its rows
      if (!asked || stale) void countTabs()
      asked = true
      if (stale) void load()
      const deaf = onChanged(body.path, () => void Promise.all([load(getState().rows.length), countTabs()]), own)
      return () => {
        deaf()
        loading.stop()
      }
    },
    reload: async () => {
      await Promise.all([load(getState().rows.length), countTabs()])
      set({ reloads: getState().reloads + 1 })
      tellChanged(body.path, own)
    },
    refresh: async (key) => {
      const there = await refreshRow(key, { store, asked: queryBody(), rowKey: body.rowKey, keyOf, send }).catch(() => false)
      await Promise.all([there ? undefined : load(getState().rows.length), countTabs()])
      tellChanged(body.path, own)
    },
    current: async (key) => {
      await loading.settled()
      return getState().rows.find((row) => keyOf(row) === key)
    },
    adopt: (next) => {
      arrived = next
      // The address comes back a moment after it was written; meanwhile the list may have moved on.
      const own = written.indexOf(next)
      if (own >= 0) {
        written.splice(0, own + 1)
        return
      }
      if (next === search) return
      search = next
      const query = parseQuery(body, next, scope, prefix)
      if (writeQuery(body, query, '', scope) === writeQuery(body, getState().query, '', scope)) return
      set({
        query,
        settings: settingsFor(query),
        size: query.size ?? personal.pageSize ?? body.pageSize,
        selection: NOTHING_SELECTED,
      })
      void load()
      void countTabs()
    },
    follow: (next) => {
      if (next === body) return
      const before = question()
      body = next
      const query = parseQuery(body, search, scope, prefix)
      set({ query, size: query.size ?? personal.pageSize ?? body.pageSize })
      if (question() !== before) void Promise.all([load(), countTabs()])
    },
    setKeyword: (keyword) => {
      if (keyword.trim() !== getState().query.keyword) refine({ keyword: keyword.trim() })
    },
    setFilter: (id, value) => {
      const without = withoutFurther(getState().query, id)
      if (without) return refine(without)
      const { [id]: _removed, ...rest } = getState().query.filters
      refine({ filters: value && !isVoid(value) ? { ...rest, [id]: value } : rest })
    },
    clear: () => refine({ keyword: '', filters: {}, where: undefined }),
    setView: (id) => {
      const { query } = getState()
      // a tab of the page shows what the page says, not what a saved view narrowed it to
      if (query.saved !== undefined) return refine({ ...CLEARED, ...parseQuery(body, '', scope), view: id || undefined })
      if (activeView(body, query)?.id !== id) refine({ view: id })
    },
    setSaved: (id) => {
      const view = getState().saved.find((one) => one.id === id)
      if (view) refine({ ...CLEARED, ...queryOf(body, scope, view) })
    },
    keepView: async ({ from, ...view }) => {
      const { query, settings: shown } = getState()
      const kept = from ?? { query: keptQuery(body, scope, query), settings: columnsOf(shown) }
      const id = await sendView(host, options.id, view, { query: kept.query, settings: kept.settings })
      takeViews((await askViews(host, options.id)).views)
      if (from === undefined) change({ saved: id })
    },
    removeView: async (view) => {
      await takeAway(host, view)
      takeViews(getState().saved.filter(({ id }) => id !== view.id))
      if (getState().query.saved === view.id) change({ saved: undefined })
    },
    setLayout: (layout) => change({ page: 1, layout }),
    setMonth: (month) => change({ page: 1, month }),
    setGroup: (field) => {
      const byDefault = activeView(body, getState().query)?.group ?? body.group ?? ''
      change({ page: 1, group: field === byDefault ? undefined : field })
    },
    toggleSort: (field, also = false) => {
      const { query } = getState()
      // only what has a head can be taken out of the order again
      const heads = new Set(body.columns.filter(({ sortable }) => sortable).map(({ path }) => path.join('.')))
      const shown = sortOf(body, activeView(body, query), query).filter((entry) => heads.has(entry.field))
      const sort = also ? sortedAlso(shown, field) : sortedBy(query.sort, field)
      if (sort) change({ page: 1, sort })
      else host.notify('info', listTexts[host.locale].sortsMost(MOST_SORTS))
    },
    setPage: (page) => change({ page }),
    loadMore,
    setSize: (pageSize) => {
      set({ settings: { ...getState().settings, pageSize } })
      keepOwn({ ...personal, pageSize })
      change({ page: 1, size: pageSize === body.pageSize ? undefined : pageSize })
    },
    select: (keys, on) => {
      const rows = getState().rows.map((row) => [keyOf(row), row] as const)
      const wanted = new Set(keys)
      const known = new Map([...getState().selection.keys, ...rows])
      set({
        selection: select(
          getState().selection,
          [...known].filter(([key]) => wanted.has(key)),
          on,
        ),
      })
    },
    selectAllMatching: () => {
      const rows = getState().rows.map((row) => [keyOf(row), row] as const)
      set({ selection: { ...select(getState().selection, rows, true), all: true } })
    },
    clearSelection: () => set({ selection: NOTHING_SELECTED }),
    selectedKeys: async (limit) => {
      const { selection, total } = getState()
      if (!selection.all) return [...selection.keys.keys()]
      const keys: string[] = []
      const { summary: _summary, expand: _expand, ...base } = queryBody()
      for (let pageNo = 1; keys.length < Math.min(total, limit); pageNo += 1) {
        const answer = await send({ ...base, pageNo, pageSize: KEYS_PER_PAGE })
        keys.push(...answer.records.map(keyOf))
        if (answer.records.length < KEYS_PER_PAGE) break
      }
      return [...new Set(keys)].slice(0, limit)
    },
    saveSettings: (next) => {
      set({ settings: next })
      // the columns of a saved view are kept when the view is
      const { saved, query } = getState()
      const apart = saved.some((view) => view.id === query.saved && view.settings !== null)
      keepOwn(apart ? { ...next, ...NO_COLUMNS, ...columnsOf(personal) } : next, true)
    },
  }
}
