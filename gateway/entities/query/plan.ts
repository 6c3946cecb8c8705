import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, EntityView } from '../../../src/schema/entity'
import { compileExpression, isExpression } from '../../../src/schema/expression'
import type { QueryCondition, QueryWhere } from '../../../src/schema/model'
import { isCondition, queryOf } from '../../../src/schema/where'
import { can, ServiceError, type RequestContext } from '../../platform/http'
import { accessOf, type EntityAccess } from '../access'
import { allOf, clauseSql, type Clause } from '../clause'
import { asOfSql, effectiveOf } from '../effective'
import { badRequest, shorten, unknownName } from '../errors'
import type { Registry } from '../registry'
import type { RowSelection } from '../calls'
import { windowClause } from '../partition'
import { columnSql, tableSql } from '../tables'
import { isCalendarDay, type QueriedTable } from './condition'
import { Joins } from './joins'
import { keywordClause } from './keyword'
import { orderOf, type QueryOrder } from './order'
import { ALIAS, queriedTable, requireRead } from './queriedTable'
import { RowScope } from './scope'
import { checkWhere, termSql } from './where'

/** A selection made ready for one caller: who may see what, the condition, the order. */
export interface QueryPlan {
  readonly model: EntityModel
  readonly view?: EntityView
  readonly access: EntityAccess
  /** Live rows in scope that meet all conditions, on alias `t`. */
  readonly where: Clause
  readonly order: readonly QueryOrder[]
  /** The table under alias `t`, with what the order reads behind references. */
  readonly from: SQL
  /** Rows that the caller may change, on alias `t`. */
  readonly writable: Clause
  /** A phrase is searched for: finding the rows costs more than reading them. */
  readonly searched: boolean
}

/**
 * Checks a selection against the entity and the caller, and turns it into SQL.
 * @throws ServiceError 10010001 for what the entity does not have, 10010003 without the right to read.
 */
export function planQuery(registry: Registry, context: RequestContext, model: EntityModel, selection: RowSelection): QueryPlan {
  const view = viewOf(context, model, selection.view)
  requireRead(context, model, view)
  const access = accessOf(model, context, view)
  const scope = new RowScope(registry, context)
  const queried = queriedTable(registry, context, model, view)
  const conditions = selection.where ?? []
  checkWhere(context.locale, conditions)
  const where = allOf([
    sql`${columnSql(ALIAS, { column: 'deleted_at' })} is null`,
    view?.scope === 'pool' && model.scope.kind === 'parent'
      ? throughPool(registry, context, model, view.id)
      : scope.readable(model, ALIAS, view),
    ...viewConditions(registry, context, queried, view),
    ...conditions.filter((condition) => !isHooked(model, condition)).map((term) => termSql(queried, term)),
    hookClause(registry, context, model, conditions),
    asOfClause(registry, context, model, selection.asOf),
    windowClause(context, model, selection, registry.timeZone, ALIAS),
    selection.ids === undefined || sql`${columnSql(ALIAS, { column: 'id' })} = any(${sql.param(selection.ids)}::text[])`,
    keywordClause(registry, context, queried, selection.keyword),
  ])
  const joins = new Joins(queried)
  const order = orderOf(queried, joins, selection.sort)
  const edit = model.permissions.edit
  const mayEdit = edit !== undefined && can(context, edit) && view?.scope !== 'pool'
  return {
    model,
    view,
    access,
    where,
    order,
    from: sql`${tableSql(model, ALIAS)} ${joins.sql}`,
    writable: mayEdit ? scope.writable(model, ALIAS) : false,
    searched: (selection.keyword?.trim() ?? '') !== '',
  }
}

/** Conditions on fields with `x-condition` go to the entity's service, all together. */
function isHooked(model: EntityModel, term: QueryWhere): term is QueryCondition {
  return isCondition(term) && model.fields.get(term.field)?.field['x-condition'] === true
}

function hookClause(registry: Registry, context: RequestContext, model: EntityModel, conditions: readonly QueryWhere[]): Clause {
  const hooked = conditions.filter((term) => isHooked(model, term))
  if (hooked.length === 0) return true
  return registry.serviceOf(model)?.filter?.({ context, model, alias: ALIAS, conditions: hooked }) ?? true
}

/** Rows that hold on a day; only entities with `x-effective` know. */
function asOfClause(registry: Registry, context: RequestContext, model: EntityModel, day: string | undefined): Clause {
  if (day === undefined) return true
  const effective = effectiveOf(model)
  if (!effective) {
    const message = {
      zh: `${model.label.zh}没有有效期，不能按某一天查看。`,
      en: `A ${model.label.en.toLowerCase()} holds at no certain time, so that it is not seen as of a day.`,
    }
    throw badRequest(context.locale, message, 'asOf')
  }
  if (!isCalendarDay(day))
    throw badRequest(
      context.locale,
      { zh: `“${shorten(day)}”不是日期 YYYY-MM-DD。`, en: `"${shorten(day)}" is not a date YYYY-MM-DD.` },
      'asOf',
    )
  return asOfSql(model, effective, day, registry.timeZone, ALIAS)
}

/** Children in a pool view: those whose parent lies in the parent's pool view of the same name, which the caller may open. */
function throughPool(registry: Registry, context: RequestContext, model: EntityModel, id: string): Clause {
  if (model.scope.kind !== 'parent') return false
  const parent = registry.model(model.scope.entity)
  const view = viewOf(context, parent, id)
  if (view?.scope !== 'pool') return false
  const alias = `${ALIAS}_pool`
  const queried = { ...queriedTable(registry, context, parent, view), alias }
  const inside = allOf([
    sql`${columnSql(alias, { column: 'id' })} = ${columnSql(ALIAS, model.fields.get(model.scope.field)!)}`,
    sql`${columnSql(alias, { column: 'deleted_at' })} is null`,
    new RowScope(registry, context).readable(parent, alias, view),
    ...viewConditions(registry, context, queried, view),
  ])
  return inside === false ? false : sql`exists (select from ${tableSql(parent, alias)} where ${clauseSql(inside)})`
}

/** The named view, when the caller may open it. */
function viewOf(context: RequestContext, model: EntityModel, name: string | undefined): EntityView | undefined {
  if (name === undefined || name === '') return undefined
  const view = model.views.get(name)
  if (!view) throw badRequest(context.locale, unknownName({ zh: '视图', en: 'view' }, name, model.views.keys()), 'view')
  if (view.permission !== undefined && !can(context, view.permission))
    throw new ServiceError('noPermission', { data: { permission: view.permission } })
  // rows of a pool belong to nobody: without a key of its own the view would open them to everybody
  if (view.scope === 'pool' && view.permission === undefined && context.kind !== 'system') throw new ServiceError('noPermission')
  return view
}

/** Fixed conditions of a view; their values may be expressions over user, today and now. */
export function viewConditions(
  registry: Registry,
  context: RequestContext,
  queried: QueriedTable,
  view: EntityView | undefined,
): Clause[] {
  const free: QueriedTable = { ...queried, searchable: () => true, internal: true }
  const resolved = queryOf(view?.where, ({ field, operator, value: given }) => {
    const value = resolve(registry, context, given)
    const empty = operator === 'eq' && (value === null || value === undefined)
    return { field, operator: empty ? 'empty' : operator, value } as QueryCondition
  })
  return resolved.map((term) => termSql(free, term))
}

function resolve(registry: Registry, context: RequestContext, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(registry, context, item))
  if (!isExpression(value)) return value
  return compileExpression(value)(registry.expressionScope(context), registry.environment(context))
}
