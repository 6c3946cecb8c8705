import type { Locale, Problem } from './problem'

/**
 * What compile() makes of a page document: everything resolved (texts in the locale, expressions as functions,
 * permissions applied), frozen, the same in browser and gateway. Components read it and nothing else.
 */
export type PageModel = ListModel | DetailModel | FormModel | ReportModel | WidgetModel | EmbedModel

/** Named roots that an expression may read: row, rows, value, record, values, query, user, today, now, answer, ... */
export type Scope = Readonly<Record<string, unknown>>
/** A compiled expression. It throws ExpressionError when it fails at run time. */
export type Evaluate<T> = (scope: Scope) => T

export type FieldKind =
  | 'string'
  | 'text'
  | 'richText'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'percent'
  | 'boolean'
  | 'date'
  | 'dateTime'
  | 'dictionary'
  | 'dictionaries'
  | 'ref'
  | 'refs'
  | 'country'
  | 'countries'
  | 'phone'
  | 'email'
  | 'url'
  | 'file'
  | 'files'
  | 'currency'
  | 'mccmnc'
  | 'json'
  | 'strings'

export type FilterOperator =
  'eq' | 'ne' | 'contains' | 'startsWith' | 'in' | 'notIn' | 'gte' | 'lte' | 'between' | 'empty' | 'notEmpty' | 'overlaps'

/** A condition as it travels to the gateway: between takes [from, to], in/notIn/overlaps take lists. */
export interface QueryCondition {
  field: string
  operator: FilterOperator
  value?: unknown
}
export interface QuerySort {
  field: string
  order: 'asc' | 'desc'
  nulls?: 'first' | 'last'
}

/** One value of a dictionary in the viewer's language. */
export interface DictionaryOption {
  code: string
  label: string
  color?: string
  retired?: boolean
  attributes?: Readonly<Record<string, unknown>>
}
/** A field of an entity with everything a cell, control, filter, import or export needs. */
export interface FieldModel {
  entity: string
  name: string
  kind: FieldKind
  label: string
  help?: string
  placeholder?: string
  dictionary?: { name: string; options: readonly DictionaryOption[] }
  /**
   * Referenced entity: its label, its base path for the select call, and which of its rows may be chosen. `where` reads the
   * entity's own fields, record, values, user, today, now, locale and query; a condition whose value is empty is left out, as in
   * the gateway.
   */
  ref?: { entity: string; label: string; path: string; where: Evaluate<readonly QueryCondition[]> }
  /** Name of the field that holds the currency, or a fixed ISO code in capitals. */
  money?: string
  scale?: number
  /** A date that stands for its whole month. */
  precision?: 'month'
  required: boolean
  readOnly: boolean
  setOnce: boolean
  sensitive?: string
  /** The viewer sees only a mask of it, so the gateway neither filters nor sorts nor sums by it for him. */
  masked?: boolean
  computed: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  pattern?: string
  default?: unknown
  control: string
  align: 'left' | 'right' | 'center'
  width: number
  operators: readonly FilterOperator[]
  sortable: boolean
}

/** Where in which document a block came from; the error boundary names it. */
export interface Source {
  where: string
  at: string
}

export interface CallModel {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
}

export type ActionEffect =
  | { type: 'open'; address: Evaluate<string>; newWindow: boolean }
  | { type: 'form'; page: string; container: 'drawer' | 'modal' | 'page' | 'inline'; values: Evaluate<Record<string, unknown>> }
  | { type: 'transition'; entity: string; transition: TransitionModel; values: Evaluate<Record<string, unknown>> }
  | { type: 'call'; call: CallModel; params: Evaluate<Record<string, unknown>> }
  | { type: 'operation'; entity: string; operation: 'edit' | 'delete' | 'restore' | 'export' | 'import' }
  | { type: 'copy'; text: Evaluate<string> }
  | { type: 'download'; address: Evaluate<string> }

/** A transition of a state machine, with the fields that are asked for. */
export interface TransitionModel {
  id: string
  label: string
  field: string
  from: readonly string[]
  /** Without it the record keeps its state. */
  to?: string
  danger: boolean
  confirm?: string
  fields: readonly FieldModel[]
  /** Those of them that are parameters of the transition and no fields of the record. */
  inputs: readonly string[]
  required: readonly string[]
  /** Null when it is possible for this row, else the reason in the viewer's language. */
  refusedBecause: Evaluate<string | null>
}

