import './table.css'
import {
  Fragment,
  memo,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import type { ActionModel, QuerySort } from '../../schema/model'
import { openLinks, type CellContext } from '../cell'
import { usePrinting } from '../media'
import type { Row } from '../../headless/row'
import { cellKeys, cellOf, findCell, placeOf } from './cellEdit/cells'
import type { CellPlace } from './cellEdit/editable'
import { CHECK_WIDTH, type DrawnColumn } from './columns'
import { tellCutCell, tellCutHeader } from './cutText'
import { HeaderCell } from './HeaderCell'
import { RowItem } from './RowItem'
import { Summary } from './Summary'
import type { Selection } from './selection'
import type { Density } from './settings'
import type { ListTexts } from '../../headless/list/texts'
import { useWholeColumns } from './useWholeColumns'
import { rowWindow, VIRTUAL_ROWS, type RowWindow } from './window'
import { isEnter } from '../typing'

export interface TableProps {
  label: string
  rows: readonly Row[]
  /** Number of rows of the whole result, over all pages. */
  total: number
  /** Rows before this page. */
  offset: number
  keyOf(row: Row): string
  titleOf(row: Row): string
  columns: readonly DrawnColumn[]
  context: CellContext
  sorts: readonly QuerySort[]
  selectable: boolean
  selection: Selection
  rowActions: readonly ActionModel[]
  actionsWidth: number
  density: Density
  /** Undefined: the list has none; null: they are being made. */
  summary: Readonly<Record<string, unknown>> | null | undefined
  texts: ListTexts
  /** A form below one row. */
  inline: { rowKey: string; content: ReactNode } | null
  onSort(field: string, also: boolean): void
  onSelect(keys: readonly string[], on: boolean): void
  onResize(id: string, width: number): void
  onAction(id: string, row: Row): void
  onMore(row: Row, anchor: HTMLElement): void
  /** Shows a row beside the list, where a click on it is no click on something in it. Undefined: the list shows none. */
  onLook?: ((row: Row) => void) | undefined
  /** Changes a cell where it stands. Undefined: none can be changed. */
  onEdit?: ((place: CellPlace) => void) | undefined
  /** The row that is shown beside the list. */
  looked?: string | null
}

/** Row heights in pixels, border included; table.css sets the same. */
export const ROW_HEIGHT: Readonly<Record<Density, number>> = { normal: 41, compact: 33 }
const PAGE_STEP = 10

const rowOf = (element: EventTarget | null): HTMLTableRowElement | null =>
  element instanceof Element ? element.closest<HTMLTableRowElement>('tr[data-key]') : null

/** Rows of text in one line each, with a sticky header. Over 200 rows only those near the viewport are in the document. */
export const Table = memo((props: TableProps) => {
  const {
    label,
    rows,
    total,
    offset,
    keyOf,
    titleOf,
    columns,
    context,
    sorts,
    selectable,
    selection,
    rowActions,
    actionsWidth,
    density,
    summary,
    texts,
    inline,
  } = props
  const { onSort, onSelect, onResize, onAction, onMore, onLook, onEdit, looked = null } = props
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const current = useRef<string | null>(null)
  const rowHeight = ROW_HEIGHT[density]
  const printing = usePrinting()
  const virtual = rows.length > VIRTUAL_ROWS && !printing
  const [seen, setSeen] = useState<RowWindow>(() =>
    rowWindow(0, typeof window === 'undefined' ? 800 : window.innerHeight, rowHeight, rows.length),
  )
  const range = virtual
    ? { start: Math.min(seen.start, rows.length), end: Math.min(seen.end, rows.length) }
    : { start: 0, end: rows.length }
  const pinned = columns.some((column) => column.model.pin === 'left')
  const follow = useMemo(() => openLinks(context.host), [context.host])
  useWholeColumns(scroller, columns, selectable ? CHECK_WIDTH : 0, rowActions.length > 0 ? actionsWidth : 0)

  const look = (): void => {
    const element = scroller.current
    if (!element || !virtual) return
    const next = rowWindow(element.scrollTop, element.clientHeight, rowHeight, rows.length)
    if (next.start !== seen.start || next.end !== seen.end) setSeen(next)
  }
  // Another answer, another size: what is seen has to be asked again.
  useLayoutEffect(look)

  // One row of the grid can be reached with Tab; which one is kept outside React, so that moving draws nothing.
  useEffect(() => {
    const list = body.current
    if (!list) return
    const now =
      (current.current !== null && list.querySelector(`tr[data-key="${CSS.escape(current.current)}"]`)) ||
      list.querySelector('tr[data-key]')
    list.querySelectorAll('tr[tabindex="0"]').forEach((row) => row.setAttribute('tabindex', '-1'))
    now?.setAttribute('tabindex', '0')
  }, [rows, seen])

  const focusRow = (index: number): void => {
    const target = rows[Math.max(0, Math.min(rows.length - 1, index))]
    const element = scroller.current
    if (!target || !element) return
    const key = keyOf(target)
    const find = (): HTMLElement | null => element.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(key)}"]`)
    if (!find()) {
      const at = rows.indexOf(target)
      element.scrollTop = Math.max(0, (at - 3) * rowHeight)
      flushSync(() => setSeen(rowWindow(element.scrollTop, element.clientHeight, rowHeight, rows.length)))
    }
    find()?.focus()
  }

  const toggle = (row: HTMLTableRowElement): void => {
    const key = row.dataset.key ?? ''
    onSelect([key], !(selection.all || selection.keys.has(key)))
  }

  const onClick = (event: MouseEvent): void => {
    const element = event.target instanceof Element ? event.target : null
    const tr = rowOf(element)
    if (!element || !tr) return
    const row = rows.find((entry) => keyOf(entry) === tr.dataset.key)
    if (!row) return
    if (element.closest('[data-sb-select]')) return toggle(tr)
    const more = element.closest<HTMLElement>('[data-sb-more]')
    if (more) return onMore(row, more)
    const action = element.closest<HTMLElement>('[data-sb-action]')
    if (action?.getAttribute('aria-disabled') === 'true') return context.host.notify('info', action.title)
    if (action) return onAction(action.dataset.sbAction ?? '', row)
    if (
      onLook &&
      !cellOf(element) &&
      !element.closest('a, button, input, label, .sb-inline-form') &&
      window.getSelection()?.isCollapsed !== false
    )
      return onLook(row)
    follow(event)
  }

  const onDoubleClick = (event: MouseEvent): void => {
    const cell = cellOf(event.target)
    if (!cell || !onEdit || (event.target instanceof Element && event.target.closest('a, button, input'))) return
    window.getSelection()?.removeAllRanges()
    onEdit(placeOf(cell))
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const tr = rowOf(event.target)
    if (!tr || event.ctrlKey || event.metaKey || event.altKey) return
    const index = rows.findIndex((row) => keyOf(row) === tr.dataset.key)
    if (onEdit && cellKeys(event, tr, onEdit)) return event.preventDefault()
    const own = event.target === tr
    const cell = cellOf(event.target)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + PAGE_STEP,
      PageUp: index - PAGE_STEP,
    }
    const move = moves[event.key]
    if (move !== undefined) {
      focusRow(move)
      const next = rowOf(document.activeElement)?.dataset.key
      if (cell && next !== undefined) findCell(body.current, { ...placeOf(cell), row: next })?.focus()
    } else if (own && event.key === 'Home') focusRow(0)
    else if (own && event.key === 'End') focusRow(rows.length - 1)
    else if (own && isEnter(event)) tr.querySelector<HTMLElement>('a[data-sb-open]')?.click()
    else if (own && event.key === ' ' && selectable) toggle(tr)
    else return
    event.preventDefault()
  }

  const keys = useMemo(() => rows.map(keyOf), [rows, keyOf])
  const chosen = selection.all ? keys.length : keys.filter((key) => selection.keys.has(key)).length
  const width = columns.reduce((sum, column) => sum + column.width, (selectable ? CHECK_WIDTH : 0) + actionsWidth)
  const span = columns.length + (selectable ? 1 : 0) + (rowActions.length > 0 ? 1 : 0)
  const gap = (count: number): ReactNode =>
    count > 0 && (
      <tr className="sb-spacer" aria-hidden="true">
        <td colSpan={span} style={{ height: count * rowHeight }} />
      </tr>
    )
  const checkPin = pinned ? { className: 'sb-check sb-pin', style: { insetInlineStart: 0 } } : { className: 'sb-check' }

  return (
    <div className="sb-scroller" ref={scroller} onScroll={virtual ? look : undefined}>
      <table
        className={onLook ? 'sb-table sb-looks' : 'sb-table'}
        role="grid"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-colcount={span}
        aria-multiselectable={selectable || undefined}
        style={{ minWidth: width }}
      >
        <colgroup>
          {selectable && <col style={{ width: CHECK_WIDTH }} />}
          {columns.map((column) => (
            <col key={column.id} data-column={column.id} style={column.flexible ? undefined : { width: column.width }} />
          ))}
          {rowActions.length > 0 && <col style={{ width: actionsWidth }} />}
        </colgroup>
        <thead onMouseOver={tellCutHeader}>
          <tr aria-rowindex={1}>
            {selectable && (
              <th scope="col" {...checkPin}>
                <input
                  type="checkbox"
                  aria-label={texts.selectPage}
                  checked={chosen > 0 && chosen === keys.length}
                  ref={(input) => {
                    if (input) input.indeterminate = chosen > 0 && chosen < keys.length
                  }}
                  onChange={(event) => onSelect(keys, event.target.checked)}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorts={sorts} texts={texts} onSort={onSort} onResize={onResize} />
            ))}
            {rowActions.length > 0 && (
              <th scope="col" className="sb-pin sb-pin-edge-right sb-row-acts" style={{ insetInlineEnd: 0 }}>
                {texts.actions}
              </th>
            )}
          </tr>
        </thead>
        <tbody
          ref={body}
          onClick={onClick}
          onDoubleClick={onEdit ? onDoubleClick : undefined}
          onKeyDown={onKeyDown}
          onMouseOver={tellCutCell}
          onFocus={(event) => {
            const tr = rowOf(event.target)
            if (!tr || tr.dataset.key === current.current) return
            body.current?.querySelectorAll('tr[tabindex="0"]').forEach((row) => row.setAttribute('tabindex', '-1'))
            tr.setAttribute('tabindex', '0')
            current.current = tr.dataset.key ?? null
          }}
        >
          {gap(range.start)}
          {rows.slice(range.start, range.end).map((row, index) => {
            const key = keyOf(row)
            const item = (
              <RowItem
                // A page keeps its row elements and changes their words, which is half the work of new elements.
                key={virtual ? key : index}
                row={row}
                looked={looked === key}
                rowKey={key}
                position={offset + range.start + index + 1}
                title={selectable ? titleOf(row) : ''}
                columns={columns}
                context={context}
                selectable={selectable}
                selected={selection.all || selection.keys.has(key)}
                actions={rowActions.length > 0 ? rowActions : null}
                pinned={pinned}
                texts={texts}
              />
            )
            if (inline?.rowKey !== key) return item
            return (
              <Fragment key={virtual ? key : index}>
                {item}
                <tr className="sb-inline-row">
                  <td colSpan={span}>{inline.content}</td>
                </tr>
              </Fragment>
            )
          })}
          {gap(rows.length - range.end)}
        </tbody>
        {summary !== undefined && (
          <Summary
            columns={columns}
            context={context}
            summary={summary}
            selectable={selectable}
            actionsWidth={rowActions.length > 0 ? actionsWidth : 0}
            texts={texts}
          />
        )}
      </table>
    </div>
  )
})
Table.displayName = 'Table'
