import './list.css'
import { Suspense, useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import { ActionBar, useActions } from '../action'
import { groupDigits } from '../../schema/formats'
import type { ListBodyModel, ListLayout, QueryWhere, SavedView, Scope } from '../../schema/model'
import { useReadyFormats, type CellContext } from '../cell'
import { useHost } from '../hostContext'
import { usePhone } from '../media'
import type { Row } from '../../headless/row'
import { useTokenStyle } from '../tokens'
import { BulkBar } from './BulkBar'
import { Cards } from './Cards'
import { actionsWidth, CHECK_WIDTH, drawColumns } from './columns'
import { shownTotal } from './counting'
import { useCellEdit } from './cellEdit/useCellEdit'
import { Chips, Filters, useRefTitles } from './Filters'
import { Footer } from './Footer'
import { Keyword } from './Keyword'
import { ListHead } from './ListHead'
import { makesBoard } from '../../headless/list/board'
import { groupings } from '../../headless/list/groupings'
import { groupedBy } from '../../headless/list/groups'
import { writeQuery } from '../../headless/list/query'
import { sortOf } from '../../headless/list/sorting'
import { withFurther } from './where'
import { activeView, inView, isWhole, layoutOf } from '../../headless/list/request'
import { hiddenOffers } from './RowItem'
import { rowTitle } from './rowTitle'
import { searchedText } from './searched'
import { shownColumns, type Density } from './settings'
import { Skeleton } from '../state'
import { FailureNotice, FailureState, NoRows } from './States'
import { ROW_HEIGHT, Table } from './Table'
import { listTexts } from '../../headless/list/texts'
import { Tools } from './Tools'
import { isBeside, useBesideList } from './useBesideList'
import { useFillingHeight } from './useFillingHeight'
import { useListActions } from './useListActions'
import { useListController } from './useListController'
import { useSearchKey } from './useSearchKey'
import { differs, keptQuery } from './savedViews'
import { ViewTabs } from './ViewTabs'
import { VIRTUAL_ROWS } from './window'
import { lazyPart } from '../part/lazyPart'

const ActionMenu = lazyPart(() => import('../action/ActionMenu'), 'over')
const Beside = lazyPart(() => import('./Beside'), 'over')
const Board = lazyPart(() => import('./Board'))
const Calendar = lazyPart(() => import('./Calendar'))
const Groups = lazyPart(() => import('./Groups'))

export interface ListViewProps {
  /** Key of the user's settings and of what is remembered: the page's id, with the tab's id inside a detail. */
  id: string
  body: ListBodyModel
  scope: Scope
  title?: string
  description?: string
  /** Search part of the address that holds the query. */
  search: string
  onSearch?: (search: string) => void
  /** Route of the list; the download centre leads back to it. */
  page?: string
  /** Set for a list inside another page: keeps its parameters apart and leaves out the page's heading. */
  prefix?: string
  /** Conditions of the place where the list stands. */
  where?: readonly QueryWhere[]
  /** Version of the record around the list: another one reads the rows anew. */
  version?: unknown
  /** Called after an action of the list changed something. */
  onChanged?: () => void
}

const SKELETON_ROWS = 10
/** Views are kept of pages, not of lists inside another page. */
const NO_VIEWS: readonly SavedView[] = []
/** A list of records: search, views, table or cards, selection, actions, states. The headless part is useListController. */
export const ListView = ({
  id,
  body: given,
  scope,
  title,
  description,
  search,
  onSearch,
  page,
  prefix,
  where,
  version,
  onChanged,
}: ListViewProps) => {
  const host = useHost()
  const texts = listTexts[host.locale]
  const style = useTokenStyle()
  const phone = usePhone()
  const actions = useActions()
  const embedded = prefix !== undefined
  const [list, state] = useListController({ host, body: given, scope, id, search, onSearch, prefix, where }, version)
  const { query, rows, total, selection, settings, refs } = state
  const view = activeView(given, query)
  const body = useMemo(() => inView(given, view), [given, view])
  const asked = useMemo(() => withFurther(body, query), [body, query])
  const layout = layoutOf(body, view, query)
  const grouping = useMemo(() => groupedBy(body, view, query), [body, view, query])
  const saved = embedded ? NO_VIEWS : state.saved
  const kept = saved.find(({ id: one }) => one === query.saved)
  const changed = kept !== undefined && differs(given, scope, kept, state)
  const keepable = kept ? changed : keptQuery(given, scope, { ...query, view: undefined }) !== ''
  const [titles, learn] = useRefTitles(host, asked.filters, { filters: asked.values })
  const [menu, setMenu] = useState<{ row: Row; anchor: HTMLElement } | null>(null)
  const [dialog, setDialog] = useState<'export' | 'import' | null>(null)
  // `import` in the address is a task of the download centre; the dialog takes it out of the address when it closes.
  const task = embedded ? undefined : (new URLSearchParams(search).get('import') ?? undefined)
  const onDialog = (next: typeof dialog): void => {
    setDialog(next)
    if (next === null && task !== undefined) onSearch?.(writeQuery(body, query, search, scope))
  }
  const root = useRef<HTMLDivElement>(null)
  const [frame, filling] = useFillingHeight(embedded, rows.length > VIRTUAL_ROWS)

  const number = useCallback((value: number): string => groupDigits(String(value), host.locale), [host.locale])
  const count = shownTotal(state, number)
  const density: Density = settings.density ?? 'normal'
  // rows of groups are read apart from those of the list, which a selection is of
  const selectable = body.bulkActions.length > 0 && grouping === undefined
  // on a phone nothing stands beside anything: the heading of a card opens the page
  const rowActions = useMemo(
    () => (phone ? body.rowActions.filter((action) => !isBeside(action)) : body.rowActions),
    [phone, body.rowActions],
  )
  const trail = actionsWidth(rowActions, '•••', texts.actions)
  const columns = useMemo(
    () => drawColumns(shownColumns(body.columns, settings), selectable ? CHECK_WIDTH : 0, trail, settings.widths),
    [body.columns, settings, selectable, trail],
  )
  const fields = useMemo(() => [...body.columns, ...body.filters].map((part) => part.field), [body])
  const phones = useMemo(
    () =>
      body.columns.flatMap(({ field, path }) => (field?.kind === 'phone' && !field.masked && path.length === 1 ? [field] : [])),
    [body.columns],
  )
  const formats = useReadyFormats(host, fields)
  // Names that came later draw the cells anew through a new context.
  const context = useMemo<CellContext>(
    () => ({ host, scope, refs, formats, now: host.now().getTime() }),
    [host, scope, refs, formats],
  )
  const titleOf = useCallback((row: Row): string => rowTitle(body.columns, row, host, refs), [body.columns, host, refs])

  const {
    base,
    onPageAction,
    onRowAction: runRowAction,
  } = useListActions({
    actions,
    body,
    list,
    scope,
    titleOf,
    onChanged,
    onDialog: setDialog,
  })
  const beside = useBesideList({ list, body, scope, rows, search, onSearch: embedded || phone ? undefined : onSearch })
  const { look } = beside
  const cells = useCellEdit({ list, body, columns, rows, scope, refs, titleOf, frame: root, onChanged })
  const onRowAction = useCallback(
    (action: string, row: Row): void => (look && action === beside.action ? look(row) : runRowAction(action, row)),
    [look, beside.action, runRowAction],
  )
  const onMore = useCallback((row: Row, anchor: HTMLElement): void => setMenu({ row, anchor }), [])
  const onResize = useCallback(
    (column: string, width: number): void => {
      const now = list.getState().settings
      list.saveSettings({ ...now, widths: { ...now.widths, [column]: width } })
    },
    [list],
  )

  useSearchKey(root)

  const denied = state.failure?.kind === 'denied'
  const narrowed = query.keyword !== '' || Object.keys(asked.values).length > 0
  const label = title ?? body.entityLabel
  const onRetry = (): void => void list.reload()
  const firstAction =
    body.actions.find((action) => action.id === body.empty?.action) ?? body.actions.find((action) => action.primary)
  // an empty list offers its first action in its middle, so the bar above does not offer it again
  const begins =
    state.phase === 'ready' &&
    !state.failure &&
    rows.length === 0 &&
    !narrowed &&
    (!view || isWhole(view, scope) || (view === body.views[0] && Object.values(state.elsewhere).every((count) => count === 0)))

  const isBoard = layout === 'board' || makesBoard(body, query, { scope, ...(where ? { where } : {}) })
  const layouts: readonly ListLayout[] = [
    'table',
    ...(isBoard ? ['board' as const] : []),
    ...(body.calendar ? ['calendar' as const] : []),
  ]
  const others = layouts.filter((one) => one !== layout)
  const sums = body.summary && columns.some(({ model }) => model.summary) ? state.summary : undefined

  const content = (): ReactNode => {
    if (state.failure && (state.failure.kind === 'denied' || rows.length === 0))
      return <FailureState failure={state.failure} texts={texts} onRetry={onRetry} />
    if (state.phase === 'first')
      return (
        <Skeleton
          rows={Math.min(state.size, SKELETON_ROWS)}
          columns={Math.min(columns.length, 6)}
          rowHeight={ROW_HEIGHT[density]}
          label={texts.loading}
        />
      )
    if (rows.length === 0)
      return (
        <NoRows
          body={body}
          narrowedTo={narrowed ? searchedText(body, query, host, texts, titles) : undefined}
          view={begins ? undefined : view}
          elsewhere={state.elsewhere}
          number={number}
          texts={texts}
          onClear={list.clear}
          onView={list.setView}
        >
          {firstAction && <ActionBar actions={[firstAction]} scope={scope} running={actions.running} onRun={onPageAction} />}
        </NoRows>
      )
    const common = {
      label,
      rows,
      keyOf: list.keyOf,
      titleOf,
      columns,
      context,
      selectable,
      selection,
      rowActions,
      texts,
      onSelect: list.select,
      onAction: onRowAction,
      onMore,
      inline: actions.inline,
    }
    if (layout === 'board' && body.board)
      return (
        <Suspense fallback={<Skeleton rows={5} columns={4} rowHeight={ROW_HEIGHT[density]} label={texts.loading} />}>
          <Board
            {...{ label, body, query, scope, columns, context, rowActions, texts, number, titleOf, onMore }}
            board={body.board}
            reloads={state.reloads}
            keyOf={list.keyOf}
            onAction={onRowAction}
            {...(where ? { where } : {})}
          />
        </Suspense>
      )
    if (layout === 'calendar' && body.calendar)
      return (
        <Suspense fallback={<Skeleton rows={5} columns={7} rowHeight={ROW_HEIGHT[density]} label={texts.loading} />}>
          <Calendar
            {...{ label, body, query, scope, columns, context, texts, number, titleOf, onMore }}
            calendar={body.calendar}
            reloads={state.reloads}
            keyOf={list.keyOf}
            onMonth={list.setMonth}
            onAction={onRowAction}
            onLook={look}
            {...(where ? { where } : {})}
          />
        </Suspense>
      )
    if (grouping && body.calls.aggregate)
      return (
        <Suspense fallback={<Skeleton rows={6} columns={6} rowHeight={ROW_HEIGHT[density]} label={texts.loading} />}>
          <Groups
            {...common}
            {...{ body, query, scope, number, grouping, phones }}
            call={body.calls.aggregate}
            reloads={state.reloads}
            sorts={sortOf(body, view, query)}
            actionsWidth={trail}
            summary={sums}
            onSort={list.toggleSort}
            onResize={onResize}
            onLook={look}
            looked={beside.shown}
            {...(where ? { where } : {})}
          />
        </Suspense>
      )
    if (phone) return <Cards {...common} phones={phones} />
    return (
      <Table
        {...common}
        total={total}
        offset={(query.page - 1) * state.size}
        sorts={sortOf(body, view, query)}
        actionsWidth={trail}
        density={density}
        summary={sums}
        onSort={list.toggleSort}
        onResize={onResize}
        onLook={look}
        onEdit={cells.onEdit}
        looked={beside.shown}
      />
    )
  }
  const bare = phone && rows.length > 0
  const offered = begins ? body.actions.filter((action) => action !== firstAction) : body.actions
  const pageActions = <ActionBar actions={offered} scope={scope} running={actions.running} onRun={onPageAction} />

  return (
    <div
      ref={root}
      className={`sb-list${density === 'compact' ? ' sb-compact' : ''}${state.busy ? ' sb-busy' : ''}${state.failure ? ' sb-former' : ''}`}
      style={style}
      aria-busy={state.busy || state.phase === 'first'}
    >
      <ListHead
        title={title}
        description={description}
        body={body}
        state={state}
        count={count}
        embedded={embedded}
        denied={denied}
      >
        {pageActions}
      </ListHead>
      {body.views.length + saved.length > 0 && <ViewTabs {...{ list, state, body, view, saved, kept, changed, texts, number }} />}
      <div className="sb-bar sb-search-bar" role="search" aria-label={label} hidden={denied}>
        {body.keyword.length > 0 && (
          <Keyword
            value={query.keyword}
            label={texts.keyword(body.keyword)}
            placeholder={texts.keywordShort(body.keyword)}
            onChange={list.setKeyword}
          />
        )}
        <Filters
          filters={body.filters}
          values={query.filters}
          host={host}
          texts={texts}
          titles={titles}
          onTitles={learn}
          onChange={list.setFilter}
        />
        <span className="sb-bar sb-bar-end">
          <Tools
            list={list}
            state={state}
            body={body}
            label={label}
            dialog={task === undefined ? dialog : 'import'}
            onDialog={onDialog}
            texts={texts}
            number={number}
            embedded={embedded}
            groupings={layout === 'table' ? groupings(body) : []}
            grouping={grouping}
            others={others}
            {...(!embedded && keepable ? { keep: { view: kept?.editable ? kept : undefined } } : {})}
            page={page}
            task={task}
          />
          {!title && pageActions}
        </span>
      </div>
      <Chips
        filters={asked.filters}
        values={asked.values}
        host={host}
        texts={texts}
        titles={titles}
        onChange={list.setFilter}
        onClear={list.clear}
      />
      {actions.notice}
      {state.failure && state.failure.kind !== 'denied' && rows.length > 0 && (
        <FailureNotice failure={state.failure} texts={texts} onRetry={onRetry} />
      )}
      {selectable && (selection.all || selection.keys.size > 0) && (
        <BulkBar
          list={list}
          state={state}
          body={body}
          base={base}
          actions={actions}
          scope={scope}
          texts={texts}
          number={number}
        />
      )}
      <div ref={frame} className={bare ? undefined : filling ? 'sb-frame sb-filling' : 'sb-frame'}>
        <div className="sb-progress" aria-hidden="true" />
        {content()}
      </div>
      {layout === 'table' && !grouping && (
        <Footer list={list} state={state} body={body} count={count} number={number} texts={texts} />
      )}
      {menu && (
        <Suspense fallback={null}>
          <ActionMenu
            anchor={menu.anchor}
            offers={hiddenOffers(rowActions, menu.row, context)}
            onPick={(picked) => onRowAction(picked, menu.row)}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
      {beside.shown !== null && (
        <Suspense fallback={null}>
          <Beside {...beside} shown={beside.shown} frame={root} texts={texts} />
        </Suspense>
      )}
      {actions.outlet}
      {cells.outlet}
    </div>
  )
}
