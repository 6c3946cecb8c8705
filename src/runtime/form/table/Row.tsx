import { isField } from '@formily/core'
import { raw } from '@formily/reactive'
import { memo, useEffect } from 'react'
import type { TablePlan } from '../../../headless/form/types'
import { useTracked } from '../view/track'
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
      if (!field || !isField(field)) return [raw(row[name]), '', undefined] as const
      // what is hidden may keep its value
      return [
        field.display === 'visible' ? raw(row[name]) : undefined,
        field.selfErrors.join('\n'),
        raw(field.dataSource),
      ] as const
    }),
  )
  const asks = columns.some(({ node }) => node['x-options'])
  useEffect(() => {
    // what is chosen has a name only once the options are there
    if (asks) engine.plantRow(table, index)
  }, [asks, engine, table, index])
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
          value={state[at * 3]}
          error={String(state[at * 3 + 1] ?? '')}
          source={state[at * 3 + 2] as readonly unknown[] | undefined}
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
