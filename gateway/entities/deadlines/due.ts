import { sql, type SQL } from 'drizzle-orm'
import { systemContext } from '../../platform/http'
import { addDays, dayOf, instantAt, type Day } from '../../platform/calendar'
import { allOf, clauseSql, textArray } from '../clause'
import { ALIAS, queriedTable } from '../query/queriedTable'
import { viewConditions } from '../query/plan'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'
import type { DeadlinePlan, Reminder, SettledPlan } from './plan'

/** When a run asks. */
export interface Asked {
  registry: Registry
  now: Date
}

/** Months and days differ in length: a bound that an index can serve leaves so many days, the exact moment is compared beside it. */
const SLACK = 4

const atOf = (plan: DeadlinePlan): SQL => columnSql(ALIAS, plan.at)

/** The date or moment as one that can be compared and remembered whatever the zone of the session. */
export const momentSql = (plan: DeadlinePlan): SQL =>
  plan.dated ? sql`(${atOf(plan)}::timestamp at time zone 'UTC')` : atOf(plan)

/** The last day whose records are due, of a deadline on a date. */
export function lastDueDay({ deadline }: DeadlinePlan, { registry, now }: Asked): Day {
  const today = dayOf(now, registry.timeZone)
  const reached = deadline.time !== undefined && instantAt(today, deadline.time, registry.timeZone) <= now
  return reached ? today : addDays(today, -1)
}

/** The night that a limit counts in. */
export const nightOf = (plan: DeadlinePlan, asked: Asked): Day =>
  plan.dated ? lastDueDay(plan, asked) : dayOf(asked.now, asked.registry.timeZone)

/** Days and months as the company's calendar counts them, hours exactly. */
function shifted(instant: SQL, duration: string, sign: '+' | '-', timeZone: string): SQL {
  const [days = 'P', hours] = duration.split('T', 2)
  const by = sql.raw(sign)
  const moved =
    days === 'P' ? instant : sql`((${instant} at time zone ${timeZone} ${by} ${days}::interval) at time zone ${timeZone})`
  return hours === undefined ? moved : sql`(${moved} ${by} ${`PT${hours}`}::interval)`
}

/** The date or moment with what is added to it. */
function dueSql(plan: SettledPlan, timeZone: string): SQL {
  const { plus } = plan
  if (plus === null) return atOf(plan)
  return plan.dated ? sql`(${atOf(plan)} + ${plus}::interval)::date` : shifted(atOf(plan), plus, '+', timeZone)
}

const day = (text: Day): SQL => sql`${text}::date`

/** The record is due. */
function dueNow(plan: SettledPlan, asked: Asked): SQL {
  const { plus } = plan
  const limit = plan.dated ? day(lastDueDay(plan, asked)) : sql`${asked.now.toISOString()}::timestamptz`
  if (plus === null) return sql`${atOf(plan)} <= ${limit}`
  return sql`${atOf(plan)} <= ${limit} - ${plus}::interval + make_interval(days => ${SLACK}) and ${dueSql(plan, asked.registry.timeZone)} <= ${limit}`
}

/** The record is not due yet, but within so long of it. */
function dueWithin(plan: SettledPlan, before: string, asked: Asked): SQL {
  const { timeZone } = asked.registry
  const plus = plan.plus ?? 'P0D'
  const { time } = plan.deadline
  const due = dueSql(plan, timeZone)
  if (plan.dated) {
    const last = day(lastDueDay(plan, asked))
    const today = day(time === undefined ? dayOf(asked.now, timeZone) : lastDueDay(plan, asked))
    return sql`${atOf(plan)} > ${last} - ${plus}::interval - make_interval(days => ${SLACK}) and ${atOf(plan)} <= ${today} - ${plus}::interval + ${before}::interval + make_interval(days => ${SLACK})
      and ${due} > ${last} and (${due} - ${before}::interval)::date <= ${today}`
  }
  const now = sql`${asked.now.toISOString()}::timestamptz`
  return sql`${atOf(plan)} > ${now} - ${plus}::interval - make_interval(days => ${SLACK}) and ${atOf(plan)} <= ${now} - ${plus}::interval + ${before}::interval + make_interval(days => ${SLACK})
    and ${due} > ${now} and ${shifted(due, before, '-', timeZone)} <= ${now}`
}

const ofPlan = ({ model, deadline }: DeadlinePlan, alias: string): SQL =>
  sql`${sql.identifier(alias)}.entity = ${model.name} and ${sql.identifier(alias)}.deadline = ${deadline.id}`

/** It was not done for this moment. */
const notDone = (plan: DeadlinePlan, step: string): SQL =>
  sql`not exists (select from entity_deadline_done d where ${ofPlan(plan, 'd')} and d.record_id = ${columnSql(ALIAS, { column: 'id' })} and d.step = ${step} and d.moment = ${momentSql(plan)})`

/** It did not fail lately with the record as it is. */
const notParked = (plan: DeadlinePlan, step: string, { now }: Asked): SQL =>
  sql`not exists (select from entity_deadline_parked p where ${ofPlan(plan, 'p')} and p.record_id = ${columnSql(ALIAS, { column: 'id' })} and p.step = ${step}
    and p.version = ${columnSql(ALIAS, { column: 'version' })} and p.moment = ${momentSql(plan)} and p.next_at > ${now.toISOString()}::timestamptz)`

/** The record counts: its state, the conditions; retention looks at deleted ones, too. */
function counted({ model, deadline, counted }: DeadlinePlan, { registry, now }: Asked) {
  const context = systemContext({ now })
  const where = deadline.where && { id: deadline.id, scope: 'all' as const, where: deadline.where }
  return [
    deadline.delete === true || sql`${columnSql(ALIAS, { column: 'deleted_at' })} is null`,
    counted === null || sql`${columnSql(ALIAS, counted.field)} = any(${textArray(counted.states)})`,
    ...viewConditions(registry, context, queriedTable(registry, context, model), where),
  ]
}

/** `from … where …` of the records that meet a deadline; without those that failed lately, unless all are asked for. */
export function metBy(plan: SettledPlan, asked: Asked, { all = false } = {}): SQL {
  const where = allOf([
    ...counted(plan, asked),
    dueNow(plan, asked),
    !plan.stays || notDone(plan, ''),
    all || notParked(plan, '', asked),
  ])
  return sql`from ${tableSql(plan.model, ALIAS)} where ${clauseSql(where)}`
}

/** `from … where …` of the records whose reminder is due. */
export function remindedBy(plan: SettledPlan, reminder: Reminder, asked: Asked): SQL {
  const where = allOf([
    ...counted(plan, asked),
    dueWithin(plan, reminder.before, asked),
    notDone(plan, reminder.id),
    notParked(plan, reminder.id, asked),
  ])
  return sql`from ${tableSql(plan.model, ALIAS)} where ${clauseSql(where)}`
}

/** The night has not taken as many yet as it may. */
export const notFull = (plan: SettledPlan, asked: Asked): SQL =>
  sql`not exists (select from entity_deadline_night n where ${ofPlan(plan, 'n')} and n.night = ${nightOf(plan, asked)} and n.taken >= ${plan.most})`

/** The earliest first. */
export const earliest = (plan: DeadlinePlan): SQL => sql`order by ${atOf(plan)}, ${columnSql(ALIAS, { column: 'id' })}`
