/**
 * The expressions of the schema language: `{{ }}` texts in JavaScript's expression syntax, parsed once, compiled to
 * closures over an allow-list, and run by browser and gateway alike.
 *
 *   parseExpression('{{ row.amount > 100 }}')        -> tree, or what is wrong and where
 *   compileExpression(text, { roots })(scope, env)   -> value; throws only ExpressionError
 *   dependencies / rootsOf / functionsOf / checkNames   what it needs, without running it
 *   compileUrl / interpolateUrl                      -> addresses with encoded values
 *   createFormilyCompiler(env)                       -> for Formily's Schema.registerCompiler
 *
 * Own data members only; no methods, getters, prototypes, assignment or regular expressions; work, depth and output are
 * bounded (`LIMITS`). A member of a list is taken of every item: `rows.id` is the list of ids.
 */
export { Amount, withoutAmounts } from './amount'
export type { Expression, Node } from './ast'
export { checkNames, dependencies, functionsOf, rootsOf, type KnownNames } from './analyse'
export { DEFAULT_ENVIRONMENT, type Environment, type FunctionSpec, type FunctionTable } from './call'
export { compileExpression, evaluate, type CompiledExpression, type CompileOptions } from './evaluate'
export { findForbidden, type ForbiddenCode } from './forbidden'
export { createFormilyCompiler, FORMILY_ROOTS, type FormilyCompiler, type FormilyCompilerOptions } from './formily'
export { FUNCTIONS } from './functions'
export { lacksSeldom, provideSeldom } from './functions/onDemand'
export { isExpression, parseExpression, parseInner, wholeExpression, type ParseResult } from './parse'
export { ExpressionError, type ExpressionProblem, type ExpressionProblemCode } from './problem'
export { compileUrl, interpolateUrl, type CompiledUrl } from './url'
