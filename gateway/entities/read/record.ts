import { sql, type SQL } from 'drizzle-orm'
import {
  dependenciesOf,
  exactValue,
  maskValue,
  type EntityModel,
  type EntityView,
  type FieldModel,
} from '../../../src/schema/entity'
import { ExpressionError } from '../../../src/schema/expression'
import type { RequestContext } from '../../platform/http'
import { accessOf, type EntityAccess } from '../access'
import type { Registry } from '../registry'
import type { EntityRecord } from '../calls'
import { columnSql } from '../tables'

const lists = new WeakMap<EntityModel, Map<string, SQL>>()

/** The select list of all stored fields, each under its own name. */
export function storedColumns(model: EntityModel, alias: string): SQL {
  let byAlias = lists.get(model)
  if (!byAlias) lists.set(model, (byAlias = new Map()))
  let list = byAlias.get(alias)
  if (!list) {
    const columns = model.stored.map((field) => sql`${columnSql(alias, field)} as ${sql.identifier(field.name)}`)
    byAlias.set(alias, (list = sql.join(columns, sql`, `)))
  }
  return list
}

/** The stored fields that some fields need: themselves, and for computed ones what they are made of. */
export function neededFields(model: EntityModel, names: Iterable<string>): FieldModel[] {
  const needed = new Set<string>(['id'])
  const add = (name: string): void => {
    const field = model.fields.get(name)
    if (!field || needed.has(name)) return
    needed.add(name)
    if (field.computed) for (const part of dependenciesOf(field.computed, model.fields)) add(part)
  }
  for (const name of names) add(name)
  return model.stored.filter((field) => needed.has(field.name))
}

/** Adds the computed fields to a stored row. A field whose expression fails is empty; it never takes the record down. */
export function withComputed(
  registry: Registry,
  context: RequestContext,
  model: EntityModel,
  row: EntityRecord,
  only?: ReadonlySet<string>,
): EntityRecord {
  if (model.computed.length === 0 || (only && !model.computed.some((field) => only.has(field.name)))) return row
  const scope = registry.expressionScope(context, model, row, readByComputed(model))
  const environment = registry.environment(context)
  for (const field of model.computed) {
    try {
      row[field.name] = field.computed!(scope, environment) ?? null
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error
      row[field.name] = null
    }
    scope[field.name] = exactValue(model, field.name, row[field.name], row)
  }
  return row
}

const byComputed = new WeakMap<EntityModel, readonly string[]>()

function readByComputed(model: EntityModel): readonly string[] {
  const known = byComputed.get(model)
  if (known) return known
  const read = [...new Set(model.computed.flatMap(({ computed }) => dependenciesOf(computed!, model.fields)))]
  byComputed.set(model, read)
  return read
}

/** The row as the caller may see it: without internal and hidden fields, with masks for masked ones. */
export function shown(model: EntityModel, access: EntityAccess, row: EntityRecord, only?: ReadonlySet<string>): EntityRecord {
  const record: EntityRecord = {}
  for (const field of model.fields.values()) {
    // lines are rows of their own
    if (field.internal || field.storage === 'lines' || (only && !only.has(field.name))) continue
    const value = row[field.name] ?? null
    if (access.open) record[field.name] = value
    else {
      const allowed = access.of(field.name)
      if (allowed === 'mask') record[field.name] = maskValue(field.kind, value)
      else if (allowed !== 'hide') record[field.name] = value
    }
  }
  if ('$write' in row) record['$write'] = row['$write'] === true
  return record
}

/** The fields from which a title is told, the neutral name for those who may not read it among them. */
export const namesOfTitle = (model: EntityModel): readonly string[] => [
  ...new Set([...model.titleFields, ...(model.knownBy === undefined ? [] : [model.knownBy])]),
]

/** Title of a row as the caller may see it. `reference` gives titles of rows that the title field refers to. */
export function titleOf(
  registry: Registry,
  context: RequestContext,
  model: EntityModel,
  row: EntityRecord,
  reference: (entity: string, id: string) => string | undefined = () => undefined,
  view?: EntityView,
): string {
  const access = accessOf(model, context, view)
  const visible: EntityRecord = { id: row.id }
  for (const name of model.titleFields) {
    const field = model.fields.get(name)!
    const value = row[name] ?? null
    visible[name] = access.readable(name) ? value : access.of(name) === 'mask' ? maskValue(field.kind, value) : null
  }
  const field = model.fields.get(model.titleField)
  if (!model.title) {
    const alias = model.knownBy
    if (alias !== undefined && row[alias] && !access.readable(model.titleField) && access.readable(alias))
      return shortTitle(row[alias])
    const value = visible[model.titleField]
    const target = field?.kind === 'ref' ? field.field['x-ref'] : undefined
    const title = target !== undefined && typeof value === 'string' ? reference(target, value) : value
    if (field?.kind === 'dictionary' && typeof value === 'string') {
      return registry.environment(context).dictionaryLabel?.(field.field['x-dictionary'] ?? '', value) ?? value
    }
    return shortTitle(title ?? row.id)
  }
  try {
    return shortTitle(model.title(registry.expressionScope(context, model, visible), registry.environment(context)) ?? row.id)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return shortTitle(visible[model.titleField] ?? row.id)
  }
}

function shortTitle(title: unknown): string {
  const text = String(title)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
