import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import type { RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { clauseSql, escapeLike } from '../clause'
import type { Core } from '../core'
import { badRequest } from '../errors'
import { isSortable } from '../query/operators'
import { knowTexts, searchFields } from '../query/keyword'
import { ALIAS } from '../query/queriedTable'
import { orderSql } from '../query/order'
import { planQuery } from '../query/plan'
import { whole } from '../query/queryPage'
import { columnSql, tableSql } from '../tables'
import type { EntityRecord, SelectOption, SelectRequest } from '../calls'
import { AUDIT_ENTITY, tellAuditRows } from './changes'
import { namesOfTitle, titleOf } from './record'

const MOST_IDS = 500

/** Records for a reference field: their titles and what the quick keyword searches, those that start with the keyword first. */
export async function selectRecords(
  core: Core,
  context: RequestContext,
  model: EntityModel,
  request: SelectRequest,
): Promise<SelectOption[]> {
  const limit = whole(context, request.pageSize, 1, MOST_IDS, 'pageSize', 20)
  if (request.ids && request.ids.length > MOST_IDS) {
    throw badRequest(context.locale, { zh: `ids 最多 ${MOST_IDS} 个。`, en: `At most ${MOST_IDS} ids.` }, 'ids')
  }
  const field = model.fields.get(model.titleField)
  const title = field?.storage === 'stored' && accessOf(model, context).readable(field.name) ? field : undefined
  const sortable = title && isSortable(title) && title.kind !== 'ref'
  await knowTexts(core.registry, core.database, request.keyword)
  const plan = planQuery(core.registry, context, model, {
    keyword: request.keyword,
    ids: request.ids,
    where: request.where,
    asOf: request.asOf,
    sort: sortable ? [{ field: model.titleField, order: 'asc' }] : undefined,
  })
  if (plan.where === false) return []
  const log = model.name === AUDIT_ENTITY
  const about = log ? ['entity', 'recordId', 'action'] : []
  const names = new Set([
    'id',
    model.titleField,
    ...namesOfTitle(model),
    ...searchFields(model).map((each) => each.name),
    ...about,
  ])
  const fields = [...names].map((name) => model.fields.get(name)!).filter((each) => each.storage === 'stored')
  const columns = fields.map((each) => sql`${columnSql(ALIAS, each)} as ${sql.identifier(each.name)}`)
  const phrase = request.keyword?.trim() ?? ''
  const first =
    phrase === '' || !sortable
      ? sql``
      : sql`(${columnSql(ALIAS, title)}::text ilike ${`${escapeLike(phrase)}%`}) desc nulls last, `
  const { rows } = await core.database.query<EntityRecord>(
    sql`select ${sql.join(columns, sql`, `)} from ${tableSql(model, ALIAS)} where ${clauseSql(plan.where)} order by ${first}${orderSql(plan, ALIAS)} limit ${request.ids ? request.ids.length : limit}`,
  )
  if (log) tellAuditRows(core.registry, context, rows)
  const target = !model.title && title?.kind === 'ref' ? title.field['x-ref'] : undefined
  const references =
    target === undefined
      ? {}
      : await core.references.titles(
          core.database,
          context,
          new Map([[target, new Set(rows.map((row) => row[model.titleField] as string).filter(Boolean))]]),
        )
  return rows.map((row) => {
    const shownFields = Object.fromEntries(
      searchFields(model)
        .filter((each) => plan.access.readable(each.name))
        .map((each) => [each.name, row[each.name] ?? null]),
    )
    const text = titleOf(core.registry, context, model, row, (entity, id) => references[entity]?.[id]?.title)
    return { ...shownFields, id: row.id as string, title: text }
  })
}
