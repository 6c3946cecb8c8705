import './table.css'
import './groups.css'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { Skeleton as Bones } from 'antd'
import { monthName } from '../../headless/list/days'
import type { Grouping } from '../../headless/list/groupings'
import { groupHeads, groupsBody, GROUP_ROWS, GROUPS, type GroupHead } from '../../headless/list/groups'
import type { ListQuery } from '../../headless/list/query'
import { toQueryBody } from '../../headless/list/request'
import type { ListTexts } from '../../headless/list/texts'
import type { Row } from '../../headless/row'
import type {
  ActionModel,
  AggregateAnswer,
  CallModel,
  ListBodyModel,
  PageField,
  QuerySort,
  QueryWhere,
  Scope,
} from '../../schema/model'
import { compileCell, type CellContext } from '../cell'
import { onChanged } from '../changes'
import { usePhone } from '../media'
import { useCall } from '../reading/useCall'
import { Skeleton } from '../state'
import { isEnter } from '../typing'
import { Cards } from './Cards'
import type { DrawnColumn } from './columns'
import { HeaderCell } from './HeaderCell'
import { joinRefs } from './joinRefs'
import { RowItem } from './RowItem'
import { NOTHING_SELECTED } from './selection'
import { FailureNotice, FailureState } from './States'
import { Sum, Summary } from './Summary'
import { useParts, type Part } from './useParts'
import { useRowClick } from './useRowClick'

interface GroupsProps {
  label: string
  body: ListBodyModel
  grouping: Grouping
  /** The call that counts and sums the groups. */
  call: CallModel
  query: ListQuery
  scope: Scope
  where?: readonly QueryWhere[]
  reloads: number
  keyOf(row: Row): string
  titleOf(row: Row): string
  columns: readonly DrawnColumn[]
  context: CellContext
  sorts: readonly QuerySort[]
  rowActions: readonly ActionModel[]
  /** Numbers that a card calls. */
  phones: readonly PageField[]
  actionsWidth: number
  /** Of all rows; undefined: the list has none, null: they are being made. */
  summary: Readonly<Record<string, unknown>> | null | undefined
  texts: ListTexts
  number(value: number): string
  /** A form below one row. */
  inline: { rowKey: string; content: ReactNode } | null
  onSort(field: string, also: boolean): void
  onResize(id: string, width: number): void
  onAction(id: string, row: Row): void
  onMore(row: Row, anchor: HTMLElement): void
  onLook?: ((row: Row) => void) | undefined
  looked?: string | null
}

const ROW_HEIGHT = 41
const STOPS = 'tr[data-key], button[aria-expanded]'
const NOTHING_OPEN: ReadonlyMap<string, readonly QueryWhere[]> = new Map()
const nothing = (): void => undefined

