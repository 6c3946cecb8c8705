import { sql } from 'drizzle-orm'
import type { FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { clauseSql } from '../clause'
import { badRequest, shorten } from '../errors'
import type { Registry } from '../registry'
import type { Summary, SummaryRequest } from '../calls'
import { storageOf } from '../storage'
import { columnSql, tableSql } from '../tables'
import { filterField, type QueriedTable } from './condition'
import { ALIAS, queriedTable } from './queriedTable'
import type { QueryPlan } from './plan'

const FUNCTIONS = ['sum', 'avg', 'min', 'max', 'count']
const MOST = 20

/** Sums, averages, least and greatest values over all rows of a query. Money of several currencies, or without one, is never added up. */
export async function summarise(
  registry: Registry,
  db: Executor,
  context: RequestContext,
  plan: QueryPlan,
  asked: readonly SummaryRequest[],
): Promise<Summary> {
  if (asked.length > MOST)
    throw badRequest(context.locale, { zh: `汇总最多 ${MOST} 项。`, en: `At most ${MOST} summaries.` }, 'summary')
  const queried = queriedTable(registry, context, plan.model, plan.view)
  const parts = asked.map((request) => ({ request, field: checked(queried, filterField(queried, request.field), request) }))
  if (plan.where === false)
    return Object.fromEntries(parts.map(({ field, request }) => [field.name, request.function === 'count' ? 0 : null]))
  const columns = parts.flatMap(({ request, field }, index) => {
    const column = columnSql(ALIAS, field)
    const value = sql`${sql.raw(request.function)}(${column}) as ${sql.identifier(`v${index}`)}`
    const currency = currencyOf(plan, field)
    if (!currency || request.function === 'count') return [value]
    const code = columnSql(ALIAS, currency)
    const given = sql`filter (where ${column} is not null)`
    return [
      value,
      sql`count(distinct coalesce(${code}, '')) ${given} as ${sql.identifier(`c${index}`)}`,
      sql`min(${code}) ${given} as ${sql.identifier(`u${index}`)}`,
      sql`count(${column}) filter (where coalesce(${code}, '') = '') as ${sql.identifier(`n${index}`)}`,
    ]
  })
  const from = sql`from ${tableSql(plan.model, ALIAS)} where ${clauseSql(plan.where)}`
  const { rows } = await db.query<Record<string, string | number | null>>(sql`select ${sql.join(columns, sql`, `)} ${from}`)
  const [totals = {}] = rows
  const answers: Summary = {}
  for (const [index, { request, field }] of parts.entries()) {
    const value = totals[`v${index}`] ?? null
    const currency = request.function === 'count' ? undefined : currencyOf(plan, field)
    // amounts whose currency nobody knows may be of several: one is itself, more are no sum
    if (!currency || (Number(totals[`c${index}`]) <= 1 && Number(totals[`n${index}`]) <= 1)) {
      answers[field.name] = storageOf(field) === 'integer' && value !== null ? Number(value) : value
      if (currency) answers[currency.name] = totals[`u${index}`] ?? null
      continue
    }
    const code = columnSql(ALIAS, currency)
    const column = columnSql(ALIAS, field)
    const groups = await db.query<{ currency: string; value: string | null }>(
      sql`select coalesce(${code}, '') as "currency", case when coalesce(${code}, '') <> '' or count(*) = 1 then ${sql.raw(request.function)}(${column}) end as "value" ${from} and ${column} is not null
        group by 1 order by coalesce(${code}, '') = '', 1`,
    )
    answers[field.name] = null
    answers[`${field.name}ByCurrency`] = Object.fromEntries(groups.rows.map((row) => [row.currency, row.value]))
  }
  return answers
}

function currencyOf(plan: QueryPlan, field: FieldModel): FieldModel | undefined {
  const currency = field.kind === 'money' ? field.field['x-money'] : undefined
  return currency === undefined ? undefined : plan.model.fields.get(currency)
}

function checked(queried: QueriedTable, field: FieldModel, request: SummaryRequest): FieldModel {
  const storage = storageOf(field)
  // a least or greatest text would be one of those that are masked in their rows
  const hidden = queried.only?.(field.name) !== undefined
  const fits =
    !hidden &&
    FUNCTIONS.includes(request.function) &&
    (request.function === 'count' ||
      storage === 'numeric' ||
      storage === 'integer' ||
      (['min', 'max'].includes(request.function) && ['date', 'timestamp', 'text'].includes(storage)))
  if (fits) return field
  throw badRequest(
    queried.locale,
    {
      zh: `不能对“${field.label.zh}”计算 ${shorten(request.function)}。`,
      en: `"${field.label.en}" has no ${shorten(request.function)}.`,
    },
    field.name,
  )
}
