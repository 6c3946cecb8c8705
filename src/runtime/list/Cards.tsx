import './cards.css'
import { memo, useMemo, type MouseEvent, type ReactNode } from 'react'
import type { ActionModel, PageField } from '../../schema/model'
import { openLinks, type CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { CardLines } from './CardLines'
import { cardParts } from './cardParts'
import type { DrawnColumn } from './columns'
import { RowActions } from './RowItem'
import type { Selection } from './selection'
import type { ListTexts } from '../../headless/list/texts'

interface CardsProps {
  label: string
  rows: readonly Row[]
  keyOf(row: Row): string
  titleOf(row: Row): string
  columns: readonly DrawnColumn[]
  /** Fields of telephone numbers, also of columns that are not shown. */
  phones: readonly PageField[]
  context: CellContext
  selectable: boolean
  selection: Selection
  rowActions: readonly ActionModel[]
  texts: ListTexts
  /** A form below one card. */
  inline: { rowKey: string; content: ReactNode } | null
  onSelect(keys: readonly string[], on: boolean): void
  onAction(id: string, row: Row): void
  onMore(row: Row, anchor: HTMLElement): void
}

/** Rows as cards, for phones: what it is and its state, whom it is about and how much, when and whose. */
export const Cards = memo(
  ({
    label,
    rows,
    keyOf,
    titleOf,
    columns,
    phones,
    context,
    selectable,
    selection,
    rowActions,
    texts,
    inline,
    onSelect,
    onAction,
    onMore,
  }: CardsProps) => {
    const follow = useMemo(() => openLinks(context.host), [context.host])
    const parts = useMemo(() => cardParts(columns), [columns])
    const { title, state } = parts
    const onClick = (event: MouseEvent<HTMLElement>): void => {
      const element = event.target instanceof Element ? event.target : null
      const card = element?.closest<HTMLElement>('[data-key]')
      const row = rows.find((entry) => keyOf(entry) === card?.dataset.key)
      if (!element || !row || element.closest('.sb-inline-form')) return
      const more = element.closest<HTMLElement>('[data-sb-more]')
      if (more) return onMore(row, more)
      const action = element.closest<HTMLElement>('[data-sb-action]')
      if (action?.getAttribute('aria-disabled') === 'true') return context.host.notify('info', action.title)
      if (action) return onAction(action.dataset.sbAction ?? '', row)
      follow(event)
    }
    return (
      <ul className="sb-cards" aria-label={label} onClick={onClick}>
        {rows.map((row) => {
          const key = keyOf(row)
          const selected = selection.all || selection.keys.has(key)
          return (
            <li key={key} className="sb-card" data-key={key} data-selected={selected || undefined}>
              <div className="sb-card-head">
                {selectable && (
                  <input
                    type="checkbox"
                    checked={selected}
                    aria-label={texts.select(titleOf(row))}
                    onChange={(event) => onSelect([key], event.target.checked)}
                  />
                )}
                <div className="sb-card-title">{title?.render(row, context)}</div>
                {state && <span className="sb-card-state">{state.render(row, context)}</span>}
              </div>
              <CardLines parts={parts} phones={phones} row={row} context={context} texts={texts}>
                {rowActions.length > 0 && <RowActions actions={rowActions} row={row} context={context} texts={texts} />}
              </CardLines>
              {inline?.rowKey === key && inline.content}
            </li>
          )
        })}
      </ul>
    )
  },
)
Cards.displayName = 'Cards'
