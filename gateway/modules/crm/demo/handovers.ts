import { addDays, dayOf, instantAt } from '../../../platform/calendar'
import { decideRecycling } from './recycling'
import type { Chance, DemoRecord, DemoStaff } from '../../../demo'
import { RULE_DEFAULTS } from '../../../rules'

const HOUR = 3_600_000
const RULES = RULE_DEFAULTS

/** The waiting transfer that lapses at 18:00; those before it are about to lapse. */
const ENDING = 3

/** What later chapters of the world change or add to. */
export interface Chapter {
  random: Chance
  staff: readonly DemoStaff[]
  customers: DemoRecord[]
  contacts: readonly DemoRecord[]
  ownerLogs: DemoRecord[]
  followUps: readonly DemoRecord[]
  seaRecords: readonly DemoRecord[]
  now: Date
  timeZone: string
  /** Rows of further entities by entity name. */
  further: Record<string, DemoRecord[]>
}

/** The next code of a document, e.g. TR2600007. */
export const codeOf = (prefix: string, rows: readonly DemoRecord[], now: Date, timeZone: string): string =>
  `${prefix}${dayOf(now, timeZone).slice(2, 4)}${String(rows.length + 1).padStart(5, '0')}`

/** Changes a customer in place of the list. */
export function changeCustomer(customers: DemoRecord[], id: string, values: Readonly<Record<string, unknown>>): void {
  const at = customers.findIndex((customer) => customer.id === id)
  const before = customers[at]
  if (before) customers[at] = { ...before, ...values }
}

const activeSales = (staff: readonly DemoStaff[]): DemoStaff[] =>
  staff.filter((one) => one.position === 'sales' && (one.status === 'active' || one.status === 'probation'))

/** Transfers in every state: waiting ones (two about to lapse, one that lapses at 18:00), accepted, in part, refused, lapsed, cancelled, a draft. */
export function makeTransfers(chapter: Chapter): void {
  const { random, staff, customers, ownerLogs, followUps, now, timeZone, further } = chapter
  const touched = new Map<unknown, string>()
  for (const { customerId, createdAt } of followUps)
    if ((touched.get(customerId) ?? '') < createdAt) touched.set(customerId, createdAt)
  const transfers = (further['crm.transfer'] ??= [])
  const items = (further['crm.transferItem'] ??= [])
  const sales = activeSales(staff)
  const used = new Set<string>()
  const plan = [
    'draft',
    ...Array<string>(9).fill('pending'),
    ...Array<string>(8).fill('accepted'),
    ...Array<string>(3).fill('partly'),
    ...Array<string>(6).fill('rejected'),
    ...Array<string>(6).fill('expired'),
    ...Array<string>(4).fill('cancelled'),
  ]
  for (const [index, status] of plan.entries()) {
    const settled = status === 'accepted' || status === 'partly'
    // An acceptance is two days old at most: the new owner has not touched the customer yet, and keeps it.
    const age = settled
      ? random.integer(3, 30)
      : status === 'pending'
        ? ([70, 71, 8][index - 1] ?? random.integer(2, 60))
        : random.integer(80, 900)
    const sentAt = new Date(now.getTime() - age * HOUR)
    const freeOf = (owner: DemoStaff): DemoRecord[] =>
      customers.filter(
        (one) =>
          one.ownerId === owner.id &&
          one.holding === 'private' &&
          one.level !== 'a' &&
          !used.has(one.id) &&
          String(one.ownedAt) < sentAt.toISOString() &&
          (!settled || (touched.get(one.id) ?? '') < sentAt.toISOString()),
      )
    const turn = [...sales.slice(index % sales.length), ...sales.slice(0, index % sales.length)]
    // those with a certain end exist in every world: whoever is next in turn sends them when the first has nothing to hand on
    const from = index >= 1 && index <= ENDING ? (turn.find((one) => freeOf(one).length > 0) ?? turn[0]) : turn[0]
    if (!from) continue
    const free = freeOf(from)
    const chosen = random.sample(free, Math.min(free.length, status === 'partly' ? 4 : random.integer(1, 3)))
    const to = random.pick(sales.filter((one) => one.id !== from.id))
    if (chosen.length === 0) continue
    for (const one of chosen) if (settled || status === 'pending') used.add(one.id)
    const code = codeOf('TR', transfers, now, timeZone)
    const doneAt = new Date(Math.min(now.getTime() - HOUR, sentAt.getTime() + random.integer(1, 3) * HOUR))
    const expiresAt =
      index === ENDING
        ? instantAt(dayOf(now, timeZone), '18:00', timeZone)
        : new Date(sentAt.getTime() + RULES['crm.wander'].acceptHours * HOUR)
    const taken = status === 'accepted' ? chosen.length : status === 'partly' ? Math.ceil(chosen.length / 2) : 0
    const state = settled && taken === chosen.length ? 'accepted' : status
    const reason = random.pick(['region', 'leave', 'fit', 'workload', 'other'])
    transfers.push({
      id: `tr-${code.slice(2)}`,
      code,
      customerIds: chosen.map((one) => one.id),
      toStaffId: to.id,
      fromStaffId: from.id,
      reason,
      note: random.pick([null, '区域调整，客户已知会', '请尽快联系，客户等报价']),
      withOpportunities: true,
      withShares: false,
      draft: status === 'draft',
      status: state,
      submittedAt: status === 'draft' ? null : sentAt.toISOString(),
      expiresAt: status === 'draft' ? null : expiresAt.toISOString(),
      finishedAt: status === 'draft' || status === 'pending' ? null : (status === 'expired' ? expiresAt : doneAt).toISOString(),
      rejectReason: status === 'rejected' ? '客户不在我负责的区域' : null,
      ordered: false,
      ownerId: from.id,
      ownerDeptId: from.mainDeptId,
      ownedAt: sentAt.toISOString(),
      createdAt: sentAt.toISOString(),
      createdBy: from.id,
    })
    for (const [position, customer] of chosen.entries()) {
      const done = position < taken
      const refusal = { partly: 'capFull', rejected: 'receiver', expired: 'expired', cancelled: 'cancelled' }[status] ?? null
      const waiting = status === 'draft' || status === 'pending'
      items.push({
        id: `ti-${code.slice(2)}-${position + 1}`,
        transferId: `tr-${code.slice(2)}`,
        customerId: customer.id,
        customerCode: customer.code,
        result: done ? 'done' : waiting ? 'waiting' : 'refused',
        refusedCode: done || waiting ? null : refusal,
        refusedBecause: null,
        opportunities: done ? 0 : null,
        doneAt: waiting ? null : doneAt.toISOString(),
        createdAt: sentAt.toISOString(),
        createdBy: from.id,
      })
      if (done) takeOver(chapter, customer, from, to, { at: doneAt, code, reason: reason === 'region' ? 'region' : null })
    }
  }
  ownerLogs.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}

