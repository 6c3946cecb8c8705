import { sql } from 'drizzle-orm'
import type { Entities, EntityEngine, EntityRecord } from '../../../../entities'
import type { Transaction } from '../../../../platform/database'
import { ServiceError, type RequestContext } from '../../../../platform/http'
import { addDays, dayOf } from '../../rules/companyDay'
import { decideHandOver, type Destination, type HandOverPlan, type LeavingCustomer } from '../../rules/handOver'
import { ruleFor } from '../../../../rules'

export interface HandOverPlace {
  engine: EntityEngine
  entities: Entities
  tx: Transaction
  context: RequestContext
  timeZone: string
}

const CUSTOMER = 'crm.customer'

/** Customers of somebody who leaves, whatever their state. */
export const ownedBy = (entities: Entities, staffId: unknown): Promise<EntityRecord[]> =>
  entities.list(CUSTOMER, { where: [{ field: 'ownerId', operator: 'eq', value: staffId }], lock: true })

/** Who has what nobody takes: the manager, or the leader of the nearest department above who is somebody else. */
export async function leaderOf({ tx }: Pick<HandOverPlace, 'tx'>, leaver: EntityRecord): Promise<string | null> {
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
 * Hands over everything that a leaving person owns: customers by the plan, rows of other owned entities to whoever gets their
 * customer (else to the leader), shares to him end. Nothing is left with him afterwards.
 */
export async function handOver(place: HandOverPlace, leaver: EntityRecord, plan: HandOverPlan): Promise<Destination[]> {
  const { entities, tx, context, timeZone } = place
  const { now } = context
  const customers = await ownedBy(entities, leaver.id)
  const leader = await leaderOf(place, leaver)
  const receivers = new Map<string, EntityRecord>()
  const destinations = decideHandOver(customers as unknown as LeavingCustomer[], plan, leader)
  for (const { toStaffId } of destinations) {
    if (toStaffId !== null && !receivers.has(toStaffId)) receivers.set(toStaffId, await activeStaff(entities, toStaffId, leaver))
  }
  const where = new Map(destinations.map(({ customerId, toStaffId }) => [customerId, toStaffId]))
  const handed = customers.filter(({ id, holding }) => where.get(String(id)) && holding !== 'sea').map(({ id }) => String(id))
  const protection = new Map<string, string>()
  for (const id of receivers.keys()) {
    const { protectDays } = await ruleFor(tx, 'crm.sea', now, { staffId: id })
    protection.set(id, addDays(dayOf(now, timeZone), protectDays.transfer))
  }
  const over = (customer: EntityRecord): EntityRecord => {
    const receiver = where.get(String(customer.id))!
    return { receiver, protected: protection.get(receiver), action: 'staffLeft', why: 'staffLeft', keepShares: true }
  }
  const refused = await entities.transitions(CUSTOMER, handed, 'handOver', over, { reason: 'staffLeft' })
  for (const error of refused.values()) throw error
  await toSea(entities, customers.filter(({ id }) => !where.get(String(id)))) // prettier-ignore
  await endTransfers(place, leaver)
  await moveOtherRows(place, leaver, leader)
  await endShares(place, leaver)
  await tx.query(
    `update sys_todo set staff_id = $2, version = version + 1 where staff_id = $1 and status = 'open' and $2::text is not null`,
    [leaver.id, leader],
  )
  return destinations
}

/** What nobody takes over goes to the sea; frozen customers stay frozen, without an owner. */
async function toSea(entities: Entities, customers: readonly EntityRecord[]): Promise<void> {
  for (const [holding, transition] of [
    ['private', 'ownerLeft'],
    ['frozen', 'ownerLeftFrozen'],
  ] as const) {
    const ids = customers.filter((customer) => customer.holding === holding).map(({ id }) => String(id))
    const refused = await entities.transitions(CUSTOMER, ids, transition, undefined, { reason: 'staffLeft' })
    for (const error of refused.values()) throw error
  }
}

async function activeStaff(entities: Entities, id: string, leaver: EntityRecord): Promise<EntityRecord> {
  const staff = await entities.find('sys.staff', id)
  if (staff && staff.id !== leaver.id && ['active', 'probation'].includes(String(staff.status))) return staff
  throw new ServiceError('limitRefused', {
    message: {
      zh: `接收人“${String(staff?.name ?? id)}”不在职，请另选。`,
      en: `The successor "${String(staff?.name ?? id)}" is not an active member of staff. Please choose another one.`,
    },
    data: { reason: 'notActive' },
  })
}

/** Entities other than customers whose rows have owners: opportunities, leads, whatever modules bring. */
export const otherOwned = (engine: EntityEngine) =>
  engine
    .names()
    .map((name) => engine.model(name))
    .filter((model) => model.scope.kind === 'owned' && model.name !== CUSTOMER)

/** Rows that are changed at once. */
const BATCH = 1_000

async function moveOtherRows(
  { engine, entities, tx, context }: HandOverPlace,
  leaver: EntityRecord,
  leader: string | null,
): Promise<void> {
  const ownedAt = context.now.toISOString()
  for (const model of otherOwned(engine)) {
    const table = sql.identifier(model.table)
    const withCustomer = model.fields.get('customerId')?.field['x-ref'] === CUSTOMER
    const follows = withCustomer
      ? sql`left join crm_customer c on c.id = r.customer_id and c.owner_id is distinct from ${leaver.id}`
      : sql``
    const successor = withCustomer ? sql`case when c.id is null then s.id else c.owner_id end` : sql`s.id`
    const department = withCustomer
      ? sql`case when c.id is null then s.main_dept_id else c.owner_dept_id end`
      : sql`s.main_dept_id`
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
async function endTransfers({ entities }: HandOverPlace, leaver: EntityRecord): Promise<void> {
  const pending = (field: string) =>
    entities.list('crm.transfer', {
      where: [
        { field, operator: 'eq', value: leaver.id },
        { field: 'status', operator: 'eq', value: 'pending' },
      ],
    })
  const waiting = await entities.list('crm.transferItem', {
    where: [
      { field: 'transferId.fromStaffId', operator: 'eq', value: leaver.id },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
  })
  const items = waiting.map(({ id }) => String(id))
  await entities.transitions('crm.transferItem', items, 'drop', () => ({ refusedCode: 'ownerChanged' }))
  const received = (await pending('toStaffId')).map(({ id }) => String(id))
  await entities.transitions('crm.transfer', received, 'cancel')
}

/** Shares to the person end; so do those to a successor who owns the customer now. */
async function endShares({ entities, tx }: HandOverPlace, leaver: EntityRecord): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `select s.id from crm_share s join crm_customer c on c.id = s.customer_id
     where s.deleted_at is null and s.status in ('pending', 'accepted') and (s.to_staff_id = $1 or s.to_staff_id = c.owner_id or (c.owner_id is null and c.last_owner_id = $1))`,
    [leaver.id],
  )
  const ids = rows.map(({ id }) => id)
  await entities.transitions('crm.share', ids, 'end', () => ({ endReason: 'staffLeft' }))
}
