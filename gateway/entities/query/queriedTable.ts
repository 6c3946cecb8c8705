import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel, type EntityView, type FieldModel } from '../../../src/schema/entity'
import { can, ServiceError, type RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { allOf, textArray } from '../clause'
import { effectiveOf, validitySql } from '../effective'
import { AUDIT_ENTITY, maskedTitles } from '../read/changes'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'
import type { QueriedTable, StepBehind } from './condition'
import { opensRows } from './participants'
import { RowScope, widestScope } from './scope'

/** The table of the rows that are asked for. */
export const ALIAS = 't'

/** Where conditions of this caller are read. */
export function queriedTable(registry: Registry, context: RequestContext, model: EntityModel, view?: EntityView): QueriedTable {
  const access = accessOf(model, context, view)
  const effective = effectiveOf(model)
  const now = { day: registry.dayOf(context.now), moment: context.now.toISOString() }
  return {
    model,
    alias: ALIAS,
    locale: context.locale,
    timeZone: registry.timeZone,
    searchable: (field) => context.kind === 'system' || access.readable(field),
    internal: context.kind === 'system',
    validity: effective && ((alias) => validitySql(effective, now, alias)),
    behind: (from, field, as) => behind(registry, context, from, field, as),
    ...(model.name === AUDIT_ENTITY ? { only: titlesOf(registry, context, model) } : {}),
  }
}

/** The record that a reference names, as far as the caller may read it. */
function behind(
  registry: Registry,
  context: RequestContext,
  from: string,
  field: FieldModel,
  alias: string,
): StepBehind | undefined {
  const model = registry.find(referenceOf(field) ?? '')
  if (!model) return undefined
  return {
    queried: { ...queriedTable(registry, context, model), alias },
    table: tableSql(model, alias),
    reach: allOf([
      sql`${columnSql(alias, { column: 'id' })} = ${columnSql(from, field)}`,
      sql`${columnSql(alias, { column: 'deleted_at' })} is null`,
      mayRead(context, model) && new RowScope(registry, context).readable(model, alias),
    ]),
  }
}

/** A log row whose title is masked for the caller is not found by that title. */
function titlesOf(registry: Registry, context: RequestContext, log: EntityModel): QueriedTable['only'] {
  const masked = maskedTitles(registry, context)
  if (masked.length === 0) return undefined
  const open = sql`not coalesce(${columnSql(ALIAS, log.fields.get('entity')!)} = any(${textArray(masked)}), false)`
  return (field) => (field === 'recordTitle' ? open : undefined)
}

/** Reading needs the entity's key (if it has one) and, for owned entities outside a pool, a row scope. */
export function requireRead(context: RequestContext, model: EntityModel, view?: EntityView): void {
  if (context.kind === 'system' || view?.scope === 'pool') return
  const lacks = lacksToRead(context, model)
  if (lacks) throw new ServiceError('noPermission', lacks)
}

/** What the caller lacks to read an entity outside a pool; undefined: nothing. */
export function lacksToRead(context: RequestContext, model: EntityModel): { data?: Record<string, unknown> } | undefined {
  const { read } = model.permissions
  if (!mayRead(context, model)) return { data: { permission: read } }
  if (model.scope.kind === 'restricted' && read === undefined && !opensRows(model)) return {}
  return model.scope.kind === 'owned' && !widestScope(context, model.name) ? { data: { scope: model.name } } : undefined
}

/** Whether the caller has the entity's own key for reading, if it has one; of a restricted entity also rows that name him are read. */
export function mayRead(context: RequestContext, model: EntityModel): boolean {
  const { read } = model.permissions
  if (model.scope.kind === 'restricted' && opensRows(model)) return true
  return context.kind === 'system' || model.scope.kind === 'public' || read === undefined || can(context, read)
}
