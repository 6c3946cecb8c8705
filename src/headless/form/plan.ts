import { titleWithUnit } from '../../schema/formats'
import type { FormNodeModel } from '../../schema/model'
import { childrenOf, componentProps, controlName, pageField, roleOf, unitOf } from './node'
import type { BlockPlan, ColumnPlan, FormilyPart, FormPlan, ItemPlan, TablePlan } from './types'

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
        title: titleWithUnit(node.title ?? field?.label ?? name, unitOf(node)),
        ...(field ? { field } : {}),
        ...(typeof width === 'number' ? { width } : {}),
      },
    ]
  })

/** Lays the schema out: a tree of groups whose leaves are items and tables, in reading order; with `formily` also what that draws. Pure. */
export const planForm = (schema: FormNodeModel, formily?: FormilyPart): FormPlan => {
  const items: ItemPlan[] = []
  const tables: TablePlan[] = []
  const controls = new Set<string>()

  const itemOf = (node: FormNodeModel, address: string, path: string): ItemPlan => {
    const control = controlName(node)
    const field = pageField(node)
    return { type: 'item', address, path, control, node, span: spanOf(node, control), ...(field ? { field } : {}) }
  }
  const walk = (node: FormNodeModel, address: string, path: string): BlockPlan[] =>
    childrenOf(node).flatMap(([name, child]): BlockPlan[] => {
      const at = join(address, name)
      const role = roleOf(child, formily)
      const where = child.type === 'void' ? path : join(path, name)
      if (role === 'formily') {
        const item = (...given: Parameters<typeof itemOf>): void => void items.push(itemOf(...given))
        const panes = formily?.panes(child, at, where, { item, blocks: walk }) ?? new Map()
        return [{ type: 'formily', address: at, parent: address, name, node: child, panes }]
      }
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
      const item = itemOf(child, at, where)
      controls.add(item.control)
      items.push(item)
      return [item]
    })

  const blocks = walk(schema, '', '')
  return { blocks, items, tables, controls: [...controls], ...(formily ? { formily } : {}) }
}
