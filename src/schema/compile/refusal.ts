import { pointer } from '../diagnosis'
import { parseExpression, rootsOf } from '../expression'
import type { EntityField, Transition } from '../generated/entity'
import type { Evaluate, Scope } from '../model'
import type { Compilation } from './context'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields of the entity that an expression reads. */
function fieldsRead(text: string, fields: ReadonlyMap<string, EntityField>): string[] {
  const parsed = parseExpression(text)
  return parsed.ok ? rootsOf(parsed.expression).filter((name) => fields.has(name)) : []
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
  const roots = [...names, 'user', 'today', 'now', 'locale']
  const dictionary = fields.get(state)?.['x-dictionary']
  const when = transition.when === undefined ? undefined : compilation.expression(transition.when, pointer(at, 'when'), roots)
  const otherwise = transition.otherwise
    ? compilation.text(transition.otherwise)
    : compilation.say(`现在不能${label}`, `${label} is not possible now`)
  const read = transition.when === undefined ? [] : fieldsRead(transition.when, fields)

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
    if (!when || read.some((name) => !Object.hasOwn(record, name))) return null
    const { user, today, now: clock, locale } = scope
    try {
      return when({ ...record, user, today, now: clock, locale }) ? null : otherwise
    } catch {
      return null
    }
  }
}
