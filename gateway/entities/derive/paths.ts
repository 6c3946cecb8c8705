import { sql } from 'drizzle-orm'
import { exactValue, referenceOf, type EntityModel, type FieldPath, type FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import { columnSql, tableSql } from '../tables'

/** How rows behind references are held until the transaction ends, by their entity and what is read of them; nothing = not at all. */
export type Hold = (model: EntityModel, fields: readonly FieldModel[]) => 'key share' | 'share' | 'no key update' | undefined

/** What paths through references lead to, for each record and as expressions read it; null where a step names nothing. */
export async function loadPaths(
  db: Executor,
  model: EntityModel,
  records: readonly EntityRecord[],
  paths: readonly string[],
): Promise<ReadonlyMap<EntityRecord, EntityRecord>> {
  const behind = new PathValues(
    db,
    model,
    paths.map((name) => ({ name, steps: name.split('.') })),
  )
  await behind.load(records)
  return new Map(records.map((record) => [record, behind.of(record, { exact: true })]))
}

/** Rows behind references: read step by step for many records at once, one statement a step and entity. */
export class PathValues {
  private readonly rows = new Map<string, Map<string, EntityRecord | null>>()
  private readonly fields = new Map<EntityModel, Set<FieldModel>>()

  constructor(
    private readonly db: Executor,
    private readonly model: EntityModel,
    private readonly paths: readonly FieldPath[],
    private readonly hold: Hold = () => undefined,
  ) {
    for (const { steps } of paths) {
      let at: EntityModel | undefined = model
      for (const [index, name] of steps.entries()) {
        const field: FieldModel | undefined = at?.fields.get(name)
        if (!at || field?.storage !== 'stored') break
        if (index > 0) this.add(at, field)
        at = targetOf(at, field)
      }
    }
  }

  /** Reads what the records lead to; what is known already is not read again. */
  async load(records: readonly EntityRecord[]): Promise<void> {
    const depth = Math.max(0, ...this.paths.map(({ steps }) => steps.length - 1))
    for (let step = 0; step < depth; step += 1) {
      const wanted = new Map<EntityModel, Set<string>>()
      for (const { steps } of this.paths) {
        if (steps.length - 1 <= step) continue
        for (const record of records) {
          const found = this.walk(record, steps, step)
          const target = found && targetOf(found.model, found.model.fields.get(steps[step]!))
          const id: unknown = found?.row[steps[step]!]
          if (!target || typeof id !== 'string' || this.rows.get(target.name)?.has(id)) continue
          ;(wanted.get(target) ?? wanted.set(target, new Set()).get(target)!).add(id)
        }
      }
      for (const [target, ids] of wanted) await this.read(target, ids)
    }
  }

  private add(model: EntityModel, field: FieldModel): void {
    const fields = this.fields.get(model) ?? new Set()
    this.fields.set(model, fields.add(field))
    // with an amount its currency
    const currency = model.fields.get(field.field['x-money'] ?? '')
    if (currency?.storage === 'stored') fields.add(currency)
  }

  /** The values of all paths of a record, by their names. `exact`: as expressions read them. */
  of(record: EntityRecord, { exact = false } = {}): EntityRecord {
    return Object.fromEntries(
      this.paths.map(({ name, steps }) => {
        const found = this.walk(record, steps, steps.length - 1)
        const value = found?.row[steps.at(-1)!]
        return [name, (found && exact ? exactValue(found.model, steps.at(-1)!, value, found.row) : value) ?? null]
      }),
    )
  }

  private walk(
    record: EntityRecord,
    steps: readonly string[],
    until: number,
  ): { model: EntityModel; row: EntityRecord } | undefined {
    let at: { model: EntityModel; row: EntityRecord } | undefined = { model: this.model, row: record }
    for (let step = 0; step < until && at; step += 1) {
      const target = targetOf(at.model, at.model.fields.get(steps[step]!))
      const id: unknown = at.row[steps[step]!]
      const row: EntityRecord | null | undefined =
        target && typeof id === 'string' ? this.rows.get(target.name)?.get(id) : undefined
      at = target && row ? { model: target, row } : undefined
    }
    return at
  }

  private async read(target: EntityModel, ids: ReadonlySet<string>): Promise<void> {
    const known = this.rows.get(target.name) ?? new Map<string, EntityRecord | null>()
    this.rows.set(target.name, known)
    for (const id of ids) known.set(id, null)
    const fields = [...(this.fields.get(target) ?? [])]
    const columns = [...new Set([target.fields.get('id')!, ...fields])].map(
      (field) => sql`${columnSql('t', field)} as ${sql.identifier(field.name)}`,
    )
    const hold = this.hold(target, fields)
    const { rows } = await this.db.query<EntityRecord>(
      sql`select ${sql.join(columns, sql`, `)} from ${tableSql(target, 't')} where t."id" = any(${sql.param([...ids])}::text[]) order by t."id"${hold ? sql.raw(` for ${hold} of t`) : sql``}`,
    )
    for (const row of rows) known.set(String(row.id), row)
  }
}

function targetOf(model: EntityModel, field: FieldModel | undefined): EntityModel | undefined {
  const name = field && field.kind === 'ref' ? referenceOf(field) : undefined
  return name === undefined ? undefined : model.find(name)
}
