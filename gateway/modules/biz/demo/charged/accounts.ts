import type { DemoRecord, DemoWorld } from '../../../../demo'
import { addDays, dayOf, startOfDay, type Day } from '../../../../platform/calendar'

/** Customers of each kind whose traffic runs over this platform. */
const CUSTOMERS = 2
const KINDS = ['sms', 'voice', 'whatsapp', 'otp', 'number'] as const
export type AccountKind = (typeof KINDS)[number]

/** When the traffic was: the last days of the month that is billed, and yesterday where that is of the month that runs. */
export interface TrafficDays {
  /** Since when the accounts are open: the month that is billed. */
  since: string
  /** The first of them is also the day on which their numbers were activated. */
  days: readonly Day[]
}
/** Days of last month: the ledger of the demo company is not older than some weeks. */
const OF_LAST_MONTH = 3

export function trafficDays({ now, timeZone }: Pick<DemoWorld, 'now' | 'timeZone'>): TrafficDays {
  const today = dayOf(now, timeZone)
  const month: Day = `${today.slice(0, 7)}-01`
  const last = Array.from({ length: OF_LAST_MONTH }, (_, index) => addDays(month, index - OF_LAST_MONTH))
  const yesterday = addDays(today, -1)
  const since: Day = `${addDays(month, -1).slice(0, 7)}-01`
  return { since: startOfDay(since, timeZone), days: yesterday < month ? last : [...last, yesterday] }
}

/** Post-paid accounts by what they are for: each of a customer who has none of its kind, and was one before the month that is billed. */
export function chargedAccounts(world: DemoWorld, { since, days }: TrafficDays): Readonly<Record<AccountKind, DemoRecord[]>> {
  const { rows, timeZone } = world
  const known = rows['fin.customerAccount'] ?? []
  const customers = (rows['crm.customer'] ?? []).filter(
    ({ holding, stage, partyType, ownerId, createdAt }) =>
      partyType === 'customer' && holding === 'private' && stage === 'dealt' && ownerId && createdAt < since,
  )
  const made: Record<AccountKind, DemoRecord[]> = { sms: [], voice: [], whatsapp: [], otp: [], number: [] }
  let number = known.length
  for (const [place, product] of KINDS.entries()) {
    const has = new Set(known.filter((one) => one.product === product).map(({ customerId }) => customerId))
    const free = customers.filter(({ id }) => !has.has(id))
    const chosen = Array.from({ length: CUSTOMERS }, (_, index) => free[(place * CUSTOMERS + index) % free.length])
    for (const customer of new Set(chosen)) {
      if (!customer) continue
      number += 1
      made[product].push({
        ...{ id: `ac-${String(number).padStart(6, '0')}`, code: `A${String(number).padStart(6, '0')}` },
        name: `${String(customer.shortName ?? customer.code).slice(0, 40)} ${product.toUpperCase()}`,
        ...{ customerId: customer.id, product, payMode: 'postpaid', currency: 'USD', status: 'active', openedAt: since },
        ...{
          firstTestAt: null,
          firstTrafficAt: startOfDay(days[0]!, timeZone),
          lastTrafficAt: startOfDay(days.at(-1)!, timeZone),
        },
        ...{ createdAt: since, createdBy: String(customer.ownerId) },
      })
    }
  }
  return made
}
