import { addDays, dayOf, daysBetween, instantAt, nextWorkingDay, type Day } from '../platform/calendar'

/** After how long a record goes to the pool. */
export interface RecyclingRule {
  enabled: boolean
  firstTouchDays: number
  /** By stage; `dealt` for all that are not named. */
  noFollowDays: { dealt: number } & Readonly<Record<string, number>>
  noTrafficDays: number
  noDealDays: number
  noDealExtension: number
  protectDays: { create: number; claim: number; assign: number; transfer: number; wonBack: number }
  maxPerNight: number
  exemptBalance: string
  keepTagMax: number
  pauseOnLeave: boolean
}
/** How often and when records may be claimed. */
export interface ClaimRule {
  dailyClaims: number
  weeklyClaims: number
  openHour: string
  newcomerDays: number
  newcomerDaily: number
}
/** How many records a person may hold. */
export interface CapRule {
  default: number
  senior: number
  manager: number
  newcomer: number
  excludeLevelA: boolean
  excludeDealt: boolean
  dealtTrafficDays: number
  excludeFrozen: boolean
  warnAt: number
}
/** Of transfers and shares. */
export interface HandoverRule {
  maxReceived: number
  maxReceivers: number
  editAllowed: boolean
}

/** Positions with a cap of their own; everybody else has the default one. */
const MANAGER_POSITIONS = new Set(['salesLead', 'salesDirector', 'buyerLead', 'ceo'])
/** Somebody is senior after two years. */
const SENIOR_AFTER_DAYS = 730
const NEWCOMER_DAYS = 90

/** How many records a person may hold (rule 9.4). */
export function holdingCap(staff: { position: string; hiredOn: Day | null }, rules: CapRule, today: Day): number {
  if (MANAGER_POSITIONS.has(staff.position)) return rules.manager
  if (staff.hiredOn && addDays(staff.hiredOn, NEWCOMER_DAYS) > today) return rules.newcomer
  if (staff.hiredOn && addDays(staff.hiredOn, SENIOR_AFTER_DAYS) <= today) return rules.senior
  return rules.default
}

/** What the cap looks at: frozen or not, whether the rule may leave it out, whether it has dealt and when it last had traffic. */
export interface HeldFacts {
  holding: string
  spared: boolean
  dealt: boolean
  lastTrafficAt: string | null
}

/** Whether an owned record counts against the cap. */
export function countsAgainstCap(facts: HeldFacts, rules: CapRule, now: Date, timeZone: string): boolean {
  if (rules.excludeFrozen && facts.holding === 'frozen') return false
  if (rules.excludeLevelA && facts.spared) return false
  const active =
    facts.lastTrafficAt !== null && addDays(dayOf(facts.lastTrafficAt, timeZone), rules.dealtTrafficDays) >= dayOf(now, timeZone)
  return !(rules.excludeDealt && facts.dealt && active)
}

/** When a record that enters the pool now can first be claimed: the next working day at the opening hour. */
export function claimableFrom(enteredAt: Date, rules: Pick<ClaimRule, 'openHour'>, timeZone: string): Date {
  return instantAt(nextWorkingDay(dayOf(enteredAt, timeZone)), rules.openHour, timeZone)
}

/** Days on which somebody was away, no two of one person overlapping; without `until` he is still away. */
export interface Leave {
  from: Day
  until: Day | null
}
/** What recycling needs to know of a record. Instants are ISO texts in UTC, days are company days. */
export interface RecyclingFacts {
  holding: string
  /** Never recycled, whatever else. */
  spared: boolean
  /** Its owner keeps it. */
  kept: boolean
  stage: string
  ownedAt: string | null
  lastFollowAt: string | null
  firstDealAt: string | null
  lastTrafficAt: string | null
  protectUntil: Day | null
  /** A decimal text; null = none. */
  balance: string | null
  /** Something unfinished keeps it: a document, an unpaid bill. */
  held: boolean
  /** The no-deal rule has its one extension. */
  extended?: boolean
  /** Days on which the owner was away. */
  leaves?: readonly Leave[]
}
export type RecyclingReason = 'firstTouch' | 'noFollow' | 'noDeal'
export interface RecyclingDecision {
  /** The night that takes it: the first day on which it may be recycled. Null = exempt. */
  recycleOn: Day | null
  reason: RecyclingReason | null
}

const EXEMPT: RecyclingDecision = { recycleOn: null, reason: null }
/** A change of the rule takes nothing away before this many days. */
export const NOTICE_DAYS = 3

/**
 * When an owned record goes to the pool if nobody does anything (rule 9.2): the earlier of the first-touch deadline
 * (only while untouched; it beats protection) and the other deadlines (not before protectUntil), plus one day.
 */
export function decideRecycling(facts: RecyclingFacts, rules: RecyclingRule, timeZone: string): RecyclingDecision {
  if (!rules.enabled || facts.holding !== 'private' || facts.spared || facts.kept || facts.held || !facts.ownedAt) return EXEMPT
  if (facts.balance !== null && Number(facts.balance) > Number(rules.exemptBalance)) return EXEMPT
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
    add(after(ownedOn, rules.noDealDays + (facts.extended ? rules.noDealExtension : 0)), 'noDeal', true)
  if (!touched) add(after(ownedOn, rules.firstTouchDays), 'firstTouch', false)
  const first = candidates.reduce<{ day: Day; reason: RecyclingReason } | null>(
    (best, next) => (!best || next.day < best.day ? next : best),
    null,
  )
  return first ? { recycleOn: addDays(first.day, 1), reason: first.reason } : EXEMPT
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
  { stage, lastTrafficAt }: RecyclingFacts,
  { noFollowDays, noTrafficDays }: RecyclingRule,
  lastTouch: Day,
  after: (base: Day, days: number) => Day | null,
  timeZone: string,
): Day | null {
  if (stage !== 'dealt' && Object.hasOwn(noFollowDays, stage)) return after(lastTouch, noFollowDays[stage]!)
  // both must hold for one that has dealt: no follow-up and no traffic
  const byFollow = after(lastTouch, noFollowDays.dealt)
  if (!lastTrafficAt || byFollow === null) return byFollow
  const byTraffic = addDays(dayOf(lastTrafficAt, timeZone), noTrafficDays)
  return byFollow > byTraffic ? byFollow : byTraffic
}

/** A day that comes nearer is at least three days away, unless it was that near before. */
export function withNotice(decided: Day | null, old: Day | null, today: Day): Day | null {
  if (decided === null || (old !== null && decided >= old)) return decided
  const notice = addDays(today, NOTICE_DAYS)
  const floor = old !== null && old < notice ? old : notice
  return decided > floor ? decided : floor
}
