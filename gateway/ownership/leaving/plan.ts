/** What a leaving person's record looks like to the plan. */
export interface LeavingRecord {
  id: string
  entity: string
  holding: string
  /** The value by which the best come first, e.g. the level; empty: the last. */
  rank: string
  countryCode: string | null
  /** It never goes to the pool. */
  spared: boolean
}
export interface HandOverPlan {
  /** one: everything to one successor; split: dealt out evenly; pool: to the pool. */
  mode: 'one' | 'split' | 'pool'
  successorIds: readonly string[]
  /** Single records that go elsewhere: to a person, or to the pool. */
  assignments?: Readonly<Record<string, string>>
}
/** Where one record goes: a person, or null for the pool. */
export interface Destination {
  entity: string
  recordId: string
  toStaffId: string | null
}

export const POOL = 'pool'

/**
 * Decides for every record of somebody who leaves. Splitting deals them out one by one, the best ranks first and country by
 * country, so that each successor gets his share of each. Spared and frozen ones never go to the pool: without a successor
 * the leader has them.
 */
export function decideHandOver(records: readonly LeavingRecord[], plan: HandOverPlan, leaderId: string | null): Destination[] {
  const order = [...records].sort(
    (a, b) =>
      a.rank.localeCompare(b.rank) || (a.countryCode ?? '').localeCompare(b.countryCode ?? '') || a.id.localeCompare(b.id),
  )
  const given = new Map<string, number>(plan.successorIds.map((id) => [id, 0]))
  const destination = new Map<string, string | null>()
  for (const record of order) {
    const own = plan.assignments?.[record.id]
    let to = own === undefined ? next(plan, given) : own === POOL ? null : own
    if (to === null && (record.spared || record.holding === 'frozen')) to = leaderId
    if (to !== null && given.has(to)) given.set(to, (given.get(to) ?? 0) + 1)
    destination.set(record.id, to)
  }
  return records.map(({ id, entity }) => ({ entity, recordId: id, toStaffId: destination.get(id) ?? null }))
}

/** The only successor, or of several the one with the fewest so far. */
function next(plan: HandOverPlan, given: ReadonlyMap<string, number>): string | null {
  if (plan.mode === 'pool') return null
  if (plan.mode === 'one') return plan.successorIds[0] ?? null
  return (
    [...given].reduce<[string, number] | null>((best, entry) => (!best || entry[1] < best[1] ? entry : best), null)?.[0] ?? null
  )
}
