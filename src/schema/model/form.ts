import type { CallModel } from './action'
import type { Evaluate, PageField, QuerySort, QueryWhere } from './field'
import type { PageHead } from './page'

/** A resolved Formily JSON schema node: titles in the locale, $field expanded, x-component set, options filled in. */
export interface FormNodeModel {
  type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'void'
  title?: string
  description?: string
  required?: boolean | string
  default?: unknown
  /** What can be chosen, or an expression that says it. */
  enum?: readonly { label: string; value: unknown }[] | string
  properties?: Readonly<Record<string, FormNodeModel>>
  items?: FormNodeModel
  /** Formily's x- words (x-component, x-component-props, x-reactions, x-validator, x-visible, ...). */
  readonly [word: `x-${string}`]: unknown
  /** The entity field it inherits from. */
  'x-field'?: PageField
  /** Where its choices come from while the form is open. */
  'x-options'?: OptionsModel
}

/** Where the choices of a field come from (`x-options`). Expressions stay texts: the form evaluates them. */
export interface OptionsModel {
  from:
    | { type: 'entity'; entity: string; call: CallModel; where: readonly QueryWhere[]; sort: readonly QuerySort[] }
    | { type: 'call'; call: CallModel; params: Readonly<Record<string, unknown>> }
    /** A list of the form, by its path; with a dot before it, beside the field. */
    | { type: 'rows'; path: string }
    | { type: 'values'; rows: readonly Readonly<Record<string, unknown>>[] }
  /** A member of the row, or an expression over it; absent where rows are single values. */
  label?: string
  /** The member that is stored; absent = what is shown. */
  value?: string
  /** How the member of the label is shown. */
  shown?: PageField
  when?: string
  children?: string
  parent?: string
  /** Fields of conditions, and parameters, that may be empty. */
  optional: readonly string[]
  /** Rows that are asked for at once. */
  most: number
  /** What is typed into the control finds further ones. */
  searches: boolean
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
  /** The record whose fields these are, where the form shows only some of them and does not read it itself. */
  held?: Readonly<Record<string, unknown>>
  submit: {
    call: CallModel
    params?: Evaluate<Record<string, unknown>>
    transition?: string
    label: string
    success: string
    open?: Evaluate<string>
    idempotent: boolean
    /** It destroys or gives away something. */
    danger?: boolean
  }
  /** What expressions read as `$facts`: asked for when one of the fields of `reads` changes. */
  facts?: { call: CallModel; params: Readonly<Record<string, unknown>>; of: readonly string[]; reads: readonly string[] }
  /** Asked when one of these fields is left: whether what is typed is on record already (`x-duplicates`). */
  duplicates?: { call: CallModel; name: string; fields: readonly string[] }
  /** The fields that a new record is begun with; all others stand behind "more", unless they have to be filled. */
  quick?: {
    fields: readonly string[]
    /** The page says so: wherever a new record is made in it. */
    asked: boolean
    /** The field of its name, where somebody may type it. */
    called?: string
  }
  draft: boolean
  readPretty: boolean
}
