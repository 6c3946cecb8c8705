import { sql, type SQL } from 'drizzle-orm'
import { findTransition, type EntityModel } from '../../../src/schema/entity'
import type { Executor, Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import { clauseSql } from '../clause'
import type { Core, WriteContext } from '../core'
import { trusted } from '../effects/cause'
import { refusedByGrants } from '../effects/grants'
import { refusalsOf } from '../effects/refusals'
import { subjectOf } from '../effects/subject'
import { badRequest } from '../errors'
import { AUDIT_ENTITY, tellAuditRows } from '../read/changes'
import { shown, storedColumns, withComputed } from '../read/record'
import type { EntityRecord, QueryPageAnswer, QueryPageRequest } from '../calls'
import type { EntityService } from '../types'
import { columnSql, tableSql } from '../tables'
import { knowTexts } from './keyword'
import { behindCursor, cursorOf, positionSql } from './cursor'
import { ALIAS } from './queriedTable'
import { orderSql, sortColumns } from './order'
import { planQuery, type QueryPlan } from './plan'
import { summarise } from './summary'

const LARGEST_PAGE = 1_000
/** Sums of more rows than these are left to a call of their own: the rows need not wait for them. */
const SUMMED_WITH_ROWS = 20_000
const MOST_COUNTED = 1_000_000
/** From here on the page is found on the index alone before its rows are read. */
const DEEP = 1_000

/** Records at volume are not counted to their end (quotes-traffic 2.4). */
const mostCounted = ({ document }: EntityModel): number | undefined => (document['x-partition'] ? MOST_COUNTED : undefined)

export async function queryPage(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  request: QueryPageRequest,
): Promise<QueryPageAnswer> {
  const pageNo = whole(context, request.pageNo, 1, 10_000_000, 'pageNo', 1)
  const pageSize = whole(context, request.pageSize, 0, LARGEST_PAGE, 'pageSize', 20)
  await knowTexts(core.registry, db, request.keyword)
  const asked = planQuery(core.registry, context, model, request)
  // a cursor holds the values of the order: those that the caller may not read are left out of it
  const plan =
    request.cursor === undefined
      ? asked
      : { ...asked, order: asked.order.filter(({ field, behind }) => behind || asked.access.readable(field.name)) }
  const upTo =
    request.countUpTo === undefined
      ? mostCounted(model)
      : whole(context, request.countUpTo, 1, MOST_COUNTED, 'countUpTo', MOST_COUNTED)
  const { rows, counted, next } =
    plan.where === false || pageSize === 0
      ? { rows: [], counted: await countRows(db, plan, upTo), next: undefined }
      : request.cursor === undefined
        ? { ...(await readPage(db, plan, (pageNo - 1) * pageSize, pageSize, upTo)), next: undefined }
        : await readOn(db, plan, behindCursor(context, plan, request.cursor), pageSize, upTo)
  // a count that goes further was no dearer than the rows: it is exact
  const atLeast = upTo !== undefined && counted === upTo + 1
  const total = atLeast ? upTo : counted
  await core.views.note(db, context, model, plan.access, rows, 'listed')
  const records = await presentRows(core, db, context, plan, rows)
  // the rows are still to be seen by whoever may not see the sum of a column
  const summed = pageSize === 0 || (!atLeast && counted <= SUMMED_WITH_ROWS) ? request.summary : undefined
  const wanted = summed?.filter(({ field }) => {
    return context.kind === 'system' || !model.fields.has(field) || plan.access.readable(field)
  })
  const [refs, summary, counts] = await Promise.all([
    core.references.of(db, context, model, records, request.expand ?? []),
    wanted && (wanted.length > 0 ? summarise(core.registry, db, context, plan, wanted) : {}),
    request.counts && countSelections(core, db, context, model, request.counts),
  ])
  return {
    records,
    total,
    ...(atLeast ? { totalAtLeast: true as const } : {}),
    pageNo,
    pageSize,
    refs,
    ...(summary ? { summary } : {}),
    ...(counts ? { counts } : {}),
    ...(next === undefined ? {} : { next }),
  }
}

/**
 * Rows of a plan as the caller may see them: computed, filled by the service, masked. `only` names the fields that matter,
 * `withheldKnown` what grants keep from him where that was asked already.
 */
export async function presentRows(
  core: Core,
  db: Executor,
  context: RequestContext,
  plan: Pick<QueryPlan, 'model' | 'view' | 'access'>,
  rows: EntityRecord[],
  only?: ReadonlySet<string>,
  withheldKnown?: readonly Record<string, string>[],
): Promise<EntityRecord[]> {
  const { model, view } = plan
  const complete = rows.map((row) => withComputed(core.registry, context, model, row, only))
  if (model.name === AUDIT_ENTITY) tellAuditRows(core.registry, context, complete)
  const service = core.registry.serviceOf(model)
  const virtual = !only || [...only].some((name) => model.fields.get(name)?.storage === 'virtual')
  if (rows.length > 0 && virtual) await service?.computeFields?.(complete, { db, context, now: context.now, view })
  if (rows.length > 0 && virtual) await tellRefusals(core, db, context, model, complete)
  const sent = complete.map((row) => shown(model, plan.access, row, only))
  const granting = model.document['x-editable'] ?? model.document['x-deletable']
  if (only || (!service?.refusals && !granting) || rows.length === 0) return sent
  const withheld =
    withheldKnown ?? (granting ? await within(core, db, (tx) => withheldFrom({ core, tx, context, model }, rows)) : [])
  return sent.map((record, index) => {
    const refused = { ...(service ? refusedOf(service, rows[index]!, context) : {}), ...withheld[index] }
    return Object.keys(refused).length > 0 ? { ...record, $refused: refused } : record
  })
}

/** In the transaction that runs already, else in one of its own: a second connection would wait for the first one. */
export const within = <Result>({ database }: Core, db: Executor, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  isTransaction(db) ? work(db) : database.transaction(work)
const isTransaction = (db: Executor): db is Transaction => 'afterCommit' in db

/** Fills fields that say why the record refuses a transition (`x-virtual` with `refusal`), for all rows at once. */
async function tellRefusals(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  rows: readonly EntityRecord[],
): Promise<void> {
  for (const { name, field } of model.fields.values()) {
    const virtual = field['x-virtual']
    const found = typeof virtual === 'object' ? findTransition(model, virtual.refusal) : undefined
    if (!found) continue
    const subjects = rows.map((row) => subjectOf(row))
    const refused = await within(core, db, (tx) => refusalsOf({ core, tx, context: trusted(context), model }, found, subjects))
    for (const subject of subjects) {
      const why = refused.get(subject)
      subject.record[name] = why && why.id !== 'state' ? why.message[context.locale] : null
    }
  }
}

/** What the grants of the entity keep from the caller, row by row, in his language. */
export async function withheldFrom(write: WriteContext, rows: readonly EntityRecord[]): Promise<Record<string, string>[]> {
  const { locale } = write.context
  const subjects = rows.map((row) => subjectOf(row))
  const [edit, remove] = [
    await refusedByGrants(write, 'x-editable', subjects),
    await refusedByGrants(write, 'x-deletable', subjects),
  ]
  return subjects.map((subject) => {
    const [noEdit, noDelete] = [edit.get(subject), remove.get(subject)]
    return { ...(noEdit ? { edit: noEdit[locale] } : {}), ...(noDelete ? { delete: noDelete[locale] } : {}) }
  })
}

/** What the record itself refuses the caller, in his language. */
function refusedOf(service: EntityService, row: EntityRecord, context: RequestContext): Record<string, string> {
  const refusals = service.refusals?.(row, { context, now: context.now }) ?? {}
  return Object.fromEntries(Object.entries(refusals).flatMap(([deed, why]) => (why ? [[deed, why[context.locale]]] : [])))
}

async function readPage(
  db: Executor,
  plan: QueryPlan,
  offset: number,
  limit: number,
  upTo: number | undefined,
): Promise<{ rows: EntityRecord[]; counted: number }> {
  const { from } = plan
  const where = clauseSql(plan.where)
  const count = countSql(plan, upTo)
  const columns = sql`${storedColumns(plan.model, ALIAS)}, ${clauseSql(plan.writable)} as "$write"`
  const id = columnSql(ALIAS, { column: 'id' })
  if (offset < DEEP) {
    const page = sql`order by ${orderSql(plan, ALIAS)} limit ${limit} offset ${offset}`
    const { rows } = await db.query<EntityRecord>(
      // a phrase is searched for once: what was found is counted and sorted, and only a page of it is read
      plan.searched
        ? sql`with found as materialized (select ${sortColumns(plan)} from ${from} where ${where}), page as (select "id" from found order by ${orderSql(plan, 'found')} limit ${limit} offset ${offset}) select ${columns}, (select count(*) from found) as "$total" from page join ${from} on ${id} = page."id" order by ${orderSql(plan, ALIAS)}`
        : sql`select ${columns}, (${count}) as "$total" from ${from} where ${where} ${page}`,
    )
    if (rows.length > 0 || offset === 0) return { rows, counted: Number(rows[0]?.['$total'] ?? 0) }
    return { rows, counted: await countRows(db, plan) }
  }
  const counted = await countRows(db, plan)
  if (offset >= counted) return { rows: [], counted }
  // the nearer end is read: the last page costs no more than the first
  const size = Math.min(limit, counted - offset)
  const reversed = offset > counted / 2
  const skip = reversed ? counted - offset - size : offset
  const page = sql`select ${id} as "id" from ${from} where ${where} order by ${orderSql(plan, ALIAS, reversed)} limit ${size} offset ${skip}`
  const { rows } = await db.query<EntityRecord>(
    sql`select ${columns} from (${page}) as page join ${from} on ${id} = page."id" order by ${orderSql(plan, ALIAS)}`,
  )
  return { rows, counted }
}

/** The page behind a cursor, with the cursor of the one after it; null when there is none. */
async function readOn(
  db: Executor,
  plan: QueryPlan,
  behind: ReturnType<typeof behindCursor>,
  limit: number,
  upTo: number | undefined,
): Promise<{ rows: EntityRecord[]; counted: number; next: string | null }> {
  const { from } = plan
  const where = clauseSql(plan.where)
  const columns = sql`${storedColumns(plan.model, ALIAS)}, ${clauseSql(plan.writable)} as "$write", ${positionSql(plan)} as "$position"`
  const { rows } = await db.query<EntityRecord>(
    sql`select ${columns} from ${from} where ${where} and ${clauseSql(behind)} order by ${orderSql(plan, ALIAS)} limit ${limit + 1}`,
  )
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = rows.length > limit && last ? cursorOf(last.$position) : null
  return { rows: page.map(({ $position: _, ...row }) => row), counted: await countRows(db, plan, upTo), next }
}

/** How many rows there are; with `upTo` none is counted beyond the one that shows that there are more. */
export async function countRows(db: Executor, plan: Pick<QueryPlan, 'model' | 'where'>, upTo?: number): Promise<number> {
  if (plan.where === false) return 0
  const { rows } = await db.query<{ total: number }>(sql`select (${countSql(plan, upTo)}) as "total"`)
  return Number(rows[0]?.total ?? 0)
}

/** How many rows each selection has, in one statement; those that the caller may not read have no number. */
async function countSelections(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  asked: NonNullable<QueryPageRequest['counts']>,
): Promise<Record<string, number>> {
  const entries = Object.entries(asked)
  await Promise.all(entries.map(([, { keyword }]) => knowTexts(core.registry, db, keyword)))
  const plans = entries.flatMap(([name, selection]): [string, QueryPlan][] => {
    try {
      return [[name, planQuery(core.registry, context, model, selection)]]
    } catch (error) {
      if (error instanceof ServiceError && error.reason === 'noPermission') return []
      throw error
    }
  })
  const counting = plans.flatMap(([, plan], index) =>
    plan.where === false ? [] : [sql`(${countSql(plan, mostCounted(model))}) as ${sql.identifier(`c${index}`)}`],
  )
  const { rows } =
    counting.length > 0 ? await db.query<Record<string, number>>(sql`select ${sql.join(counting, sql`, `)}`) : { rows: [] }
  const most = mostCounted(model) ?? Infinity
  return Object.fromEntries(plans.map(([name], index) => [name, Math.min(most, Number(rows[0]?.[`c${index}`] ?? 0))]))
}

function countSql(plan: Pick<QueryPlan, 'model' | 'where'>, upTo: number | undefined): SQL {
  const rows = sql`from ${tableSql(plan.model, ALIAS)} where ${clauseSql(plan.where)}`
  return upTo === undefined
    ? sql`select count(*) ${rows}`
    : sql`select count(*) from (select ${rows} limit ${upTo + 1}) as counted`
}

/** A whole number of a request, or the default when it is absent. */
export function whole(
  context: RequestContext,
  value: unknown,
  least: number,
  most: number,
  name: string,
  absent: number,
): number {
  if (value === undefined || value === null) return absent
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw badRequest(
    context.locale,
    { zh: `${name} 须为 ${least} 至 ${most} 的整数。`, en: `${name} has to be a whole number from ${least} to ${most}.` },
    name,
  )
}
