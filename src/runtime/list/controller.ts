import type { QuerySort } from '../../schema/model'
import { changedSince, onChanged } from '../changes'
import { isAborted, toFailure } from '../failure'
import type { Host } from '../host'
import type { Refs, Row } from '../row'
import { createStore } from '../store'
import { COUNTED_WITH_ROWS } from './counting'
import { neighboursKey } from './neighbours'
import { isVoid, parseQuery, writeQuery, type ListQuery } from './query'
import { activeView, toQueryBody, toViewBody, type QueryBody } from './request'
import { NOTHING_SELECTED, select } from './selection'
import { readSettings, type ListSettings } from './settings'
import type { ListController, ListOptions, ListState, QueryAnswer } from './types'

export type { ListController, ListOptions, ListState, QueryAnswer } from './types'

/** A list that was shown again after this many milliseconds is loaded anew. */
const STALE_AFTER = 30_000
const KEYS_PER_PAGE = 1000
const MOST_WRITTEN = 20
/** How many ids a detail can step through with previous and next. */
const REMEMBERED = 1000

const joinRefs = (before: Refs, more: Refs): Refs =>
  Object.fromEntries([...new Set([...Object.keys(before), ...Object.keys(more)])].map((entity) => [entity, { ...before[entity], ...more[entity] }])) // prettier-ignore

