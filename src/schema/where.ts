import type { FilterOperator, QueryCondition, QueryWhere } from './model'

/** A condition as a document says it. */
export interface Condition {
  field: string
  operator?: FilterOperator
  value?: unknown
}

/** A term of a document or of a query: a condition, or a group of terms. */
interface Node {
  field?: string
  operator?: FilterOperator
  value?: unknown
  or?: readonly Node[]
  and?: readonly Node[]
}
type Nodes = readonly Node[] | undefined

/** Groups inside one another, and conditions in all, that one query may have. */
export const DEEPEST_GROUP = 4
export const MOST_CONDITIONS = 50

/** The terms of a group, and whether one of them is enough; undefined for a condition. */
export function groupOf<Term extends object>(
  term: Term,
): { any: boolean; terms: readonly Term[]; word: 'or' | 'and' } | undefined {
  const { or, and } = term as { or?: readonly Term[]; and?: readonly Term[] }
  if (or !== undefined) return { any: true, terms: or, word: 'or' }
  return and === undefined ? undefined : { any: false, terms: and, word: 'and' }
}

/** It is no group. */
export const isCondition = (term: QueryWhere): term is QueryCondition => groupOf(term) === undefined

/** The conditions of all groups with the JSON pointer of each. */
export function conditionsIn(where: Nodes, at = ''): { condition: Condition; at: string }[] {
  return (where ?? []).flatMap((term, index) => {
    const here = `${at}/${index}`
    const group = groupOf(term)
    if (group) return conditionsIn(group.terms, `${here}/${group.word}`)
    return term.field === undefined ? [] : [{ condition: { ...term, field: term.field }, at: here }]
  })
}

/** The conditions of all groups, one after the other. */
export const leavesOf = (where: Nodes): Condition[] => conditionsIn(where).map(({ condition }) => condition)

/** How many groups stand inside one another. */
export function depthOf(where: Nodes): number {
  return Math.max(0, ...(where ?? []).map((term) => (groupOf(term) ? 1 + depthOf(groupOf(term)!.terms) : 0)))
}

/** The same groups with conditions of a query; those that became null are left out, and with the last one their group. */
export function queryOf(
  where: Nodes,
  condition: (condition: Condition, at: string) => QueryCondition | null,
  at = '',
): QueryWhere[] {
  return (where ?? []).flatMap((term, index): QueryWhere[] => {
    const here = `${at}/${index}`
    const group = groupOf(term)
    if (group) {
      const terms = queryOf(group.terms, condition, `${here}/${group.word}`)
      if (terms.length === 0) return []
      return [group.any ? { or: terms } : { and: terms }]
    }
    const made = term.field === undefined ? null : condition({ ...term, field: term.field }, here)
    return made === null ? [] : [made]
  })
}

/**
 * Whether rows with this value of a field may meet the conditions, by those that name the field itself and outside of groups. What an
 * expression says is not known here.
 */
export function mayHave(where: Nodes, field: string, value: string): boolean {
  return (where ?? []).every((term) => {
    const values: readonly unknown[] = Array.isArray(term.value) ? term.value : [term.value]
    if (term.field !== field || values.some(isExpression)) return true
    switch (term.operator ?? 'eq') {
      case 'eq':
      case 'in':
        return values.includes(value)
      case 'ne':
      case 'notIn':
        return !values.includes(value)
      default:
        return true
    }
  })
}

const isExpression = (value: unknown): boolean => typeof value === 'string' && value.includes('{{')
