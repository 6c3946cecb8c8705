import { sql } from 'drizzle-orm'
import { maskValue, referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { Locale, RequestContext } from '../../platform/http'
import { accessOf } from '../access'
import { clauseSql, textArray } from '../clause'
import { badRequest, shorten, unknownName } from '../errors'
import { RowScope } from '../query/scope'
import type { Registry } from '../registry'
import type { EntityRecord, References } from '../calls'
import { columnSql, tableSql } from '../tables'
import { namesOfTitle, titleOf } from './record'

/** One step through a reference: `customerId.code`. */
interface Step {
  field: string
  entity: string
  name: string
}

/** Milliseconds that the fields of a title are remembered; a write of this process forgets them at once. */
const FRESH = 5_000
const MOST_REMEMBERED = 20_000

/** Reads titles in batches, one statement an entity, and remembers the fields that they are made of for a moment. */
export class ReferenceReader {
  private readonly remembered = new Map<string, { row: EntityRecord | null; until: number }>()

  constructor(private readonly registry: Registry) {}

  forget(entity: string, id: string): void {
    this.remembered.delete(`${entity}:${id}`)
  }

  /** References of the records in their reference fields, with the fields one step away that `expand` asks for. */
  async of(
    db: Executor,
    context: RequestContext,
    model: EntityModel,
    records: readonly EntityRecord[],
    expand: readonly string[] = [],
  ): Promise<References> {
    const wanted = new Map<string, Set<string>>()
    for (const field of model.fields.values()) {
      const entity = referenceOf(field)
      if (entity === undefined || field.internal || !this.registry.find(entity)) continue
      for (const record of records) for (const id of idsIn(record[field.name])) add(wanted, entity, id)
    }
    const references = await this.titles(db, context, wanted)
    for (const [entity, steps] of groupSteps(this.steps(context.locale, model, expand))) {
      const ids = new Set(records.flatMap((record) => steps.flatMap((step) => idsIn(record[step.field]))))
      await this.expand(
        db,
        context,
        this.registry.model(entity),
        [...ids],
        [...new Set(steps.map((step) => step.name))],
        references,
      )
    }
    return references
  }

  /** Titles by entity and id. */
  async titles(db: Executor, context: RequestContext, wanted: ReadonlyMap<string, ReadonlySet<string>>): Promise<References> {
    const references: References = {}
    const rows = new Map<string, ReadonlyMap<string, EntityRecord>>()
    for (const [entity, ids] of wanted) rows.set(entity, await this.rows(db, this.registry.model(entity), [...ids]))
    const further = new Map<string, Set<string>>()
    for (const [entity, found] of rows) {
      const model = this.registry.model(entity)
      const target = model.title ? undefined : model.fields.get(model.titleField)
      const through = target && referenceOf(target)
      if (through === undefined || !this.registry.find(through)) continue
      for (const row of found.values()) for (const id of idsIn(row[model.titleField])) add(further, through, id)
    }
    const beyond = new Map<string, ReadonlyMap<string, EntityRecord>>()
    for (const [entity, ids] of further) beyond.set(entity, await this.rows(db, this.registry.model(entity), [...ids]))
    const lookUp = (entity: string, id: string): string | undefined => {
      const row = beyond.get(entity)?.get(id)
      return row && titleOf(this.registry, context, this.registry.model(entity), row)
    }
    for (const [entity, found] of rows) {
      const model = this.registry.model(entity)
      references[entity] = Object.fromEntries(
        [...found].map(([id, row]) => [id, { title: titleOf(this.registry, context, model, row, lookUp) }]),
      )
    }
    return references
  }

  /** The fields of a title by id, remembered for a moment. */
  private async rows(db: Executor, model: EntityModel, ids: readonly string[]): Promise<ReadonlyMap<string, EntityRecord>> {
    const now = Date.now()
    const found = new Map<string, EntityRecord>()
    const missing: string[] = []
    for (const id of ids) {
      const known = this.remembered.get(`${model.name}:${id}`)
      if (!known || known.until < now) missing.push(id)
      else if (known.row) found.set(id, known.row)
    }
    if (missing.length === 0) return found
    const names = ['id', ...namesOfTitle(model).filter((name) => model.fields.get(name)?.storage === 'stored' && name !== 'id')]
    const columns = names.map((name) => sql`${columnSql('t', model.fields.get(name)!)} as ${sql.identifier(name)}`)
    const { rows } = await db.query<EntityRecord>(
      sql`select ${sql.join(columns, sql`, `)} from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(missing)})`,
    )
    for (const row of rows) found.set(row.id as string, row)
    if (this.remembered.size + missing.length > MOST_REMEMBERED) this.remembered.clear()
    for (const id of missing) this.remembered.set(`${model.name}:${id}`, { row: found.get(id) ?? null, until: now + FRESH })
    return found
  }

  private steps(locale: Locale, model: EntityModel, expand: readonly string[]): Step[] {
    return expand.map((path) => {
      const [name = '', inner = '', ...more] = path.split('.')
      const field = model.fields.get(name)
      const entity = field && !field.internal ? referenceOf(field) : undefined
      const target = entity === undefined ? undefined : this.registry.find(entity)
      const aim = target?.fields.get(inner)
      if (more.length > 0 || !target || !aim || aim.internal) {
        const candidates = target
          ? [...target.fields.values()].filter((each) => !each.internal).map((each) => `${name}.${each.name}`)
          : [...model.fields.keys()]
        throw badRequest(locale, unknownName({ zh: '引用字段', en: 'field behind a reference' }, path, candidates), shorten(path))
      }
      return { field: name, entity: target.name, name: inner }
    })
  }

  /** Fields one step away, only of rows in the caller's scope, masked as in the row itself. */
  private async expand(
    db: Executor,
    context: RequestContext,
    model: EntityModel,
    ids: string[],
    names: string[],
    into: References,
  ): Promise<void> {
    if (ids.length === 0) return
    const stored = names.map((name) => model.fields.get(name)!).filter((field) => field.storage === 'stored')
    const columns = ['id', ...stored.map((field) => field.name).filter((name) => name !== 'id')].map(
      (name) => sql`${columnSql('t', model.fields.get(name)!)} as ${sql.identifier(name)}`,
    )
    const scope = clauseSql(new RowScope(this.registry, context).readable(model, 't'))
    const { rows } = await db.query<EntityRecord>(
      sql`select ${sql.join(columns, sql`, `)} from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)}) and ${columnSql('t', { column: 'deleted_at' })} is null and ${scope}`,
    )
    const access = accessOf(model, context)
    for (const row of rows) {
      const entry = into[model.name]?.[row.id as string]
      if (!entry) continue
      entry.fields = Object.fromEntries(
        stored
          .filter((field) => access.of(field.name) !== 'hide')
          .map((field) => [
            field.name,
            access.readable(field.name) ? (row[field.name] ?? null) : maskValue(field.kind, row[field.name]),
          ]),
      )
    }
    const further = new Map<string, Set<string>>()
    for (const field of stored) {
      const entity = referenceOf(field)
      if (entity === undefined || !this.registry.find(entity) || !access.readable(field.name)) continue
      for (const row of rows) for (const id of idsIn(row[field.name])) if (!into[entity]?.[id]) add(further, entity, id)
    }
    for (const [entity, titles] of Object.entries(await this.titles(db, context, further)))
      into[entity] = { ...into[entity], ...titles }
  }
}

function groupSteps(steps: readonly Step[]): Map<string, Step[]> {
  const groups = new Map<string, Step[]>()
  for (const step of steps) groups.set(step.entity, [...(groups.get(step.entity) ?? []), step])
  return groups
}

function idsIn(value: unknown): string[] {
  if (typeof value === 'string' && value !== '') return [value]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key)
  if (set) set.add(value)
  else map.set(key, new Set([value]))
}
