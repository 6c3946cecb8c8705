import type { ListBodyModel, ListViewModel } from '../../schema/model'
import { isAborted, toFailure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { Store } from '../store'
import { COUNTED_WITH_ROWS, neighboursKey } from './counting'
import { activeView, isWhole, toCountBody, type QueryBody, type RequestContext } from '../../headless/list/request'
import { joinRefs } from './joinRefs'
import type { ListState, QueryAnswer } from './types'

export const KEYS_PER_PAGE = 1000
/** How many ids a detail can step through with previous and next. */
const REMEMBERED = 1000

interface Loading {
  /** Loads the page; a list that adds rows below keeps as many as were `shown`. */
  load(shown?: number): Promise<void>
  /** Adds the next rows below. */
  loadMore(): Promise<void>
  /** Counts the rows of the tabs that say their number. */
  countTabs(): Promise<void>
  /** Resolves when nothing is loaded any more. */
  settled(): Promise<void>
  /** When rows came last, in milliseconds since 1970; 0 = never. */
  loadedAt(): number
  stop(): void
}

interface LoadingOptions {
  host: Host
  store: Store<ListState> & { set(change: Partial<ListState>): void }
  context: RequestContext
  /** The list as it is described now. */
  body(): ListBodyModel
  /** The query as it stands. */
  asked(): QueryBody
  send(payload: object, signal?: AbortSignal): Promise<QueryAnswer>
  /** Ids of the rows are remembered for the page of a record. */
  idsOf?: (answer: QueryAnswer) => string[]
  /** The page that was asked for is empty, the last one is this. */
  onPastEnd(lastPage: number): void
  /** The tab that a list opens with is empty, and this one has something to do. */
  onWorkIn(view: string): void
}

/** What a list asks the gateway for, the last question winning: rows, then the number and the sums of very many, and numbers for its tabs. */
export const createLoading = (options: LoadingOptions): Loading => {
  const { host, context, body, asked, send, idsOf, onPastEnd, onWorkIn } = options
  const { getState, set } = options.store
  let flight: AbortController | null = null
  let summing: AbortController | null = null
  let loadedAt = 0
  /** How often tabs were counted: the last time wins. */
  let countings = 0
  /** What matches, and what is added up, in the total and the sums that are shown. */
  let counted = ''

  /** The rows from a cursor on; the beginning again keeps as many rows as are shown. */
  const onwards = (cursor: string, count: number): object => {
    const { pageNo: _pageNo, ...rest } = asked()
    return { ...rest, cursor, pageSize: Math.min(KEYS_PER_PAGE, count) }
  }

  /** The number and the sums of very many rows come after the rows. */
  const sumUp = async (payload: object): Promise<void> => {
    summing?.abort()
    const own = new AbortController()
    summing = own
    try {
      const { total, summary = {} } = await send({ ...payload, pageSize: 0 }, own.signal)
      if (summing === own) set({ total, totalAtLeast: false, summary })
    } catch (error) {
      if (summing !== own || isAborted(error)) return
      counted = ''
      set({ summary: {} })
      host.notify('error', toFailure(error, host.locale).message)
    }
  }

  /** Rows by tab, asked for in one call; a tab that cannot be counted has no number: the list itself says what is wrong. */
  const countOf = async (views: readonly ListViewModel[]): Promise<Readonly<Record<string, number>>> => {
    const { query } = getState()
    const tell = (error: unknown, view?: string): void => {
      if (!isAborted(error) && toFailure(error, host.locale).kind !== 'denied')
        host.report(error, { where: body().source.where, ...(view === undefined ? {} : { view }) })
    }
    const asked = views.flatMap((view) => {
      try {
        return [[view.id, toCountBody(body(), view, query, context)] as const]
      } catch (error) {
        tell(error, view.id)
        return []
      }
    })
    const [first] = asked
    if (!first) return {}
    try {
      const answer = await send({ pageNo: 1, pageSize: 0, countUpTo: 1, ...first[1], counts: Object.fromEntries(asked) })
      return answer.counts ?? {}
    } catch (error) {
      tell(error)
      return {}
    }
  }

  /** Nothing narrows the tab: it has no rows by itself, and others may have some. */
  const isUnasked = ({ keyword, filters, where }: ListState['query']): boolean =>
    keyword === '' && where === undefined && Object.keys(filters).length === 0

  const loadOnce = async (shown: number): Promise<void> => {
    flight?.abort()
    summing?.abort()
    const own = new AbortController()
    flight = own
    set({ busy: true })
    try {
      const adding = body().paging === 'more'
      const payload = adding ? onwards('', Math.max(shown, getState().size)) : asked()
      const { keyword, view, where, summary: summed } = asked()
      const matching = JSON.stringify([keyword, view, where, summed])
      const answer = await send({ ...payload, countUpTo: COUNTED_WITH_ROWS }, own.signal)
      if (flight !== own) return
      const { query, size, total, summary } = getState()
      const pages = Math.max(1, Math.ceil(answer.total / size))
      if (answer.records.length === 0 && query.page > pages && !adding) {
        // The last page became empty, or an old link points behind the end: show the last one there is.
        onPastEnd(pages)
        return
      }
      const views = body().views
      const elsewhere = answer.total === 0 && views.length > 1 && isUnasked(query) ? await countOf(views) : {}
      if (flight !== own) return
      // the tab that a list opens with is the first one with something to do
      const opens = getState().phase === 'first' && query.view === undefined
      const work = views.find((view) => view.count && (elsewhere[view.id] ?? 0) > 0 && !isWhole(view, context.scope))
      if (opens && work) return onWorkIn(work.id)
      loadedAt = Date.now()
      flight = null
      // on another page of the same rows their number and sums stand until they were made anew
      const same = matching === counted
      const later = answer.totalAtLeast === true || (summed !== undefined && !answer.summary)
      counted = matching
      set({
        phase: 'ready',
        busy: false,
        failure: null,
        rows: answer.records,
        ...(answer.totalAtLeast
          ? { total: same ? Math.max(total, answer.total) : answer.total, totalAtLeast: !same || total <= answer.total }
          : { total: answer.total, totalAtLeast: false }),
        next: answer.next ?? null,
        elsewhere,
        refs: answer.refs ?? {},
        summary: answer.summary ?? (summed === undefined ? {} : same ? summary : null),
      })
      if (later) void sumUp(payload)
      const shownView = activeView(body(), query)
      // the number of a tab is that of the list below it
      if (shownView?.count && !answer.totalAtLeast && getState().counts[shownView.id] !== undefined)
        set({ counts: { ...getState().counts, [shownView.id]: answer.total } })
      if (idsOf) host.local.set(neighboursKey(body().entity), JSON.stringify(idsOf(answer).slice(0, REMEMBERED)))
    } catch (error) {
      if (flight !== own) return
      flight = null
      if (isAborted(error)) {
        set({ busy: false })
        return
      }
      const failure = toFailure(error, host.locale)
      const { source, calls } = body()
      if (failure.kind === 'failed') host.report(error, { where: source.where, at: source.at, call: calls.query.path })
      set({ phase: 'failed', busy: false, failure })
    }
  }

  /** The load that was asked for last. */
  let loading: Promise<void> = Promise.resolve()

  return {
    load: (shown = 0) => (loading = loadOnce(shown)),
    loadMore: async () => {
      const { next, busy, size } = getState()
      if (next === null || busy) return
      const own = new AbortController()
      flight = own
      set({ busy: true })
      try {
        const answer = await send({ ...onwards(next, size), countUpTo: COUNTED_WITH_ROWS }, own.signal)
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
    },
    countTabs: async () => {
      const own = ++countings
      const known = await countOf(body().views.filter((view) => view.count))
      if (own === countings) set({ counts: { ...getState().counts, ...known } })
    },
    settled: async () => {
      let awaited: Promise<void>
      do {
        awaited = loading
        await awaited
      } while (awaited !== loading)
    },
    loadedAt: () => loadedAt,
    stop: () => {
      flight?.abort()
      summing?.abort()
      flight = null
      if (getState().busy) set({ busy: false })
    },
  }
}
