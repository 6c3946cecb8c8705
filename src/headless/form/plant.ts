import { isArrayField } from '@formily/core'
import type { ArrayField, Field, Form, GeneralField } from '@formily/core'
import { batch, toJS } from '@formily/reactive'
import type { FormNodeModel } from '../../schema/model'
import { fieldProps, hasLinkages } from './fieldProps'
import { childrenOf, roleOf } from './node'
import type { FieldProps, Planting, TablePlan } from './types'

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
      plantList(
        form,
        address,
        props,
        hasLinkages(node.items as FormNodeModel) && ((index) => plantRowAt(planting, node, address, index)),
      )
      return
    case 'object':
      leaveOut(form.createObjectField(props))
      plantChildren(planting, node, address, inRow)
      return
    default:
      leaveOut(form.createField(props))
  }
}

/** Formily takes the value of what becomes hidden, not of what lies in a group that is hidden from the start: it would be sent unseen. */
const leaveOut = (field: Field): void => {
  if (field.display !== 'none') return
  // where it comes back from when the group is shown
  field.caches.value = toJS<unknown>(field.value) ?? field.caches.value ?? toJS<unknown>(field.initialValue)
  if (field.value !== undefined) field.form.deleteValuesIn(field.path)
}

/**
 * Plants a list; its rows follow it with `plantOne`, drawn or not. What it begins with is its value, no initial one: Formily
 * would put that back into rows that are added where others were removed.
 */
export const plantList = (
  form: Form,
  address: string,
  { initialValue, ...props }: FieldProps,
  plantOne: ((index: number) => void) | false,
): void => {
  const follow = (field: GeneralField): void => {
    const count = isArrayField(field) && Array.isArray(field.value) ? field.value.length : 0
    // not in this reaction: linkages of rows that are planted in one would never run again
    if (plantOne) batch.endpoint?.(() => Array.from({ length: count }, (_, index) => plantOne(index)))
  }
  // createArrayField takes `value` for an empty list as given; the values of the form come first
  const given = form.getValuesIn(address) as unknown[] | undefined
  leaveOut(
    form.createArrayField({
      ...props,
      value: given ?? (props.value as unknown[] | undefined) ?? structuredClone(initialValue as unknown[] | undefined),
      ...(plantOne ? { reactions: [...[props.reactions ?? []].flat(), follow] } : {}),
    }),
  )
}

/** Plants the fields of one row of a table; does nothing when they are there. */
export const plantRow = (planting: Planting, table: TablePlan, index: number): void =>
  plantRowAt(planting, table.node, table.address, index)

const plantRowAt = (planting: Planting, node: FormNodeModel, address: string, index: number): void => {
  const base = `${address}.${index}`
  if (planting.form.fields[base]) return
  planting.form.createObjectField({ name: String(index), basePath: address })
  plantChildren(planting, node.items as FormNodeModel, base, true)
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
