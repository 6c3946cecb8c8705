import { useMemo, type ReactNode } from 'react'
import { Skeleton } from 'antd'
import { showNumber } from '../../schema/formats'
import { compileCell, Dash, type CellContext } from '../cell'
import type { DrawnColumn } from './columns'
import type { ListTexts } from '../../headless/list/texts'

type Sums = Readonly<Record<string, unknown>>

interface SummaryProps {
  columns: readonly DrawnColumn[]
  context: CellContext
  /** Null: they are being made. */
  summary: Sums | null
  selectable: boolean
  /** Width of the column of row actions; 0 without one. */
  actionsWidth: number
  texts: ListTexts
}

/** Amounts of several currencies are not added up: one amount each, one under the other; those of unknown ones not at all. */
const byCurrency = (sums: Sums, field: string, context: CellContext, texts: ListTexts): ReactNode => {
  const amounts = sums[`${field}ByCurrency`]
  if (amounts === null || typeof amounts !== 'object') return null
  return Object.entries(amounts).map(([currency, amount]) => (
    <div key={currency}>
      {amount === null ? Dash : showNumber(amount, context.host.locale, 2)} {currency || texts.noCurrency}
    </div>
  ))
}

interface SumProps extends Pick<SummaryProps, 'context' | 'texts'> {
  column: DrawnColumn
  summary: Sums
}

/** The sum of one column, drawn as its cells are, without what belongs to a row (link, tone). */
export const Sum = ({ column, context, summary, texts }: SumProps): ReactNode => {
  const { model } = column
  const render = useMemo(() => compileCell({ ...model, open: undefined, tone: undefined, tooltip: undefined }), [model])
  const field = model.path[0]
  if (!model.summary || field === undefined) return null
  const value = summary[field]
  if (value === undefined || value === null) return byCurrency(summary, field, context, texts) ?? Dash
  return model.summary === 'count' ? showNumber(value, context.host.locale) : render(summary, context)
}

/** The sums of some rows beside each other, without a table. */
export const Sums = ({
  columns,
  context,
  summary,
  texts,
}: Pick<SummaryProps, 'columns' | 'context' | 'texts'> & { summary: Sums }): ReactNode => {
  const known = columns.filter(({ model }) => model.path[0] !== undefined && model.path[0] in summary)
  if (known.length === 0) return null
  return (
    <span className="sb-board-sums">
      {known.slice(0, 1).map((column) => (
        <span key={column.id} title={column.title}>
          <Sum column={column} context={context} summary={summary} texts={texts} />
        </span>
      ))}
    </span>
  )
}

/** Sums over all matching rows, as the gateway answers them, each below its column; the first column names the row. */
export const Summary = ({ columns, context, summary, selectable, actionsWidth, texts }: SummaryProps) => (
  <tfoot>
    <tr aria-busy={summary === null}>
      {selectable && <td className="sb-check" />}
      {columns.map((column, index) => (
        <td
          key={column.id}
          className={column.model.summary ? `${column.className ?? ''} sb-sum`.trim() : column.className}
          style={column.style}
        >
          {index === 0 && !column.model.summary ? (
            texts.summary
          ) : summary ? (
            <Sum column={column} context={context} summary={summary} texts={texts} />
          ) : (
            column.model.summary && <Skeleton.Button active block size="small" />
          )}
        </td>
      ))}
      {actionsWidth > 0 && <td className="sb-pin sb-pin-edge-right sb-row-acts" style={{ insetInlineEnd: 0 }} />}
    </tr>
  </tfoot>
)
