import type { PageField } from '../../../schema/model'
import type { ColumnPlan } from '../../../headless/form/types'

/** Fields that rows of a column may be about, by name. */
export const fieldsOf = (column: ColumnPlan): Readonly<Record<string, PageField>> =>
  (column.node['x-fields'] as Readonly<Record<string, PageField>> | undefined) ?? {}

const made = new WeakMap<ColumnPlan, Map<string, ColumnPlan>>()

/** A column as it stands in a row: one with `x-fieldOf` takes control and options of the field that the row names. */
export const columnIn = (column: ColumnPlan, row: Readonly<Record<string, unknown>> | undefined): ColumnPlan => {
  const of = column.node['x-fieldOf'] as { by: string } | undefined
  const name = of && row?.[of.by]
  const fields = fieldsOf(column)
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return column
  const known = made.get(column) ?? new Map<string, ColumnPlan>()
  made.set(column, known)
  const found = known.get(field.name) ?? { ...column, control: field.control, field: { ...field, readOnly: false } }
  known.set(field.name, found)
  return found
}
