import './rowItem.css'
import { memo } from 'react'
import { offeredActions, type OfferedAction } from '../action/rowActions'
import type { ActionModel } from '../../schema/model'
import type { CellContext } from '../cell'
import { toFailure } from '../../headless/failure'
import { rowScope, type Row } from '../../headless/row'
import { CELL } from './cellEdit/cells'
import { isEditable } from './cellEdit/editable'
import { shownActions, type DrawnColumn } from './columns'
import type { ListTexts } from '../../headless/list/texts'

export interface RowProps {
  row: Row
  rowKey: string
  /** Position in the whole result, from 1; header rows not counted. */
  position: number
  title: string
  columns: readonly DrawnColumn[]
  context: CellContext
  selectable: boolean
  selected: boolean
  /** It is shown beside the list. */
  looked: boolean
  /** Null: the list has no row actions. */
  actions: readonly ActionModel[] | null
  pinned: boolean
  texts: ListTexts
}

/** The actions that a row offers. */
export const rowOffers = (actions: readonly ActionModel[], row: Row, context: CellContext): OfferedAction[] =>
  offeredActions(actions, rowScope(context.scope, row), (error, action) => {
    context.host.report(error, { where: action.source.where, at: action.source.at })
    return toFailure(error, context.host.locale).message
  })

/** What stands behind "more" for a row. */
export const hiddenOffers = (actions: readonly ActionModel[], row: Row, context: CellContext): OfferedAction[] => {
  const offers = rowOffers(actions, row, context)
  return offers.slice(shownActions(labelsOf(offers)))
}

const labelsOf = (offers: readonly OfferedAction[]): string[] => offers.map(({ action }) => action.label)

/** An action or two and "more". Plain buttons that name their action; the list handles the clicks of all rows in one place. */
export const RowActions = ({
  actions,
  row,
  context,
  texts,
}: {
  actions: readonly ActionModel[]
  row: Row
  context: CellContext
  texts: ListTexts
}) => {
  const offers = rowOffers(actions, row, context)
  const shown = offers.slice(0, shownActions(labelsOf(offers)))
  return (
    <span className="sb-row-actions">
      {shown.map(({ action, disabledBecause, address }) =>
        address !== null ? (
          <a key={action.id} className="sb-link" href={address} data-sb-open="">
            {action.label}
          </a>
        ) : (
          <button
            key={action.id}
            type="button"
            className={action.danger ? 'sb-link sb-danger' : 'sb-link'}
            data-sb-action={action.id}
            aria-disabled={disabledBecause === null ? undefined : true}
            title={disabledBecause ?? undefined}
          >
            {action.label}
          </button>
        ),
      )}
      {offers.length > shown.length && (
        <button
          type="button"
          className="sb-link"
          data-sb-more=""
          aria-haspopup="menu"
          aria-label={texts.moreActions}
          title={texts.moreActions}
        >
          •••
        </button>
      )}
    </span>
  )
}

/** One row of the table. It draws anew only when its own row, its selection or the columns changed. */
export const RowItem = memo(
  ({ row, rowKey, position, title, columns, context, selectable, selected, looked, actions, pinned, texts }: RowProps) => (
    <tr
      data-key={rowKey}
      aria-rowindex={position + 1}
      aria-selected={selectable ? selected : undefined}
      aria-current={looked || undefined}
      tabIndex={-1}
    >
      {selectable && (
        <td className={pinned ? 'sb-check sb-pin' : 'sb-check'} style={pinned ? { insetInlineStart: 0 } : undefined}>
          <input type="checkbox" data-sb-select="" checked={selected} readOnly aria-label={texts.select(title)} tabIndex={-1} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          className={column.className}
          style={column.style}
          {...(isEditable(column, row) ? { [CELL]: column.id, tabIndex: -1 } : {})}
        >
          {column.long ? <div className="sb-long">{column.render(row, context)}</div> : column.render(row, context)}
        </td>
      ))}
      {actions && (
        <td className="sb-pin sb-pin-edge-right sb-row-acts" style={{ insetInlineEnd: 0 }}>
          <RowActions actions={actions} row={row} context={context} texts={texts} />
        </td>
      )}
    </tr>
  ),
)
RowItem.displayName = 'RowItem'