/** Rows in groups with their number and sums; those of a group are read when it is opened, a part at a time. */
const Groups = (props: GroupsProps) => {
  const { label, body, grouping, call, query, scope, where, reloads, keyOf, titleOf, columns, context: given } = props
  const { sorts, rowActions, actionsWidth, summary, texts, number, inline, onSort, onResize, onLook, looked = null } = props
  const { host } = given
  const phone = usePhone()
  const [limit, setLimit] = useState(GROUPS)
  const [opened, setOpened] = useState<{ field: string; open: ReadonlyMap<string, readonly QueryWhere[]> } | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const whole = useMemo(
    () => toQueryBody(body, { ...query, page: 1 }, GROUP_ROWS, { scope, ...(where ? { where } : {}) }),
    [body, query, scope, where],
  )
  const open = opened?.field === grouping.field ? opened.open : NOTHING_OPEN
  const shown = useMemo(() => columns.map(({ model }) => model), [columns])
  const request = useMemo(
    () => ({ ...call, body: groupsBody(whole, grouping, shown, limit) }),
    [call, whole, grouping, shown, limit],
  )
  const asked = useCall<AggregateAnswer>(request)
  const { reload } = asked
  const seen = useRef(reloads)
  useEffect(() => {
    if (seen.current === reloads) return
    seen.current = reloads
    reload()
  }, [reloads, reload])
  useEffect(() => onChanged(body.path, reload), [body.path, reload])
  const last = useRef<{ field: string; answer: AggregateAnswer } | null>(null)
  if (asked.data) last.current = { field: grouping.field, answer: asked.data }
  const answer = last.current?.field === grouping.field ? last.current.answer : null
  const heads = useMemo(() => (answer ? groupHeads(grouping, answer) : []), [grouping, answer])
  const { part, refs, more, retry } = useParts({ host, body, whole, open, reloads })
  const context = useMemo<CellContext>(
    () => ({ ...given, refs: joinRefs(joinRefs(given.refs, answer?.refs ?? {}), refs) }),
    [given, refs, answer],
  )
  const nameCell = useMemo(
    () => compileCell({ ...grouping.column, open: undefined, tone: undefined, tooltip: undefined }),
    [grouping],
  )
  const click = useRowClick(props)

  const nameOf = ({ value }: GroupHead): ReactNode => {
    if (value === null) return <span className="sb-group-none">{texts.groups.without(grouping.column.title)}</span>
    return grouping.bucket ? monthName(String(value), host.locale) : nameCell({ [grouping.field]: value }, context)
  }
  const toggle = ({ key, where: further }: GroupHead, on = !open.has(key)): void => {
    const next = new Map(open)
    if (on) next.set(key, further)
    else next.delete(key)
    setOpened({ field: grouping.field, open: next })
  }
  const rowAt = (element: EventTarget | null): Row | undefined => {
    const key = element instanceof Element ? element.closest<HTMLElement>('[data-key]')?.dataset.key : undefined
    return key === undefined ? undefined : heads.flatMap((head) => part(head.key).rows).find((row) => keyOf(row) === key)
  }
  const onClick = (event: MouseEvent): void => {
    const row = rowAt(event.target)
    if (row) click(event, row)
  }
  /** Arrows walk over heads and rows; right and left open and close a group. */
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = event.target instanceof HTMLElement && event.target.matches(STOPS) ? event.target : null
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return
    const stops = [...(root.current?.querySelectorAll<HTMLElement>(`tbody :is(${STOPS})`) ?? [])]
    const index = stops.indexOf(at)
    const head = heads.find(({ key }) => key === at.dataset.group)
    const moves: Readonly<Record<string, number>> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: stops.length - 1 }
    const move = moves[event.key]
    if (move !== undefined) stops[Math.max(0, Math.min(stops.length - 1, move))]?.focus()
    else if (head && event.key === 'ArrowRight') toggle(head, true)
    else if (head && event.key === 'ArrowLeft') toggle(head, false)
    else if (!head && event.key === 'ArrowLeft')
      stops
        .slice(0, index)
        .findLast((stop) => stop.dataset.group !== undefined)
        ?.focus()
    else if (!head && isEnter(event)) at.querySelector<HTMLElement>('a[data-sb-open]')?.click()
    else return
    event.preventDefault()
  }

  if (asked.failure && !answer) return <FailureState failure={asked.failure} texts={texts} onRetry={asked.reload} />
  if (!answer) return <Skeleton rows={6} columns={Math.min(columns.length, 6)} rowHeight={ROW_HEIGHT} label={texts.loading} />

  const button = (head: GroupHead): ReactNode => (
    <button
      type="button"
      className="sb-group-head"
      data-group={head.key}
      aria-expanded={open.has(head.key)}
      onClick={() => toggle(head)}
    >
      <span className="sb-group-mark" aria-hidden="true">
        ›
      </span>
      <span className="sb-group-name">{nameOf(head)}</span>
      <span className="sb-count">{number(head.count)}</span>
    </button>
  )
  const rest = (head: GroupHead, { rows, total, next, failure }: Part): ReactNode => {
    if (failure) return <FailureNotice failure={failure} texts={texts} onRetry={() => retry(head.key)} />
    if (total === null) return <Bones active title={false} paragraph={{ rows: Math.min(3, head.count) }} />
    if (rows.length === 0) return <p className="sb-group-none">{texts.noCards}</p>
    return (
      next !== null && (
        <button type="button" className="sb-link" onClick={() => more(head.key)}>
          {texts.moreRows(number(Math.max(1, Math.min(GROUP_ROWS, total - rows.length))))}
        </button>
      )
    )
  }
  const foot = (
    <>
      {asked.failure && <FailureNotice failure={asked.failure} texts={texts} onRetry={asked.reload} />}
      {answer.more && (
        <p className="sb-group-rest">
          <button type="button" className="sb-link" disabled={asked.loading} onClick={() => setLimit(limit + GROUPS)}>
            {texts.groups.more}
          </button>
        </p>
      )}
    </>
  )
  if (phone)
    return (
      <div ref={root} className="sb-groups" aria-busy={asked.loading}>
        {heads.map((head) => {
          const own = part(head.key)
          return (
            <section key={head.key}>
              {button(head)}
              <dl className="sb-group-sums">
                {columns
                  .filter(({ model }) => model.summary)
                  .map((column) => (
                    <div key={column.id}>
                      <dt>{column.title}</dt>
                      <dd>
                        <Sum column={column} context={context} summary={head.sums} texts={texts} />
                      </dd>
                    </div>
                  ))}
              </dl>
              {open.has(head.key) && (
                <>
                  <Cards
                    {...{ label, keyOf, titleOf, columns, context, rowActions, phones: props.phones, texts, inline }}
                    rows={own.rows}
                    selectable={false}
                    selection={NOTHING_SELECTED}
                    onSelect={nothing}
                    onAction={props.onAction}
                    onMore={props.onMore}
                  />
                  {rest(head, own)}
                </>
              )}
            </section>
          )
        })}
        {foot}
      </div>
    )

  const acts = rowActions.length > 0
  const span = columns.length + (acts ? 1 : 0)
  const firstSum = columns.findIndex(({ model }) => model.summary)
  const named = firstSum < 0 ? columns.length : Math.max(1, firstSum)
  const pinned = columns.some(({ model }) => model.pin === 'left')
  return (
    <div ref={root} className="sb-scroller" aria-busy={asked.loading}>
      <table
        className={onLook ? 'sb-table sb-looks' : 'sb-table'}
        role="grid"
        aria-label={label}
        aria-colcount={span}
        style={{ minWidth: columns.reduce((sum, column) => sum + column.width, actionsWidth) }}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.id} data-column={column.id} style={column.flexible ? undefined : { width: column.width }} />
          ))}
          {acts && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} {...{ column, sorts, texts, onSort, onResize }} />
            ))}
            {acts && (
              <th scope="col" className="sb-pin sb-pin-edge-right sb-row-acts" style={{ insetInlineEnd: 0 }}>
                {texts.actions}
              </th>
            )}
          </tr>
        </thead>
        {heads.map((head) => {
          const isOpen = open.has(head.key)
          const own = part(head.key)
          const after = isOpen && rest(head, own)
          return (
            <tbody key={head.key} onClick={onClick} onKeyDown={onKeyDown}>
              <tr className="sb-group">
                <th scope="rowgroup" colSpan={named}>
                  {button(head)}
                </th>
                {columns.slice(named).map((column) => (
                  <td key={column.id} className={column.className} style={column.style}>
                    <Sum column={column} context={context} summary={head.sums} texts={texts} />
                  </td>
                ))}
                {acts && <td className="sb-pin sb-pin-edge-right" style={{ insetInlineEnd: 0 }} />}
              </tr>
              {isOpen &&
                own.rows.map((row, index) => {
                  const key = keyOf(row)
                  return [
                    <RowItem
                      key={key}
                      {...{ row, columns, context, pinned, texts }}
                      rowKey={key}
                      position={index + 1}
                      title=""
                      looked={looked === key}
                      selectable={false}
                      selected={false}
                      actions={acts ? rowActions : null}
                    />,
                    inline?.rowKey === key && (
                      <tr key={`${key} form`} className="sb-inline-row">
                        <td colSpan={span}>{inline.content}</td>
                      </tr>
                    ),
                  ]
                })}
              {after && (
                <tr className="sb-group-rest">
                  <td colSpan={span}>{after}</td>
                </tr>
              )}
            </tbody>
          )
        })}
        {summary !== undefined && (
          <Summary {...{ columns, context, summary, texts }} selectable={false} actionsWidth={acts ? actionsWidth : 0} />
        )}
      </table>
      {foot}
    </div>
  )
}
export default Groups
