import { addDays, dayOf, type Day } from './companyDay'
import type { CrmRules } from './ruleSets'

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
}
export type RecyclingReason = 'firstTouch' | 'noFollow' | 'noDeal'
export interface RecyclingDecision {
  /** The night's job that takes it: the first day on which it may be recycled. Null = exempt. */
  recycleOn: Day | null
  reason: RecyclingReason | null
}

const EXEMPT: RecyclingDecision = { recycleOn: null, reason: null }

/**
 * When a private customer goes to the sea if nobody does anything (CRM rule 9.2): the earlier of the first-touch deadline
 * (only while untouched; it beats protection) and the other deadlines (not before protectUntil), plus one day.
 */
export function decideRecycling(facts: RecyclingFacts, rules: CrmRules['crm.sea'], timeZone: string): RecyclingDecision {
  if (!rules.enabled || facts.holding !== 'private' || facts.level === 'a' || facts.held || !facts.ownedAt) return EXEMPT
  if (facts.tags.includes('keep') || (facts.balance !== null && Number(facts.balance) > Number(rules.exemptBalance)))
    return EXEMPT
  const ownedOn = dayOf(facts.ownedAt, timeZone)
  const touched = facts.lastFollowAt !== null && facts.lastFollowAt >= facts.ownedAt
  const lastTouch = touched ? dayOf(facts.lastFollowAt ?? facts.ownedAt, timeZone) : ownedOn

  const candidates: { day: Day; reason: RecyclingReason }[] = []
  const protect = (day: Day): Day => (facts.protectUntil && facts.protectUntil > day ? facts.protectUntil : day)
  const noFollow = noFollowDeadline(facts, rules, lastTouch, timeZone)
  if (noFollow) candidates.push({ day: protect(noFollow), reason: 'noFollow' })
  if (!facts.firstDealAt && rules.noDealDays > 0)
    candidates.push({ day: protect(addDays(ownedOn, rules.noDealDays)), reason: 'noDeal' })
  if (!touched) candidates.push({ day: addDays(ownedOn, rules.firstTouchDays), reason: 'firstTouch' })
  const first = candidates.reduce<{ day: Day; reason: RecyclingReason } | null>(
    (best, next) => (!best || next.day < best.day ? next : best),
    null,
  )
  return first ? { recycleOn: addDays(first.day, 1), reason: first.reason } : EXEMPT
}

function noFollowDeadline(facts: RecyclingFacts, rules: CrmRules['crm.sea'], lastTouch: Day, timeZone: string): Day | null {
  const days = rules.noFollowDays
  switch (facts.stage) {
    case 'potential':
    case 'following':
    case 'testing':
    case 'quoted':
      return addDays(lastTouch, days[facts.stage])
    default: {
      // Both must hold for a customer that has dealt: no follow-up and no traffic.
      const byFollow = addDays(lastTouch, days.dealt)
      if (!facts.lastTrafficAt) return byFollow
      const byTraffic = addDays(dayOf(facts.lastTrafficAt, timeZone), rules.noTrafficDays)
      return byFollow > byTraffic ? byFollow : byTraffic
    }
  }
}

/** The days on which the owner is reminded before the recycling day, earliest first. */
export function reminderDays(recycleOn: Day, rules: CrmRules['crm.sea']): Day[] {
  return rules.remindDays.map((days) => addDays(recycleOn, -days)).sort()
}
