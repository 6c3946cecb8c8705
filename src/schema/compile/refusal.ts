import { pointer } from '../diagnosis'
import { dependencies, isExpression, parseExpression } from '../expression'
import { exactFields } from '../entity'
import type { EntityField, Transition } from '../generated/entity'
import type { Evaluate, Scope } from '../model'
import type { Compilation } from './context'

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const AROUND: readonly string[] = ['user', 'today', 'now', 'locale']

/** The fields that an expression reads; undefined where it reads what no row has: look-ups, inputs, what is behind a reference. */
function fieldsRead(text: string, fields: ReadonlyMap<string, EntityField>): string[] | undefined {
  const parsed = parseExpression(text)
  const paths = (parsed.ok ? dependencies(parsed.expression) : []).map((path) => path.split('.'))
  const read = paths.filter(([root = '']) => !AROUND.includes(root))
  const known = read.every(([root = '', next]) => fields.has(root) && !(next && fields.get(root)!['x-ref']))
  return known ? read.map(([root = '']) => root) : undefined
}

/**
 * Says why a transition is not possible for `row` (in lists) or `record` (on detail pages), or null when it is.
 * It is a courtesy to the viewer: the gateway decides again. Where it cannot tell (several rows, fields that are hidden
 * from the viewer) it says nothing and leaves the answer to the gateway.
 */
export const makeRefusal = (
  compilation: Compilation,
  fields: ReadonlyMap<string, EntityField>,
  state: string,
  transition: Transition,
  at: string,
): Evaluate<string | null> => {
  const label = compilation.text(transition.label)
  const names = [...fields.keys()]
  const roots = [...names, ...AROUND]
  const dictionary = fields.get(state)?.['x-dictionary']
  const refusals = (transition.refuse ?? []).flatMap(({ when, message }, index) => {
    const read = fieldsRead(when, fields)
    // a sentence with figures is the gateway's as well
    if (!read || isExpression(message.zh) || isExpression(message.en)) return []
    return {
      read,
      holds: compilation.expression(when, pointer(at, 'refuse', index, 'when'), roots),
      message: compilation.text(message),
    }
  })

  const wrongState = (now: unknown): string => {
    const code = String(now)
    const shown =
      (dictionary === undefined
        ? undefined
        : compilation.dictionary(dictionary)?.find((option) => option.code === code)?.label) ?? code
    return compilation.say(`当前为“${shown}”，不能${label}`, `${label} is not possible while it is "${shown}"`)
  }

  return (scope: Scope) => {
    const record = scope.row ?? scope.record
    if (!isRecord(record)) return null
    const now = record[state]
    if (now !== undefined && now !== null && !transition.from.includes(String(now))) return wrongState(now)
    const { user, today, now: clock, locale } = scope
    const known = refusals.filter(({ read }) => read.every((name) => Object.hasOwn(record, name)))
    if (known.length === 0) return null
    try {
      const read = { ...exactFields(fields, record), user, today, now: clock, locale }
      return known.find(({ holds }) => holds?.(read))?.message ?? null
    } catch {
      return null
    }
  }
}
