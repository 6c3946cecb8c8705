import { isField } from '@formily/core'
import { raw } from '@formily/reactive'
import { memo } from 'react'
import type { TablePlan } from '../engine/types'
import { useTracked } from '../engine/track'
import { useSession } from '../view/session'
import { Cell } from './Cell'
import { columnIn } from './columnIn'
import { RowMenu } from './RowMenu'

interface RowProps {
  table: TablePlan
  index: number
  /** The row in the values of the form; the same object for as long as the row lives. */
  row: Readonly<Record<string, unknown>>
  readOnly: boolean
}

/** A row follows its own values, and the errors of the fields that were planted for it. */
export const Row = memo(function Row({ table, index, row, readOnly }: RowProps) {
  const { engine } = useSession()
  const { columns, address } = table
  const state = useTracked(row, () =>
    columns.flatMap(({ name, at }) => {
      const field = engine.form.fields[`${address}.${index}.${at}`]
      return [raw(row[name]), field && isField(field) ? field.selfErrors.join('\n') : ''] as const
    }),
  )
  return (
    <tr>
      <th scope="row" className="sb-table-number">
        {index + 1}
      </th>
      {columns.map((column, at) => (
        <Cell
          key={column.name}
          table={table}
          column={columnIn(column, row)}
          columnIndex={at}
          index={index}
          value={state[at * 2]}
          error={String(state[at * 2 + 1] ?? '')}
        />
      ))}
      {readOnly ? null : (
        <td className="sb-table-actions">
          <RowMenu table={table} index={index} />
        </td>
      )}
    </tr>
  )
})
