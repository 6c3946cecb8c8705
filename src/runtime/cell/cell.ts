import type { ReactNode } from 'react'
import type { Evaluate, PageField, Scope, Source, Tone } from '../../schema/model'
import type { Host } from '../../headless/host'
import type { Refs, Row } from '../../headless/row'

/** What columns of a list and items of a detail have in common. */
export interface CellItem {
  id: string
  title: string
  field?: PageField
  path: readonly string[]
  value?: Evaluate<unknown>
  cell: string
  props?: Readonly<Record<string, unknown>>
  open?: Evaluate<string>
  tone?: Evaluate<Tone>
  tooltip?: Evaluate<string>
  source: Source
}

/** What a cell may read besides its value and row. One object for all rows of an answer. */
export interface CellContext {
  host: Host
  scope: Scope
  refs: Refs
  /** Milliseconds since 1970 on the server's clock: relative times of one answer are counted from one moment. */
  now: number
  /** All entries of a value with many, not a few and how many more. */
  whole?: boolean
  /** Changes when names that formats need have come (useReadyFormats). */
  formats?: number
}

/**
 * Draws one value. A plain function, never a component with state: a list calls it for each row and column.
 * `value` is never empty; the dash for nothing is drawn before a cell is asked.
 */
export type Cell = (value: unknown, row: Row, context: CellContext, item: CellItem) => ReactNode

const cells = new Map<string, Cell>()

/** Adds a cell by name. A name that is taken is refused, because pages would change without a word. */
export const registerCell = (name: string, cell: Cell): void => {
  if (cells.has(name)) throw new Error(`The cell "${name}" is registered already. Give the new one another name.`)
  cells.set(name, cell)
}

/** The cell of a name; undefined when nobody registered it. */
export const findCell = (name: string): Cell | undefined => cells.get(name)

/** Names of all registered cells. */
export const cellNames = (): string[] => [...cells.keys()]
