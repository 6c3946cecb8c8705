import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { QuerySort } from '../../../src/schema/model'
import { badRequest, shorten } from '../errors'
import { alwaysFilled, columnSql } from '../tables'
import { filterField, type QueriedTable } from './condition'
import type { Joins } from './joins'
import { isSortable } from './operators'
import { ALIAS } from './queriedTable'

/** One field that rows are ordered by. */
export interface QueryOrder {
  field: FieldModel
  /** Its value, when it stands behind references. */
  behind?: SQL
  descending: boolean
  nullsFirst: boolean
}

const MOST_SORTS = 5

/** What is compared, in the table itself. */
export const orderValue = ({ field, behind }: QueryOrder): SQL => behind ?? columnSql(ALIAS, field)
/** The name of the same where rows are kept for their order alone. */
const orderColumn = ({ field, behind }: QueryOrder, index: number): string => (behind ? `o${index}` : field.column)
/** No row leaves it empty. */
export const isFilled = (model: EntityModel, { field, behind }: QueryOrder): boolean => !behind && alwaysFilled(model, field.name)

/** The columns that an order reads, for rows that are kept; the id is one of them. */
export function sortColumns({ order }: { order: readonly QueryOrder[] }): SQL {
  const columns = new Map(order.map((by, index) => [orderColumn(by, index), orderValue(by)]))
  return sql.join(
    [...columns].map(([name, value]) => sql`${value} as ${sql.identifier(name)}`),
    sql`, `,
  )
}

/** The order that is asked for, else the entity's own. @throws ServiceError 10010001 for what has no order, or not for the caller */
export function orderOf(queried: QueriedTable, joins: Joins, asked: readonly QuerySort[] | undefined): QueryOrder[] {
  const { model } = queried
  const given = asked && asked.length > 0
  if (given && asked.length > MOST_SORTS) {
    throw badRequest(
      queried.locale,
      { zh: `最多按 ${MOST_SORTS} 个字段排序。`, en: `At most ${MOST_SORTS} fields can be sorted by.` },
      'sort',
    )
  }
  const free: QueriedTable = { ...queried, searchable: () => true, internal: true }
  const sorts = given ? asked : (model.document['x-sort'] ?? [{ field: 'createdAt', order: 'desc' as const }])
  const order = sorts.map(({ field: name, order: direction, nulls }): QueryOrder => {
    const behind = given && typeof name === 'string' && name.includes('.') ? joins.at(name) : undefined
    const field = behind?.field ?? filterField(given ? queried : free, name)
    const hidden = given && (behind?.queried ?? queried).only?.(field.name) !== undefined
    if (hidden || (!isSortable(field) && !(field.internal && free.internal))) {
      throw badRequest(
        queried.locale,
        { zh: `不能按“${field.label.zh}”排序。`, en: `"${field.label.en}" has no order to sort by.` },
        field.name,
      )
    }
    if ((direction as string) !== 'asc' && (direction as string) !== 'desc') {
      throw badRequest(
        queried.locale,
        {
          zh: `排序方向“${shorten(direction)}”须为 asc 或 desc。`,
          en: `The direction "${shorten(direction)}" has to be asc or desc.`,
        },
        field.name,
      )
    }
    return { field, descending: direction === 'desc', nullsFirst: nulls === 'first', ...(behind ? { behind: behind.value } : {}) }
  })
  // the id makes the order total: no row is shown on two pages
  if (!order.some(({ field, behind }) => field.name === 'id' && !behind)) {
    order.push({ field: model.fields.get('id')!, descending: order.at(-1)?.descending ?? false, nullsFirst: false })
  }
  return order
}

/** `order by` list; reversed for pages that are nearer to the end. */
export function orderSql(plan: { model: EntityModel; order: readonly QueryOrder[] }, alias: string, reversed = false): SQL {
  const parts = plan.order.map((by, index) => {
    const { descending, nullsFirst } = by
    const down = descending !== reversed
    const column = alias === ALIAS ? orderValue(by) : columnSql(alias, { column: orderColumn(by, index) })
    if (isFilled(plan.model, by)) return down ? sql`${column} desc` : sql`${column}`
    const first = nullsFirst !== reversed
    return sql`${column} ${sql.raw(down ? 'desc' : 'asc')} ${sql.raw(first ? 'nulls first' : 'nulls last')}`
  })
  return sql.join(parts, sql`, `)
}
