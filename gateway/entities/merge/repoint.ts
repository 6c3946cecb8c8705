import { sql } from 'drizzle-orm'
import { referenceOf, type EntityModel, type FieldModel } from '../../../src/schema/entity'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import type { WriteContext } from '../core'
import { columnSql, tableSql } from '../tables'
import { folded } from './fold'

/** Where a merge happens, and what its history says. */
export interface MergeContext extends WriteContext {
  readonly reason: string
}

/** A field that names records of an entity and follows when they are merged. */
export interface Following {
  readonly model: EntityModel
  readonly field: FieldModel
}

/** The references that follow the records of an entity; the pointer to what a record was merged into does not, nor what says `stay`. */
export function followingOf({ core, model: target }: Pick<WriteContext, 'core' | 'model'>): Following[] {
  const into = target.document['x-merge']?.into
  return core.registry.all().flatMap((model) =>
    model.stored.flatMap((field) => {
      const stays = field.field['x-onMerge'] === 'stay' || field.kept || (model === target && field.name === into)
      return field.field['x-ref'] === target.name && !stays ? [{ model, field }] : []
    }),
  )
}

/** What names records that go names those that stay. Of what both have once only, one is left and knows what either knew. Answers the moved rows by entity. */
export async function repoint(write: MergeContext, gone: ReadonlyMap<string, string>): Promise<Record<string, number>> {
  const moved: Record<string, number> = {}
  for (const following of followingOf(write))
    for (const round of roundsOf(gone)) {
      await joinDoubles(write, following, round)
      const count = await moveRows(write, following, round)
      if (count > 0) moved[following.model.name] = (moved[following.model.name] ?? 0) + count
    }
  return moved
}

/** Several that go into the same one follow one another: the second may double what the first brought. */
function roundsOf(gone: ReadonlyMap<string, string>): ReadonlyMap<string, string>[] {
  const rounds: Map<string, string>[] = []
  for (const [from, to] of gone) {
    const free = rounds.find((round) => ![...round.values()].includes(to))
    if (free) free.set(from, to)
    else rounds.push(new Map([[from, to]]))
  }
  return rounds
}

async function moveRows(write: MergeContext, { model, field }: Following, gone: ReadonlyMap<string, string>): Promise<number> {
  const column = columnSql('t', field)
  const ids = textArray([...gone.keys()])
  const where = field.many ? sql`${column} ?| ${ids}` : sql`${column} = any(${ids})`
  const { rows } = await write.tx.query<{ id: string; value: unknown }>(
    sql`select t.id, ${column} as "value" from ${tableSql(model, 't')} where ${where} and t.deleted_at is null`,
  )
  const moved = (id: unknown): unknown => gone.get(String(id)) ?? id
  // a record is not its own agent: what would name itself names nobody
  const next = ({ id, value }: { id: string; value: unknown }): unknown =>
    field.many ? [...new Set((value as unknown[]).map(moved))] : moved(value) === id ? null : moved(value)
  if (referenceOf(field) === model.name)
    for (const [from, to] of gone)
      await write.tx.query(
        sql`update ${sql.identifier(model.table)} set ${sql.identifier(field.column)} = ${to} where ${sql.identifier(field.column)} = ${from} and deleted_at is not null`,
      )
  return change(write, model, new Map(rows.map((row) => [row.id, { [field.name]: next(row) }])))
}

/** Changes rows, each in its history; who changed them last stays, because what they say has not changed. */
const change = ({ core, tx, context, reason }: MergeContext, { name }: EntityModel, rows: ReadonlyMap<string, EntityRecord>) =>
  core.entities(tx, context).changeMany(name, rows, { reason, keepTime: true })

/** The columns by which two rows of an entity are the same thing once the reference is the same. */
function keysOf({ model, field }: Following): FieldModel[][] {
  const groups = (model.document['x-unique'] ?? []).flatMap(({ fields, where }) =>
    // of documents that may not run twice the merge is refused until one is decided
    !where && fields.includes(field.name)
      ? [fields.filter((name) => name !== field.name).map((name) => model.fields.get(name)!)]
      : [],
  )
  return field.field['x-unique'] === true ? [...groups, []] : groups
}

async function joinDoubles(write: MergeContext, following: Following, gone: ReadonlyMap<string, string>): Promise<void> {
  const { model, field } = following
  const { core, tx, context, reason } = write
  if (field.many) return
  const entities = core.entities(tx, context)
  for (const same of keysOf(following)) {
    const pairs = JSON.stringify([...gone].map(([from, to]) => ({ from, to })))
    const equal = same.map((each) => sql`${columnSql('o', each)} = ${columnSql('c', each)}`)
    const { rows } = await tx.query<{ gone: string; kept: string }>(
      sql`select distinct on (c.id) c.id as gone, o.id as kept from jsonb_to_recordset(${pairs}::jsonb) as pair("from" text, "to" text)
        join ${tableSql(model, 'c')} on ${columnSql('c', field)} = pair."from" and c.deleted_at is null
        join ${tableSql(model, 'o')} on ${sql.join([sql`${columnSql('o', field)} = pair."to"`, sql`o.deleted_at is null`, ...equal], sql` and `)}`,
    )
    if (rows.length === 0) continue
    const doubles = new Map(rows.map((row) => [row.gone, row.kept]))
    const word = field.field['x-onMerge']
    if (typeof word === 'object') {
      const ids = [...new Set([...doubles.keys(), ...doubles.values()])]
      const records = await entities.list(model.name, { where: [{ field: 'id', operator: 'in', value: ids }], lock: true })
      const byId = new Map(records.map((record) => [String(record.id), record]))
      const values = [...doubles].map(([from, to]): [string, EntityRecord] => {
        const both = [byId.get(to) ?? {}, byId.get(from) ?? {}]
        return [
          to,
          Object.fromEntries(
            Object.entries(word.join).map(([name, how]) => [
              name,
              folded(
                how,
                both.map((one) => one[name]),
              ),
            ]),
          ),
        ]
      })
      await change(write, model, new Map(values))
    }
    // what was said to the one that goes was said to the one that stays
    await repoint({ ...write, model }, doubles)
    const at = context.now.toISOString()
    await entities.changeMany(model.name, new Map([...doubles.keys()].map((id) => [id, { deletedAt: at }])), {
      reason,
      keepTime: true,
    })
  }
}
