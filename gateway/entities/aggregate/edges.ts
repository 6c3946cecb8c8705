import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../platform/database'
import { column, type GroupValue, type Question } from './statement'

/** Beyond so many buckets each moment is worked out by itself. */
const MOST_EDGES = 4_000

interface Edge {
  day: string
  at: string
}

/**
 * Moments find their bucket among its edges, which are worked out once: the database knows then how few groups there are, shares the
 * reading among its processes, and spares the calendar of a zone for each row.
 */
export async function withEdges(db: Executor, question: Question): Promise<Question> {
  let joins = sql``
  const dimensions: GroupValue[] = []
  for (const [index, dimension] of question.dimensions.entries()) {
    const edges = dimension.moments ? await edgesOf(db, question.rows, dimension.moments) : []
    if (edges.length === 0 || edges.length > MOST_EDGES) {
      dimensions.push(dimension)
      continue
    }
    const name = `edge${index}`
    const days = edges.map(({ day }, position) => sql`(${sql.raw(String(position + 1))}, ${day}::date)`)
    const moments = sql.param(edges.map(({ at }) => at))
    joins = sql`${joins} left join (values ${sql.join(days, sql`, `)}) as ${column(name)}(n, day) on ${column(name)}.n = width_bucket(${dimension.moments!.moment}, ${moments}::timestamptz[])`
    dimensions.push({ value: sql`${column(name)}.day` })
  }
  return { ...question, dimensions, rows: question.rowsWith(joins) }
}

/** The buckets from the first moment of some rows to the last, each with the moment at which it begins. */
async function edgesOf(
  db: Executor,
  rows: SQL,
  { moment, bucket, timeZone, days: { from, to } = {} }: NonNullable<GroupValue['moments']>,
): Promise<readonly Edge[]> {
  const unit = sql.raw(bucket)
  const step = sql.raw(bucket === 'quarter' ? '3 months' : `1 ${bucket}`)
  // days that the conditions name spare a reading of all rows
  const range =
    from !== undefined && to !== undefined
      ? sql`(select ${from}::timestamp as lowest, ${to}::timestamp as highest)`
      : sql`(select min(${moment}) at time zone ${timeZone} as lowest, max(${moment}) at time zone ${timeZone} as highest ${rows})`
  const { rows: found } = await db.query<Edge>(
    sql`select d::date::text as "day", (d at time zone ${timeZone})::text as "at" from ${range} as range, generate_series(date_trunc('${unit}', lowest), highest, interval '${step}') as d limit ${MOST_EDGES + 1}`,
  )
  return found
}
