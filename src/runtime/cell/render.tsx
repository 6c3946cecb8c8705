import type { ReactNode } from 'react'
import { ExpressionError } from '../../schema/expression'
import type { Tone } from '../../schema/model'
import { rowScope, type Refs, type Row } from '../../headless/row'
import { findWidget, WidgetOutlet } from '../widget'
import { findCell, type Cell, type CellContext, type CellItem } from './cell'
import { cellTexts } from './texts'

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The value of a path: a field of the row, or one step through a reference to a field of the referenced record. */
export const readPath = (row: Row, path: readonly string[], refs: Refs, entity?: string): unknown => {
  const [first, second] = path
  const value = first === undefined ? undefined : row[first]
  if (second === undefined || value === undefined || value === null) return value
  if (typeof value === 'object') return (value as Row)[second]
  const records = entity ? [refs[entity]] : Object.values(refs)
  for (const record of records) {
    const fields = record?.[String(value)]?.fields
    if (fields && second in fields) return fields[second]
  }
  return undefined
}

const MARKS: Readonly<Record<NonNullable<Tone>, string>> = { success: '✓', processing: '◔', warning: '▲', error: '✕' }

const reasonOf = (error: unknown, context: CellContext): string =>
  error instanceof ExpressionError
    ? error.problem.message[context.host.locale]
    : context.host.locale === 'zh'
      ? '内部错误'
      : 'internal error'

/** What stands where a value should be when its expression or cell failed: the rest of the row keeps working. */
const failed = (error: unknown, item: CellItem, context: CellContext): ReactNode => {
  context.host.report(error, { where: item.source.where, at: item.source.at, cell: item.cell })
  const text = cellTexts[context.host.locale].failed(reasonOf(error, context))
  return (
    <span className="sb-cell-error" title={`${text}\n${item.source.where} ${item.source.at}`}>
      !<span className="sb-hidden-text">{text}</span>
    </span>
  )
}

const fallback: Cell = (value, _row, context, item) => (
  <span
    className="sb-cell-error"
    title={`${cellTexts[context.host.locale].unknownCell(item.cell)}\n${item.source.where} ${item.source.at}`}
  >
    <bdi>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</bdi>
  </span>
)

/** A widget that draws a value where no cell has its name. */
const widget: Cell = (value, row, _context, { cell, props, source }) => (
  <WidgetOutlet name={cell} props={props} values={{ value, row }} source={source} fallback={Dash} />
)

export const Dash = <span className="sb-dash">—</span>

/**
 * Chooses the cell of an item once; the answer draws it for any row. Link, tone and tooltip are added around the value.
 * It never throws: what fails shows in place, with its reason and where the page says it.
 */
export const compileCell = (item: CellItem): ((row: Row, context: CellContext) => ReactNode) => {
  const cell = findCell(item.cell) ?? (findWidget(item.cell) ? widget : fallback)
  const { path, value: evaluate, open, tone, tooltip } = item
  const plain = !open && !tone && !tooltip
  const key = path[0]
  const direct = evaluate || path.length !== 1 || key === undefined ? null : key

  return (row, context) => {
    try {
      const value =
        direct !== null ? row[direct] : evaluate ? evaluate(rowScope(context.scope, row)) : readPath(row, path, context.refs)
      if (isEmpty(value)) return Dash
      const content = cell(value, row, context, item)
      if (plain) return content
      const scope = rowScope(context.scope, row, value)
      let node = content
      const mood = tone?.(scope) ?? null
      if (mood) {
        node = (
          <span className={`sb-tone-${mood}`}>
            <span className="sb-tone-mark" aria-hidden="true">
              {MARKS[mood]}
            </span>
            <span className="sb-hidden-text">{cellTexts[context.host.locale].tones[mood]} </span>
            {node}
          </span>
        )
      }
      const address = open?.(scope)
      if (address && context.host.canOpen(address)) {
        node = (
          <a className="sb-link" href={address} data-sb-open="">
            {node}
          </a>
        )
      }
      const tip = tooltip?.(scope)
      return tip ? <span title={tip}>{node}</span> : node
    } catch (error) {
      return failed(error, item, context)
    }
  }
}
