import type { FormNodeModel } from '../../schema/model'
import { fieldProps } from './fieldProps'
import { childrenOf, componentProps, settings, textWord } from './node'
import { plantList } from './plant'
import type { BlockPlan, FormilyPart, Planting, Walk } from './types'

/**
 * Components of Formily that the portal draws itself, faster, with the settings that its own controls know. With any other
 * setting, and under any other name, Formily's own component is drawn: nothing is drawn as something else.
 */
const DRAWN_HERE: Readonly<Record<string, readonly string[]>> = {
  Card: ['title'],
  Input: ['placeholder', 'maxLength'],
  'Input.TextArea': ['placeholder', 'rows'],
  TextArea: ['placeholder', 'rows'],
  Password: ['placeholder'],
  NumberPicker: ['placeholder', 'precision'],
  InputNumber: ['placeholder', 'precision'],
  Switch: [],
  Checkbox: ['children'],
  'Checkbox.Group': [],
  'Radio.Group': [],
  Select: ['placeholder', 'mode', 'allowClear'],
  DatePicker: ['placeholder'],
  Rate: ['count'],
  Slider: ['min', 'max'],
  Upload: [],
  'Upload.Dragger': [],
  PreviewText: [],
  'PreviewText.Input': [],
  ArrayTable: [],
  FormLayout: [],
  Note: [],
}
/** Words of a decorator that the portal's own layout knows. */
const PLACED_HERE: ReadonlySet<string> = new Set(['gridSpan', 'span'])

/** The portal's own controls and widgets begin with a small letter. */
const isOwn = (component: string): boolean => /^[a-z]/.test(component) || component === 'Group'

/** True when Formily's own component draws this node, and what lies in it. */
const isFormily = (node: FormNodeModel): boolean => {
  const component = textWord(node, 'x-component')
  if (node['x-field'] !== undefined || node['x-fields'] !== undefined)
    return component !== undefined && !isOwn(component) && DRAWN_HERE[component] === undefined
  const decorator = textWord(node, 'x-decorator')
  if (decorator !== undefined && decorator !== 'FormItem') return true
  if (Object.keys(settings(node['x-decorator-props'])).some((word) => !PLACED_HERE.has(word))) return true
  if (component === undefined) return node.type === 'array' && node.items !== undefined && !isPlainList(node.items)
  if (isOwn(component)) return false
  if (component === 'Card' && node.type !== 'void') return true
  const known = DRAWN_HERE[component]
  if (!known) return true
  if (UPLOADS.has(component)) return false
  const given = componentProps(node)
  if (Object.keys(given).some((word) => !known.includes(word))) return true
  if (node['x-content'] !== undefined && component !== 'Note') return true
  if (component === 'Select' && (given.mode === 'tags' || hasGroups(node.enum))) return true
  if (hasTrigger(node['x-validator'])) return true
  return component === 'ArrayTable' && (!node.items || !isPlainList(node.items) || hasForeignParts(node))
}

/** True when choices stand in groups. */
const hasGroups = (choices: FormNodeModel['enum']): boolean =>
  Array.isArray(choices) && choices.some((choice: unknown) => Array.isArray(settings(choice).options))

/** True when a rule is checked at another moment than while typing. */
const hasTrigger = (rules: unknown): boolean => [rules].flat().some((rule) => settings(rule).triggerType !== undefined)

/** Single values, or rows with one control of the portal in each cell. */
const isPlainList = (items: FormNodeModel): boolean => {
  if (items.type !== 'object')
    return items.type !== 'void' && items.type !== 'array' && textWord(items, 'x-component') === undefined
  return cellsOf(items).every((cell) => cell !== undefined && !isFormily(cell) && cell.type !== 'array' && !cell.properties)
}

/** Parts of Formily's ArrayTable that the portal's table has by itself. */
const PARTS: ReadonlySet<string> = new Set([
  ...[
    'ArrayTable.Index',
    'ArrayTable.SortHandle',
    'ArrayTable.Remove',
    'ArrayTable.MoveUp',
    'ArrayTable.MoveDown',
    'ArrayTable.Copy',
  ],
])
const isPart = (node: FormNodeModel): boolean => PARTS.has(textWord(node, 'x-component') ?? '')

/** The controls of a row; undefined for a column with several. */
const cellsOf = (items: FormNodeModel): readonly (FormNodeModel | undefined)[] =>
  Object.values(items.properties ?? {}).flatMap((column): (FormNodeModel | undefined)[] => {
    if (column.type !== 'void') return [column]
    if (isPart(column)) return []
    const inside = Object.values(column.properties ?? {}).filter((child) => !isPart(child))
    if (inside.length > 1 || inside.some(({ type }) => type === 'void')) return [undefined]
    return inside
  })

/** What stands below the rows besides one plain button that adds one. */
const hasForeignParts = (node: FormNodeModel): boolean =>
  Object.values(node.properties ?? {}).some(
    (part, index) =>
      index > 0 || textWord(part, 'x-component') !== 'ArrayTable.Addition' || Object.keys(componentProps(part)).length > 0,
  )

const PANES: ReadonlySet<string> = new Set(['FormTab.TabPane', 'FormStep.StepPane', 'FormCollapse.CollapsePanel'])
/** A part of tabs, steps or folds: what stands in it is laid out by the portal again. */
const isPane = (node: FormNodeModel): boolean => PANES.has(textWord(node, 'x-component') ?? '')

