import type { FormModel, Scope } from '../../schema/model'
import type { Failure } from '../../headless/failure'
import type { Host } from '../../headless/host'
import type { Row } from '../../headless/row'
import type { BulkOutcome } from './outcome'
import { actionTexts } from './texts'

/** A form to open over the page. */
export interface FormRequest {
  form: string | FormModel
  /** inline: below the row that it is about; a screen without rows opens a drawer instead. */
  container: 'drawer' | 'modal' | 'inline'
  /** Key of that row. */
  rowKey?: string
  values: Readonly<Record<string, unknown>>
  title: string
  /** A sentence above the fields, e.g. what a transition brings with it. */
  lead?: string
}

/** What an action needs from the screen that it runs on. */
export interface ActionScreen {
  /** Opens a form (a page by name, or one made here); resolves with the answer of its call, or undefined when it was cancelled. */
  openForm(request: FormRequest): Promise<unknown>
  showOutcome(label: string, outcome: BulkOutcome, rows: readonly Row[]): void
  showFailure(label: string, failure: Failure): void
  startExport?(): void
  startImport?(): void
  /** The screen can show a form below a row. */
  inRows?: boolean
}

/** On what an action runs. */
export interface ActionTarget {
  host: Host
  /** Roots of the expressions, with row, rows and record. */
  scope: Scope
  /** Base path of the entity's calls; absent on pages without an entity. */
  path?: string
  entityLabel: string
  /** none: an action of the page; one: of a row or record; many: of the selection. */
  amount: 'none' | 'one' | 'many'
  rows: readonly Row[]
  /** Ids of all rows, also of those that are selected but not loaded. */
  ids(): Promise<readonly string[]>
  titleOf(row: Row): string
  /** Deleted records can be brought back. */
  restorable: boolean
  /** Form page of the edit operation. */
  editForm?: string
  screen: ActionScreen
  reload(): void | Promise<void>
}

/** What it runs on, in words: the one row, or how many. */
export const aboutWhat = (target: ActionTarget, count: number): string => {
  const first = target.rows[0]
  if (target.amount === 'one' && first) return target.titleOf(first)
  return actionTexts[target.host.locale].many(count)
}
