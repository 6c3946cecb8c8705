import { sql } from 'drizzle-orm'
import { compileExpression, isExpression } from '../../../src/schema/expression'
import type { Transaction } from '../../platform/database'
import type { Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { textArray } from '../clause'
import { storedColumns } from '../read/record'
import { earliest, metBy, momentSql, nightOf, type Asked } from './due'
import { park, unpark, type MetRow } from './parked'
import type { DeadlinePlace, DeadlinePlan } from './plan'
import { removeForGood } from './retention'

/** Records of one transaction. */
const BATCH = 200
const DELETED_AT_ONCE = 2_000

/** What became of a record that was due: the row as it is then, or why nothing could be done. */
export interface Taken {
  row: EntityRecord
  failed: Text | null
}

/**
 * Does what a deadline does to the earliest records that meet it, in the running transaction. Rows that somebody else holds are left
 * for the next look; each is read again under its lock. A record that fails is parked. Nothing = no more is due.
 */
export async function takeBatch(place: DeadlinePlace, plan: DeadlinePlan, most: number | null): Promise<Taken[]> {
  const { core, tx, context } = place
  const asked: Asked = { registry: core.registry, now: context.now }
  const size = plan.deadline.delete === true ? DELETED_AT_ONCE : BATCH
  const left = most === null ? size : Math.min(size, most - (await takenInNight(tx, plan, asked)))
  if (left <= 0) return []
  const { rows } = await tx.query<MetRow>(
    sql`select ${storedColumns(plan.model, 't')}, ${momentSql(plan)} as "$moment" ${metBy(plan, asked)} ${earliest(plan)} limit ${left} for update of t skip locked`,
  )
  const taken: Taken[] = []
  for (const { values, alike } of byValues(place, plan, rows))
    taken.push(...(await together(place, { plan, step: '' }, alike, (inner, some) => act(inner, plan, some, values))))
  const done = taken.filter(({ failed }) => failed === null).map(({ row }) => String(row.id))
  await unpark(tx, plan, '', done)
  if (plan.stays)
    await remember(
      place,
      plan,
      [''],
      rows.filter(({ id }) => done.includes(String(id))),
    )
  if (most !== null) await countInNight(tx, plan, done.length)
  return taken
}

/** Works on rows together; when that fails on halves of them, so that the one that fails is parked alone. */
export async function together(
  place: DeadlinePlace,
  { plan, step }: { plan: DeadlinePlan; step: string },
  rows: readonly MetRow[],
  work: (place: DeadlinePlace, rows: readonly MetRow[]) => Promise<Taken[]>,
): Promise<Taken[]> {
  const { tx, context } = place
  try {
    return await tx.transaction((inner) => work({ ...place, tx: inner }, rows))
  } catch (error) {
    const [row] = rows
    if (!row || rows.length === 1)
      return row ? [{ row, failed: await park(tx, { plan, step, now: context.now }, row, error) }] : []
    const middle = Math.ceil(rows.length / 2)
    const first = await together(place, { plan, step }, rows.slice(0, middle), work)
    return [...first, ...(await together(place, { plan, step }, rows.slice(middle), work))]
  }
}

async function act(place: DeadlinePlace, plan: DeadlinePlan, rows: readonly MetRow[], values: EntityRecord): Promise<Taken[]> {
  const { model, deadline, counted } = plan
  if (deadline.delete === true) {
    await removeForGood(place, model, rows)
    return rows.map((row) => ({ row, failed: null }))
  }
  const entities = place.core.entities(place.tx, place.context)
  const taken: Taken[] = []
  for (const { id } of rows) {
    const row = await entities.transition(model.name, String(id), deadline.transition!, values, { field: counted?.field.name })
    taken.push({ row, failed: null })
  }
  return taken
}

/** Rows with the same inputs of the transition. */
function byValues({ core, context }: DeadlinePlace, { deadline, model }: DeadlinePlan, rows: readonly MetRow[]) {
  const given = Object.entries(deadline.values ?? {}).map(([name, value]) => ({
    name,
    value,
    compiled: isExpression(value) ? compileExpression(value) : null,
  }))
  const environment = core.registry.environment(context)
  const groups = new Map<string, { values: EntityRecord; alike: MetRow[] }>()
  for (const row of rows) {
    const scope = core.registry.expressionScope(context, model, row)
    const values = Object.fromEntries(
      given.map(({ name, value, compiled }) => [name, compiled ? (compiled(scope, environment) ?? null) : value]),
    )
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, alike: [] }
    groups.set(key, group)
    group.alike.push(row)
  }
  return groups.values()
}

/** Writes down what was done for the moments of records. */
export async function remember(
  { tx, context }: DeadlinePlace,
  { model, deadline }: DeadlinePlan,
  steps: readonly string[],
  rows: readonly MetRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    sql`insert into entity_deadline_done (entity, deadline, step, record_id, moment, done_at)
      select ${model.name}, ${deadline.id}, s.step, r.id, r.moment, ${context.now.toISOString()}::timestamptz
      from unnest(${textArray(steps)}) as s(step), unnest(${textArray(rows.map(({ id }) => String(id)))}, ${textArray(rows.map(({ $moment }) => $moment))}::timestamptz[]) as r(id, moment)
      on conflict do nothing`,
  )
}

/** How many the deadline took in this night; other gateways wait until this transaction ends. */
async function takenInNight(tx: Transaction, plan: DeadlinePlan, asked: Asked): Promise<number> {
  const { rows } = await tx.query<{ taken: number }>(
    sql`insert into entity_deadline_night as n (entity, deadline, night, taken) values (${plan.model.name}, ${plan.deadline.id}, ${nightOf(plan, asked)}, 0)
      on conflict (entity, deadline) do update set night = excluded.night, taken = case when n.night = excluded.night then n.taken else 0 end returning taken`,
  )
  return rows[0]?.taken ?? 0
}

const countInNight = (tx: Transaction, { model, deadline }: DeadlinePlan, count: number): Promise<unknown> =>
  tx.query(
    sql`update entity_deadline_night set taken = taken + ${count} where entity = ${model.name} and deadline = ${deadline.id}`,
  )
