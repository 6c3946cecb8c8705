import type { Entities, EntityRecord } from '../../../../entities'
import type { Executor, Transaction } from '../../../../platform/database'
import type { Text } from '../../../../platform/http'
import { addDays, dayOf } from '../../rules/companyDay'
import { countsAgainstCap } from '../../rules/holding'
import { unfinishedAliases } from '../alias/block'
import { opportunitiesGoAlong } from '../opportunity/goAlong'
import { endShares, logOwnership, recycleOnOf } from '../ownership'
import { ruleFor } from '../rules'
import { usageOf } from '../usage'
import { textOf } from '../values'

/** Why a customer does not come over: codes of the dictionary handoverRefusal. */
export type Refusal =
  'capFull' | 'ownerChanged' | 'frozen' | 'inSea' | 'aliasRunning' | 'receiver' | 'cancelled' | 'expired' | 'blacklisted'

export const REFUSALS: Readonly<Record<Refusal, Text>> = {
  capFull: { zh: '接收人的客户保有量已满', en: 'the receiver’s holding cap is full' },
  ownerChanged: { zh: '负责人已变更', en: 'its owner has changed' },
  frozen: { zh: '客户已冻结', en: 'the customer is frozen' },
  inSea: { zh: '客户已在公海', en: 'the customer is in the open sea' },
  aliasRunning: { zh: '别名变更未完成', en: 'an alias change is unfinished' },
  receiver: { zh: '接收人拒绝', en: 'the receiver refused it' },
  cancelled: { zh: '转出人已撤销', en: 'the sender cancelled it' },
  expired: { zh: '超时未接收', en: 'it was not accepted in time' },
  blacklisted: { zh: '已列入黑名单', en: 'it was put on the blacklist' },
}

/** What the guards of one hand-over look at, read once for all its items. */
export interface HandoverFacts {
  fromStaffId: string
  /** Customers of the items, by id. */
  customers: ReadonlyMap<string, EntityRecord>
  /** Customers whose alias change is unfinished. */
  aliases: ReadonlySet<string>
  room: number
  counts(customer: EntityRecord): boolean
}

/** Reads what is needed to judge the items of a transfer to `toStaffId` now (CRM rules 9.4, 9.7, 9.8). */
export async function handoverFacts(
  db: Executor,
  transfer: EntityRecord,
  customers: ReadonlyMap<string, EntityRecord>,
  now: Date,
  timeZone: string,
): Promise<HandoverFacts> {
  const usage = await usageOf(db, String(transfer.toStaffId), now)
  const retention = await ruleFor(db, 'crm.retention', now, { staffId: String(transfer.toStaffId) })
  const aliases = await unfinishedAliases(db, [...customers.keys()])
  return {
    fromStaffId: String(transfer.fromStaffId),
    customers,
    aliases: new Set(aliases.keys()),
    room: usage.cap - usage.counted,
    counts: (customer) =>
      countsAgainstCap(
        {
          holding: String(customer.holding),
          level: String(customer.level),
          stage: String(customer.stage),
          lastTrafficAt: textOf(customer.lastTrafficAt),
        },
        retention,
        now,
        timeZone,
      ),
  }
}

/** Why an item cannot be accepted, or null. `taken` = places that earlier items of the same acceptance use up. Pure. */
export function refusalOf(facts: HandoverFacts, customerId: string, taken: number): Refusal | null {
  const customer = facts.customers.get(customerId)
  if (!customer || customer.holding === 'sea') return 'inSea'
  if (customer.holding === 'frozen') return 'frozen'
  if (customer.ownerId !== facts.fromStaffId) return 'ownerChanged'
  if (facts.aliases.has(customerId)) return 'aliasRunning'
  return facts.counts(customer) && taken + 1 > facts.room ? 'capFull' : null
}

/** The waiting items of a transfer with their customers, both locked. */
export async function waitingItems(
  entities: Entities,
  transferId: string,
  lock = false,
): Promise<{ items: EntityRecord[]; customers: Map<string, EntityRecord> }> {
  const items = await entities.list('crm.transferItem', {
    where: [
      { field: 'transferId', operator: 'eq', value: transferId },
      { field: 'result', operator: 'eq', value: 'waiting' },
    ],
    sort: [{ field: 'customerCode', order: 'asc' }],
    lock,
  })
  const ids = items.map((item) => String(item.customerId))
  const customers =
    ids.length === 0 ? [] : await entities.list('crm.customer', { where: [{ field: 'id', operator: 'in', value: ids }], lock })
  return { items, customers: new Map(customers.map((customer) => [String(customer.id), customer])) }
}

export interface MovePlace {
  entities: Entities
  tx: Transaction
  now: Date
  timeZone: string
  byId: string | null
}

/** One customer goes over to the receiver: owner, log, protection, opportunities, shares. Answers how many opportunities went along. */
export async function moveCustomer(place: MovePlace, transfer: EntityRecord, customer: EntityRecord): Promise<number> {
  const { entities, tx, now, timeZone, byId } = place
  const [from, to] = [
    await entities.find('sys.staff', String(transfer.fromStaffId)),
    await entities.find('sys.staff', String(transfer.toStaffId)),
  ]
  const rules = await ruleFor(tx, 'crm.sea', now, { staffId: String(transfer.toStaffId) })
  const record: EntityRecord = {
    ...customer,
    ownerId: to?.id ?? null,
    ownerDeptId: to?.mainDeptId ?? null,
    ownedAt: now.toISOString(),
    gainedBy: 'transfer',
    protectUntil: addDays(dayOf(now, timeZone), rules.protectDays.transfer),
  }
  await entities.save(
    'crm.customer',
    {
      id: record.id,
      ownerId: record.ownerId,
      ownerDeptId: record.ownerDeptId,
      ownedAt: record.ownedAt,
      gainedBy: record.gainedBy,
      protectUntil: record.protectUntil,
      recycleOn: recycleOnOf(record, rules, timeZone),
    },
    { reason: `${String(transfer.code)} ${textOf(transfer.note) ?? ''}`.trim() },
  )
  await logOwnership(
    entities,
    now,
    {
      customerId: String(customer.id),
      action: 'transfer',
      from,
      to,
      reason: transfer.reason === 'region' ? 'region' : transfer.ordered === true ? 'manager' : null,
      note: textOf(transfer.note)?.slice(0, 200) ?? null,
      sourceDoc: textOf(transfer.code),
    },
    byId,
  )
  await endShares(entities, String(customer.id), {
    now,
    byId,
    reason: String(transfer.code),
    keep: (share) => transfer.withShares === true && share.toStaffId !== transfer.toStaffId,
  })
  return transfer.withOpportunities === true
    ? opportunitiesGoAlong(entities, String(customer.id), String(transfer.toStaffId), String(transfer.code))
    : 0
}
