import { isField } from '@formily/core'
import type { Field } from '@formily/core'
import { memo, useEffect, useRef, useState } from 'react'
import type { FocusEvent } from 'react'
import { flushSync } from 'react-dom'
import { loadControl, resolveControl, widgetOf } from '../controls/registry'
import { componentProps } from '../../../headless/form/node'
import type { ColumnPlan, TablePlan } from '../../../headless/form/types'
import { useTracked } from '../view/track'
import { BoxText } from '../view/BoxText'
import { choicesOf } from '../view/choices'
import { input } from '../view/input'
import { OptionsLine } from '../view/OptionsLine'
import { useSession } from '../view/session'

interface CellProps {
  table: TablePlan
  column: ColumnPlan
  columnIndex: number
  index: number
  value: unknown
  error: string
  /** What can be chosen, once the row is planted. */
  source?: readonly unknown[] | undefined
}

/** Lists and calendars open outside the table; while the focus is there, the cell is still being edited. */
const POPUPS = '.ant-select-dropdown, .ant-picker-dropdown, .ant-modal, .ant-dropdown, .ant-popover'

/** A cell is text until it is focused; then the real widget, until the focus leaves. */
export const Cell = memo(function Cell({ table, column, columnIndex, index, value, error, source }: CellProps) {
  const session = useSession()
  const cell = useRef<HTMLTableCellElement>(null)
  const [field, setField] = useState<Field | null>(null)
  const [opened, setOpened] = useState(false)
  const name = resolveControl(column.control, column.field)
  const path = `${table.path}.${index}.${column.name}`
  const address = `${table.address}.${index}.${column.at}`
  const choices = choicesOf(source ?? column.node.enum, column.field)
  const props = componentProps(column.node)

  useEffect(() => {
    session.boxes.set(address, { focus: () => cell.current?.focus() })
    return () => {
      session.boxes.delete(address)
    }
  }, [session, address])

  const open = (how: 'pointer' | 'keyboard'): void => {
    if (field || !cell.current) return
    if (!widgetOf(name)) {
      loadControl(name).then(
        () => document.activeElement === cell.current && open(how),
        // the text stays; the next focus asks for the widget again
        () => undefined,
      )
      return
    }
    session.engine.plantRow(table, index)
    const planted = session.engine.field(address)
    if (!planted || !isField(planted) || planted.pattern === 'readPretty' || planted.display !== 'visible') return
    flushSync(() => {
      setOpened(how === 'pointer')
      setField(planted)
    })
    const target = cell.current.querySelector<HTMLElement>(
      'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), [contenteditable=true], button, [tabindex="0"]',
    )
    target?.focus()
    if (how === 'keyboard' && target instanceof HTMLInputElement) target.select()
  }

  const leave = (event: FocusEvent): void => {
    const next = event.relatedTarget
    if (next instanceof Element && (cell.current?.contains(next) || next.closest(POPUPS))) return
    setField(null)
  }

  return (
    <td
      ref={cell}
      className={error ? 'sb-table-cell sb-table-bad' : 'sb-table-cell'}
      data-row={index}
      data-column={columnIndex}
      data-align={column.field?.align}
      aria-invalid={error ? true : undefined}
      title={error || undefined}
      tabIndex={field ? undefined : 0}
      onFocus={(event) => {
        if (event.target === event.currentTarget) open('keyboard')
      }}
      onMouseDown={(event) => {
        if (field || event.button !== 0) return
        event.preventDefault()
        event.stopPropagation()
        open('pointer')
      }}
      onBlur={field ? leave : undefined}
    >
      {field ? (
        <>
          <label htmlFor={`${session.prefix}${address}`}>{column.title}</label>
          <LiveCell field={field} column={column} name={name} path={path} id={`${session.prefix}${address}`} opened={opened} />
        </>
      ) : (
        <BoxText
          name={name}
          value={value}
          path={path}
          choices={choices}
          props={props}
          {...(column.field ? { field: column.field } : {})}
        />
      )}
      {error ? <div className="sb-form-error">{error}</div> : null}
    </td>
  )
})

const LiveCell = ({
  field,
  column,
  name,
  path,
  id,
  opened,
}: {
  field: Field
  column: ColumnPlan
  name: string
  path: string
  id: string
  opened: boolean
}) => {
  const [value, pattern, source, given] = useTracked(
    field,
    () =>
      [
        field.value as unknown,
        field.pattern,
        field.dataSource,
        field.componentProps as Readonly<Record<string, unknown>>,
      ] as const,
  )
  const Widget = widgetOf(name)
  if (!Widget) return null
  const props = { ...componentProps(column.node), ...given }
  return (
    <>
      <Widget
        id={id}
        value={value}
        onChange={(next) => input(field, next)}
        disabled={pattern === 'disabled'}
        readOnly={pattern === 'readOnly'}
        placeholder={typeof props.placeholder === 'string' ? props.placeholder : column.field?.placeholder}
        choices={choicesOf(source, column.field)}
        props={props}
        node={column.node}
        path={path}
        describedBy={undefined}
        opened={opened}
        cell
        {...(column.field ? { field: column.field } : {})}
      />
      <OptionsLine field={field} node={column.node} />
    </>
  )
}
