import type { FieldModel } from '../../../schema/model'
import type { ColumnPlan } from '../engine/plan'

const made = new WeakMap<ColumnPlan, Map<string, ColumnPlan>>()

/** A column as it stands in a row: one with `x-fieldOf` takes control and options of the field that the row names. */
export const columnIn = (column: ColumnPlan, row: Readonly<Record<string, unknown>> | undefined): ColumnPlan => {
  const { 'x-fieldOf': of, 'x-fields': fields } = column.node as {
    'x-fieldOf'?: { by: string }
    'x-fields'?: Readonly<Record<string, FieldModel>>
  }
  const name = of && row?.[of.by]
  const field = fields && typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return column
  const known = made.get(column) ?? new Map<string, ColumnPlan>()
  made.set(column, known)
  const found = known.get(field.name) ?? { ...column, control: field.control, field: { ...field, readOnly: false } }
  known.set(field.name, found)
  return found
}