export interface ActionModel {
  id: string
  label: string
  icon?: string
  primary: boolean
  danger: boolean
  visible: Evaluate<boolean>
  /** Nothing hides it from any record. */
  always?: true
  /** Null when enabled, else the reason. */
  disabledBecause: Evaluate<string | null>
  confirm?: Evaluate<{ title: string; content?: string; phrase?: string }>
  effect: ActionEffect
  success?: string
  after: 'reload' | 'back' | 'none'
  source: Source
}

export type Tone = 'success' | 'processing' | 'warning' | 'error' | null

export interface ColumnModel {
  id: string
  title: string
  /** Absent when the column is an expression. */
  field?: FieldModel
  /** Path of the value in the row: ['name'], or ['customerId', 'name'] for one step through a reference. */
  path: readonly string[]
  value?: Evaluate<unknown>
  /** Name of the cell function: the field kind or a registered widget. */
  cell: string
  props?: Readonly<Record<string, unknown>>
  width: number
  pin?: 'left' | 'right'
  hidden: boolean
  align: 'left' | 'right' | 'center'
  sortable: boolean
  open?: Evaluate<string>
  tone?: Evaluate<Tone>
  tooltip?: Evaluate<string>
  summary?: 'sum' | 'avg' | 'min' | 'max' | 'count'
  source: Source
}

export interface FilterModel {
  id: string
  title: string
  field: FieldModel
  operator: FilterOperator
  control: string
  default?: Evaluate<unknown>
  more: boolean
  source: Source
}

export interface ListViewModel {
  id: string
  title: string
  view?: string
  where: Evaluate<readonly QueryCondition[]>
  sort?: readonly QuerySort[]
  count: boolean
}

/** The part of a list that also stands inside details. */
export interface ListBodyModel {
  entity: string
  entityLabel: string
  /** Base path of the entity's calls, e.g. /v2/crm/customer. */
  path: string
  calls: { query: CallModel; export: CallModel; importPreview?: CallModel; importCommit?: CallModel }
  view?: string
  where: Evaluate<readonly QueryCondition[]>
  /** Names of the fields that the fixed conditions of the list and of its tabs compare. */
  compared: readonly string[]
  views: readonly ListViewModel[]
  columns: readonly ColumnModel[]
  filters: readonly FilterModel[]
  /** Labels of the fields that the quick keyword searches; empty = no keyword box. */
  keyword: readonly string[]
  sort: readonly QuerySort[]
  pageSize: number
  /** pages: page numbers; more: rows are added below on demand. */
  paging: 'pages' | 'more'
  rowKey: string
  actions: readonly ActionModel[]
  rowActions: readonly ActionModel[]
  bulkActions: readonly ActionModel[]
  summary: boolean
  empty?: { text: string; action?: string }
  header?: { widget: string; props: Readonly<Record<string, unknown>> }
  /** What the viewer may do with the entity at all, without what the page offers to others only. */
  operations: { add: boolean; edit: boolean; delete: boolean; import: boolean; export: boolean; restore?: boolean }
  source: Source
}

interface PageHead {
  /** The route, or module/file for a page without one. */
  id: string
  path?: string
  title: string
  description?: string
  locale: Locale
  revision: string
  source: Source
  /** What was left out because it is wrong; the rest works. Each stands at the place of its block. */
  problems: readonly Problem[]
}
export interface ListModel extends PageHead {
  kind: 'list'
  body: ListBodyModel
}

