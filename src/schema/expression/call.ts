/** What a listed function gets to know of the evaluation that calls it. */
import type { Exact } from '../formats/decimal'
import type { Locale } from '../problem'

/**
 * The world around an expression. The browser gives the signed-in person's; the gateway the caller's.
 * Where `can` or `dictionaryLabel` is missing, expressions that call them fail with a clear sentence.
 */
export interface Environment {
  locale: Locale
  /** IANA name, e.g. `Asia/Shanghai`: calendar days are counted in it. */
  timeZone: string
  /** Has the person this permission key? */
  can?: (key: string) => boolean
  /** The label of a code in a dictionary in the environment's locale; `undefined` when there is none. */
  dictionaryLabel?: (dictionary: string, code: string) => string | undefined
  /**
   * What one unit of a currency is worth in another on a day, by a kind of rate; undefined when no rate says so, null where that is not known
   * yet: nothing is converted for now.
   */
  exchangeRate?: (from: string, to: string, day: string, kind: string) => Exact | null | undefined
}

export const DEFAULT_ENVIRONMENT: Environment = { locale: 'zh', timeZone: 'UTC' }

/** An arrow function of the expression, bound to its evaluation. */
export type Lambda = (...values: unknown[]) => unknown

export interface Call {
  readonly environment: Environment
  /** An `Amount` was read or made: the result may hold some. */
  exact: boolean
  /** Pays for work that grows with data. Throws `ExpressionError` when the evaluation has had its share. */
  charge(steps: number): void
}

/** One row of the table of functions; what people read of it stands in `documented/`. */
export interface FunctionSpec {
  name: string
  /** As people read it: `round(value, digits = 0)`. */
  signature: string
  /** How many arguments it takes. */
  arity: readonly [least: number, most: number]
  /** Which argument is an arrow function, counted from 0. */
  lambda?: number
  run: (call: Call, given: readonly unknown[]) => unknown
  /** Told when an expression that calls it is compiled. */
  want?: () => void
}

export type FunctionTable = ReadonlyMap<string, FunctionSpec>
