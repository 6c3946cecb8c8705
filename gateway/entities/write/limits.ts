import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import { compileExpression, isExpression } from '../../../src/schema/expression'
import { leavesOf } from '../../../src/schema/where'
import { ServiceError } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { allOf, clauseSql } from '../clause'
import { prepare } from '../effects/prepare'
import { evaluate, evaluateText, scopeOf, subjectOf, textsIn } from '../effects/subject'
import { conditionSql } from '../query/condition'
import { storedColumns } from '../read/record'
import { columnSql, tableSql } from '../tables'
import { sameValue } from '../sameValue'
import type { WriteContext, Written } from '../core'
import { lockKeys, columnsOf } from './keyLocks'

type Limit = NonNullable<EntityModel['document']['x-limits']>[number]

/** A limit with the written rows that it counts now and did not count before. */
interface Counted {
  limit: Limit
  per: readonly FieldModel[]
  rows: readonly EntityRecord[]
}

/**
 * `x-limits`: of the rows that were written, those that count now are counted together with all others of their key, with the key
 * locked. A constant number of statements, whatever was written.
 * @throws ServiceError 10030002, or the code of the limit, with its message
 */
export async function checkLimits(write: WriteContext, written: readonly Written[]): Promise<void> {
  const found: Counted[] = []
  for (const limit of write.model.document['x-limits'] ?? []) {
    const per = limit.per.map((name) => write.model.fields.get(name)!)
    const rows = await newlyCounted(write, limit, per, written)
    if (rows.length > 0) found.push({ limit, per, rows })
  }
  if (found.length === 0) return
  await lockKeys(
    write.tx,
    found.flatMap(({ limit, per, rows }) =>
      rows.map((row) => JSON.stringify([write.model.name, limit.id, per.map(({ name }) => row[name])])),
    ),
  )
  for (const counted of found) await compare(write, counted)
}

/** Rows that count now, with every stored field; not those that counted before under the same key. */
async function newlyCounted(
  write: WriteContext,
  limit: Limit,
  per: readonly FieldModel[],
  written: readonly Written[],
): Promise<EntityRecord[]> {
  const { model, tx } = write
  const deciding = [...limit.per, ...leavesOf(limit.where).map(({ field }) => field), 'deletedAt']
  const given = written
    .filter(({ before, after }) => !after.deletedAt && deciding.some((name) => !before || !sameValue(before[name], after[name])))
    .map(({ before, after }) => ({ id: after.id, before: before && columnsOf(model, before) }))
  if (given.length === 0) return []
  const [now, earlier] = [countsSql(write, limit, 't'), countsSql(write, limit, 'b')]
  const sameKey = per.map((field) => sql`${columnSql('b', field)} = ${columnSql('t', field)}`)
  const { rows } = await tx.query<EntityRecord>(
    // what a bulk change did not read stands in the row as it did before
    sql`select ${storedColumns(model, 't')} from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(id text, before jsonb) join ${tableSql(model, 't')} on t."id" = given.id left join lateral jsonb_populate_record(t, given.before) b on given.before is not null where ${now} and not coalesce(given.before is not null and ${earlier} and ${clauseSql(allOf(sameKey))}, false)`,
  )
  return rows
}

/** Live rows with a whole key that meet the conditions of a limit. */
function countsSql({ core: { registry }, context, model }: WriteContext, { per, where = [] }: Limit, alias: string): SQL {
  const at = { model, alias, locale: context.locale, timeZone: registry.timeZone, searchable: () => true, internal: true }
  const value = (text: unknown): unknown =>
    isExpression(text) ? compileExpression(text)(registry.expressionScope(context), registry.environment(context)) : text
  return clauseSql(
    allOf([
      sql`${columnSql(alias, { column: 'deleted_at' })} is null`,
      ...per.map((name) => sql`${columnSql(alias, model.fields.get(name)!)} is not null`),
      ...where.map((condition) => conditionSql(at, { ...condition, value: value(condition.value) })),
    ]),
  )
}

async function compare(write: WriteContext, { limit, per, rows }: Counted): Promise<void> {
  const { model, tx } = write
  const keyOf = (row: EntityRecord): string => JSON.stringify(per.map(({ name }) => row[name]))
  const keys = new Map(
    rows.map((row) => [keyOf(row), columnsOf(model, Object.fromEntries(per.map(({ name }) => [name, row[name]])))]),
  )
  const columns = (alias: string) =>
    sql.join(
      per.map((field) => sql`${columnSql(alias, field)}`),
      sql`, `,
    )
  const named = sql.join(
    per.map((field) => sql`${columnSql('k', field)} as ${sql.identifier(field.name)}`),
    sql`, `,
  )
  const { rows: counts } = await tx.query<EntityRecord>(
    sql`select ${named}, (select count(*) from ${tableSql(model, 't')} where (${columns('t')}) = (${columns('k')}) and ${countsSql(write, limit, 't')}) as "$count" from json_populate_recordset(null::${sql.identifier(model.table)}, ${JSON.stringify([...keys.values()])}::json) k`,
  )
  const countOf = new Map(counts.map((row) => [keyOf(row), Number(row.$count)]))
  const subjects = rows.map((row) => subjectOf(row))
  await prepare(write, subjects, textsIn([limit.most, limit.message]))
  for (const subject of subjects) {
    const count = countOf.get(keyOf(subject.record)) ?? 0
    const scope = scopeOf(write, subject)
    const most = evaluate(write, limit.most, scope)
    if (most === null || most === undefined || count <= Number(most)) continue
    throw new ServiceError('limitRefused', {
      message: evaluateText(write, limit.message, { ...scope, most, count: count - 1 }),
      data: { reason: limit.id },
      code: limit.code,
      rule: limit.id,
    })
  }
}
