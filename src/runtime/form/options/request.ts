import type { Field } from '@formily/core'
import { dependencies, isExpression, parseExpression } from '../../../schema/expression'
import type { OptionsModel } from '../../../schema/model'
import { queryOf } from '../../../schema/where'
import { toRequest } from '../../../headless/call'
import type { HostRequest } from '../../../headless/host'
import { evaluateIn } from '../../../headless/form/expressions'

/** What is asked for, or the field that has to be filled in before anything can be. */
export type Asked = { request: HostRequest } | { missing: string }

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** The roots of the expressions of a field, as Formily gives them; what none reads is not looked up. */
export const scopeOf = (field: Field, given: Readonly<Record<string, unknown>>): object => ({
  ...given,
  $self: field,
  $form: field.form,
  $values: field.form.values,
  $lookup: field.form.values,
  get $record() {
    return field.record as unknown
  },
  get $records() {
    return field.records as unknown
  },
  get $index() {
    return field.index
  },
})

/** A value with the expressions in it worked out. */
const worked = (value: unknown, scope: object): unknown => {
  if (typeof value === 'string') return isExpression(value) ? evaluateIn(value, scope) : value
  if (Array.isArray(value)) return value.map((one) => worked(one, scope))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, worked(one, scope)]))
}

const FORM_ROOTS = /^\$(?:form\.values|values|lookup|record)\.(.+)$/

/** Titles of the fields that an expression reads and that are empty, nearest first; undefined when it reads nothing of the form. */
const titleOfMissing = (text: unknown, field: Field): string | undefined => {
  const parsed = isExpression(text) ? parseExpression(text) : undefined
  const read = parsed?.ok ? dependencies(parsed.expression).filter((path) => path.startsWith('$')) : []
  if (read.length === 0) return undefined
  for (const path of read) {
    const name = FORM_ROOTS.exec(path)?.[1]
    if (name === undefined) continue
    const own = path.startsWith('$record.')
    const base = own ? field.path.parent().toString() : ''
    const source = field.query(base ? `${base}.${name}` : name).take()
    if (source && 'value' in source && isEmpty(source.value)) return String(source.title ?? name)
  }
  return ''
}

/** The request of a field as the form stands. Reading it makes a reaction follow what the expressions read. */
export const askedBy = ({ from, optional, most }: OptionsModel, field: Field, scope: object): Asked | null => {
  let missing: string | undefined
  /** Whether a value may go; what is empty is left out, or keeps everything waiting. */
  const takes = (name: string, text: unknown, value: unknown): boolean => {
    if (!isEmpty(value)) return true
    if (!optional.includes(name)) missing ??= titleOfMissing(text, field)
    return false
  }
  if (from.type === 'entity') {
    const where = queryOf(from.where, (condition) => {
      const { field: name, operator = 'eq', value: text } = condition
      if (text === undefined) return { field: name, operator }
      const value = worked(text, scope)
      return takes(name, text, value) ? { field: name, operator, value } : null
    })
    if (missing !== undefined) return { missing }
    const body = {
      ...(where.length > 0 ? { where } : {}),
      ...(from.sort.length > 0 ? { sort: from.sort } : {}),
      pageSize: most,
    }
    return { request: { ...from.call, body } }
  }
  if (from.type !== 'call') return null
  const params = Object.entries(from.params).flatMap(([name, text]) => {
    const value = worked(text, scope)
    return takes(name, text, value) ? [[name, value] as const] : []
  })
  return missing === undefined ? { request: toRequest(from.call, Object.fromEntries(params)) } : { missing }
}
