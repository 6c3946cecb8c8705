/**
 * Formily's expressions (`x-reactions`, `fulfill.state`, `x-visible` ...) through our own evaluation, instead of Formily's
 * `new Function`. Form and fields are class instances full of methods: an expression sees a listed few of their members.
 */
import { rootsOf } from './analyse'
import type { Environment } from './call'
import { compileExpression } from './evaluate'
import { View } from './values'

/** Roots that Formily gives to every expression of a form. Its `$effect`, `$memo`, `$observable`, `$props` are code and left out. */
export const FORMILY_ROOTS: readonly string[] = [
  ...['$self', '$target', '$form', '$values', '$deps', '$dependencies', '$record', '$records', '$index', '$lookup', '$facts'],
]
/** Functions among Formily's scope: never readable. */
const CODE_ROOTS: ReadonlySet<string> = new Set(['$effect', '$memo', '$observable', '$props'])

/** Readable members of a field. */
export const FIELD_MEMBERS: ReadonlySet<string> = new Set([
  ...['value', 'initialValue', 'inputValue', 'title', 'description', 'dataSource', 'required', 'index'],
  ...['visible', 'hidden', 'display', 'pattern', 'editable', 'disabled', 'readOnly', 'readPretty'],
  ...[
    'loading',
    'validating',
    'validateStatus',
    'modified',
    'selfModified',
    'active',
    'visited',
    'mounted',
    'errors',
    'warnings',
    'data',
    'content',
    'componentProps',
    'decoratorProps',
  ],
])
/** Readable members of a form. */
export const FORM_MEMBERS: ReadonlySet<string> = new Set([
  ...['values', 'initialValues', 'valid', 'invalid', 'modified', 'errors', 'warnings'],
  ...['display', 'pattern', 'visible', 'hidden', 'editable', 'disabled', 'readOnly', 'readPretty'],
  ...['loading', 'validating', 'submitting', 'mounted'],
])

/** A field (or a field's state) as expressions see it: `errors` and `warnings` are their messages. */
export function fieldView(field: object): View {
  return new View(FIELD_MEMBERS, (name) => (isMessages(name) ? fieldMessages(field, name) : Reflect.get(field, name)))
}

/** A form as expressions see it. */
export function formView(form: object): View {
  return new View(FORM_MEMBERS, (name) => (isMessages(name) ? messagesOf(Reflect.get(form, name)) : Reflect.get(form, name)))
}

function isMessages(name: string): boolean {
  return name === 'errors' || name === 'warnings'
}

function fieldMessages(field: object, name: string): string[] {
  const own: unknown = Reflect.get(field, name === 'errors' ? 'selfErrors' : 'selfWarnings')
  return messagesOf(own === undefined ? Reflect.get(field, name) : own)
}

/** Formily keeps texts on a field and `{ messages }` on a form. */
function messagesOf(feedbacks: unknown): string[] {
  if (!Array.isArray(feedbacks)) return []
  return feedbacks.flatMap((feedback: unknown): string[] => {
    if (typeof feedback === 'string') return [feedback]
    if (typeof feedback !== 'object' || feedback === null) return []
    const messages: unknown = Reflect.get(feedback, 'messages')
    return Array.isArray(messages) ? messages.filter((message): message is string => typeof message === 'string') : []
  })
}

export interface FormilyCompilerOptions {
  /** The texts have their braces, as documents say them; left out: Formily has taken them off. */
  whole?: boolean
  /** More roots for every form (`user`, `today`, `query` ...); asked at each evaluation. */
  roots?: () => Readonly<Record<string, unknown>>
  /**
   * Told of an expression that fails; what it returns becomes the value. Left out: the error is thrown.
   * Must not throw: Formily runs expressions inside its reactions. The scope is Formily's, as for the environment.
   */
  onError?: (error: unknown, expression: string, scope: unknown) => unknown
}

export type FormilyCompiler = (expression: string, scope: unknown) => unknown

/**
 * For `Schema.registerCompiler`: `(expression, scope) => value`. Reads of `$self`, `$values`, `$deps` go through Formily's
 * observables, so that linkages run again when what they read changes.
 */
export function createFormilyCompiler(
  environment: Environment | ((scope: unknown) => Environment),
  options: FormilyCompilerOptions = {},
): FormilyCompiler {
  const { roots = () => ({}), whole = false, onError } = options
  return (expression, scope) => {
    try {
      const compiled = compileExpression(expression, { inner: !whole })
      const given = resolveRoots(rootsOf(compiled.expression), scope, roots())
      const value = compiled(given, typeof environment === 'function' ? environment(scope) : environment)
      // reckoned with a field that is empty yet, or divided by it: the field stays empty, it does not say NaN
      return typeof value === 'number' && !Number.isFinite(value) ? null : value
    } catch (error) {
      if (onError) return onError(error, expression, scope)
      throw error
    }
  }
}

/** Only what the expression names is read from Formily's scope, whose members are getters. */
function resolveRoots(names: readonly string[], scope: unknown, more: Readonly<Record<string, unknown>>): object {
  const given = Object.create(null) as Record<string, unknown>
  const source = typeof scope === 'object' && scope !== null ? scope : {}
  for (const name of names) {
    if (CODE_ROOTS.has(name)) continue
    if (Object.hasOwn(more, name)) given[name] = more[name]
    else if (name in source && !(name in Object.prototype)) given[name] = asSeen(name, Reflect.get(source, name))
  }
  return given
}

function asSeen(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (name === '$self' || name === '$target') return fieldView(value)
  return name === '$form' ? formView(value) : value
}