export interface FieldItemModel {
  id: string
  title: string
  field?: FieldModel
  path: readonly string[]
  value?: Evaluate<unknown>
  cell: string
  props?: Readonly<Record<string, unknown>>
  span: number
  open?: Evaluate<string>
  tone?: Evaluate<Tone>
  visible: Evaluate<boolean>
  edit: boolean
  source: Source
}
export interface SectionModel {
  id: string
  title: string
  columns: number
  items: readonly FieldItemModel[]
  widget?: { name: string; props: Readonly<Record<string, unknown>> }
  visible: Evaluate<boolean>
  /** Name of the form page that edits the section in a drawer. */
  edit?: string
  source: Source
}
export interface TabModel {
  id: string
  title: string
  visible: Evaluate<boolean>
  count: boolean
  content:
    | { type: 'list'; list: ListBodyModel }
    | { type: 'widget'; name: string; props: Readonly<Record<string, unknown>>; values: Evaluate<Record<string, unknown>> }
    | { type: 'sections'; sections: readonly SectionModel[] }
  source: Source
}
export interface DetailModel extends PageHead {
  kind: 'detail'
  entity: string
  entityLabel: string
  basePath: string
  view?: string
  viewCall: CallModel
  record: Evaluate<string>
  titleField: string
  states: readonly FieldItemModel[]
  /** A bar of states; a code leads to the id of the action that goes there at once. */
  steps?: {
    field: string
    title: string
    steps: readonly { code: string; label: string }[]
    /** Every value of the field, for a state beside the bar. */
    labels: Readonly<Record<string, string>>
    moves: Readonly<Record<string, string>>
  }
  figures: readonly FieldItemModel[]
  warnings: readonly { id: string; type: 'info' | 'warning' | 'error'; when: Evaluate<boolean>; message: Evaluate<string> }[]
  actions: readonly ActionModel[]
  sections: readonly SectionModel[]
  tabs: readonly TabModel[]
  timeline: boolean
  attachments?: FieldModel
  editForm?: string
  /** Route of the list that records of this page come from. */
  list?: string
  /** The viewer may bring a deleted record back. */
  restorable: boolean
  /** Fields of the entity by name: the timeline shows before and after with them. */
  fields: Readonly<Record<string, FieldModel>>
}

/** A resolved Formily JSON schema node: titles in the locale, $field expanded, x-component set, options filled in. */
export interface FormNodeModel {
  type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'void'
  title?: string
  description?: string
  required?: boolean | string
  default?: unknown
  enum?: readonly { label: string; value: unknown }[]
  properties?: Readonly<Record<string, FormNodeModel>>
  items?: FormNodeModel
  /** Formily's x- words (x-component, x-component-props, x-reactions, x-validator, x-visible, ...). */
  readonly [word: `x-${string}`]: unknown
  /** The entity field it inherits from. */
  'x-field'?: FieldModel
}
export interface FormModel extends PageHead {
  kind: 'form'
  entity?: string
  entityLabel?: string
  basePath?: string
  schema: FormNodeModel
  layout: { columns: number; labels: 'top' | 'left'; anchors: boolean }
  record: Evaluate<string | undefined>
  viewCall?: CallModel
  initial: Evaluate<Record<string, unknown>>
  submit: {
    call: CallModel
    params?: Evaluate<Record<string, unknown>>
    transition?: string
    label: string
    success: string
    open?: Evaluate<string>
    idempotent: boolean
  }
  draft: boolean
  readPretty: boolean
}

export interface ReportModel extends PageHead {
  kind: 'report'
  call: CallModel
  params: Evaluate<Record<string, unknown>>
  filters: readonly FilterModel[]
  dimensions: readonly { id: string; title: string; format?: string; dictionary?: readonly DictionaryOption[] }[]
  measures: readonly {
    id: string
    title: string
    format?: string
    currency?: string
    /** Member of a row that holds the currency of the amount. */
    currencyFrom?: string
    /** Where the number leads, over the row. */
    open?: Evaluate<string>
  }[]
  blocks: readonly {
    id: string
    title: string
    type: 'figure' | 'chart' | 'pivot' | 'table'
    /** The row set of the answer. */
    rows: string
    /** Said when the row set is empty. */
    empty?: string
    chart?: 'line' | 'bar' | 'pie' | 'funnel'
    dimensions: readonly string[]
    measures: readonly string[]
    open?: Evaluate<string>
    span: number
    source: Source
  }[]
}
export interface WidgetModel extends PageHead {
  kind: 'widget'
  widget: string
  props: Readonly<Record<string, unknown>>
  layout: 'page' | 'blank'
}
export interface EmbedModel extends PageHead {
  kind: 'embed'
  iframeName: string
}
