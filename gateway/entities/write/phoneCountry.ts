import { sql } from 'drizzle-orm'
import { readValue, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { clauseSql, textArray } from '../clause'
import { RowScope } from '../query/scope'
import type { Registry } from '../registry'
import { columnSql, tableSql } from '../tables'
import type { EntityRecord } from '../calls'

/** The country by which national phone numbers of a record are read when it says none of its own: that of its parent. */
export interface ParentCountry {
  /** The field that names the parent. */
  field: string
  parent: EntityModel
  country: FieldModel
}

/** A phone number that says its country itself: +86…, 0086…. */
export const isInternational = (text: string): boolean => /^\s*(?:[+＋]|00)/.test(text)

const countryOf = (model: EntityModel): FieldModel | undefined => model.stored.find((field) => field.kind === 'country')

/** Where the country of a parent stands, for an entity whose records belong to another one. */
export function parentCountryOf(registry: Registry, model: EntityModel): ParentCountry | undefined {
  if (model.scope.kind !== 'parent') return undefined
  const parent = registry.find(model.scope.entity)
  const country = parent && countryOf(parent)
  return country && { field: model.scope.field, parent, country }
}

/** Whether records of an entity know a country, their own or their parent's. Phone numbers of others (staff) are read as at home. */
export const knowsCountry = (registry: Registry, model: EntityModel): boolean =>
  countryOf(model) !== undefined || parentCountryOf(registry, model) !== undefined

/** The countries of parents by id; of those that the caller may not read, none. */
export async function countriesOfParents(
  { registry, db, context, trusted }: { registry: Registry; db: Executor; context: RequestContext; trusted: boolean },
  { parent, country }: ParentCountry,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const readable = trusted ? true : new RowScope(registry, context).readable(parent, 't')
  const { rows } = await db.query<{ id: string; country: string | null }>(
    sql`select ${columnSql('t', { column: 'id' })} as "id", ${columnSql('t', country)} as "country" from ${tableSql(parent, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray([...ids])}) and ${clauseSql(readable)}`,
  )
  return new Map(rows.flatMap(({ id, country: code }) => (code === null ? [] : [[id, code] as const])))
}

/**
 * The country by which national phone numbers in a save are read: that of the record, else that of its parent. Null = none is known,
 * and such a number is refused; undefined = the entity has none. The database is only asked when such a number was given.
 */
export async function phoneCountryOf(
  reading: { registry: Registry; db: Executor; context: RequestContext; trusted: boolean },
  model: EntityModel,
  values: EntityRecord,
  before: EntityRecord | null,
): Promise<string | null | undefined> {
  if (!knowsCountry(reading.registry, model)) return undefined
  const national = Object.entries(values).some(
    ([name, value]) =>
      model.fields.get(name)?.kind === 'phone' && typeof value === 'string' && value.trim() !== '' && !isInternational(value),
  )
  if (!national) return null
  const own = countryOf(model)
  const said = own && readValue(own, own.name in values ? values[own.name] : before?.[own.name])
  if (said && 'value' in said && typeof said.value === 'string') return said.value
  const above = parentCountryOf(reading.registry, model)
  const id = above && (values[above.field] ?? before?.[above.field])
  if (!above || typeof id !== 'string') return null
  return (await countriesOfParents(reading, above, [id])).get(id) ?? null
}
