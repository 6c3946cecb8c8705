import './lines.css'
import { useMemo } from 'react'
import type { PageField } from '../../schema/model'
import { compileCell, type CellContext } from '../cell'
import type { Row } from '../../headless/row'
import { totalsOf } from './totals'
import { lineTexts } from './texts'

const SOURCE = { where: 'lines', at: '' }

/** The lines of a record to be read, with their totals. */
const LinesTable = ({ field, value, context }: { field: PageField; value: unknown; context: CellContext }) => {
  const texts = lineTexts[context.host.locale]
  const { columns = [], label = '' } = field.lines ?? {}
  const cells = useMemo(
    () =>
      columns.map((column) =>
        compileCell({
          id: column.name,
          title: column.label,
          field: column,
          path: [column.name],
          cell: column.kind,
          source: SOURCE,
        }),
      ),
    [columns],
  )
  if (!Array.isArray(value)) return <span className="sb-empty">{texts.tooMany(label)}</span>
  const rows = value as Row[]
  if (rows.length === 0) return <span className="sb-empty">{texts.none}</span>
  const totals = totalsOf(columns, rows, context.host.locale)
  return (
    <div className="sb-lines-scroll" tabIndex={0} role="region" aria-label={field.label}>
      <table className="sb-lines-table">
        <thead>
          <tr>
            <th aria-label="#" />
            {columns.map((column) => (
              <th key={column.name} scope="col" data-align={column.align}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={String(row.id)}>
              <th scope="row">{index + 1}</th>
              {columns.map((column, at) => (
                <td key={column.name} data-align={column.align}>
                  {cells[at]!(row, context)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {totals ? (
          <tfoot>
            <tr>
              <th scope="row" aria-label={texts.total}>
                Σ
              </th>
              {totals.map((total, at) => (
                <td key={columns[at]!.name} data-align={columns[at]!.align}>
                  {total.map((text) => (
                    <div key={text}>{text}</div>
                  ))}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}

export default LinesTable
