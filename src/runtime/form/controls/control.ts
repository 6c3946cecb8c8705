import type { ComponentType } from 'react'
import type { PageField, FormNodeModel } from '../../../schema/model'
import type { Locale } from '../../../schema/problem'

/** One thing that can be chosen. */
export interface Choice {
  label: string
  value: string | number | boolean
  disabled?: boolean
  color?: string
  /** Kept for records that hold it; offered no more. */
  retired?: boolean
}

/** What a control gets. The value is plain data; the control never sees Formily. */
export interface ControlProps {
  /** Id of the element that takes the focus; the label points to it. */
  id: string
  value: unknown
  onChange(value: unknown): void
  onBlur?(): void
  disabled: boolean
  readOnly: boolean
  placeholder: string | undefined
  choices: readonly Choice[]
  /** `x-component-props` of the node. */
  props: Readonly<Record<string, unknown>>
  node: FormNodeModel
  field?: PageField
  /** Where the value lies in the values of the form: neighbours (the currency of an amount) are read from there. */
  path: string
  describedBy: string | undefined
  /** Asked for with the pointer: a list or a calendar opens at once. */
  opened?: boolean
  /** In a cell of a table: small, without a frame. */
  cell?: boolean
}

/** What the text form of a value may look at. */
export interface TextContext {
  locale: Locale
  timeZone: string
  choices: readonly Choice[]
  field?: PageField
  props: Readonly<Record<string, unknown>>
  /** Title of a referenced record, when it is known. */
  title(entity: string, id: string): string | undefined
  /** Value of a neighbouring field (the currency of an amount). */
  sibling(name: string): unknown
}

export interface Control {
  /** The real widget; loaded once, before a form that uses it is drawn (a heavy one: when it is first approached). */
  load(): Promise<{ default: ComponentType<ControlProps> }>
  /** The value as people read it, in one text. Empty = nothing chosen. */
  text(value: unknown, context: TextContext): string
  /** Text from a spreadsheet cell or the clipboard as a value; undefined = it cannot be understood. */
  parse?(text: string, context: TextContext): unknown
  /** Loads late and shows its text until then. */
  heavy?: boolean
  /** Height of the box in pixels while it is text; default one line (32). */
  height?: number
  /** The widget is small (a switch): the box has no frame. */
  bare?: boolean
}
