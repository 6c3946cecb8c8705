import { isArrayField } from '@formily/core'
import type { ArrayField, Form, GeneralField } from '@formily/core'
import type { FormNodeModel } from '../../../schema/model'
import { fieldProps } from './fieldProps'
import { childrenOf, roleOf } from './node'
import type { Planting, TablePlan } from './types'

/** Creates every field of the form without React, parents first. Rows of tables are planted when they are needed. */
export const plantForm = (planting: Planting, schema: FormNodeModel): void => plantChildren(planting, schema, '')

const plantChildren = (planting: Planting, node: FormNodeModel, base: string, inRow = false): void => {
  for (const [name, child] of childrenOf(node)) plantNode(planting, name, child, base, inRow)
}

const plantNode = (planting: Planting, name: string, node: FormNodeModel, base: string, inRow: boolean): void => {
  const { form, scope } = planting
  const role = roleOf(node, planting.formily)
  if (role === 'formily') {
    planting.formily?.plant(planting, name, node, base, inRow, (inside, at) => plantChildren(planting, inside, at, inRow))
    return
  }
  const address = base ? `${base}.${name}` : name
  const isData = node.type !== 'void'
  const props = fieldProps(name, base, node, scope, isData ? planting.validator(node) : undefined, {
    lock: isData ? planting.lock?.(node, name) : undefined,
    defaults: planting.defaults !== false || inRow,
    follow: planting.options,
  })
  if (node.type === 'void') {
    form.createVoidField(props)
    plantChildren(planting, node, address, inRow)
    return
  }
  switch (role) {
    case 'table':
      // createArrayField takes `value` for an empty list as given; the values of the form come first
      form.createArrayField({ ...props, value: (form.getValuesIn(address) as unknown[] | undefined) ?? props.value })
      return
    case 'object':
      form.createObjectField(props)
      plantChildren(planting, node, address, inRow)
      return
    default:
      form.createField(props)
  }
}

/** Plants the fields of one row of a table; does nothing when they are there. */
export const plantRow = (planting: Planting, table: TablePlan, index: number): void => {
  const base = `${table.address}.${index}`
  if (planting.form.fields[base]) return
  const items = table.node.items as FormNodeModel
  planting.form.createObjectField({ name: String(index), basePath: table.address })
  plantChildren(planting, items, base, true)
}

/** Plants all rows of all tables: before validation and submit, or an untouched bad row would pass. */
export const plantTables = (planting: Planting, tables: readonly TablePlan[]): void => {
  for (const table of tables) {
    const field = tableField(planting.form, table)
    for (let index = 0; index < (field?.value?.length ?? 0); index += 1) plantRow(planting, table, index)
  }
}

export const tableField = (form: Form, table: TablePlan): ArrayField | undefined => {
  const field: GeneralField | undefined = form.fields[table.address]
  return field && isArrayField(field) ? field : undefined
}
