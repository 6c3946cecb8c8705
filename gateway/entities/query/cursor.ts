import { sql, type SQL } from 'drizzle-orm'
import { isUsable } from '../../platform/http'
import type { RequestContext } from '../../platform/http'
import { badRequest } from '../errors'
import { storageOf } from '../storage'
import type { Storage } from '../storage'
import { isFilled, orderValue } from './order'
import type { QueryPlan } from './plan'

/**
 * Where a page ended: the values that the order reads of its last row, as PostgreSQL writes them. Whoever goes on from there
 * meets every row once, whatever is added or deleted meanwhile; the price does not grow with the distance.
 */
type Position = readonly (string | null)[]

const CASTS = {
  text: 'text',
  integer: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz',
  json: 'jsonb',
} as const
const LONGEST_CURSOR = 2_000
const WHOLE = /^-?\d{1,19}$/
const NUMBER = /^-?\d{1,40}(\.\d{1,40})?$/
const DAY = /^(\d{4,6})-(\d\d)-(\d\d)$/
const MOMENT = /^(\d{4,6}-\d\d-\d\d) ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?[+-](0\d|1[0-5])(:?[0-5]\d){0,2}$/
const LARGEST = 2n ** 63n
/** The last year that a moment can have in PostgreSQL. */
const LAST_YEAR = 294_275

/** Whether PostgreSQL takes a text as a value of the storage. */
const READABLE: Readonly<Record<Storage, (text: string) => boolean>> = {
  text: () => true,
  integer: (text) => WHOLE.test(text) && BigInt(text) >= -LARGEST && BigInt(text) < LARGEST,
  numeric: (text) => NUMBER.test(text),
  boolean: (text) => text === 'true' || text === 'false',
  date: isDay,
  timestamp: (text) => isDay(MOMENT.exec(text)?.[1] ?? ''),
  json: (text) => isUsable(JSON.parse(text)),
}

function isDay(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (DAY.exec(text) ?? []).map(Number)
  const made = new Date(0)
  made.setUTCFullYear(year, month - 1, day)
  return year >= 1 && year <= LAST_YEAR && made.getUTCMonth() === month - 1 && made.getUTCDate() === day
}

/** A column of the page that holds the position of each row, as JSON. */
export function positionSql(plan: Pick<QueryPlan, 'order'>): SQL {
  const values = plan.order.map((by) => sql`${orderValue(by)}::text`)
  return sql`json_build_array(${sql.join(values, sql`, `)})`
}

export const cursorOf = (position: unknown): string => Buffer.from(JSON.stringify(position), 'utf8').toString('base64url')

/** Rows behind a cursor in the order of the plan. An empty cursor is the beginning. */
export function behindCursor(context: RequestContext, plan: Pick<QueryPlan, 'model' | 'order'>, cursor: string): SQL | true {
  if (cursor === '') return true
  const position = read(context, plan, cursor)
  const parts = plan.order.map((by, index) => {
    const { field, descending, nullsFirst } = by
    return {
      column: orderValue(by),
      value: position[index] ?? null,
      cast: sql.raw(CASTS[storageOf(field)]),
      descending,
      filled: isFilled(plan.model, by),
      nullsFirst,
    }
  })
  const [first] = parts
  // one direction and no empty values: a comparison of rows, which an index answers
  if (first && parts.every(({ filled, descending }) => filled && descending === first.descending)) {
    const columns = sql.join(
      parts.map(({ column }) => column),
      sql`, `,
    )
    const values = sql.join(
      parts.map(({ value, cast }) => sql`${value}::${cast}`),
      sql`, `,
    )
    return first.descending ? sql`(${columns}) < (${values})` : sql`(${columns}) > (${values})`
  }
  const steps = parts.map((part, index) => {
    const same = parts
      .slice(0, index)
      .map(({ column, value, cast }) => (value === null ? sql`${column} is null` : sql`${column} = ${value}::${cast}`))
    return sql`(${sql.join([...same, beyond(part)], sql` and `)})`
  })
  return sql`(${sql.join(steps, sql` or `)})`
}

function beyond(part: {
  column: SQL
  value: string | null
  cast: SQL
  descending: boolean
  filled: boolean
  nullsFirst: boolean
}): SQL {
  const { column, value, cast, descending, filled, nullsFirst } = part
  if (value === null) return nullsFirst ? sql`${column} is not null` : sql`false`
  const further = descending ? sql`${column} < ${value}::${cast}` : sql`${column} > ${value}::${cast}`
  return filled || nullsFirst ? further : sql`(${further} or ${column} is null)`
}

function read(context: RequestContext, plan: Pick<QueryPlan, 'order'>, cursor: string): Position {
  const position = cursor.length <= LONGEST_CURSOR ? positionIn(cursor, plan) : undefined
  if (position) return position
  throw badRequest(
    context.locale,
    {
      zh: 'cursor 不属于这个排序，请从第一页重新读取。',
      en: 'The cursor does not belong to this order; read from the first page again.',
    },
    'cursor',
  )
}

function positionIn(cursor: string, plan: Pick<QueryPlan, 'order'>): Position | undefined {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const fits =
      isUsable(position) &&
      Array.isArray(position) &&
      position.length === plan.order.length &&
      plan.order.every(({ field }, index) => {
        const value: unknown = position[index]
        return value === null || (typeof value === 'string' && READABLE[storageOf(field)](value))
      })
    return fits ? (position as Position) : undefined
  } catch {
    return undefined
  }
}
