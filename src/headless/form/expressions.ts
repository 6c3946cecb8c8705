import { Schema } from '@formily/json-schema'
import { createFormilyCompiler, DEFAULT_ENVIRONMENT } from '../../schema/expression'
import type { Environment } from '../../schema/expression'

/** The world around the expressions of one form, and who hears of those that fail. */
export interface FormWorld extends Environment {
  onFailure(error: unknown, expression: string): void
}

const NOWHERE: FormWorld = { ...DEFAULT_ENVIRONMENT, onFailure: () => {} }

// No expression can name a symbol: the world is there for the compiler alone.
const WORLD = Symbol('world of a form')

const isWorld = (value: unknown): value is FormWorld => typeof value === 'object' && value !== null && 'onFailure' in value

const worldIn = (scope: unknown): FormWorld => {
  const found: unknown = typeof scope === 'object' && scope !== null ? Reflect.get(scope, WORLD) : undefined
  return isWorld(found) ? found : NOWHERE
}

/** The scope of a form with its world in it: Formily hands it to the compiler at each call, also of reactions that run later. */
export const scopeIn = (
  world: FormWorld | undefined,
  scope: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => (world ? { ...scope, [WORLD]: world } : scope)

/** A failing expression answers undefined: "leave it as it is". */
const onError = (error: unknown, expression: string, scope: unknown): undefined => {
  worldIn(scope).onFailure(error, expression)
  return undefined
}

/** What a text with expressions says in a scope of the form; undefined when it fails. */
export const evaluateIn = createFormilyCompiler(worldIn, { whole: true, onError })

/**
 * Formily has one compiler for all forms. It is ours from the moment this module is loaded, so that Formily's own
 * (`new Function`) is never reached.
 */
export const registerExpressions = (): void => Schema.registerCompiler(createFormilyCompiler(worldIn, { onError }))

registerExpressions()
