import { toJS } from '@formily/reactive'
import { totalsOf } from '../../lines/totals'
import { lineTexts } from '../../lines/texts'
import type { PageField } from '../../../schema/model'
import type { ArrayField } from '@formily/core'
import type { TablePlan } from '../../../headless/form/types'
import { useTracked } from '../view/track'
import { useSession } from '../view/session'

/** The last row of a table of lines: sums of its numbers, of money one a currency. */
const Totals = ({ plan, field, actions }: { plan: TablePlan; field: ArrayField; actions: boolean }) => {
  const { host } = useSession()
  const { columns } = plan
  const shown = columns.flatMap((column) => (column.field ? [column.field] : []))
  const [json] = useTracked(field, () => [
    JSON.stringify(totalsOf(shown, toJS(field.value ?? []) as Readonly<Record<string, unknown>>[], host.locale)),
  ])
  const totals = JSON.parse(json) as string[][] | null
  if (!totals) return null
  const of = (wanted: PageField | undefined): string[] => (wanted ? (totals[shown.indexOf(wanted)] ?? []) : [])
  return (
    <tfoot>
      <tr>
        <th scope="row" className="sb-table-number" aria-label={lineTexts[host.locale].total}>
          Σ
        </th>
        {columns.map((column) => (
          <td key={column.name} className="sb-table-cell sb-table-total" data-align={column.field?.align}>
            {of(column.field).map((text) => (
              <div key={text}>{text}</div>
            ))}
          </td>
        ))}
        {actions ? <td className="sb-table-actions" /> : null}
      </tr>
    </tfoot>
  )
}

export default Totals
