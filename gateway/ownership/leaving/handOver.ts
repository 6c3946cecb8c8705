import { sql } from 'drizzle-orm'
import type { EntityModel } from '../../../src/schema/entity'
import type { Entities, EntityEngine, EntityRecord, EntityService } from '../../entities'
import { addDays, dayOf } from '../../platform/calendar'
import type { Transaction } from '../../platform/database'
import { ServiceError, type RequestContext } from '../../platform/http'
import {
  allOwned,
  isSubject,
  ruleOf,
  subjectsOf,
  tableOf,
  textOf,
  valueOf,
  referenceColumn,
  type Owned,
  type Subject,
} from '../subject'
import { isSpared } from '../usage'
import { decideHandOver, type Destination, type HandOverPlan, type LeavingRecord } from './plan'

export interface HandOverContext {
  engine: EntityEngine
  entities: Entities
  tx: Transaction
  context: RequestContext
  timeZone: string
}

/** What of an entity somebody who leaves has; leads that are done are no work any more. */
export const ownedBy = (entities: Entities, { name, word }: Owned, staffId: unknown): Promise<EntityRecord[]> =>
  entities.list(name, {
    where: [
      { field: 'ownerId', operator: 'eq', value: staffId },
      { field: word.state, operator: 'in', value: Object.keys(word.left) },
    ],
    limit: MOST_RECORDS,
    lock: true,
  })
const MOST_RECORDS = 100_000

/** Where the records of an entity go by a plan. */
export const destinationsOf = (
  { name, recycling, word }: Owned,
  records: readonly EntityRecord[],
  plan: HandOverPlan,
  leader: string | null,
): Destination[] =>
  decideHandOver(
    records.map((record): LeavingRecord => ({
      id: String(record.id),
      entity: name,
      holding: String(record[word.state]),
      rank: textOf(valueOf(record, recycling.spared?.field)) ?? '~',
      countryCode: textOf(valueOf(record, word.subjects?.countryCode)),
      spared: isSpared(recycling.spared, record),
    })),
    plan,
    leader,
  )

/** Who has what nobody takes: the manager, or the leader of the nearest department above who is somebody else. */
export async function leaderOf({ tx }: Pick<HandOverContext, 'tx'>, leaver: EntityRecord): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `select s.id from (
       select $2::text as id, 100 as near union all
       select d.leader_id, length(d.path) from sys_department d join sys_department own on own.id = $3 where own.path like d.path || '%'
     ) above join sys_staff s on s.id = above.id where s.id <> $1 and s.status <> 'left' and s.deleted_at is null order by above.near desc limit 1`,
    [leaver.id, leaver.managerId ?? null, leaver.mainDeptId ?? null],
  )
  return rows[0]?.id ?? null
}

/**
 * Hands over everything that a leaving person owns: records with ownership by the plan, rows of other owned entities to whoever gets
 * what they belong to (else to the leader), shares to him end. Nothing is left with him afterwards.
 */
export async function handOver(leaving: HandOverContext, leaver: EntityRecord, plan: HandOverPlan): Promise<Destination[]> {
  const { engine, tx } = leaving
  const leader = await leaderOf(leaving, leaver)
  const subjects = subjectsOf(engine)
  const destinations: Destination[] = []
  for (const owned of allOwned(engine)) destinations.push(...(await handOverRecords(leaving, owned, leaver, plan, leader)))
  for (const subject of subjects) await endTransfers(leaving, subject, leaver)
  await moveOtherRows(leaving, leaver, leader)
  for (const subject of subjects) await endShares(leaving, subject, leaver)
  await tx.query(
    `update sys_todo set staff_id = $2, version = version + 1 where staff_id = $1 and status = 'open' and $2::text is not null`,
    [leaver.id, leader],
  )
  return destinations
}

async function handOverRecords(
  { entities, tx, context, timeZone }: HandOverContext,
  owned: Owned,
  leaver: EntityRecord,
  plan: HandOverPlan,
  leader: string | null,
): Promise<Destination[]> {
  const { now } = context
  const { name, word } = owned
  const records = await ownedBy(entities, owned, leaver.id)
  const destinations = destinationsOf(owned, records, plan, leader)
  const where = new Map(destinations.map(({ recordId, toStaffId }) => [recordId, toStaffId]))
  const protection = new Map<string, string>()
  for (const id of new Set(destinations.flatMap(({ toStaffId }) => toStaffId ?? []))) {
    await requireActive(entities, id, leaver)
    if (!isSubject(owned)) continue
    const { protectDays } = await ruleOf(owned, 'sea', tx, now, { staffId: id })
    protection.set(id, addDays(dayOf(now, timeZone), protectDays.transfer))
  }
  const take = async (ids: readonly string[], transition: string, values?: (record: EntityRecord) => EntityRecord) => {
    const refused = await entities.transitions(name, ids, transition, values, { reason: 'staffLeft' })
    for (const error of refused.values()) throw error
  }
  const ids = (handed: boolean, state?: string): string[] =>
    records.flatMap((one) =>
      (state === undefined || one[word.state] === state) && Boolean(where.get(String(one.id))) === handed ? [String(one.id)] : [],
    )
  await take(ids(true), word.handOver, ({ id }) => {
    const receiver = where.get(String(id))!
    const told = { protected: protection.get(receiver), action: 'staffLeft', why: 'staffLeft', keepShares: true }
    return { receiver, ...(isSubject(owned) ? told : {}) }
  })
  // what nobody takes over goes to the pool; frozen ones stay frozen, without an owner
  for (const [state, transition] of Object.entries(word.left)) await take(ids(false, state), transition)
  return destinations
}

