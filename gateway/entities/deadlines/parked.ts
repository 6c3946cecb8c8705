import { sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../platform/database'
import { ServiceError, type Text } from '../../platform/http'
import { textArray } from '../clause'
import type { EntityRecord } from '../calls'
import { storedColumns } from '../read/record'
import { tableSql } from '../tables'
import type { DeadlinePlan } from './plan'

/** Minutes until the next try, by how often it failed. */
const WAITS = [1, 5, 30, 120, 720, 1440]
/** Days after which what no record needs any more is forgotten. */
const FORGET_AFTER = 7

/** A row with the moment that its deadline stands on. */
export interface Met {
  record: EntityRecord
  moment: string
}

/** What went wrong, in both languages. */
function told(error: unknown): Text {
  if (!(error instanceof ServiceError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { zh: message, en: message }
  }
  const { data } = error
  const list = typeof data === 'object' && data !== null && 'errors' in data && Array.isArray(data.errors) ? data.errors : []
  const fields = list.map((one: unknown) =>
    typeof one === 'object' && one !== null && 'message' in one ? String(one.message) : '',
  )
  const more = fields.filter((text) => text !== '').join(' ')
  return more === '' ? error.text : { zh: `${error.text.zh} ${more}`, en: `${error.text.en} ${more}` }
}

/** Leaves a record alone for a while, so that the others go on. */
export async function park(
  tx: Transaction,
  { plan, step, now }: { plan: DeadlinePlan; step: string; now: Date },
  { record, moment }: Met,
  error: unknown,
): Promise<Text> {
  const text = told(error)
  const minutes = sql`(${sql.param(WAITS)}::int[])[least(p.tries + 1, ${WAITS.length})]`
  const first = new Date(now.getTime() + WAITS[0]! * 60_000).toISOString()
  await tx.query(
    sql`insert into entity_deadline_parked as p (entity, deadline, step, record_id, version, moment, error, tries, next_at)
      values (${plan.model.name}, ${plan.deadline.id}, ${step}, ${String(record.id)}, ${Number(record.version)}, ${moment}, ${JSON.stringify(text)}::jsonb, 1, ${first})
      on conflict (entity, deadline, record_id, step) do update set version = excluded.version, moment = excluded.moment, error = excluded.error,
        tries = case when p.version = excluded.version and p.moment = excluded.moment then p.tries + 1 else 1 end,
        next_at = case when p.version = excluded.version and p.moment = excluded.moment then ${now.toISOString()}::timestamptz + make_interval(mins => ${minutes}) else excluded.next_at end`,
  )
  return text
}

/** Records that were done are parked no more. */
export async function unpark(db: Executor, plan: DeadlinePlan, step: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.query(
    sql`delete from entity_deadline_parked where entity = ${plan.model.name} and deadline = ${plan.deadline.id} and step = ${step} and record_id = any(${textArray(ids)})`,
  )
}

/** Records that a deadline waits with, as they are now; those that were left long ago are forgotten. */
export async function parkedOf(
  db: Executor,
  plan: DeadlinePlan,
  now: Date,
  most: number,
): Promise<{ row: EntityRecord; step: string; failed: Text }[]> {
  await db.query(
    sql`delete from entity_deadline_parked where entity = ${plan.model.name} and deadline = ${plan.deadline.id} and next_at < ${now.toISOString()}::timestamptz - make_interval(days => ${FORGET_AFTER})`,
  )
  const { rows } = await db.query<EntityRecord & { $step: string; $error: Text }>(
    sql`select ${storedColumns(plan.model, 't')}, p.step as "$step", p.error as "$error" from entity_deadline_parked p join ${tableSql(plan.model, 't')} on t."id" = p.record_id and t."version" = p.version
      where p.entity = ${plan.model.name} and p.deadline = ${plan.deadline.id} order by p.next_at, p.record_id limit ${most}`,
  )
  return rows.map(({ $step, $error, ...row }) => ({ row, step: $step, failed: $error }))
}
