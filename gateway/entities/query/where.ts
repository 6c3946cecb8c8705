import type { QueryWhere } from '../../../src/schema/model'
import { DEEPEST_GROUP, groupOf, leavesOf, MOST_CONDITIONS } from '../../../src/schema/where'
import type { Locale } from '../../platform/http'
import { allOf, anyOf, type Clause } from '../clause'
import { badRequest } from '../errors'
import { conditionSql, type QueriedTable } from './condition'

/** A condition, or a group of them, as SQL. @throws ServiceError 10010001 as for conditions, and for a group of nothing */
export function termSql(queried: QueriedTable, term: QueryWhere): Clause {
  const group = groupOf(term)
  if (!group) return conditionSql(queried, term as Exclude<typeof term, { or: unknown } | { and: unknown }>)
  const { any, terms, word } = group
  if (!Array.isArray(terms) || terms.length === 0 || Object.keys(term).length > 1) {
    throw badRequest(
      queried.locale,
      {
        zh: `条件组须只写“${word}”，其中至少有一个条件。`,
        en: `A group of conditions says "${word}" alone, with at least one condition in it.`,
      },
      'where',
    )
  }
  const clauses = terms.map((each) => termSql(queried, each))
  return any ? anyOf(clauses) : allOf(clauses)
}

/** @throws ServiceError 10010001 for what is no condition, and for more conditions, or deeper groups, than a query may have */
export function checkWhere(locale: Locale, where: readonly QueryWhere[]): void {
  if (!areTerms(where, 0))
    throw badRequest(
      locale,
      {
        zh: `条件须是 { field, operator, value }，或 { or: [...] }、{ and: [...] }，最多嵌套 ${DEEPEST_GROUP} 层。`,
        en: `Conditions are { field, operator, value }, { or: [...] } or { and: [...] }, at most ${DEEPEST_GROUP} groups inside one another.`,
      },
      'where',
    )
  if (leavesOf(where).length > MOST_CONDITIONS) {
    throw badRequest(
      locale,
      { zh: `条件过多，最多 ${MOST_CONDITIONS} 个。`, en: `Too many conditions; at most ${MOST_CONDITIONS}.` },
      'where',
    )
  }
}

/** What a request gives below the first group is looked at here alone. */
function areTerms(terms: unknown, depth: number): boolean {
  if (!Array.isArray(terms) || depth > DEEPEST_GROUP) return false
  return terms.every((term: unknown) => {
    if (typeof term !== 'object' || term === null) return false
    const { or, and } = term as { or?: unknown; and?: unknown }
    if (or !== undefined && and !== undefined) return false
    return (or === undefined && and === undefined) || areTerms(or ?? and, depth + 1)
  })
}
