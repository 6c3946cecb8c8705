import { sql } from 'drizzle-orm'
import type { EntityModel, ModelField } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'

/**
 * The next numbers of a pattern field. They are never given twice, also not to two callers at once; a write that fails
 * leaves a gap. Take them before a transaction where possible: the counter is locked until its transaction ends.
 */
export async function nextNumbers(
  db: Executor,
  model: EntityModel,
  field: ModelField,
  day: string,
  count: number,
): Promise<string[]> {
  if (!field.sequence || count < 1) return []
  const key = `${model.name}.${field.name}:${field.sequence.prefix(day)}`
  const { rows } = await db.query<{ value: number }>(
    sql`insert into "entity_sequence" as s ("key", "value") values (${key}, ${count}) on conflict ("key") do update set "value" = s."value" + ${count} returning s."value"`,
  )
  const last = Number(rows[0]!.value)
  return Array.from({ length: count }, (_, index) => field.sequence!.format(day, last - count + 1 + index))
}

/** Numbers for all pattern fields of a new record. */
export async function numbersFor(
  db: Executor,
  model: EntityModel,
  day: string,
  record: EntityRecord = {},
): Promise<EntityRecord> {
  const numbers: EntityRecord = {}
  for (const field of model.stored) {
    if (!field.sequence || (record[field.name] ?? null) !== null) continue
    ;[numbers[field.name]] = await nextNumbers(db, model, field, day, 1)
  }
  return numbers
}
