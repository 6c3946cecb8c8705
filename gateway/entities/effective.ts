import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../src/schema/entity'
import { fixedWhere } from './fixedWhere'
import { storageOf } from './storage'

/** Whether one of these fields decides when a row holds, or whether it counts. */
export function decidesEffective(model: EntityModel, names: readonly string[]): boolean {
  const word = model.document['x-effective']
  if (!word) return false
  const deciding = new Set([word.from, word.until, ...word.key, ...(word.while ?? []).map(({ field }) => field), 'deletedAt'])
  return names.some((name) => deciding.has(name))
}

/** `x-effective` of an entity made ready: rows that hold from a day (or moment) until another, without overlap for a key. */
export interface Effective {
  readonly from: FieldModel
  readonly until: FieldModel
  readonly key: readonly FieldModel[]
  /** Both ends are days: the last one belongs to the row. Of moments the end does not. */
  readonly byDay: boolean
  readonly endPrevious: boolean
}

export function effectiveOf(model: EntityModel): Effective | undefined {
  const word = model.document['x-effective']
  if (!word) return undefined
  const field = (name: string): FieldModel => model.fields.get(name)!
  const from = field(word.from)
  return {
    from,
    until: field(word.until),
    key: word.key.map(field),
    byDay: storageOf(from) === 'date',
    endPrevious: word.insert === 'endPrevious',
  }
}

const columnIn = (alias: string | undefined, { column }: FieldModel): SQL =>
  alias === undefined ? sql`${sql.identifier(column)}` : sql`${sql.identifier(alias)}.${sql.identifier(column)}`

/** Rows that count: live ones that meet `while`. */
export function countsSql(model: EntityModel, alias?: string): SQL {
  const deleted = columnIn(alias, model.fields.get('deletedAt')!)
  return sql.join([sql`${deleted} is null`, ...fixedWhere(model, model.document['x-effective']?.while, alias)], sql` and `)
}

/** When a row holds, as a range. One that ends before it begins never does. */
export function rangeSql({ from, until, byDay }: Effective, alias?: string): SQL {
  const [start, end] = [columnIn(alias, from), columnIn(alias, until)]
  return byDay
    ? sql`(case when ${end} < ${start} then 'empty'::daterange else daterange(${start}, ${end}, '[]') end)`
    : sql`(case when ${end} < ${start} then 'empty'::tstzrange else tstzrange(${start}, ${end}) end)`
}

/** The key as one text, whatever the settings of a session. An empty field is a value like any other. */
function keyTextSql({ key }: Effective, alias?: string): SQL {
  const texts = key.map((field) => {
    const column = columnIn(alias, field)
    // the text of a date depends on the session; a number does not
    return storageOf(field) === 'date'
      ? sql`coalesce((${column} - date '2000-01-01')::text, '')`
      : sql`coalesce(${column}::text, '')`
  })
  return sql.join(texts, sql` || chr(31) || `)
}

/** What is locked while rows of a key are written. */
export function keyLockSql(model: EntityModel, effective: Effective, alias: string): SQL {
  return sql`hashtextextended(${`${model.name} `} || ${keyTextSql(effective, alias)}, 0)`
}

/**
 * The key as one number, as a range of it alone: an exclusion over numbers takes a fraction of the time of one over texts, and ranges
 * need no extension of the database.
 */
function keyRangeSql(effective: Effective, alias?: string): SQL {
  const number = sql`(hashtextextended(${keyTextSql(effective, alias)}, 0) >> 1)`
  return sql`int8range(${number}, ${number}, '[]')`
}

/** What the database holds: no two rows of a key at the same time, decided when the transaction ends. */
export function exclusionSql(model: EntityModel, effective: Effective): SQL {
  return sql`exclude using gist (${keyRangeSql(effective)} with &&, ${rangeSql(effective)} with &&) where (${countsSql(model)}) deferrable initially deferred`
}

/** Pairs of rows `a`, `b` of one key that hold at the same time. */
export function overlapSql(model: EntityModel, effective: Effective, a: string, b: string): SQL {
  const same = effective.key.map((field) => sql`${columnIn(a, field)} is not distinct from ${columnIn(b, field)}`)
  return sql.join(
    [
      sql`${keyRangeSql(effective, a)} && ${keyRangeSql(effective, b)}`,
      sql`${rangeSql(effective, a)} && ${rangeSql(effective, b)}`,
      ...same,
      countsSql(model, a),
      countsSql(model, b),
    ],
    sql` and `,
  )
}

/** Whether rows are future, live or past now: computed, so that nothing has to be changed when a day begins. */
export function validitySql({ from, until, byDay }: Effective, now: { day: string; moment: string }, alias: string): SQL {
  const [start, end] = [columnIn(alias, from), columnIn(alias, until)]
  return byDay
    ? sql`(case when ${end} < ${now.day}::date then 'past' when ${start} > ${now.day}::date then 'future' else 'live' end)`
    : sql`(case when ${end} <= ${now.moment}::timestamptz then 'past' when ${start} > ${now.moment}::timestamptz then 'future' else 'live' end)`
}

/** Rows that hold on a day; of moments, those that hold when the day ends. */
export function asOfSql(model: EntityModel, effective: Effective, day: string, timeZone: string, alias: string): SQL {
  const [start, end] = [columnIn(alias, effective.from), columnIn(alias, effective.until)]
  const edge = sql`((${day}::date + 1)::timestamp at time zone ${timeZone})`
  const holds = effective.byDay
    ? sql`coalesce(${start} <= ${day}::date, true) and coalesce(${end} >= ${day}::date, true)`
    : sql`coalesce(${start} < ${edge}, true) and coalesce(${end} >= ${edge}, true)`
  return sql`(${holds} and ${countsSql(model, alias)})`
}
