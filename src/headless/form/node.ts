import type { PageField, FormNodeModel } from '../../schema/model'
import type { FormilyPart } from './types'

/** Formily's own component names (approval forms carry them) -> our controls. */
const ALIASES: Readonly<Record<string, string>> = {
  Input: 'text',
  'Input.TextArea': 'textarea',
  TextArea: 'textarea',
  Password: 'password',
  NumberPicker: 'number',
  InputNumber: 'number',
  Switch: 'switch',
  Checkbox: 'checkbox',
  'Checkbox.Group': 'checkboxGroup',
  Radio: 'radio',
  'Radio.Group': 'radio',
  Select: 'select',
  DatePicker: 'date',
  Rate: 'rate',
  Slider: 'slider',
  Upload: 'files',
  'Upload.Dragger': 'files',
  ArrayTable: 'arrayTable',
  PreviewText: 'readOnly',
  'PreviewText.Input': 'readOnly',
  Note: 'note',
}

/** A word of a node as text, when it is one. */
export const textWord = (node: FormNodeModel, word: `x-${string}`): string | undefined => {
  const value = node[word]
  return typeof value === 'string' ? value : undefined
}

export const settings = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {}

/** `x-component-props` of a node; expressions inside are compiled by the field's own reaction. */
export const componentProps = (node: FormNodeModel): Readonly<Record<string, unknown>> => settings(node['x-component-props'])

const DEFAULTS: Readonly<Record<FormNodeModel['type'], string>> = {
  string: 'text',
  number: 'number',
  boolean: 'switch',
  array: 'strings',
  object: 'json',
  void: 'note',
}

export const pageField = (node: FormNodeModel): PageField | undefined => node['x-field']

/** What the number at a node counts, as the node or its field says. */
export const unitOf = (node: FormNodeModel): string | undefined => textWord(node, 'x-unit') ?? pageField(node)?.unit

/** What stands in the form at a node: drawn by the portal, or with its own component by Formily. */
export type NodeRole = 'group' | 'arranger' | 'table' | 'object' | 'item' | 'formily'

export const roleOf = (node: FormNodeModel, formily?: FormilyPart): NodeRole => {
  if (formily?.draws(node)) return 'formily'
  if (node.type === 'void') {
    if (!node.properties) return 'item'
    // it only arranges, and says nothing of how
    return textWord(node, 'x-component') === 'FormLayout' ? 'arranger' : 'group'
  }
  if (node.type === 'array' && node.items?.properties) return 'table'
  if (node.type === 'object' && node.properties && !textWord(node, 'x-component')) return 'object'
  return 'item'
}

/** Name of the control that edits a node. */
export const controlName = (node: FormNodeModel): string => {
  const component = textWord(node, 'x-component')
  if (component) {
    if (component === 'DatePicker' && componentProps(node).showTime) return 'dateTime'
    if (component === 'Select' && ['multiple', 'tags'].includes(String(componentProps(node).mode))) return 'selectMany'
    return ALIASES[component] ?? component
  }
  const field = pageField(node)
  if (field) return field.control
  if (node.enum) return node.type === 'array' ? 'selectMany' : 'select'
  return DEFAULTS[node.type]
}

/** Whether people may add rows: Formily's table has a button for it only where its schema has one; the portal's own always. */
export const addsRows = (node: FormNodeModel): boolean =>
  textWord(node, 'x-component') !== 'ArrayTable' || pageField(node) !== undefined || node.properties !== undefined

/** Children in the order in which they are shown: `x-index` first, then as written. */
export const childrenOf = (node: FormNodeModel): readonly (readonly [string, FormNodeModel])[] => {
  const entries = Object.entries(node.properties ?? {})
  if (!entries.some(([, child]) => child['x-index'] !== undefined)) return entries
  const position = (child: FormNodeModel, index: number): number => {
    const given = child['x-index']
    return typeof given === 'number' ? given : index
  }
  return entries
    .map(([name, child], index) => ({ name, child, at: position(child, index), index }))
    .sort((a, b) => a.at - b.at || a.index - b.index)
    .map(({ name, child }) => [name, child] as const)
}
