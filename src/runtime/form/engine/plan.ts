import type { PageField, FormNodeModel } from '../../../schema/model'
import { childrenOf, componentProps, controlName, pageField, roleOf } from './node'

/** One field as it is laid out. `address` is Formily's (void groups included), `path` where its value lies in the values. */
export interface ItemPlan {
  type: 'item'
  address: string
  path: string
  control: string
  node: FormNodeModel
  field?: PageField
  /** Columns that it takes; 0 = the whole row. */
  span: number
}
export interface ColumnPlan {
  name: string
  /** Its address below the row: the void nodes around it belong to it. */
  at: string
  control: string
  node: FormNodeModel
  field?: PageField
  title: string
  width?: number
}
/** An array of objects: editable rows. */
export interface TablePlan {
  type: 'table'
  address: string
  path: string
  node: FormNodeModel
  columns: readonly ColumnPlan[]
}
export interface GroupPlan {
  type: 'group'
  address: string
  node: FormNodeModel
  blocks: readonly BlockPlan[]
}
export type BlockPlan = ItemPlan | TablePlan | GroupPlan

export interface FormPlan {
  blocks: readonly BlockPlan[]
  /** Every item in reading order; its position says whether it stands on the first screen. */
  items: readonly ItemPlan[]
  tables: readonly TablePlan[]
  /** Names of the controls that have to be loaded before the form is drawn. */
  controls: readonly string[]
}

/** Controls that need the whole row. */
const WIDE = new Set(['textarea', 'richText', 'files', 'json', 'checkboxGroup', 'note'])

const spanOf = (node: FormNodeModel, control: string): number => {
  const decorator = node['x-decorator-props']
  const given =
    decorator !== null && typeof decorator === 'object'
      ? ((decorator as Record<string, unknown>).gridSpan ?? (decorator as Record<string, unknown>).span)
      : undefined
  if (typeof given === 'number') return given
  return WIDE.has(control) ? 0 : 1
}

const join = (base: string, name: string): string => (base ? `${base}.${name}` : name)

const columnsOf = (items: FormNodeModel): ColumnPlan[] =>
  childrenOf(items).flatMap(([name, node]) => {
    // Formily wraps a column in a void node "ArrayTable.Column"; its only child is the field.
    if (node.type === 'void') {
      const inner = columnsOf(node)
      const title = node.title ?? (componentProps(node).title as string | undefined)
      const width = componentProps(node).width
      return inner.map((column) => ({
        ...column,
        at: join(name, column.at),
        ...(title ? { title } : {}),
        ...(typeof width === 'number' ? { width } : {}),
      }))
    }
    const field = pageField(node)
    const width = componentProps(node).width
    return [
      {
        name,
        at: name,
        control: controlName(node),
        node,
        title: node.title ?? field?.label ?? name,
        ...(field ? { field } : {}),
        ...(typeof width === 'number' ? { width } : {}),
      },
    ]
  })

/** Lays the schema out: a tree of groups whose leaves are items and tables, in reading order. Pure. */
export const planForm = (schema: FormNodeModel): FormPlan => {
  const items: ItemPlan[] = []
  const tables: TablePlan[] = []
  const controls = new Set<string>()

  const walk = (node: FormNodeModel, address: string, path: string): BlockPlan[] =>
    childrenOf(node).flatMap(([name, child]): BlockPlan[] => {
      const at = join(address, name)
      const role = roleOf(child)
      const where = child.type === 'void' ? path : join(path, name)
      if (role === 'arranger') return walk(child, at, where)
      if (role === 'group' || role === 'object')
        return [{ type: 'group', address: at, node: child, blocks: walk(child, at, where) }]
      if (role === 'table') {
        const columns = columnsOf(child.items as FormNodeModel)
        for (const column of columns) controls.add(column.control)
        const table: TablePlan = { type: 'table', address: at, path: where, node: child, columns }
        tables.push(table)
        return [table]
      }
      const control = controlName(child)
      controls.add(control)
      const field = pageField(child)
      const item: ItemPlan = {
        type: 'item',
        address: at,
        path: where,
        control,
        node: child,
        span: spanOf(child, control),
        ...(field ? { field } : {}),
      }
      items.push(item)
      return [item]
    })

  const blocks = walk(schema, '', '')
  return { blocks, items, tables, controls: [...controls] }
}
