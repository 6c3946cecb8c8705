import type { Evaluate, PageField } from './field'

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
  | {
      type: 'open'
      address: Evaluate<string>
      newWindow: boolean
      /** The page is shown beside the list of the row. */
      beside?: true
    }
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
  icon?: string
  /** Shown when it is done. */
  success?: string
  field: string
  from: readonly string[]
  /** Without it the record keeps its state. */
  to?: string
  /** By the state before it: the transition that takes it back by one click. */
  undo?: Readonly<Record<string, string>>
  danger: boolean
  confirm?: string
  fields: readonly PageField[]
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
