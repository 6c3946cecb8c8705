import { sql, type SQL } from 'drizzle-orm'

/** A condition of a query: SQL, or known beforehand. `true` and `false` fall away instead of travelling to the database. */
export type Clause = SQL | boolean

/** What a condition was put together of: conditions that all hold, of which one holds, or that hold for a row of another table. */
export type Made = { all: readonly SQL[] } | { any: readonly SQL[] } | { row: string; inside: Clause }

const made = new WeakMap<SQL, Made>()

/** What a condition was put together of; undefined for one that is whole. */
export const madeOf = (clause: SQL): Made | undefined => made.get(clause)

export function allOf(clauses: readonly Clause[]): Clause {
  if (clauses.includes(false)) return false
  const parts = clauses.filter((clause): clause is SQL => typeof clause !== 'boolean')
  if (parts.length === 0) return true
  return parts.length === 1 ? parts[0]! : remember(sql`(${sql.join(parts, sql` and `)})`, { all: parts })
}

export function anyOf(clauses: readonly Clause[]): Clause {
  if (clauses.includes(true)) return true
  const parts = clauses.filter((clause): clause is SQL => typeof clause !== 'boolean')
  if (parts.length === 0) return false
  return parts.length === 1 ? parts[0]! : remember(sql`(${sql.join(parts, sql` or `)})`, { any: parts })
}

/** A condition on the row of another table: `inside` holds for it. `row` says which row that is. */
export const ofRow = (row: string, inside: Clause, condition: SQL): SQL => remember(condition, { row, inside })

function remember(condition: SQL, parts: Made): SQL {
  made.set(condition, parts)
  return condition
}

/** For a `where` or a select list. */
export function clauseSql(clause: Clause): SQL {
  return typeof clause === 'boolean' ? (clause ? sql`true` : sql`false`) : clause
}

/** A list as one array parameter, e.g. `column = any(...)`. */
export function textArray(values: readonly string[]): SQL {
  return sql`${sql.param(values)}::text[]`
}

/** Text that stands for itself inside a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`)
}

/** Marks that are written in the width of Chinese or of Latin letters, by whichever keyboard is at hand: each with its twin. */
const WIDE = '（），：；！？＆'
const NARROW = '(),:;!?&'
const EITHER_WIDTH = /[(),:;!?&（），：；！？＆]/gu

/** A text without the marks that are written in either width. */
export const withoutMarks = (text: string): string => text.replace(EITHER_WIDTH, '')

/** Whether a column is like a pattern, whatever the case of its letters and the width of its marks. */
export function likeSql(column: SQL, pattern: string): SQL {
  const letters = pattern.replace(EITHER_WIDTH, '_')
  if (letters === pattern) return sql`${column} ilike ${pattern}`
  const narrow = pattern.replace(EITHER_WIDTH, (mark) => NARROW[WIDE.indexOf(mark)] ?? mark)
  // an index knows the column as it is: it is asked for the letters, and what it finds is compared in one width
  return sql`(${column} ilike ${letters} and translate(${column}, ${sql.raw(`'${WIDE}', '${NARROW}'`)}) ilike ${narrow})`
}
