import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import { ServiceError, type RequestContext } from '../../platform/http'
import { clauseSql } from '../clause'
import type { Core } from '../core'
import { requireRead } from '../query/plan'
import { whole } from '../query/queryPage'
import { RowScope } from '../query/scope'
import { columnSql, tableSql } from '../tables'
import type { LogAnswer } from '../types'
import { AUDIT_ENTITY, toldChanges, type FieldChange } from './changes'

interface LogRow {
  id: string
  at: string
  staffId: string | null
  action: string
  reason: string | null
  changes: FieldChange[] | null
}

/** What happened to a record, newest first, with the field rules of the reader; `before` is the id of the last entry read. */
export async function readLog(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  id: string,
  options: { before?: string; limit?: number },
): Promise<LogAnswer> {
  requireRead(context, model)
  const limit = whole(context, options.limit, 1, 200, 'limit', 30)
  const readable = clauseSql(new RowScope(core.registry, context).readable(model, 't'))
  const visible = await core.database.query(
    sql`select 1 from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = ${id} and ${readable}`,
  )
  if (visible.rowCount === 0) throw new ServiceError('notFound')
  const log = core.registry.find(AUDIT_ENTITY)
  if (!log) return { records: [], refs: {}, more: false }
  const after = options.before === undefined ? sql`` : sql` and "id" < ${options.before}`
  const { rows } = await core.database.query<LogRow>(
    sql`select "id", "at", "staff_id" as "staffId", "action", "reason", "changes" from ${sql.identifier(log.table)} where "entity" = ${model.name} and "record_id" = ${id} and "deleted_at" is null${after} order by "id" desc limit ${limit + 1}`,
  )
  const page = rows.slice(0, limit)
  const ids = new Set(page.map((row) => row.staffId).filter((staff): staff is string => staff !== null))
  const titles = core.registry.find('sys.staff')
    ? await core.references.titles(core.database, context, new Map([['sys.staff', ids]]))
    : {}
  const records = page.map((row) => ({
    id: row.id,
    at: row.at,
    byId: row.staffId,
    byName: row.staffId === null ? null : (titles['sys.staff']?.[row.staffId]?.title ?? null),
    action: row.action,
    ...(row.reason === null ? {} : { reason: row.reason }),
    changes: toldChanges(context, model, row.changes),
  }))
  const values = records.flatMap(({ changes }) =>
    changes.flatMap((change) => [{ [change.field]: change.before }, { [change.field]: change.after }]),
  )
  return { records, refs: await core.references.of(core.database, context, model, values), more: rows.length > limit }
}
