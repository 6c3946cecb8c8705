import { useEffect, useMemo, useRef, type CSSProperties, type ReactNode } from 'react'
import { Skeleton } from 'antd'
import { showNumber } from '../../schema/formats'
import { compileCell, Dash, type CellContext } from '../cell'
import { CHECK_WIDTH, type DrawnColumn } from './columns'
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
const Sum = ({ column, context, summary, texts }: SumProps): ReactNode => {
  const { model } = column
  const render = useMemo(() => compileCell({ ...model, open: undefined, tone: undefined, tooltip: undefined }), [model])
  const field = model.path[0]
  if (!model.summary || field === undefined) return null
  const value = summary[field]
  if (value === undefined || value === null) return byCurrency(summary, field, context, texts) ?? Dash
  return model.summary === 'count' ? showNumber(value, context.host.locale) : render(summary, context)
}

/**
 * Where the sums of a wide table stay in sight: each at the edge that its column went over, beside those that stand there already.
 * The pinned columns and the row actions keep their place.
 */
const stylesOf = (columns: readonly DrawnColumn[], lead: number, trail: number): ReadonlyMap<string, CSSProperties> => {
  const sums = columns.filter(({ model }) => model.summary && !model.pin)
  const across = (some: readonly DrawnColumn[]): number => some.reduce((sum, { width }) => sum + width, 0)
  const [left, right] = (['left', 'right'] as const).map((pin) => across(columns.filter(({ model }) => model.pin === pin)))
  return new Map(
    sums.map(({ id }, index) => [
      id,
      {
        insetInlineStart: lead + (left ?? 0) + across(sums.slice(0, index)),
        insetInlineEnd: trail + (right ?? 0) + across(sums.slice(index + 1)),
      },
    ]),
  )
}

/** Sums over all matching rows, as the gateway answers them; the first column names the row. */
export const Summary = ({ columns, context, summary, selectable, actionsWidth, texts }: SummaryProps) => {
  const foot = useRef<HTMLTableSectionElement>(null)
  const styles = useMemo(() => stylesOf(columns, selectable ? CHECK_WIDTH : 0, actionsWidth), [columns, selectable, actionsWidth])
  useEffect(() => {
    const scroller = foot.current?.closest('.sb-scroller')
    if (!scroller || typeof ResizeObserver !== 'function') return
    // a sum away from its column says by itself of what it is
    const look = (): void => void foot.current?.toggleAttribute('data-wide', scroller.scrollWidth > scroller.clientWidth)
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [columns])
  return (
    <tfoot ref={foot}>
      <tr aria-busy={summary === null}>
        {selectable && <td className="sb-check" />}
        {columns.map((column, index) => {
          const style = styles.get(column.id)
          return (
            <td
              key={column.id}
              className={style ? `${column.className ?? ''} sb-sum`.trim() : column.className}
              style={style ?? column.style}
              data-title={style && column.title}
            >
              {index === 0 && !column.model.summary ? (
                texts.summary
              ) : summary ? (
                <Sum column={column} context={context} summary={summary} texts={texts} />
              ) : (
                column.model.summary && <Skeleton.Button active block size="small" />
              )}
            </td>
          )
        })}
        {actionsWidth > 0 && <td className="sb-pin sb-pin-edge-right sb-row-acts" style={{ insetInlineEnd: 0 }} />}
      </tr>
    </tfoot>
  )
}
