import type { CallModel } from './action'
import type { Evaluate, PageField } from './field'
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
    /** It destroys or gives away something. */
    danger?: boolean
  }
  draft: boolean
  readPretty: boolean
}
