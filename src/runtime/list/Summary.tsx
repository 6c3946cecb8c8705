import { useMemo, type ReactNode } from 'react'
import { showNumber } from '../../schema/formats'
import { compileCell, Dash, type CellContext } from '../cell'
import type { DrawnColumn } from './columns'
import type { ListTexts } from './texts'

type Sums = Readonly<Record<string, unknown>>

interface SummaryProps {
  columns: readonly DrawnColumn[]
  context: CellContext
  summary: Sums
  selectable: boolean
  actions: boolean
  texts: ListTexts
}

/** Amounts of several currencies are not added up: one amount each, one under the other. */
const byCurrency = (sums: Sums, field: string, context: CellContext): ReactNode => {
  const amounts = sums[`${field}ByCurrency`]
  if (amounts === null || typeof amounts !== 'object') return null
  return Object.entries(amounts).map(([currency, amount]) => (
    <div key={currency}>
      {showNumber(amount, context.host.locale, 2)} {currency}
    </div>
  ))
}

/** The sum of one column, drawn as its cells are, without what belongs to a row (link, tone). */
const Sum = ({ column, context, summary }: { column: DrawnColumn; context: CellContext; summary: Sums }): ReactNode => {
  const { model } = column
  const render = useMemo(() => compileCell({ ...model, open: undefined, tone: undefined, tooltip: undefined }), [model])
  const field = model.path[0]
  if (!model.summary || field === undefined) return null
  const value = summary[field]
  if (value === undefined || value === null) return byCurrency(summary, field, context) ?? Dash
  return model.summary === 'count' ? showNumber(value, context.host.locale) : render(summary, context)
}

/** Sums over all matching rows, as the gateway answers them; the first column names the row. */
export const Summary = ({ columns, context, summary, selectable, actions, texts }: SummaryProps) => (
  <tfoot>
    <tr>
      {selectable && <td className="sb-check" />}
      {columns.map((column, index) => (
        <td key={column.id} className={column.className} style={column.style}>
          {index === 0 && !column.model.summary ? texts.summary : <Sum column={column} context={context} summary={summary} />}
        </td>
      ))}
      {actions && <td className="sb-pin sb-pin-edge-right" style={{ insetInlineEnd: 0 }} />}
    </tr>
  </tfoot>
)
