import './cards.css'
import './board.css'
import { useEffect, useMemo, useRef, useState, type DragEvent, type KeyboardEvent, type MouseEvent } from 'react'
import { Skeleton } from 'antd'
import type { ActionModel, BoardModel, ListBodyModel, QueryWhere, Scope } from '../../schema/model'
import type { ListQuery } from '../../headless/list/query'
import type { ListTexts } from '../../headless/list/texts'
import type { Row } from '../../headless/row'
import { openLinks, type CellContext } from '../cell'
import type { DrawnColumn } from './columns'
import { RowActions, rowOffers } from './RowItem'
import { Sums } from './Summary'
import { useBoard, type BoardColumn } from './useBoard'

interface BoardProps {
  label: string
  body: ListBodyModel
  board: BoardModel
  query: ListQuery
  scope: Scope
  where?: readonly QueryWhere[]
  reloads: number
  keyOf(row: Row): string
  titleOf(row: Row): string
  columns: readonly DrawnColumn[]
  context: CellContext
  rowActions: readonly ActionModel[]
  texts: ListTexts
  number(value: number): string
  onAction(id: string, row: Row): void
  onMore(row: Row, anchor: HTMLElement): void
}

/** What a card tells below its heading, in the order of worth. */
const TOLD = 4

/** Rows as cards below the values of a field. A card that is moved takes the transition that leads there, with its form and its refusal. */
const Board = (props: BoardProps) => {
  const { label, body, board, query, scope, where, reloads, keyOf, titleOf, context: given, rowActions, texts, number } = props
  const { host } = given
  const { columns, refs, busy, more, retry } = useBoard({ host, body, board, query, scope, reloads, ...(where ? { where } : {}) })
  const context = useMemo<CellContext>(() => ({ ...given, refs }), [given, refs])
  const follow = useMemo(() => openLinks(host), [host])
  const [dragged, setDragged] = useState<Row | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const root = useRef<HTMLDivElement>(null)
  const moved = useRef<{ key: string; code: string } | null>(null)
  useEffect(() => {
    // a card that was moved by keys is drawn anew in its column, and the keys go on from there
    if (moved.current === null || document.activeElement !== document.body) return
    const { key, code } = moved.current
    const card = root.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(code)}"] [data-key="${CSS.escape(key)}"]`)
    if (!card) return
    moved.current = null
    card.focus()
  }, [columns])
  const [head, ...rest] = props.columns.filter(({ model }) => model.field?.name !== board.field.name || model.path.length !== 1)
  const summed = props.columns.filter(({ model }) => model.summary === 'sum')
  // how much it is about is told of every card, wherever its column stands in the table
  const told = [...rest.filter((one) => summed.includes(one)), ...rest.filter((one) => !summed.includes(one))].slice(0, TOLD)

  /** The action that leads a row to a value, with what stands against it. */
  const moveTo = (row: Row, code: string) =>
    rowOffers(rowActions, row, context).find(
      ({ action: { effect } }) =>
        effect.type === 'transition' && effect.transition.field === board.field.name && effect.transition.to === code,
    )
  const move = (row: Row, { code, label: to }: BoardColumn): void => {
    moved.current = { key: keyOf(row), code }
    if (row[board.field.name] === code) return
    const offer = moveTo(row, code)
    const refusal = offer ? offer.disabledBecause : texts.notThere(titleOf(row), to)
    if (!offer || refusal !== null) return host.notify('info', refusal ?? '')
    props.onAction(offer.action.id, row)
  }
  const rowAt = (element: Element | null): Row | undefined => {
    const key = element?.closest<HTMLElement>('[data-key]')?.dataset.key
    return key === undefined ? undefined : columns.flatMap(({ rows }) => rows).find((row) => keyOf(row) === key)
  }
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const element = event.target instanceof Element ? event.target : null
    const row = rowAt(element)
    if (!element || !row) return
    const menu = element.closest<HTMLElement>('[data-sb-more]')
    if (menu) return props.onMore(row, menu)
    const action = element.closest<HTMLElement>('[data-sb-action]')
    if (action?.getAttribute('aria-disabled') === 'true') return host.notify('info', action.title)
    if (action) return props.onAction(action.dataset.sbAction ?? '', row)
    follow(event)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const card = event.target instanceof HTMLElement && event.target.matches('[data-key]') ? event.target : null
    const row = rowAt(card)
    if (!card || !row || event.ctrlKey || event.metaKey || event.altKey) return
    const at = columns.findIndex(({ code }) => code === row[board.field.name])
    const aside = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const along = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (aside === 0 && along === 0) return
    event.preventDefault()
    const beside = columns[at + aside]
    if (aside !== 0 && event.shiftKey) return beside && move(row, beside)
    const cards = (code: string | undefined): HTMLElement[] => [
      ...(root.current?.querySelectorAll<HTMLElement>(`[data-column="${CSS.escape(code ?? '')}"] [data-key]`) ?? []),
    ]
    const here = cards(columns[at]?.code)
    const place = here.indexOf(card)
    const there = aside === 0 ? here : cards(beside?.code)
    there[aside === 0 ? place + along : Math.min(place, there.length - 1)]?.focus()
  }
  const onDragOver = (event: DragEvent<HTMLElement>, { code }: BoardColumn): void => {
    if (!dragged || dragged[board.field.name] === code) return
    event.preventDefault()
    setOver(code)
  }
  const ended = (): void => {
    setDragged(null)
    setOver(null)
  }
  return (
    <div
      ref={root}
      className="sb-board"
      role="group"
      aria-label={`${label} · ${texts.board(board.field.label)}`}
      aria-busy={busy}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      {columns.map((column) => (
        <section
          key={column.code}
          className="sb-board-column"
          data-column={column.code}
          data-open={dragged ? moveTo(dragged, column.code)?.disabledBecause === null || undefined : undefined}
          data-over={over === column.code || undefined}
          aria-label={column.label}
          onDragOver={(event) => onDragOver(event, column)}
          onDragLeave={() => setOver((now) => (now === column.code ? null : now))}
          onDrop={(event) => {
            event.preventDefault()
            if (dragged) move(dragged, column)
            ended()
          }}
        >
          <header>
            <span className={column.color ? `sb-tag sb-tag-${column.color}` : 'sb-tag'}>{column.label}</span>
            {column.total !== null && <span className="sb-count">{number(column.total)}</span>}
            {column.total ? <Sums columns={summed} context={context} summary={column.summary} texts={texts} /> : null}
          </header>
          {column.failure ? (
            <p role="alert">
              {column.failure.message}{' '}
              <button type="button" className="sb-link" onClick={() => retry(column)}>
                {texts.retry}
              </button>
            </p>
          ) : column.total === null ? (
            <Skeleton active title={false} paragraph={{ rows: 3 }} />
          ) : column.rows.length === 0 ? (
            <p className="sb-board-empty">{texts.noCards}</p>
          ) : null}
          <ul className="sb-cards">
            {column.rows.map((row) => (
              <li
                key={keyOf(row)}
                className="sb-card"
                data-key={keyOf(row)}
                tabIndex={0}
                draggable
                aria-label={titleOf(row)}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  event.dataTransfer.setData('text/plain', titleOf(row))
                  setDragged(row)
                }}
                onDragEnd={ended}
              >
                <div className="sb-card-head">
                  <div>{head?.render(row, context)}</div>
                </div>
                <dl>
                  {told.map((one) => (
                    <div key={one.id} className="sb-card-item">
                      <dt>{one.title}</dt>
                      <dd>{one.render(row, context)}</dd>
                    </div>
                  ))}
                </dl>
                {rowActions.length > 0 && <RowActions actions={rowActions} row={row} context={context} texts={texts} />}
              </li>
            ))}
          </ul>
          {column.next !== null && (
            <button type="button" className="sb-link" onClick={() => more(column)}>
              {texts.cardsMore(number(column.total ?? 0))}
            </button>
          )}
        </section>
      ))}
    </div>
  )
}
export default Board
