import type { CSSProperties, ReactNode } from 'react'
import { textWidth } from '../../schema/compile/textWidth'
import type { ActionModel, ColumnModel } from '../../schema/model'
import { compileCell, type CellContext } from '../cell'
import type { Row } from '../../headless/row'

/** A column ready to be drawn: everything that is the same for all rows is decided once. */
export interface DrawnColumn {
  id: string
  title: string
  width: number
  /** Takes the width that the others leave; the width is then the least. */
  flexible: boolean
  /** Names: what is too long for one line takes two. */
  long: boolean
  className: string | undefined
  style: CSSProperties | undefined
  sortField: string | undefined
  model: ColumnModel
  render(row: Row, context: CellContext): ReactNode
}

export const CHECK_WIDTH = 44
/** Row actions that stand in the row at most. */
const SHOWN_ROW_ACTIONS = 2

const ALIGN: Readonly<Record<ColumnModel['align'], string>> = { left: '', right: 'sb-right', center: 'sb-center' }

/** Cells are chosen once per column document; sizes and pins change without choosing again. */
const renderers = new WeakMap<ColumnModel['source'], DrawnColumn['render']>()
const rendererOf = (column: ColumnModel): DrawnColumn['render'] => {
  const known = renderers.get(column.source)
  if (known) return known
  const render = compileCell(column)
  renderers.set(column.source, render)
  return render
}

/** What is as long as somebody wrote it: it has a use for more width, which a date or a tag has not. */
const WRITTEN: ReadonlySet<string> = new Set(['string', 'text'])

/** The column that takes what the others leave: what opens the record, else the first text, of a width nobody chose. Without one all grow. */
const flexibleOf = (columns: readonly ColumnModel[], chosen: Readonly<Record<string, number>>): string | undefined => {
  const free = columns.filter((column) => column.align === 'left' && chosen[column.id] === undefined)
  return (free.find((column) => column.open) ?? free.find((column) => WRITTEN.has(column.cell)))?.id
}

/** Columns in drawing order with their place; `lead` is the width of the checkbox column, `trail` of the action column. */
export const drawColumns = (
  columns: readonly ColumnModel[],
  lead: number,
  trail: number,
  chosen: Readonly<Record<string, number>> = {},
): DrawnColumn[] => {
  const flexible = flexibleOf(columns, chosen)
  const lastLeft = columns.findLastIndex((column) => column.pin === 'left')
  const firstRight = columns.findIndex((column) => column.pin === 'right')
  return columns.map((column, index) => {
    const before = columns.slice(0, index).reduce((sum, other) => sum + other.width, lead)
    const after = columns.slice(index + 1).reduce((sum, other) => sum + other.width, trail)
    const pin =
      column.pin === 'left' ? { insetInlineStart: before } : column.pin === 'right' ? { insetInlineEnd: after } : undefined
    const classes = [
      ALIGN[column.align],
      pin ? 'sb-pin' : '',
      index === lastLeft ? 'sb-pin-edge-left' : '',
      index === firstRight ? 'sb-pin-edge-right' : '',
    ].filter(Boolean)
    return {
      id: column.id,
      title: column.title,
      width: column.width,
      flexible: column.id === flexible,
      long: column.cell === 'ref' || (WRITTEN.has(column.cell) && (column.open !== undefined || column.id === flexible)),
      className: classes.length > 0 ? classes.join(' ') : undefined,
      style: pin,
      sortField: column.sortable ? column.path.join('.') : undefined,
      model: column,
      render: rendererOf(column),
    }
  })
}

const FONT = 14
const GAP = 12
/** Room for the words of two actions; a second one that does not fit is behind "more". */
const ACTION_WORDS = 124

/** How many of the actions that a row offers stand in it; the others are behind "more". */
export const shownActions = (labels: readonly string[]): number => {
  const [first = '', second = ''] = labels
  return textWidth(first, FONT) + textWidth(second, FONT) > ACTION_WORDS ? 1 : SHOWN_ROW_ACTIONS
}

/** The actions that some row may show: all up to the second that every row offers. */
const candidates = (actions: readonly ActionModel[]): readonly ActionModel[] => {
  const last = actions.filter(({ always }) => always)[SHOWN_ROW_ACTIONS - 1]
  return last ? actions.slice(0, actions.indexOf(last) + 1) : actions
}

/** Width of the action column: the widest of the actions that may stand in a row, and "more"; its title stands whole. */
export const actionsWidth = (actions: readonly ActionModel[], more: string, title = ''): number => {
  if (actions.length === 0) return 0
  const widths = candidates(actions).map((action) => textWidth(action.label, FONT))
  const [widest = 0, second = 0] = widths.sort((a, b) => b - a)
  const words = Math.max(widest, Math.min(widest + second, ACTION_WORDS))
  const rest = actions.length > SHOWN_ROW_ACTIONS || widest + second > ACTION_WORDS ? textWidth(more, FONT) + GAP : 0
  const least = textWidth(title, FONT) + GAP * 2 + 4
  return Math.ceil(Math.max(least, words + rest + GAP * Math.min(actions.length, SHOWN_ROW_ACTIONS) + 16))
}
