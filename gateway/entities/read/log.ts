import { sql, type SQL } from 'drizzle-orm'
import { MASK, type EntityModel } from '../../../src/schema/entity'
import { can, ServiceError, type RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { clauseSql } from '../clause'
import type { Core } from '../core'
import { requireRead } from '../query/queriedTable'
import { whole } from '../query/queryPage'
import { RowScope } from '../query/scope'
import { columnSql, tableSql } from '../tables'
import type { LogAnswer, LogRequest } from '../calls'
import { LineWords } from '../lines/words'
import { AUDIT_ENTITY, titleReadable, toldChanges, type FieldChange } from './changes'
import { loggedFields } from './sensitiveViews'
import { tellCauses } from './why'

interface LogRow {
  id: string
  at: string
  staffId: string | null
  action: string
  entity: string
  recordTitle: string | null
  reason: string | null
  cause: string | null
  changes: FieldChange[] | null
}

/** What was done to a record, or who read sensitive fields of it, newest first, with the field rules of the reader. */
export async function readLog(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  id: string,
  options: LogRequest,
): Promise<LogAnswer> {
  requireRead(context, model)
  const limit = whole(context, options.limit, 1, 200, 'limit', 30)
  const readable = clauseSql(new RowScope(core.registry, context).readable(model, 't'))
  const visible = await core.database.query(
    sql`select 1 from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = ${id} and ${readable}`,
  )
  if (visible.rowCount === 0) throw new ServiceError('notFound')
  const log = core.registry.find(AUDIT_ENTITY)
  if (!log) return { records: [], refs: {}, more: false, viewed: false }
  const after = options.before === undefined ? sql`` : sql` and "id" < ${options.before}`
  const entries = (condition: SQL, count = limit + 1): SQL =>
    sql`(select "id", "at", "staff_id" as "staffId", "action", "entity", "record_title" as "recordTitle", "reason", "cause", "changes" from ${sql.identifier(log.table)} where ${condition} and "deleted_at" is null${after} order by "id" desc limit ${count})`
  const own = sql`"entity" = ${model.name} and "record_id" = ${id}`
  // who read the contacts of a customer is asked where the customer stands: they have no page of their own
  const views = [
    ...(loggedFields(model).length > 0 ? [sql`${own} and "action" = 'view'`] : []),
    ...childrenOf(core, context, model).map(
      ({ child, field }) =>
        sql`"entity" = ${child.name} and "record_id" = any(array(select "id" from ${sql.identifier(child.table)} where ${sql.identifier(field)} = ${id})) and "action" = 'view'`,
    ),
  ]
  const together = (parts: readonly SQL[]): SQL => sql`(${sql.join([...parts], sql` union all `)})`
  const asked = options.views ? views.map((condition) => entries(condition)) : [entries(sql`${own} and "action" <> 'view'`)]
  const { rows } =
    asked.length === 0
      ? { rows: [] }
      : await core.database.query<LogRow>(sql`select * from ${together(asked)} as entries order by "id" desc limit ${limit + 1}`)
  const seen = views.map((condition) => entries(condition, 1))
  const viewed =
    seen.length > 0 && ((await core.database.query(sql`select 1 from ${together(seen)} as entries limit 1`)).rowCount ?? 0) > 0
  const page = rows.slice(0, limit)
  const ids = new Set(page.map((row) => row.staffId).filter((staff): staff is string => staff !== null))
  const titles = core.registry.find('sys.staff')
    ? await core.references.titles(core.database, context, new Map([['sys.staff', ids]]))
    : {}
  const words = new LineWords(core, context, model)
  await words.prepare(
    core.database,
    page.flatMap(({ changes }) => changes ?? []),
  )
  const causes = await tellCauses(
    core,
    context,
    page.map(({ cause }) => cause),
  )
  const records = page.map((row, index) => ({
    id: row.id,
    at: row.at,
    byId: row.staffId,
    byName: row.staffId === null ? null : (titles['sys.staff']?.[row.staffId]?.title ?? null),
    action: row.action,
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(causes[index]!.length === 0 ? {} : { causes: causes[index]! }),
    ...toldEntry(core, context, model, row, words),
  }))
  const values = records.flatMap(({ changes }) =>
    changes.flatMap((change) => [{ [change.field]: change.before }, { [change.field]: change.after }]),
  )
  return { records, refs: await core.references.of(core.database, context, model, values), more: rows.length > limit, viewed }
}

/** What an entry says of its fields; of a reading, which ones, without values. */
function toldEntry(core: Core, context: RequestContext, model: EntityModel, row: LogRow, words: LineWords) {
  if (row.action !== 'view') return { changes: toldChanges(context, model, row.changes, words) }
  const read = core.registry.find(row.entity) ?? model
  const access = accessOf(read, context)
  const fields = (row.changes ?? []).flatMap(({ field: name }) => {
    const field = read.fields.get(name)
    return field && access.of(name) !== 'hide' ? [field.label[context.locale]] : []
  })
  const title = titleReadable(core.registry, context, read) ? (row.recordTitle ?? '') : MASK
  return { changes: [], viewed: { of: read === model ? null : `${read.label[context.locale]} ${title}`.trim(), fields } }
}

/** Entities below this one whose readings are noted, with the column that names the parent. */
function childrenOf({ registry }: Core, context: RequestContext, model: EntityModel): { child: EntityModel; field: string }[] {
  return registry.all().flatMap((child) => {
    if (child.scope.kind !== 'parent' || child.scope.entity !== model.name || loggedFields(child).length === 0) return []
    const { read } = child.permissions
    const field = child.fields.get(child.scope.field)
    return field && (read === undefined || can(context, read)) ? [{ child, field: field.column }] : []
  })
}
