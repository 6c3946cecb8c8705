import { Dropdown } from 'antd'
import { useState } from 'react'
import type { TablePlan } from '../../../headless/form/types'
import { addsRows } from '../../../headless/form/node'
import { tableField } from '../../../headless/form/plant'
import { useSession, useText } from '../view/session'
import { duplicateRow, moveRow } from './rows'

/** What can be done with a row. A plain button until it is used: a hundred menus would cost more than the rows. */
export const RowMenu = ({ table, index }: { table: TablePlan; index: number }) => {
  const { engine } = useSession()
  const t = useText()
  const [used, setUsed] = useState(false)
  const [open, setOpen] = useState(false)
  const button = (
    <button
      type="button"
      className="sb-table-more"
      aria-label={`${t('actions')} ${t('rowLabel', { n: index + 1 })}`}
      aria-haspopup="menu"
      onClick={() => {
        setUsed(true)
        setOpen(true)
      }}
    >
      ⋯
    </button>
  )
  if (!used) return button
  const field = tableField(engine.form, table)
  const count = field?.value.length ?? 0
  const run = (key: string): void => {
    if (!field) return
    if (key === 'remove') void field.remove(index)
    else if (key === 'duplicate') void duplicateRow(field, index)
    else void moveRow(field, index, key === 'up' ? index - 1 : index + 1)
  }
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      menu={{
        autoFocus: true,
        onClick: ({ key }) => {
          setOpen(false)
          run(key)
        },
        items: [
          ...(addsRows(table.node) ? [{ key: 'duplicate', label: t('duplicateRow') }] : []),
          { key: 'up', label: t('moveUp'), disabled: index === 0 },
          { key: 'down', label: t('moveDown'), disabled: index === count - 1 },
          { type: 'divider' },
          { key: 'remove', label: t('removeRow'), danger: true },
        ],
      }}
    >
      {button}
    </Dropdown>
  )
}
