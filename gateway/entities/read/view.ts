import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import { remembering } from '../../platform/database'
import { can, ServiceError, type RequestContext } from '../../platform/http'
import { allOf, clauseSql } from '../clause'
import type { Core } from '../core'
import { ALIAS } from '../query/queriedTable'
import { planQuery } from '../query/plan'
import { presentRows, withheldFrom } from '../query/queryPage'
import { RowScope } from '../query/scope'
import { tableSql } from '../tables'
import type { EntityRecord, ViewAnswer } from '../calls'
import { transitionsFor } from '../write/transition'
import { addLines } from '../lines/read'
import { storedColumns, titleOf } from './record'

/** One record with the titles of what it refers to and what the caller may do with it. */
export async function viewRecord(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  id: string,
  viewName?: string,
): Promise<ViewAnswer> {
  const plan = planQuery(core.registry, context, model, { view: viewName, ids: [id] })
  const pool = plan.view?.scope === 'pool'
  const writable = pool ? false : new RowScope(core.registry, context).writable(model, ALIAS)
  const where = clauseSql(allOf([plan.where]))
  const { rows } = await core.database.query<EntityRecord>(
    sql`select ${storedColumns(model, ALIAS)}, ${clauseSql(writable)} as "$write" from ${tableSql(model, ALIAS)} where ${where}`,
  )
  const [row] = rows
  if (!row) throw new ServiceError('notFound')
  const write = row['$write'] === true
  const holds = (key: string | undefined): boolean => key !== undefined && can(context, key)
  const may = { edit: write && holds(model.permissions.edit), delete: write && holds(model.permissions.delete) }
  const granting = model.document['x-editable'] ?? model.document['x-deletable']
  const { transitions, withheld } = await core.database.transaction(async (tx) => {
    // grants and transitions ask much the same of the record
    const reads = remembering(tx)
    return {
      transitions: model.machines.length === 0 ? {} : await transitionsFor({ core, tx: reads, context, model }, row, pool),
      withheld: granting ? await withheldFrom({ core, tx: reads, context, model }, [row]) : undefined,
    }
  })
  await core.views.note(core.database, context, model, plan.access, [row], 'opened')
  const [record] = await presentRows(core, core.database, context, plan, [{ ...row, $write: may.edit }], undefined, withheld)
  const refs = await core.references.of(core.database, context, model, [record!])
  if (model.lines.length > 0) await addLines(core, core.database, context, model, row, { record: record!, refs })
  const named = model.fields.get(model.titleField)
  // a title that is more than a field of the record: worked out, or the title of what the record refers to
  const own = model.title !== undefined || (named !== undefined && referenceOf(named) !== undefined)
  const titled = (entity: string, key: string): string | undefined => refs[entity]?.[key]?.title
  const title = own ? { title: titleOf(core.registry, context, model, row, titled, plan.view) } : {}
  return { record: record!, ...title, refs, can: { ...may, transitions } }
}
