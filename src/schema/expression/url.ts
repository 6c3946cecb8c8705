/** Addresses with values in them: every value is encoded, so that data can never become another path, query or site. */
import type { Environment } from './call'
import { DEFAULT_ENVIRONMENT } from './call'
import { compileExpression, type CompileOptions } from './evaluate'
import { NOWHERE, problemAt } from './problem'
import { View } from './values'

export type CompiledUrl = (scope: object, environment?: Environment) => string

/**
 * `"/crm/x?id={{ row.id }}"` -> function of the scope. Values are percent-encoded one by one, lists joined with commas,
 * nothing becomes ''. A text that is one whole `{{ }}` gives the address itself, unencoded: the caller decides whether it
 * may be opened. Throws `ExpressionError`, also for a value that is a whole path segment `.` or `..`.
 */
export function compileUrl(text: string, options: CompileOptions = {}): CompiledUrl {
  const compiled = compileExpression(text, options)
  const { kind, node } = compiled.expression
  if (kind !== 'template' || node.type !== 'template') {
    return (scope, environment) => {
      const value = compiled(scope, environment)
      if (value === null || value === undefined) return ''
      if (typeof value === 'string') return value
      throw unsafe('地址须是文本。', 'An address has to be a text.')
    }
  }
  const { texts } = node
  const values = node.values.map((value) => compileExpression(text.slice(value.start, value.end), { ...options, inner: true }))
  return (scope, environment = DEFAULT_ENVIRONMENT) => {
    let address = texts[0]!
    values.forEach((value, index) => {
      const encoded = encode(value(scope, environment))
      const rest = texts[index + 1]!
      if (isDots(encoded, address, rest))
        throw unsafe(`地址中不能插入“${encoded}”。`, `"${encoded}" cannot be put into an address.`)
      address += encoded + rest
    })
    return address
  }
}

/** Compiles (or remembers) and fills in at once. */
export function interpolateUrl(text: string, scope: object, environment?: Environment): string {
  return compileUrl(text)(scope, environment)
}

function encode(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(encode).join(',')
  if (typeof value === 'object' || value instanceof View)
    throw unsafe('地址中不能插入对象。', 'An object cannot be put into an address.')
  try {
    return encodeURIComponent(String(value))
  } catch {
    throw unsafe('地址中的文本含有无效字符。', 'The text for the address has invalid characters.')
  }
}

/** Browsers fold `/a/../b` into `/b`, encoded or not. */
function isDots(encoded: string, before: string, after: string): boolean {
  if (before.includes('?') || before.includes('#')) return false
  const segment = before.slice(before.lastIndexOf('/') + 1) + encoded + (/^[^/?#]*/.exec(after)?.[0] ?? '')
  return segment === '.' || segment === '..'
}

function unsafe(zh: string, en: string): Error {
  return problemAt(NOWHERE, 'unsafe-address', { zh, en })
}