/** Names under which Formily finds the portal's own controls, and the panes that hold blocks of the portal. */
const CONTROL = 'PortalControl'
const PANE = 'PortalPane'

/** Files go to the portal's own store, whatever is said of the address. */
const UPLOADS: ReadonlySet<string> = new Set(['Upload', 'Upload.Dragger'])

/** With which components Formily draws a node. Without a name it is a control of the portal, by the kind of its value. */
const drawnBy = (node: FormNodeModel): { component?: string | undefined; decorator?: string | undefined } => {
  const component = textWord(node, 'x-component')
  const decorator = textWord(node, 'x-decorator')
  if (isPane(node)) return { component: PANE }
  if (node.type === 'void') return { component: component === 'Group' ? undefined : component, decorator }
  if (node.type === 'object' && component === undefined) return { decorator }
  if (node.type === 'array' && component === undefined)
    return { component: node.items ? 'ArrayItems' : CONTROL, decorator: decorator ?? 'FormItem' }
  if (component === undefined || UPLOADS.has(component) || isOwn(component))
    return { component: CONTROL, decorator: decorator ?? 'FormItem' }
  // beside its control is said how it stands with them
  return { component, decorator: decorator ?? (node['x-options'] && 'FormItem') }
}

type Below = (node: FormNodeModel, base: string) => void

const join = (base: string, name: string): string => (base ? `${base}.${name}` : name)

/** The fields of what Formily draws; rows and panes end its reach. */
const walkParts = (
  node: FormNodeModel,
  address: string,
  path: string,
  walk: Walk,
  panes: Map<string, readonly BlockPlan[]>,
): void => {
  if (isPane(node)) return void panes.set(address, walk.blocks(node, address, path))
  if (node.type !== 'void') walk.item(node, address, path)
  if (node.type === 'array') return
  for (const [name, child] of childrenOf(node))
    walkParts(child, join(address, name), child.type === 'void' ? path : join(path, name), walk, panes)
}

/** Plants what Formily draws, each field with the names of its components. Rows follow their list, drawn or not. */
const plantFormily = (
  planting: Planting,
  name: string,
  node: FormNodeModel,
  base: string,
  inRow: boolean,
  below: Below,
): void => {
  const { form, scope } = planting
  const address = base ? `${base}.${name}` : name
  const isData = node.type !== 'void'
  const drawn = drawnBy(node)
  const props = fieldProps(name, base, node, scope, isData ? planting.validator(node) : undefined, {
    lock: isData ? planting.lock?.(node, name) : undefined,
    defaults: planting.defaults !== false || inRow,
    drawn,
    follow: planting.options,
  })
  // what chooses several is no list of rows, and empty until somebody chooses
  if (node.type === 'array' && drawn.component?.startsWith('Array')) {
    plantList(form, address, props, (index) => plantFormilyRow(planting, address, node, index, below))
    for (const [part, child] of childrenOf(node)) plantFormily(planting, part, child, address, inRow, below)
    for (const [column, { properties: _cells, ...head }] of columnsOf(node))
      plantFormily(planting, column, head, address, inRow, below)
    return
  }
  if (node.type === 'void') form.createVoidField(props)
  else if (node.type === 'object') form.createObjectField(props)
  else form.createField(props)
  if (isPane(node) && !inRow) below(node, address)
  else for (const [inside, child] of childrenOf(node)) plantFormily(planting, inside, child, address, inRow, below)
}

const plantFormilyRow = (planting: Planting, base: string, node: FormNodeModel, index: number, below: Below): void => {
  const items: unknown = node.items
  const row = (Array.isArray(items) ? ((items[index] ?? items[0]) as unknown) : items) as FormNodeModel | undefined
  if (!row || planting.form.fields[`${base}.${index}`]) return
  plantFormily(planting, String(index), isTable(node) ? { ...row, properties: cellsIn(row) } : row, base, true, below)
}

/** Formily's table has its columns once, below the list (`rows.price`), and their cells right in the row (`rows.0.amount`). */
const isTable = (node: FormNodeModel): boolean => textWord(node, 'x-component') === 'ArrayTable'
const isColumn = (node: FormNodeModel): boolean => textWord(node, 'x-component')?.includes('Column') === true
const columnsOf = (node: FormNodeModel): [string, FormNodeModel][] => (isTable(node) && node.items ? columnsIn(node.items) : [])
const columnsIn = (row: FormNodeModel): [string, FormNodeModel][] =>
  childrenOf(row).flatMap(([name, child]) => {
    if (isColumn(child)) return [[String(componentProps(child).dataIndex ?? name), child]]
    return child.type === 'void' ? columnsIn(child) : []
  })
const cellsIn = (row: FormNodeModel): Record<string, FormNodeModel> =>
  Object.fromEntries(
    childrenOf(row).flatMap(([name, child]): readonly (readonly [string, FormNodeModel])[] => {
      if (isColumn(child)) return childrenOf(child)
      return child.type === 'void' ? Object.entries(cellsIn(child)) : [[name, child]]
    }),
  )

/** Formily's own components in a form of the portal: which nodes they draw, and their fields. */
export const part: FormilyPart = {
  draws: isFormily,
  panes: (node, address, path, walk) => {
    const panes = new Map<string, readonly BlockPlan[]>()
    walkParts(node, address, path, walk, panes)
    return panes
  },
  plant: plantFormily,
}