function takeOver(
  { customers, ownerLogs, timeZone }: Chapter,
  customer: DemoRecord,
  from: DemoStaff,
  to: DemoStaff,
  { at, code, reason }: { at: Date; code: string; reason: string | null },
): void {
  const ownedAt = at.toISOString()
  const protectUntil = addDays(dayOf(at, timeZone), RULES['crm.sea'].protectDays.transfer)
  const text = (name: string): string | null => (typeof customer[name] === 'string' ? (customer[name] as string) : null)
  const { recycleOn } = decideRecycling(
    {
      holding: 'private',
      level: text('level') ?? 'd',
      stage: text('stage') ?? 'potential',
      tags: [],
      ownedAt,
      lastFollowAt: text('lastFollowAt'),
      firstDealAt: text('firstDealAt'),
      lastTrafficAt: text('lastTrafficAt'),
      protectUntil,
      balance: null,
      held: false,
    },
    RULES['crm.sea'],
    timeZone,
  )
  changeCustomer(customers, customer.id, {
    ownerId: to.id,
    ownerDeptId: to.mainDeptId,
    ownedAt,
    gainedBy: 'transfer',
    protectUntil,
    recycleOn,
  })
  ownerLogs.push({
    id: `ol-${code}-${customer.id}`,
    customerId: customer.id,
    action: 'transfer',
    fromStaffId: from.id,
    toStaffId: to.id,
    fromDeptId: from.mainDeptId,
    toDeptId: to.mainDeptId,
    reason,
    note: null,
    sourceDoc: code,
    at: ownedAt,
    createdAt: ownedAt,
    createdBy: to.id,
  })
}

/** Shares in every state; one ends today, five are with departments. */
export function makeShares({ random, staff, customers, now, timeZone }: Chapter): DemoRecord[] {
  const sales = activeSales(staff)
  const owned = customers.filter((one) => one.holding === 'private' && one.ownerId)
  const departments = [...new Set(sales.map((one) => one.mainDeptId))]
  const today = dayOf(now, timeZone)
  return random.sample(owned, Math.min(110, Math.floor(owned.length / 5))).flatMap((customer, index) => {
    const others = sales.filter((one) => one.id !== customer.ownerId)
    if (others.length === 0) return []
    const department = index % 22 === 5
    const status = department
      ? 'accepted'
      : index % 8 === 3
        ? 'pending'
        : index % 12 === 7
          ? 'ended'
          : index % 17 === 9
            ? 'rejected'
            : index % 23 === 11
              ? 'expired'
              : 'accepted'
    const back = status === 'pending' ? random.integer(1, 68) * HOUR : random.integer(4, 90) * 24 * HOUR
    const made = new Date(Math.max(Date.parse(String(customer.ownedAt)), now.getTime() - back))
    const inForce = status === 'accepted' || status === 'ended'
    const over = status === 'ended' || status === 'rejected'
    return [
      {
        id: `sh-${String(index + 1).padStart(4, '0')}`,
        customerId: customer.id,
        toType: department ? 'department' : 'staff',
        toStaffId: department ? null : random.pick(others).id,
        toDeptId: department ? random.pick(departments) : null,
        mode: random.weighted([
          ['read', 6],
          ['edit', 4],
        ]),
        reason: '协同跟进',
        from: inForce ? made.toISOString() : null,
        until: index === 0 ? today : index % 5 === 0 && status !== 'ended' ? addDays(today, random.integer(1, 120)) : null,
        status,
        expiresAt: status === 'pending' || status === 'expired' ? new Date(made.getTime() + 72 * HOUR).toISOString() : null,
        acceptedAt: inForce ? made.toISOString() : null,
        endedAt: over ? new Date(Math.min(now.getTime(), made.getTime() + 48 * HOUR)).toISOString() : null,
        endedById: over ? String(customer.ownerId) : null,
        endReason: over ? '合作结束' : null,
        createdAt: made.toISOString(),
        createdBy: String(customer.ownerId),
      },
    ]
  })
}
