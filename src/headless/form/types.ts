import type { Form, GeneralField, IFieldFactoryProps } from '@formily/core'
import type { FormNodeModel, PageField } from '../../schema/model'

/** What a field knows beyond Formily's own state: options that an expression may replace, and the validator. */
export type FieldProps = IFieldFactoryProps<string, string>

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
/** What Formily draws with its own components: a node and what lies in it, but for the panes that hold blocks of the portal. */
export interface FormilyPlan {
  type: 'formily'
  address: string
  /** Address of what it lies in; '' at the top. */
  parent: string
  name: string
  node: FormNodeModel
  /** What stands in the panes of its tabs, steps and folds, by the address of the pane. */
  panes: ReadonlyMap<string, readonly BlockPlan[]>
}
export type BlockPlan = ItemPlan | TablePlan | GroupPlan | FormilyPlan

export interface FormPlan {
  blocks: readonly BlockPlan[]
  /** Every item in reading order; its position says whether it stands on the first screen. */
  items: readonly ItemPlan[]
  tables: readonly TablePlan[]
  /** Names of the controls that have to be loaded before the form is drawn. */
  controls: readonly string[]
  /** What Formily draws was planned with it; without it the portal draws all. */
  formily?: FormilyPart
}

/** The reaction that keeps the choices of a field as `x-options` of its node says. */
export type FollowOptions = (node: FormNodeModel, scope: Readonly<Record<string, unknown>>) => (field: GeneralField) => void

export interface Planting {
  form: Form
  /** Roots that every expression of the form may read, next to Formily's own. */
  scope: Readonly<Record<string, unknown>>
  /** The validator of a node; undefined when nothing has to be checked. */
  validator(node: FormNodeModel): FieldProps['validator']
  /** Plants what Formily draws. */
  formily?: FormilyPart
  options?: FollowOptions
  /** False for a record that exists: defaults are for new ones. Rows that are added get theirs in any case. */
  defaults?: boolean
  /** A field that this viewer may only read, or not see at all. */
  lock?(node: FormNodeModel, name: string): 'readPretty' | 'hidden' | undefined
}

/** How the plan of a form is made where Formily draws. */
export interface Walk {
  /** Notes a field that can be filled in. */
  item(node: FormNodeModel, address: string, path: string): void
  /** Lays out what the portal draws below a node. */
  blocks(node: FormNodeModel, address: string, path: string): readonly BlockPlan[]
}

/** What a form with Formily's own components needs: loaded for such a form only. */
export interface FormilyPart {
  /** True when Formily's own component draws this node, and what lies in it. */
  draws(node: FormNodeModel): boolean
  /** What stands in the panes of its tabs, steps and folds. */
  panes(node: FormNodeModel, address: string, path: string, walk: Walk): FormilyPlan['panes']
  plant(
    planting: Planting,
    name: string,
    node: FormNodeModel,
    base: string,
    inRow: boolean,
    below: (node: FormNodeModel, base: string) => void,
  ): void
}
