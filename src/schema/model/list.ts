import type { ActionModel, CallModel, Source } from './action'
import type { Evaluate, PageField, FilterOperator, QueryWhere, QuerySort } from './field'
import type { PageHead } from './page'

export type Tone = 'success' | 'processing' | 'warning' | 'error' | null

export interface ColumnModel {
  id: string
  title: string
  /** Absent when the column is an expression. */
  field?: PageField
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
  /** The viewer may change its values where they stand, in rows that he may change. */
  edit?: true
  source: Source
}

export interface FilterModel {
  id: string
  title: string
  field: PageField
  /** What is compared: one name, or two for one step through a reference. */
  path: readonly string[]
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
  where: Evaluate<readonly QueryWhere[]>
  sort?: readonly QuerySort[]
  count: boolean
  /** Ids of columns that the tab shows though they are hidden elsewhere, and the other way round. */
  show?: readonly string[]
  hide?: readonly string[]
  layout?: ListLayout
  group?: string
}

export type ListLayout = 'table' | 'board' | 'calendar'

/** A list as cards below the values of a field. */
export interface BoardModel {
  field: PageField
  /** The values, in the order of the dictionary. */
  columns: readonly { code: string; label: string; color?: string }[]
}

/** A list as entries on the days of a month. */
export interface CalendarModel {
  /** The day or moment of a row. */
  field: PageField
}

/** The part of a list that also stands inside details. */
export interface ListBodyModel {
  entity: string
  entityLabel: string
  /** Base path of the entity's calls, e.g. /v2/crm/customer. */
  path: string
  calls: {
    query: CallModel
    export: CallModel
    importPreview?: CallModel
    importCommit?: CallModel
    /** Counts and sums the rows of the list; absent where the list asks a call of its own. */
    aggregate?: CallModel
  }
  view?: string
  where: Evaluate<readonly QueryWhere[]>
  /** Names of the fields that the fixed conditions of the list and of its tabs compare. */
  compared: readonly string[]
  views: readonly ListViewModel[]
  columns: readonly ColumnModel[]
  filters: readonly FilterModel[]
  /** The lines of the records, which an export may take along. */
  lines?: PageField
  /** A field of the entity that may be compared though the list has no filter for it; undefined when there is none for the viewer. */
  further(field: string): FilterModel | undefined
  /** Labels of the fields that the quick keyword searches; empty = no keyword box. */
  keyword: readonly string[]
  sort: readonly QuerySort[]
  pageSize: number
  /** pages: page numbers; more: rows are added below on demand. */
  paging: 'pages' | 'more'
  rowKey: string
  /** How the rows are seen at first. */
  layout: ListLayout
  board?: BoardModel
  calendar?: CalendarModel
  /** Name of the field that the rows of the table are grouped by at first. */
  group?: string
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

export interface ListModel extends PageHead {
  kind: 'list'
  body: ListBodyModel
}