async function requireActive(entities: Entities, id: string, leaver: EntityRecord): Promise<void> {
  const staff = await entities.find('sys.staff', id)
  if (staff && staff.id !== leaver.id && ['active', 'probation'].includes(String(staff.status))) return
  throw new ServiceError('limitRefused', {
    message: {
      zh: `接收人“${String(staff?.name ?? id)}”不在职，请另选。`,
      en: `The successor "${String(staff?.name ?? id)}" is not an active member of staff. Please choose another one.`,
    },
    data: { reason: 'notActive' },
  })
}

/** Entities whose rows have owners and belong to others or to nobody: opportunities, leads that are done, whatever modules bring. */
export const otherOwned = (engine: EntityEngine) =>
  engine
    .names()
    .map((name) => engine.model(name))
    .filter(({ name, scope }) => scope.kind === 'owned' && !subjectsOf(engine).some((subject) => subject.name === name))

/** What rows of an entity belong to, and by which field. */
function belongsTo(engine: EntityEngine, model: EntityModel): { subject: Subject; field: string } | undefined {
  for (const subject of subjectsOf(engine)) {
    const field = model.fields.get(subject.word.reference)
    if (field?.field['x-ref'] === subject.name) return { subject, field: field.column }
  }
  return undefined
}

/** Rows that are changed at once. */
const BATCH = 1_000

async function moveOtherRows(
  { engine, entities, tx, context }: HandOverContext,
  leaver: EntityRecord,
  leader: string | null,
): Promise<void> {
  const ownedAt = context.now.toISOString()
  for (const model of otherOwned(engine)) {
    const table = sql.identifier(model.table)
    const above = belongsTo(engine, model)
    const follows = above
      ? sql`left join ${tableOf(engine, above.subject.name)} c on c.id = r.${sql.identifier(above.field)} and c.owner_id is distinct from ${leaver.id}`
      : sql``
    const successor = above ? sql`case when c.id is null then s.id else c.owner_id end` : sql`s.id`
    const department = above ? sql`case when c.id is null then s.main_dept_id else c.owner_dept_id end` : sql`s.main_dept_id`
    for (let last = ''; ;) {
      const { rows } = await tx.query<{ id: string; ownerId: string | null; ownerDeptId: string | null }>(
        sql`select r.id, ${successor} as "ownerId", ${department} as "ownerDeptId" from ${table} r ${follows}
            left join sys_staff s on s.id = ${leader} where r.owner_id = ${leaver.id} and r.deleted_at is null and r.id > ${last} order by r.id limit ${BATCH}`,
      )
      await entities.changeMany(model.name, new Map(rows.map(({ id, ...owner }) => [id, { ...owner, ownedAt }])), {
        reason: 'staffLeft',
      })
      if (rows.length < BATCH) break
      last = rows.at(-1)?.id ?? ''
    }
    // a deleted row tells no story, but restored it must not be his
    await tx.query(
      sql`update ${table} set owner_id = ${leader}, owner_dept_id = (select main_dept_id from sys_staff where id = ${leader}), owned_at = ${ownedAt} where owner_id = ${leaver.id} and deleted_at is not null`,
    )
  }
}

/** Pending transfers from and to the person: what waits in them does not come over. */
async function endTransfers({ entities }: HandOverContext, { word }: Subject, leaver: EntityRecord): Promise<void> {
  const waiting = await entities.list(word.item, {
    where: [
      { field: 'transferId.fromStaffId', operator: 'eq', value: leaver.id },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
  })
  const items = waiting.map(({ id }) => String(id))
  await entities.transitions(word.item, items, 'drop', () => ({ refusedCode: 'ownerChanged' }))
  const received = await entities.list(word.transfer, { where: pendingTo(leaver.id) })
  await entities.transitions(
    word.transfer,
    received.map(({ id }) => String(id)),
    'cancel',
  )
}

/** Transfers that wait for somebody. */
export const pendingTo = (staffId: unknown) =>
  [
    { field: 'toStaffId', operator: 'eq', value: staffId },
    { field: 'status', operator: 'eq', value: 'pending' },
  ] as const

/** Shares to the person end; so do those to a successor who owns the record now. */
async function endShares({ engine, entities, tx }: HandOverContext, subject: Subject, leaver: EntityRecord): Promise<void> {
  const { share } = subject.word
  const { rows } = await tx.query<{ id: string }>(
    sql`select s.id from ${tableOf(engine, share)} s join ${tableOf(engine, subject.name)} c on c.id = s.${referenceColumn(engine, subject, share)}
     where s.deleted_at is null and s.status in ('pending', 'accepted')
       and (s.to_staff_id = ${leaver.id} or s.to_staff_id = c.owner_id or (c.owner_id is null and c.last_owner_id = ${leaver.id}))`,
  )
  await entities.transitions(
    share,
    rows.map(({ id }) => id),
    'end',
    () => ({ endReason: 'staffLeft' }),
  )
}

/** When a member of staff leaves, what nobody took over in the hand-over goes to the pools: nothing stays with somebody who is gone. */
export const staffLeavesService = (engine: EntityEngine, timeZone: string): EntityService => ({
  async afterEffect({ entities, tx, context, transition, before }) {
    if (transition.id === 'leave')
      await handOver({ engine, entities, tx, context, timeZone }, before, { mode: 'pool', successorIds: [] })
  },
})
