/** What a leaving person's customer looks like to the plan. */
export interface LeavingCustomer {
  id: string
  level: string
  holding: string
  countryCode: string | null
}
export interface HandOverPlan {
  /** one: everything to one successor; split: dealt out evenly; pool: to the open sea. */
  mode: 'one' | 'split' | 'pool'
  successorIds: readonly string[]
  /** Single customers that go elsewhere: to a person, or to the sea (`pool`). */
  assignments?: Readonly<Record<string, string>>
}
/** Where one customer goes: a person, or null for the open sea. */
export interface Destination {
  customerId: string
  toStaffId: string | null
}

export const POOL = 'pool'
const LEVELS = ['a', 'b', 'c', 'd']

/**
 * Decides for every customer of somebody who leaves. Splitting deals them out one by one, the best levels first and country by
 * country, so that each successor gets his share of each. Class A and frozen customers never go to the sea: without a
 * successor the leader has them.
 */
export function decideHandOver(
  customers: readonly LeavingCustomer[],
  plan: HandOverPlan,
  leaderId: string | null,
): Destination[] {
  const order = [...customers].sort(
    (a, b) =>
      LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level) ||
      (a.countryCode ?? '').localeCompare(b.countryCode ?? '') ||
      a.id.localeCompare(b.id),
  )
  const given = new Map<string, number>(plan.successorIds.map((id) => [id, 0]))
  const destination = new Map<string, string | null>()
  for (const customer of order) {
    const own = plan.assignments?.[customer.id]
    let to = own === undefined ? next(plan, given) : own === POOL ? null : own
    if (to === null && (customer.level === 'a' || customer.holding === 'frozen')) to = leaderId
    if (to !== null && given.has(to)) given.set(to, (given.get(to) ?? 0) + 1)
    destination.set(customer.id, to)
  }
  return customers.map(({ id }) => ({ customerId: id, toStaffId: destination.get(id) ?? null }))
}

/** The only successor, or of several the one with the fewest so far. */
function next(plan: HandOverPlan, given: ReadonlyMap<string, number>): string | null {
  if (plan.mode === 'pool') return null
  if (plan.mode === 'one') return plan.successorIds[0] ?? null
  return (
    [...given].reduce<[string, number] | null>((best, entry) => (!best || entry[1] < best[1] ? entry : best), null)?.[0] ?? null
  )
}
