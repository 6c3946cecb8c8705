/** Text -> function, remembered: the way in for everybody who evaluates. */
import { withoutAmounts } from './amount'
import { checkNames, dependencies, refuse } from './analyse'
import type { Expression } from './ast'
import { DEFAULT_ENVIRONMENT, type Environment, type FunctionTable } from './call'
import { compileNode } from './compile'
import { Frame, type Run } from './frame'
import { FUNCTIONS } from './functions'
import { parseExpression, parseInner, type ParseResult } from './parse'
import { joinPaths } from './paths'
import { ExpressionError, locate, NOWHERE } from './problem'

/** An expression that is ready to run. Calling it throws only `ExpressionError`. */
export interface CompiledExpression {
  (scope: object, environment?: Environment): unknown
  readonly text: string
  readonly expression: Expression
  /** See `dependencies`. */
  readonly dependencies: readonly string[]
}

export interface CompileOptions {
  /** Names that the place gives; unknown names are refused when it is there. */
  roots?: readonly string[]
  /** Instead of the listed functions. */
  functions?: FunctionTable
  /** The text has no braces: it is what Formily found inside them. */
  inner?: boolean
  /** Which dotted paths the place gives as one name (`joinPaths`); what is compiled with it is not remembered here. */
  paths?: (path: string) => boolean
}

/** How many texts stay compiled; the one unused for longest is forgotten first. */
const CACHE_SIZE = 2_000

class Recent<V> {
  private readonly entries = new Map<string, V>()

  get(key: string): V | undefined {
    const value = this.entries.get(key)
    if (value !== undefined) {
      this.entries.delete(key)
      this.entries.set(key, value)
    }
    return value
  }

  set(key: string, value: V): void {
    this.entries.set(key, value)
    if (this.entries.size <= CACHE_SIZE) return
    const oldest = this.entries.keys().next()
    if (!oldest.done) this.entries.delete(oldest.value)
  }
}

const outer = new Recent<CompiledExpression>()
const inner = new Recent<CompiledExpression>()

/**
 * Compiles a text of a schema into `(scope, environment) => value`, remembered by text.
 * Throws `ExpressionError` for a text that does not parse or calls something that is not there.
 */
export function compileExpression(text: string, options: CompileOptions = {}): CompiledExpression {
  const { roots, functions = FUNCTIONS } = options
  const cache = options.inner ? inner : outer
  if (options.paths) return compilePaths(text, options.paths, options)
  const known = functions === FUNCTIONS ? cache.get(text) : undefined
  const compiled = known ?? make(text, options.inner ? parseInner(text) : parseExpression(text), functions)
  if (!known && functions === FUNCTIONS) cache.set(text, compiled)
  if (roots) refuse(checkNames(compiled.expression, { roots, functions }), text)
  return compiled
}

function compilePaths(
  text: string,
  paths: (path: string) => boolean,
  { roots, functions = FUNCTIONS }: CompileOptions,
): CompiledExpression {
  const parsed = parseExpression(text)
  const joined: ParseResult = parsed.ok ? { ...parsed, expression: joinPaths(parsed.expression, paths) } : parsed
  const compiled = make(text, joined, functions)
  const known = [...new Set([...(roots ?? []), ...compiled.dependencies.filter(paths)])]
  if (roots) refuse(checkNames(compiled.expression, { roots: known, functions }), text)
  return compiled
}

/** Compiles (or remembers) and runs at once. */
export function evaluate(text: string, scope: object, environment?: Environment): unknown {
  return compileExpression(text)(scope, environment)
}

function make(text: string, parsed: ParseResult, functions: FunctionTable): CompiledExpression {
  if (!parsed.ok) throw new ExpressionError(parsed.problem, text)
  const { expression } = parsed
  refuse(checkNames(expression, { functions }), text)
  const run = compileNode(expression.node, functions)
  const compiled = (scope: object, environment = DEFAULT_ENVIRONMENT) => runSafely(run, new Frame(scope, environment), text)
  return Object.freeze(Object.assign(compiled, { text, expression, dependencies: Object.freeze(dependencies(expression)) }))
}

function runSafely(run: Run, frame: Frame, text: string): unknown {
  try {
    const value = run(frame)
    return frame.exact ? withoutAmounts(value) : value
  } catch (error) {
    throw locate(error, NOWHERE, text)
  }
}
