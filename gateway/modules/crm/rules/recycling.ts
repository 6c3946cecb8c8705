import { addDays, dayOf, daysBetween, type Day } from './companyDay'
import type { RuleTypes } from '../../../rules'

/** Days on which somebody was away, no two of one person overlapping; without `until` he is still away. */
export interface Leave {
  from: Day
  until: Day | null
}
/** What the recycling rule needs to know of a customer. Instants are ISO texts in UTC, days are company days. */
export interface RecyclingFacts {
  holding: string
  level: string
  stage: string
  tags: readonly string[]
  ownedAt: string | null
  lastFollowAt: string | null
  firstDealAt: string | null
  lastTrafficAt: string | null
  protectUntil: Day | null
  /** Balance in USD, a decimal text; null = no account. */
  balance: string | null
  /** True when something unfinished keeps it: an alias change, a document, an unpaid bill. */
  held: boolean
  /** An open opportunity at s3 or later gives the no-deal rule its one extension. */
  lateOpportunity?: boolean
  /** Days on which the owner was away. */
  leaves?: readonly Leave[]
}
export type RecyclingReason = 'firstTouch' | 'noFollow' | 'noDeal'
export interface RecyclingDecision {
  /** The night's job that takes it: the first day on which it may be recycled. Null = exempt. */
  recycleOn: Day | null
  reason: RecyclingReason | null
}

const EXEMPT: RecyclingDecision = { recycleOn: null, reason: null }
/** A change of the rule takes nothing away before this many days. */
export const NOTICE_DAYS = 3

/**
 * When a private customer goes to the sea if nobody does anything (CRM rule 9.2): the earlier of the first-touch deadline
 * (only while untouched; it beats protection) and the other deadlines (not before protectUntil), plus one day.
 */
export function decideRecycling(facts: RecyclingFacts, rules: RuleTypes['crm.sea'], timeZone: string): RecyclingDecision {
  if (!rules.enabled || facts.holding !== 'private' || facts.level === 'a' || facts.held || !facts.ownedAt) return EXEMPT
  if (facts.tags.includes('keep') || (facts.balance !== null && Number(facts.balance) > Number(rules.exemptBalance)))
    return EXEMPT
  const ownedOn = dayOf(facts.ownedAt, timeZone)
  const touched = facts.lastFollowAt !== null && facts.lastFollowAt >= facts.ownedAt
  const lastTouch = touched ? dayOf(facts.lastFollowAt ?? facts.ownedAt, timeZone) : ownedOn
  const after = (base: Day, days: number): Day | null => deadline(base, days, rules.pauseOnLeave ? (facts.leaves ?? []) : [])

  const candidates: { day: Day; reason: RecyclingReason }[] = []
  const add = (day: Day | null, reason: RecyclingReason, protectedToo: boolean): void => {
    if (day === null) return
    candidates.push({ day: protectedToo && facts.protectUntil && facts.protectUntil > day ? facts.protectUntil : day, reason })
  }
  add(noFollowDeadline(facts, rules, lastTouch, after, timeZone), 'noFollow', true)
  if (!facts.firstDealAt && rules.noDealDays > 0)
    add(after(ownedOn, rules.noDealDays + (facts.lateOpportunity ? rules.noDealExtension : 0)), 'noDeal', true)
  if (!touched) add(after(ownedOn, rules.firstTouchDays), 'firstTouch', false)
  const first = candidates.reduce<{ day: Day; reason: RecyclingReason } | null>(
    (best, next) => (!best || next.day < best.day ? next : best),
    null,
  )
  if (!first) return EXEMPT
  const recycleOn = addDays(first.day, 1)
  return { recycleOn, reason: first.reason }
}

/** The day on which `days` days have passed since `base`, days of leave not counted; null while the leave has no end. */
export function deadline(base: Day, days: number, leaves: readonly Leave[]): Day | null {
  let end = addDays(base, days)
  for (const leave of [...leaves].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    if (leave.from > end) break
    if (leave.until === null) return null
    const from = leave.from > base ? leave.from : addDays(base, 1)
    if (leave.until >= from) end = addDays(end, daysBetween(from, leave.until) + 1)
  }
  return end
}

function noFollowDeadline(
  facts: RecyclingFacts,
  rules: RuleTypes['crm.sea'],
  lastTouch: Day,
  after: (base: Day, days: number) => Day | null,
  timeZone: string,
): Day | null {
  const days = rules.noFollowDays
  switch (facts.stage) {
    case 'potential':
    case 'following':
    case 'testing':
    case 'quoted':
      return after(lastTouch, days[facts.stage])
    default: {
      // Both must hold for a customer that has dealt: no follow-up and no traffic.
      const byFollow = after(lastTouch, days.dealt)
      if (!facts.lastTrafficAt || byFollow === null) return byFollow
      const byTraffic = addDays(dayOf(facts.lastTrafficAt, timeZone), rules.noTrafficDays)
      return byFollow > byTraffic ? byFollow : byTraffic
    }
  }
}

/** A day that comes nearer is at least three days away, unless it was that near before. */
export function withNotice(decided: Day | null, old: Day | null, today: Day): Day | null {
  if (decided === null || (old !== null && decided >= old)) return decided
  const notice = addDays(today, NOTICE_DAYS)
  const floor = old !== null && old < notice ? old : notice
  return decided > floor ? decided : floor
}
