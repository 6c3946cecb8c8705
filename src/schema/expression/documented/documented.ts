import type { BilingualText } from '../../problem'

export interface FunctionExample {
  expression: string
  scope?: Record<string, unknown>
  result: unknown
}

/** What people read of a listed function. */
export interface FunctionDocumentation {
  group: 'list' | 'text' | 'number' | 'date' | 'environment' | 'value'
  summary: BilingualText
  /** Each is a unit test. `result` is compared by structure. */
  examples: readonly FunctionExample[]
}

export type DocumentedFunctions = Readonly<Record<string, FunctionDocumentation>>
