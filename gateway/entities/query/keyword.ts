import { sql, type SQL } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { allOf, anyOf, clauseSql, escapeLike, likeSql, type Clause } from '../clause'
import { badRequest } from '../errors'
import type { Registry } from '../registry'
import { storageOf } from '../storage'
import { columnSql, tableSql } from '../tables'
import type { QueriedTable } from './condition'
import { mayRead, queriedTable } from './queriedTable'
import { rareParts } from './rareParts'
import { RowScope } from './scope'
import { charactersSql, shortPhrase } from './shortKeyword'
import type { TextSamples } from './textSamples'

const LONGEST_KEYWORD = 100

/**
 * The phrase in any of the quick search fields that the caller may read. A reference is found by what its record is found by, when
 * that record is in the caller's reach.
 */
export function keywordClause(
  registry: Registry,
  context: RequestContext,
  queried: QueriedTable,
  keyword: string | undefined,
): Clause {
  const phrase = keyword?.trim() ?? ''
  if (phrase === '') return true
  if (phrase.length > LONGEST_KEYWORD || phrase.includes('\u0000')) {
    throw badRequest(
      queried.locale,
      { zh: `关键字最长 ${LONGEST_KEYWORD} 个字符。`, en: `A keyword has at most ${LONGEST_KEYWORD} characters.` },
      'keyword',
    )
  }
  return anyOf([
    ...foundIn(queried, phrase, registry.samples),
    ...searchedRefs(queried.model)
      .filter((field) => queried.searchable(field.name))
      .map((field) => foundBehind(registry, context, queried, field, phrase)),
  ])
}

/** The phrase in the texts of the rows themselves: in those that the caller may read, unless others are named. */
export function foundIn(
  queried: QueriedTable,
  phrase: string,
  samples: TextSamples,
  fields: readonly FieldModel[] = searchFields(queried.model).filter((field) => queried.searchable(field.name)),
): Clause[] {
  const pattern = `%${escapeLike(phrase)}%`
  const characters = shortPhrase(phrase)
  return fields.map((field) => {
    const parts = rareParts(phrase, samples.of(queried.model.table, field.column))
    const found = foundSql(columnSql(queried.alias, field), field, { phrase, pattern, characters, parts })
    const only = queried.only?.(field.name)
    return only ? sql`(${found} and ${only})` : found
  })
}

/** The phrase in the texts of the record that a field refers to. */
function foundBehind(
  registry: Registry,
  context: RequestContext,
  { alias: from }: QueriedTable,
  field: FieldModel,
  phrase: string,
): Clause {
  const model = registry.model(String(field.field['x-ref']))
  if (!mayRead(context, model)) return false
  const alias = `${from}_${field.column}`
  const inside = allOf([
    sql`${columnSql(alias, { column: 'id' })} = ${columnSql(from, field)}`,
    sql`${columnSql(alias, { column: 'deleted_at' })} is null`,
    new RowScope(registry, context).readable(model, alias),
    anyOf(foundIn({ ...queriedTable(registry, context, model), alias }, phrase, registry.samples)),
  ])
  return inside === false ? false : sql`exists (select from ${tableSql(model, alias)} where ${clauseSql(inside)})`
}

interface Sought {
  phrase: string
  pattern: string
  /** The characters of a phrase that is too short for trigrams. */
  characters: readonly string[] | null
  /** The parts of it that few rows have, when others are common. */
  parts: readonly string[]
}

function foundSql(column: SQL, field: FieldModel, { phrase, pattern, characters, parts }: Sought): SQL {
  if (storageOf(field) !== 'text') return likeSql(sql`${column}::text`, pattern)
  if (field.field['x-searchWhole']) return sql`${column} = ${phrase}`
  if (parts.length > 0) {
    // an expression that no index knows: the index is asked for the rare parts alone
    const whole = likeSql(sql`(${column} || '')`, pattern)
    return sql`(${sql.join([...parts.map((part) => likeSql(column, `%${escapeLike(part)}%`)), whole], sql` and `)})`
  }
  if (characters === null) return likeSql(column, pattern)
  // the second half is for the index; where none is used, the first one decides at its low price
  return sql`(${likeSql(column, pattern)} and ${charactersSql(column)} @> ${sql.param(characters)}::text[])`
}

/** Fields that the quick keyword searches in the rows themselves. */
export function searchFields(model: EntityModel): readonly FieldModel[] {
  return model.stored.filter((field) => field.field['x-search'] && field.kind !== 'ref' && !field.internal)
}

/** References whose records the quick keyword searches. */
function searchedRefs(model: EntityModel): readonly FieldModel[] {
  return model.stored.filter((field) => field.field['x-search'] && field.kind === 'ref' && !field.internal)
}

/** Reads what is common in the searched texts, before a phrase is searched for. */
export async function knowTexts(registry: Registry, db: Executor, keyword: string | undefined): Promise<void> {
  if ((keyword?.trim() ?? '') === '') return
  await registry.samples.keepFresh(db, () =>
    registry.all().flatMap((model) => searchFields(model).map(({ column }) => ({ table: model.table, column }))),
  )
}
