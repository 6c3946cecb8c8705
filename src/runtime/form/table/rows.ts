import type { ArrayField, Form } from '@formily/core'
import { batch, toJS } from '@formily/reactive'
import { controlOf, resolveControl } from '../controls/registry'
import { choicesOf } from '../view/choices'
import { textContext } from '../view/session'
import type { FormSession } from '../view/session'
import { componentProps } from '../../../headless/form/node'
import type { ColumnPlan, TablePlan } from '../../../headless/form/types'
import { parseBlock } from './clipboard'
import { columnIn } from './columnIn'

/** What can be done with the rows of a table. Formily moves the fields of planted rows along. */

export const addRow = (field: ArrayField, at: number = field.value.length): Promise<void> => field.insert(at, {})

export const duplicateRow = (field: ArrayField, index: number): Promise<void> => {
  const copy = toJS(field.value[index] as Record<string, unknown>)
  const { id: _id, version: _version, ...rest } = copy
  return field.insert(index + 1, rest)
}

export const moveRow = (field: ArrayField, from: number, to: number): Promise<void> =>
  to < 0 || to >= field.value.length ? Promise.resolve() : field.move(from, to)

export const columnContext = (session: FormSession, column: ColumnPlan, path: string) =>
  textContext(session, path, {
    choices: choicesOf(column.node.enum, column.field),
    props: componentProps(column.node),
    ...(column.field ? { field: column.field } : {}),
  })

export interface Pasted {
  rows: number
  /** Cells whose text could not be understood, as "row/column title". They keep what they had. */
  refused: readonly { row: number; column: string; text: string }[]
}

/** True when a value may be written into a column by hand, and so by pasting. */
const isWritable = (column: ColumnPlan): boolean => {
  const pattern = column.node['x-pattern']
  return (
    !column.field?.readOnly &&
    column.node['x-disabled'] !== true &&
    column.node['x-read-only'] !== true &&
    (pattern === undefined || pattern === 'editable')
  )
}

/** Writes a block of text from a cell on, to the right and down; rows are added where they are missing. */
export const pasteBlock = (
  session: FormSession,
  table: TablePlan,
  field: ArrayField,
  at: { row: number; column: number },
  text: string,
): Pasted => {
  const block = parseBlock(text)
  const form: Form = session.engine.form
  const refused: { row: number; column: string; text: string }[] = []
  batch(() => {
    const missing = at.row + block.length - (field.value?.length ?? 0)
    if (missing > 0) form.setValuesIn(table.path, [...(field.value ?? []), ...Array.from({ length: missing }, () => ({}))])
    block.forEach((cells, down) => {
      cells.forEach((cell, right) => {
        const planned = table.columns[at.column + right]
        const row = at.row + down
        const column =
          planned && columnIn(planned, form.getValuesIn(`${table.path}.${row}`) as Record<string, unknown> | undefined)
        if (!column || !isWritable(column)) return
        const path = `${table.path}.${row}.${column.name}`
        const control = controlOf(resolveControl(column.control, column.field))
        const trimmed = cell.trim()
        const value =
          trimmed === '' ? null : control.parse ? control.parse(trimmed, columnContext(session, column, path)) : undefined
        if (value === undefined) refused.push({ row, column: column.title, text: trimmed })
        else form.setValuesIn(path, value)
      })
    })
    form.modified = true
  })
  return { rows: block.length, refused }
}
