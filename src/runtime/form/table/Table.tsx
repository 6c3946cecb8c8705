import './table.css'
import { raw } from '@formily/reactive'
import { memo, Suspense } from 'react'
import type { ClipboardEvent, KeyboardEvent } from 'react'
import type { TablePlan } from '../../../headless/form/types'
import { addsRows, componentProps } from '../../../headless/form/node'
import { tableField } from '../../../headless/form/plant'
import { useTracked } from '../view/track'
import { useSession, useText } from '../view/session'
import { isBlock } from './clipboard'
import { lazyPart } from '../../part/lazyPart'
import { Row } from './Row'
import { addRow, duplicateRow, moveRow, pasteBlock } from './rows'
import { isComposing, isEnter } from '../../typing'

const Totals = lazyPart(() => import('./Totals'))

type RowData = Readonly<Record<string, unknown>>

/** Width below which a table scrolls sideways, in px: what its columns need at least, up to that of a usual one. */
const [WIDEST, NARROWEST, FRAME] = [560, 108, 72]
/** Two columns fit a phone as they are; more are scrolled anyhow, so that words need no breaking. */
const narrowest = (columns: number): number => (columns > 2 ? 132 : NARROWEST)
const keys = new WeakMap<object, number>()
let lastKey = 0
/** A row keeps its key when it moves: rows are told apart by the object that holds their values. */
const keyOf = (row: RowData): number => {
  const target = raw(row)
  let key = keys.get(target)
  if (key === undefined) {
    key = ++lastKey
    keys.set(target, key)
  }
  return key
}

const cellOf = (target: EventTarget): { row: number; column: number } | null => {
  const cell = target instanceof Element ? target.closest<HTMLElement>('td[data-row]') : null
  return cell ? { row: Number(cell.dataset.row), column: Number(cell.dataset.column) } : null
}

/** Editable rows: all of them text, one cell at a time real. */
export const Table = memo(function Table({ plan }: { plan: TablePlan }) {
  const { engine, host } = useSession()
  const session = useSession()
  const t = useText()
  const field = tableField(engine.form, plan)
  const [visible, title, description, pattern, error, ...rows] = useTracked(field ?? plan, () =>
    field
      ? ([
          field.display === 'visible',
          field.title,
          field.description,
          field.pattern,
          field.selfErrors.join('\n'),
          ...((field.value as RowData[] | undefined) ?? []),
        ] as const)
      : ([false, '', '', '', ''] as const),
  )
  if (!field || !visible) return null
  const readOnly = pattern !== 'editable' || componentProps(plan.node).fixed === true
  const adds = !readOnly && addsRows(plan.node)
  const addition = Object.values(plan.node.properties ?? {})[0]?.title

  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    const at = cellOf(event.target) ?? (rows.length === 0 ? { row: 0, column: 0 } : null)
    if (readOnly || !at || !isBlock(text)) return
    event.preventDefault()
    const pasted = pasteBlock(session, plan, field, at, text)
    if (pasted.refused.length === 0) host.notify('success', t('pasted', { rows: pasted.rows }))
    else {
      const cells = pasted.refused
        .slice(0, 5)
        .map(({ row, column, text: given }) => `${t('rowLabel', { n: row + 1 })} ${column} "${given.slice(0, 20)}"`)
      host.notify('warning', t('pastedPartly', { rows: pasted.rows, n: pasted.refused.length, cells: cells.join('; ') }))
    }
  }

  const move = (event: KeyboardEvent): void => {
    const at = cellOf(event.target)
    const target = event.target
    if (
      !at ||
      !(target instanceof HTMLElement) ||
      target.getAttribute('aria-expanded') !== null ||
      target instanceof HTMLTextAreaElement
    )
      return
    const step =
      event.key === 'ArrowDown' || (isEnter(event) && !event.shiftKey) ? 1 : event.key === 'ArrowUp' || isEnter(event) ? -1 : 0
    const removes = event.altKey && (event.key === 'Delete' || event.key === 'Backspace')
    if ((step === 0 && !removes) || event.ctrlKey || event.metaKey || isComposing(event)) return
    event.preventDefault()
    event.stopPropagation()
    const table = event.currentTarget
    const focus = (row: number): void =>
      table.querySelector<HTMLElement>(`td[data-row="${row}"][data-column="${at.column}"]`)?.focus()
    if (!event.altKey) return focus(at.row + step)
    if (readOnly) return
    // the rows are drawn before the focus goes to the one that was made
    const then = (done: Promise<unknown>, row: number): void => void done.then(() => requestAnimationFrame(() => focus(row)))
    if (step === 0) then(field.remove(at.row), Math.max(0, Math.min(at.row, rows.length - 2)))
    else if (isEnter(event) || event.shiftKey) {
      if (adds) then(isEnter(event) ? addRow(field, at.row + 1) : duplicateRow(field, at.row), at.row + 1)
    } else then(moveRow(field, at.row, at.row + step), at.row + step)
  }

  return (
    <section
      className="sb-form-wide sb-table-block"
      aria-label={typeof title === 'string' ? title : undefined}
      data-address={plan.address}
    >
      {title ? <h4 className="sb-form-label">{title}</h4> : null}
      {description ? <div className="sb-form-help">{description}</div> : null}
      <div className="sb-table-scroll" onPaste={paste} onKeyDown={move} tabIndex={rows.length === 0 && !readOnly ? 0 : undefined}>
        <table
          className="sb-rows"
          style={{ minWidth: Math.min(WIDEST, FRAME + plan.columns.length * narrowest(plan.columns.length)) }}
        >
          <thead>
            <tr>
              <th className="sb-table-number" aria-label="#" />
              {plan.columns.map((column) => (
                <th
                  key={column.name}
                  scope="col"
                  style={column.width ? { width: column.width } : undefined}
                  data-align={column.field?.align}
                >
                  {column.title}
                  {column.node.required === true || column.field?.required ? (
                    <span className="sb-form-required" aria-hidden="true" />
                  ) : null}
                </th>
              ))}
              {readOnly ? null : <th className="sb-table-actions" aria-label={t('actions')} />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row key={keyOf(row)} table={plan} index={index} row={row} readOnly={readOnly} />
            ))}
          </tbody>
          {plan.node['x-field']?.lines ? (
            <Suspense fallback={null}>
              <Totals plan={plan} field={field} actions={!readOnly} />
            </Suspense>
          ) : null}
        </table>
        {rows.length === 0 ? <div className="sb-table-empty">{t(readOnly ? 'noRowsShown' : 'noRows')}</div> : null}
      </div>
      {error ? <div className="sb-form-error">{error}</div> : null}
      {adds ? (
        <button type="button" className="sb-table-add" onClick={() => void addRow(field)}>
          + {addition ?? t('addRow')}
        </button>
      ) : null}
    </section>
  )
})
