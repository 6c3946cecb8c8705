import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../src/schema/entity'
import { addDays, startOfDay } from '../platform/calendar'
import { ensureDays, type Executor } from '../platform/database'
import type { RequestContext } from '../platform/http'
import { isCondition } from '../../src/schema/where'
import type { RowSelection, EntityRecord } from './calls'
import type { Clause } from './clause'
import { badRequest } from './errors'
import { columnSql } from './tables'

const DAY = 86_400_000

/** Makes the tables of the days of new records, where the entity is kept by day (`x-partition`). */
export async function ensureDaysOf(db: Executor, model: EntityModel, records: readonly EntityRecord[]): Promise<void> {
  const partition = model.document['x-partition']
  if (!partition) return
  await ensureDays(
    db,
    model.table,
    records.map((record) => Date.parse(String(record[partition.by]))),
  )
}

/**
 * The days that a question to records at volume reads: those of its own conditions, at most `windowDays` of them; without any, the last
 * ones. Rows that are named, and values of fields with an index of their own, are looked for in all days that are kept.
 * @throws ServiceError 10010001 when more days are asked for
 */
export function windowClause(
  context: RequestContext,
  model: EntityModel,
  selection: RowSelection,
  timeZone: string,
  alias: string,
): Clause {
  const partition = model.document['x-partition']
  if (!partition || selection.ids !== undefined || context.kind === 'system') return true
  const { by, windowDays, exact = [] } = partition
  const conditions = (selection.where ?? []).filter(isCondition)
  if (conditions.some(({ field, operator = 'eq', value }) => operator === 'eq' && exact.includes(field) && value !== ''))
    return true
  let [from, until] = [-Infinity, Infinity]
  for (const { field, operator, value } of conditions) {
    if (field !== by) continue
    const [first, last] =
      operator === 'between'
        ? (value as unknown[])
        : [operator === 'lte' ? undefined : value, operator === 'gte' ? undefined : value]
    from = Math.max(from, momentOf(first, timeZone, false) ?? -Infinity)
    until = Math.min(until, momentOf(last, timeZone, true) ?? Infinity)
  }
  const end = until === Infinity ? Math.max(context.now.getTime(), from) : until
  const start = from === -Infinity ? end - windowDays * DAY : from
  // (a day of the company may have 25 hours)
  if (end - start > windowDays * DAY + 3_600_000) {
    const { label } = model.fields.get(by)!
    const message = {
      zh: `一次最多查询 ${windowDays} 天的${model.label.zh}：请缩小“${label.zh}”的范围。`,
      en: `At most ${windowDays} days of ${model.label.en.toLowerCase()}s are read at once: give "${label.en}" a shorter range.`,
    }
    throw badRequest(context.locale, message, by)
  }
  const column = columnSql(alias, model.fields.get(by)!)
  return sql`(${column} >= ${new Date(start).toISOString()}::timestamptz and ${column} <= ${new Date(end).toISOString()}::timestamptz)`
}

/** Milliseconds of the beginning (or the end) of a day of the company, or of a moment; nothing of what is none. */
function momentOf(value: unknown, timeZone: string, end: boolean): number | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value)
  const at = isDay ? Date.parse(startOfDay(end ? addDays(value, 1) : value, timeZone)) : Date.parse(value)
  return Number.isNaN(at) ? undefined : at
}
