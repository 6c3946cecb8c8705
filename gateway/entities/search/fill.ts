import { sql } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'
import type { Core } from '../core'
import { AT_ONCE, type BatchResult, type Pass } from '../derive/rebuild'
import { columnSql, tableSql } from '../tables'
import { KEYS_VERSION, keyedFields, keysOfRow, type KeyedField } from './keys'

/** The search keys of an entity as something that is kept: filled in rows that lack them. */
export function keyParts({ registry }: Core): {
  model: EntityModel
  fields: readonly { key: string; field: FieldModel }[]
  batch: (pass: Pass, after: string, only: ReadonlySet<string>) => Promise<BatchResult>
}[] {
  return registry.all().flatMap((model) => {
    const keyed = keyedFields(model)
    if (keyed.length === 0) return []
    return [
      {
        model,
        fields: keyed.map(({ field }) => ({ key: keyOf(model, field), field })),
        batch: (pass: Pass, after: string, only: ReadonlySet<string>) =>
          keyBatch(
            pass,
            model,
            keyed.filter(({ field }) => only.has(keyOf(model, field))),
            after,
          ),
      },
    ]
  })
}

const keyOf = (model: EntityModel, { name }: FieldModel): string => `${model.name}.${name}#search${KEYS_VERSION}`

async function keyBatch(
  { tx, fix }: Pass,
  model: EntityModel,
  keyed: readonly KeyedField[],
  after: string,
): Promise<BatchResult> {
  const columns = keyed.flatMap(({ field, spoken, near }) => [
    sql`${columnSql('t', field)} as ${sql.identifier(field.name)}`,
    sql`t.${sql.identifier(spoken)}`,
    sql`t.${sql.identifier(near)}`,
  ])
  const { rows } = await tx.query<EntityRecord>(
    sql`select t."id", ${sql.join(columns, sql`, `)} from ${tableSql(model, 't')} where t."id" > ${after} order by t."id" limit ${AT_ONCE}${fix ? sql` for no key update` : sql``}`,
  )
  const names = new Set(keyed.map(({ field }) => field.name))
  const result: BatchResult = { last: (rows.at(-1)?.id as string | undefined) ?? null, fields: new Map() }
  const made = rows.map((row) => ({ row, keys: keysOfRow(model, row, names) }))
  const differs = ({ row, keys }: (typeof made)[number], column: string): boolean => (row[column] ?? null) !== keys[column]
  for (const { field, spoken, near } of keyed) {
    const wrong = made.filter((one) => differs(one, spoken) || differs(one, near))
    result.fields.set(keyOf(model, field), { rows: rows.length, drifted: wrong.length })
  }
  const wrong = made.filter((one) => Object.keys(one.keys).some((column) => differs(one, column)))
  if (fix && wrong.length > 0) {
    const table = sql.identifier(model.table)
    const parts = Object.keys(wrong[0]!.keys).map((column) => sql`${sql.identifier(column)} = v.${sql.identifier(column)}`)
    const values = wrong.map(({ row, keys }) => ({ id: row.id, ...keys }))
    await tx.query(
      sql`update ${table} t set ${sql.join(parts, sql`, `)} from json_populate_recordset(null::${table}, ${JSON.stringify(values)}::json) v where t."id" = v."id"`,
    )
  }
  return result
}
