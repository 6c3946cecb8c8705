import type { ActionModel, CallModel, Source } from './action'
import type { Evaluate, PageField } from './field'
import type { ListBodyModel, Tone } from './list'
import type { PageHead } from './page'

export interface FieldItemModel {
  id: string
  title: string
  field?: PageField
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
/** What the list of a tab says among what is related to the record. */
export interface RelatedModel {
  /** What a row is called; without it no row is shown. */
  title?: PageField
  state?: PageField
  /** An amount of each row, added up over all of them. */
  amount?: PageField
  /** The first rows are shown: those with the state in one of these codes, or all of them where they say how to reach somebody. */
  rows?: { field: string; codes: readonly string[] } | 'all'
  /** Phone numbers and addresses of mail of the person that a row is; none of other rows. */
  reach: readonly PageField[]
}
/** A form that is always open, for the next row of a list; who may not add one has none. */
export interface EntryModel {
  /** Name of the form page. */
  form: string
  /** The action of the list whose values and conditions hold for it too. */
  action: ActionModel
  values: Evaluate<Record<string, unknown>>
}
export interface TabModel {
  id: string
  title: string
  visible: Evaluate<boolean>
  count: boolean
  /** Its rows are a log: with others like it, it stands in one tab. */
  log: boolean
  /** Its rows stand in the timeline of the record. */
  timeline: boolean
  /** The box at the head of the timeline in which its next row is written. */
  entry?: EntryModel
  related?: RelatedModel
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
  /** Fields without a value are folded away where there are several. */
  fold: boolean
  /** People and lists that belong to the record stand beside it. */
  related: boolean
  attachments?: PageField
  editForm?: string
  /** Route of the list that records of this page come from. */
  list?: string
  /** The viewer may bring a deleted record back. */
  restorable: boolean
  /** Fields of the entity by name: the timeline shows before and after with them. */
  fields: Readonly<Record<string, PageField>>
}
