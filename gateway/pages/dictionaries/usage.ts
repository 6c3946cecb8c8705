import { sql } from 'drizzle-orm'
import type { EntityModel, FieldModel } from '../../../src/schema/entity'
import type { BilingualText } from '../../../src/schema/problem'
import type { Executor } from '../../platform/database'

/** A field whose values are codes of a dictionary. */
export interface UsingField {
  model: EntityModel
  field: FieldModel
}

/** How many rows hold a code in one field. */
export interface FieldUsage {
  entity: string
  field: string
  title: BilingualText
  count: number
  /** Of them in the recycle bin: they may come back. */
  deleted: number
}

/** Every column of the database that holds codes of a dictionary. */
export function fieldsUsing(models: readonly EntityModel[], dictionary: string): UsingField[] {
  return models.flatMap((model) =>
    model.stored.filter((field) => field.field['x-dictionary'] === dictionary).map((field) => ({ model, field })),
  )
}

/** Rows that hold each code, place by place. `only`: these codes alone. */
export async function countUsage(
  db: Executor,
  fields: readonly UsingField[],
  only?: readonly string[],
): Promise<ReadonlyMap<string, FieldUsage[]>> {
  const found = new Map<string, FieldUsage[]>()
  for (const { model, field } of fields) {
    const column = sql.identifier(field.column)
    const from = field.many
      ? sql`${sql.identifier(model.table)} t cross join lateral jsonb_array_elements_text(case when jsonb_typeof(t.${column}) = 'array' then t.${column} else '[]'::jsonb end) as c(code)`
      : sql`(select ${column} as code, "deleted_at" from ${sql.identifier(model.table)} where ${column} is not null) c`
    const deleted = field.many ? sql`t."deleted_at"` : sql`c."deleted_at"`
    const { rows } = await db.query<{ code: string; count: number; deleted: number }>(
      sql`select c.code, count(*) as count, count(${deleted}) as deleted from ${from} ${only ? sql`where c.code in ${[...only]}` : sql``} group by c.code`,
    )
    for (const { code, count, deleted } of rows) {
      const usage = {
        entity: model.name,
        field: field.name,
        title: { zh: `${model.label.zh} · ${field.label.zh}`, en: `${model.label.en} · ${field.label.en}` },
        count: Number(count),
        deleted: Number(deleted),
      }
      found.set(code, [...(found.get(code) ?? []), usage])
    }
  }
  return found
}

/** Where a code is what a new record or a state machine starts with: it cannot be retired there. */
export function neededBy(fields: readonly UsingField[], code: string): BilingualText[] {
  return fields.flatMap(({ model, field }) => {
    const initial = [field.field.default].flat().includes(code)
    const state = (model.document['x-states'] ?? []).some(
      (machine) =>
        machine.field === field.name &&
        (machine.initial === code || machine.transitions.some((step) => step.to === code || step.from.includes(code))),
    )
    return initial || state ? [{ zh: `${model.label.zh} · ${field.label.zh}`, en: `${model.label.en} · ${field.label.en}` }] : []
  })
}