const cached = (host: Host, key: string): ListSettings => {
  const text = host.local.get(key)
  if (!text) return {}
  try {
    return readSettings(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Creates the headless list of one entity. It does nothing until `start`. */
export const createListController = (options: ListOptions): ListController => {
  const { host, scope, prefix = '' } = options
  let { body } = options
  const settingsKey = `list:${options.id}`
  const settings = cached(host, settingsKey)
  const context = { scope, timeZone: host.timeZone, where: options.where }
  let search = options.search
  /** Addresses that this list wrote and that have not come back yet. */
  const written: string[] = []
  /** The address as it was last given from outside. */
  let arrived = options.search
  let flight: AbortController | null = null
  let summing: AbortController | null = null
  let loadedAt = 0
  const first = parseQuery(body, search, scope, prefix)
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
    reloads: 0,
    settings,
  })
  const { getState, set } = store

  const keyOf = (row: Row): string => String(row[body.rowKey])
  const send = <T>(payload: object, signal?: AbortSignal): Promise<T> =>
    host.request<T>({ ...body.calls.query, body: payload, signal })
  const queryBody = (): QueryBody => toQueryBody(body, getState().query, getState().size, context)

  const adding = body.paging === 'more'
  /** The rows from a cursor on; the beginning again keeps as many rows as are shown. */
  const onwards = (cursor: string, count: number): object => {
    const { pageNo: _pageNo, ...rest } = queryBody()
    return { ...rest, cursor, pageSize: Math.min(KEYS_PER_PAGE, count) }
  }

  /** The number and the sums of very many rows come after the rows. */
  const sumUp = async (payload: object): Promise<void> => {
    summing?.abort()
    const own = new AbortController()
    summing = own
    try {
      const { total, summary = {} } = await send<QueryAnswer>({ ...payload, pageSize: 0 }, own.signal)
      if (summing === own) set({ total, totalAtLeast: false, summary })
    } catch (error) {
      if (summing !== own || isAborted(error)) return
      set({ summary: {} })
      host.notify('error', toFailure(error, host.locale).message)
    }
  }

  const loadOnce = async (shown: number): Promise<void> => {
    flight?.abort()
    summing?.abort()
    const own = new AbortController()
    flight = own
    set({ busy: true })
    try {
      const payload = adding ? onwards('', Math.max(shown, getState().size)) : queryBody()
      const answer = await send<QueryAnswer>({ ...payload, countUpTo: COUNTED_WITH_ROWS }, own.signal)
      if (flight !== own) return
      const { query, size } = getState()
      const pages = Math.max(1, Math.ceil(answer.total / size))
      if (answer.records.length === 0 && query.page > pages && !adding) {
        // The last page became empty, or an old link points behind the end: show the last one there is.
        change({ page: pages })
        return
      }
      loadedAt = Date.now()
      flight = null
      set({
        phase: 'ready',
        busy: false,
        failure: null,
        rows: answer.records,
        total: answer.total,
        totalAtLeast: answer.totalAtLeast === true,
        next: answer.next ?? null,
        refs: answer.refs ?? {},
        summary: answer.summary ?? ('summary' in payload ? null : {}),
      })
      if (answer.totalAtLeast || (!answer.summary && 'summary' in payload)) void sumUp(payload)
      if (!prefix) host.local.set(neighboursKey(body.entity), JSON.stringify(answer.records.slice(0, REMEMBERED).map(keyOf)))
    } catch (error) {
      if (flight !== own) return
      flight = null
      if (isAborted(error)) {
        set({ busy: false })
        return
      }
      const failure = toFailure(error, host.locale)
      if (failure.kind === 'failed')
        host.report(error, { where: body.source.where, at: body.source.at, call: body.calls.query.path })
      set({ phase: 'failed', busy: false, failure })
    }
  }

  /** The load that was asked for last. */
  let loading: Promise<void> = Promise.resolve()
  const load = (shown = 0): Promise<void> => (loading = loadOnce(shown))

  const loadMore = async (): Promise<void> => {
    const { next, busy, size } = getState()
    if (next === null || busy) return
    const own = new AbortController()
    flight = own
    set({ busy: true })
    try {
      const answer = await send<QueryAnswer>({ ...onwards(next, size), countUpTo: COUNTED_WITH_ROWS }, own.signal)
      if (flight !== own) return
      const state = getState()
      set({
        rows: [...state.rows, ...answer.records],
        total: answer.totalAtLeast ? Math.max(answer.total, state.total) : answer.total,
        next: answer.next ?? null,
        refs: joinRefs(state.refs, answer.refs ?? {}),
      })
    } catch (error) {
      if (flight === own && !isAborted(error)) host.notify('error', toFailure(error, host.locale).message)
    } finally {
      if (flight === own) {
        flight = null
        set({ busy: false })
      }
    }
  }

  const count = async (): Promise<void> => {
    const counted = body.views.filter((view) => view.count)
    const entries = await Promise.all(
      counted.map(async (view) => {
        try {
          const answer = await send<QueryAnswer>({ pageNo: 1, pageSize: 0, ...toViewBody(body, view, context) })
          return [view.id, answer.total] as const
        } catch (error) {
          // A tab without its number is still a tab; the list itself says what is wrong.
          if (!isAborted(error) && toFailure(error, host.locale).kind !== 'denied') {
            host.report(error, { where: body.source.where, view: view.id })
          }
          return null
        }
      }),
    )
    const known = entries.filter((entry) => entry !== null)
    if (known.length > 0) set({ counts: { ...getState().counts, ...Object.fromEntries(known) } })
  }

  const change = (patch: Partial<ListQuery>, keepSelection = true): void => {
    const query = { ...getState().query, ...patch }
    const size = query.size ?? getState().settings.pageSize ?? body.pageSize
    set({ query, size, ...(keepSelection ? {} : { selection: NOTHING_SELECTED }) })
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
  const refine = (patch: Partial<ListQuery>): void => change({ page: 1, ...patch }, false)

  const loadSettings = async (): Promise<void> => {
    try {
      const stored = await host.preference<unknown>(settingsKey)
      if (stored === null) return
      const fresh = readSettings(stored)
      if (JSON.stringify(fresh) === JSON.stringify(getState().settings)) return
      host.local.set(settingsKey, JSON.stringify(fresh))
      const size = getState().query.size ?? fresh.pageSize ?? body.pageSize
      const reload = size !== getState().size
      set({ settings: fresh, size })
      if (reload) void load()
    } catch (error) {
      if (!isAborted(error)) host.report(error, { preference: settingsKey })
    }
  }

  /** All that the list asks the gateway as it stands. */
  const question = (): string => {
    const counted = body.views.filter((view) => view.count).map((view) => toViewBody(body, view, context))
    return JSON.stringify([body.calls.query, body.rowKey, queryBody(), counted])
  }

  let asked = false
  return {
    options,
    getState,
    subscribe: store.subscribe,
    keyOf,
    queryBody,
    start: () => {
      if (!asked) {
        asked = true
        void loadSettings()
        void count()
      }
      if (getState().phase !== 'ready' || Date.now() - loadedAt > STALE_AFTER || changedSince(body.path, loadedAt)) void load()
      const deaf = onChanged(body.path, () => void Promise.all([load(getState().rows.length), count()]))
      return () => {
        deaf()
        flight?.abort()
        summing?.abort()
        flight = null
        if (getState().busy) set({ busy: false })
      }
    },
    reload: async () => {
      await Promise.all([load(getState().rows.length), count()])
      set({ reloads: getState().reloads + 1 })
    },
    current: async (key) => {
      let awaited: Promise<void>
      do {
        awaited = loading
        await awaited
      } while (awaited !== loading)
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
      set({ query, size: query.size ?? getState().settings.pageSize ?? body.pageSize, selection: NOTHING_SELECTED })
      void load()
    },
    follow: (next) => {
      if (next === body) return
      const before = question()
      body = next
      const query = parseQuery(body, search, scope, prefix)
      set({ query, size: query.size ?? getState().settings.pageSize ?? body.pageSize })
      if (question() !== before) void Promise.all([load(), count()])
    },
    setKeyword: (keyword) => {
      if (keyword.trim() !== getState().query.keyword) refine({ keyword: keyword.trim() })
    },
    setFilter: (id, value) => {
      const { [id]: _removed, ...rest } = getState().query.filters
      refine({ filters: value && !isVoid(value) ? { ...rest, [id]: value } : rest })
    },
    clear: () => refine({ keyword: '', filters: {} }),
    setView: (id) => {
      if (activeView(body, getState().query)?.id !== id) refine({ view: id })
    },
    toggleSort: (field) => {
      const now = getState().query.sort[0]
      const sort: QuerySort[] =
        now?.field !== field ? [{ field, order: 'asc' }] : now.order === 'asc' ? [{ field, order: 'desc' }] : []
      change({ page: 1, sort })
    },
    setPage: (page) => change({ page }),
    loadMore,
    setSize: (pageSize) => {
      const next = { ...getState().settings, pageSize }
      set({ settings: next })
      host.local.set(settingsKey, JSON.stringify(next))
      void host.savePreference(settingsKey, next).catch((error: unknown) => host.report(error, { preference: settingsKey }))
      change({ page: 1, size: pageSize === body.pageSize ? undefined : pageSize })
    },
    select: (keys, on) => {
      const rows = getState().rows.map((row) => [keyOf(row), row] as const)
      const wanted = new Set(keys)
      const known = new Map([...getState().selection.keys, ...rows])
      set({ selection: select(getState().selection, [...known].filter(([key]) => wanted.has(key)), on) }) // prettier-ignore
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
        const answer = await send<QueryAnswer>({ ...base, pageNo, pageSize: KEYS_PER_PAGE })
        keys.push(...answer.records.map(keyOf))
        if (answer.records.length < KEYS_PER_PAGE) break
      }
      return [...new Set(keys)].slice(0, limit)
    },
    saveSettings: (next) => {
      set({ settings: next })
      host.local.set(settingsKey, JSON.stringify(next))
      void host.savePreference(settingsKey, next).catch((error: unknown) => {
        host.report(error, { preference: settingsKey })
        host.notify('warning', toFailure(error, host.locale).message)
      })
    },
  }
}
