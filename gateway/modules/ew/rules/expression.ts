import {
  compileExpression,
  ExpressionError,
  FUNCTIONS,
  rootsOf,
  type CompiledExpression,
  type FunctionSpec,
  type FunctionTable,
} from '../../../../src/schema/expression'
import type { Sample } from './windows'

/** What a condition of a rule reads: value, base, samples, dimensions, and the other indicator. */
export const ROOTS = ['v', 'b', 'n', 'dims', 'a', 'c', 'hour', 'weekday'] as const

/** What a condition is asked with: the sample, those before it (oldest first), and what stands beside it. */
export interface Asked {
  sample: Sample
  before: readonly Sample[]
  dims: Readonly<Record<string, string>>
  other?: Pick<Sample, 'value' | 'base' | 'samples'> | undefined
  hour: number
  weekday: number
}

export type Condition = (asked: Asked) => boolean

/** The values that the functions of a condition go back over, the newest last: set while one is asked. */
let values: readonly number[] = []
const recent = (given: unknown): readonly number[] => values.slice(-Math.max(1, Number(given) || 1))
const numeric = (given: unknown): number => (given === null || given === undefined ? NaN : Number(given))

function spec(
  name: string,
  signature: string,
  arity: readonly [number, number],
  run: (...given: unknown[]) => unknown,
): FunctionSpec {
  return { name, signature, arity, run: (_, given) => run(...given) }
}

const over = (name: string, of: (some: readonly number[]) => number): FunctionSpec =>
  spec(name, `${name}(k)`, [1, 1], (k) => of(recent(k)))

const OWN: readonly FunctionSpec[] = [
  over('lastAvg', (some) => some.reduce((sum, one) => sum + one, 0) / some.length),
  over('lastMin', (some) => Math.min(...some)),
  over('lastMax', (some) => Math.max(...some)),
  over('lastSum', (some) => some.reduce((sum, one) => sum + one, 0)),
  over('lastCount', (some) => some.length),
  over('trend', (some) => slope(some)),
  spec('delta', 'delta(v, b)', [2, 2], (v, b) => finite(numeric(v) - numeric(b))),
  spec('pct', 'pct(v, b)', [2, 2], (v, b) => finite(((numeric(v) - numeric(b)) / Math.abs(numeric(b))) * 100)),
]
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Change of a value from one sample to the next, by least squares. */
function slope(some: readonly number[]): number {
  const middle = (some.length - 1) / 2
  const mean = some.reduce((sum, one) => sum + one, 0) / some.length
  const spread = some.reduce((sum, _, index) => sum + (index - middle) ** 2, 0)
  return spread === 0 ? 0 : some.reduce((sum, one, index) => sum + (index - middle) * (one - mean), 0) / spread
}

const TABLE: FunctionTable = new Map([...FUNCTIONS, ...OWN.map((own) => [own.name, own] as const)])

/** A condition that is ready to be asked. @throws ExpressionError for one that cannot be read, or names what is not there */
export function conditionOf(text: string): Condition {
  const compiled = compileExpression(text, { inner: true, roots: ROOTS, functions: TABLE })
  const roots = new Set(rootsOf(compiled.expression))
  return (asked) => ask(compiled, roots, asked)
}

function ask(
  compiled: CompiledExpression,
  roots: ReadonlySet<string>,
  { sample, before, dims, other, hour, weekday }: Asked,
): boolean {
  // nothing is judged by what is not known
  if (sample.quality !== 'ok' || (roots.has('b') && sample.base === null) || (roots.has('c') && other === undefined)) return false
  values = [...before.filter(({ quality }) => quality === 'ok').map(({ value }) => value), sample.value]
  const a = { v: sample.value, b: sample.base, n: sample.samples }
  const c = other && { v: other.value, b: other.base, n: other.samples }
  try {
    return compiled({ ...a, dims, a, c, hour, weekday }) === true
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

/** What is wrong with a condition, in words; null where nothing is. */
export function problemOf(text: string): string | null {
  try {
    conditionOf(text)
    return null
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}
