import { sql } from 'drizzle-orm'
import { transitionsOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { Executor } from '../../platform/database'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import type { WriteContext, Written } from '../core'
import { refusal, type InputProblem } from '../errors'
import { columnSql, tableSql } from '../tables'

/**
 * The next numbers of a pattern field whose series needs nothing of a record. They are never given twice, also not to two callers at
 * once; a write that fails leaves a gap. Take them before a transaction where possible: the counter is locked until its transaction ends.
 */
export async function nextNumbers(
  db: Executor,
  model: EntityModel,
  field: FieldModel,
  day: string,
  count: number,
): Promise<string[]> {
  const { sequence } = field
  if (!sequence?.early || count < 1) return []
  const key = keyOf(model, field, sequence.series(day, {})!)
  const last = (await counted(db, new Map([[key, count]]))).get(key)!
  return Array.from({ length: count }, (_, index) => sequence.pattern.format(day, last - count + 1 + index))
}

/** Early numbers for all pattern fields of a new record. */
export async function numbersFor(
  db: Executor,
  model: EntityModel,
  day: string,
  record: EntityRecord = {},
): Promise<EntityRecord> {
  const numbers: EntityRecord = {}
  for (const field of model.stored) {
    if (!field.sequence?.early || (record[field.name] ?? null) !== null) continue
    ;[numbers[field.name]] = await nextNumbers(db, model, field, day, 1)
  }
  return numbers
}

/**
 * Numbers that new records, or with `transition` those that take it, get inside their transaction: of series that depend on the
 * record, and gapless ones, which go back with a write that fails. Call it when everything is checked: whoever wants a number of the
 * same series waits until the transaction ends. One statement a field, however many records. Answers the names of the fields.
 * @throws ServiceError 10010005 for a record without a value that its series is counted by
 */
export async function giveNumbers(
  { core, tx, context, model }: WriteContext,
  records: readonly EntityRecord[],
  transition?: string,
): Promise<string[]> {
  const given: string[] = []
  const day = core.registry.dayOf(context.now)
  for (const field of model.stored) {
    const { sequence } = field
    if (!sequence || sequence.early || sequence.at !== transition) continue
    const waiting = records.filter((record) => (record[field.name] ?? null) === null)
    const series = waiting.map((record) => {
      const found = sequence.series(day, record)
      if (found !== undefined) return keyOf(model, field, found)
      throw refusal('validationFailed', context.locale, [withoutSeries(model, field, record)])
    })
    const wanted = new Map<string, number>()
    for (const key of series) wanted.set(key, (wanted.get(key) ?? 0) + 1)
    if (wanted.size === 0) continue
    const last = await counted(tx, wanted)
    for (const [index, record] of waiting.entries()) {
      const key = series[index]!
      const left = wanted.get(key)! - 1
      wanted.set(key, left)
      record[field.name] = sequence.pattern.format(day, last.get(key)! - left)
    }
    if (waiting.length > 0) given.push(field.name)
  }
  return given
}

/** Numbers of records that have just taken the transition with which they are given, written beside the rest. */
export async function numberMoved(write: WriteContext, written: readonly Written[]): Promise<void> {
  const { model, tx } = write
  const numbered = new Set(model.stored.flatMap(({ sequence }) => sequence?.at ?? []))
  if (numbered.size === 0) return
  for (const { machine, transition } of transitionsOf(model)) {
    if (!numbered.has(transition.id)) continue
    const moved = written.flatMap(({ before, after }) => {
      const from = before?.[machine.field]
      const taken = transition.from.includes(String(from)) && after[machine.field] === transition.to && from !== transition.to
      return taken ? [after] : []
    })
    for (const name of await giveNumbers(write, moved, transition.id)) {
      const { column } = model.fields.get(name)!
      await tx.query(
        sql`update ${tableSql(model, 't')} set ${sql.identifier(column)} = given."number" from unnest(${textArray(moved.map(({ id }) => String(id)))}, ${textArray(moved.map((record) => String(record[name])))}) as given("id", "number") where ${columnSql('t', { column: 'id' })} = given."id"`,
      )
    }
  }
}

/** Counts series on; answers the last number of each. Always in one order, so that two writers of several series never wait for each other. */
async function counted(db: Executor, wanted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
  const keys = [...wanted.keys()].sort()
  const { rows } = await db.query<{ key: string; value: number }>(
    sql`insert into "entity_sequence" as s ("key", "value") select * from unnest(${textArray(keys)}, ${sql.param(keys.map((key) => wanted.get(key)!))}::bigint[]) on conflict ("key") do update set "value" = s."value" + excluded."value" returning s."key", s."value"`,
  )
  return new Map(rows.map(({ key, value }) => [key, Number(value)]))
}

const keyOf = (model: EntityModel, field: FieldModel, series: string): string => `${model.name}.${field.name}:${series}`

function withoutSeries(model: EntityModel, field: FieldModel, record: EntityRecord): InputProblem {
  const name = field.sequence!.fields.find((each) => (record[each] ?? '') === '')!
  const { label } = model.fields.get(name)!
  return {
    field: name,
    rule: 'required',
    message: {
      zh: `请填写“${label.zh}”，“${field.label.zh}”按它编号。`,
      en: `"${label.en}" is required: "${field.label.en}" is numbered by it.`,
    },
  }
}
