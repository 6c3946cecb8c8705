import { sql, type SQL } from 'drizzle-orm'
import type { Transaction } from '../../platform/database'
import type { Text } from '../../platform/http'
import type { EntityRecord } from '../calls'
import type { WriteContext } from '../core'
import { textArray } from '../clause'
import { prepare } from '../effects/prepare'
import { evaluateDeep, scopeOf, subjectOf, textsIn } from '../effects/subject'
import { storedColumns } from '../read/record'
import { moveRecords } from '../write/moveRecords'
import { ALIAS } from '../query/queriedTable'
import { columnSql } from '../tables'
import { renewRows } from '../derive/follow'
import { earliest, metBy, momentSql, nightOf, type Asked } from './due'
import { park, unpark, type Met } from './parked'
import type { DeadlineContext, DeadlinePlan, SettledPlan } from './plan'
import { removeForGood } from './retention'

/** Records of one transaction. */
const BATCH = 200
const DELETED_AT_ONCE = 2_000

/** What became of a record that was due: the row as it is then, or why nothing could be done. */
export interface Taken {
  row: EntityRecord
  failed: Text | null
  /** It is not due any more, looked at again: nothing was done. */
  kept?: true
  /** What the field says that the deadline names for it, as it was. */
  why?: unknown
}

/**
 * Does what a deadline does to the earliest records that meet it, in the running transaction. Rows that somebody else holds are left
 * for the next look; each is read again under its lock. A record that fails is parked. Nothing = no more is due. `among`: a further condition.
 */
export async function takeBatch(work: DeadlineContext, plan: SettledPlan, among: SQL = sql``): Promise<Taken[]> {
  const { core, tx, context } = work
  const asked: Asked = { registry: core.registry, now: context.now }
  const size = plan.deadline.delete === true ? DELETED_AT_ONCE : BATCH
  const left = plan.most === null ? size : Math.min(size, plan.most - (await takenInNight(tx, plan, asked)))
  if (left <= 0) return []
  const found = await metRows(tx, plan, sql`${metBy(plan, asked)} ${among} ${earliest(plan)} limit ${left}`)
  const rows = plan.deadline.recheck ? await stillDue(work, plan, found, asked) : found
  const taken = await together(work, { plan, step: '' }, rows, (inner, some) => act(inner, plan, some))
  const done = taken.filter(({ failed }) => failed === null)
  const ids = new Set(done.map(({ row }) => String(row.id)))
  await unpark(tx, plan, '', [...ids])
  if (plan.stays)
    await remember(
      work,
      plan,
      [''],
      rows.filter(({ record }) => ids.has(String(record.id))),
    )
  if (plan.most !== null) await countInNight(tx, plan, done.length)
  const due = new Set(rows.map(({ record }) => record.id))
  const kept = found.filter(({ record }) => !due.has(record.id))
  const said = new Map([...found, ...rows].map(({ record }) => [record.id, record[plan.deadline.why ?? ''] ?? null]))
  return [...taken, ...kept.map(({ record }): Taken => ({ row: record, failed: null, kept: true }))].map((one) => ({
    ...one,
    why: said.get(one.row.id),
  }))
}

/** Asks the function of the date again for locked rows; those that are due still. */
async function stillDue(work: DeadlineContext, plan: SettledPlan, found: readonly Met[], asked: Asked): Promise<Met[]> {
  if (found.length === 0) return []
  const ids = found.map(({ record }) => String(record.id))
  await renewRows({ ...work, model: plan.model }, new Set([plan.at]), ids)
  const among = sql`${columnSql(ALIAS, { column: 'id' })} = any(${textArray(ids)})`
  return metRows(work.tx, plan, sql`${metBy(plan, asked)} and ${among} ${earliest(plan)}`)
}

/** Rows that nobody else holds, locked, each with its moment. */
export async function metRows(tx: Transaction, plan: DeadlinePlan, selection: SQL): Promise<Met[]> {
  const { rows } = await tx.query<EntityRecord & { $moment: string }>(
    sql`select ${storedColumns(plan.model, 't')}, ${momentSql(plan)} as "$moment" ${selection} for update of t skip locked`,
  )
  return rows.map(({ $moment, ...record }) => ({ record, moment: $moment }))
}

/** Works on rows together; when that fails on halves of them, so that the one that fails is parked alone. */
export async function together(
  working: DeadlineContext,
  { plan, step }: { plan: DeadlinePlan; step: string },
  rows: readonly Met[],
  work: (work: DeadlineContext, rows: readonly Met[]) => Promise<ReadonlyMap<EntityRecord, Done>>,
): Promise<Taken[]> {
  if (rows.length === 0) return []
  const { tx, context } = working
  const parking = { plan, step, now: context.now }
  try {
    const done = await tx.transaction((inner) => work({ ...working, tx: inner }, rows))
    const taken: Taken[] = []
    for (const met of rows) {
      const { row = met.record, error = null } = done.get(met.record) ?? {}
      taken.push({ row, failed: error === null ? null : await park(tx, parking, met, error) })
    }
    return taken
  } catch (error) {
    const [only] = rows
    if (only && rows.length === 1) return [{ row: only.record, failed: await park(tx, parking, only, error) }]
    const middle = Math.ceil(rows.length / 2)
    const first = await together(working, { plan, step }, rows.slice(0, middle), work)
    return [...first, ...(await together(working, { plan, step }, rows.slice(middle), work))]
  }
}

/** What became of a record: as it is stored now, or why it stayed as it was. */
interface Done {
  row?: EntityRecord
  error?: Error
}

async function act(work: DeadlineContext, plan: DeadlinePlan, met: readonly Met[]): Promise<ReadonlyMap<EntityRecord, Done>> {
  const { model, deadline, counted } = plan
  const rows = met.map(({ record }) => record)
  if (deadline.delete === true) {
    await removeForGood(work, model, rows)
    return new Map()
  }
  const within = { ...work, model }
  const values = await valuesOf(within, deadline.values ?? {}, rows)
  const request = {
    transition: deadline.transition!,
    field: counted?.field.name,
    values: (row: EntityRecord) => values.get(row)!,
  }
  const { moved, refused } = await moveRecords(within, rows, { ...request, ownSavepoint: true })
  return new Map<EntityRecord, Done>([
    ...[...moved].map(([before, row]) => [before, { row }] as const),
    ...[...refused].map(([before, { error }]) => [before, { error }] as const),
  ])
}

/** The inputs of the transition, for each record. */
async function valuesOf(
  write: WriteContext,
  given: EntityRecord,
  rows: readonly EntityRecord[],
): Promise<ReadonlyMap<EntityRecord, EntityRecord>> {
  const subjects = rows.map((row) => subjectOf(row))
  await prepare(write, subjects, textsIn(given))
  return new Map(subjects.map((subject) => [subject.record, evaluateDeep(write, given, scopeOf(write, subject)) as EntityRecord]))
}

/** Writes down what was done for the moments of records. */
export async function remember(
  { tx, context }: DeadlineContext,
  { model, deadline }: DeadlinePlan,
  steps: readonly string[],
  met: readonly Met[],
): Promise<void> {
  if (met.length === 0) return
  await tx.query(
    sql`insert into entity_deadline_done (entity, deadline, step, record_id, moment, done_at)
      select ${model.name}, ${deadline.id}, s.step, r.id, r.moment, ${context.now.toISOString()}::timestamptz
      from unnest(${textArray(steps)}) as s(step), unnest(${textArray(met.map(({ record }) => String(record.id)))}, ${textArray(met.map(({ moment }) => moment))}::timestamptz[]) as r(id, moment)
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
