import { addDays, dayOf, instantAt, minuteAt, nextWorkingDay, type Day } from './companyDay'
import type { CrmRules } from './ruleSets'

/** Why a customer cannot be claimed now, in the order in which it is checked (CRM rule 9.3). */
export type ClaimRefusal =
  'notInSea' | 'frozen' | 'notYetOpen' | 'managerOnly' | 'coolDown' | 'dailyLimit' | 'weeklyLimit' | 'capFull'

/** The open stay of a customer in the sea. */
export interface SeaStay {
  enteredAt: string
  reason: string
  lastOwnerId: string | null
  lastOwnerDeptId: string | null
  claimableFrom: string | null
  /** Stays within the ping-pong window, this one included. */
  recentStays: number
}
/** What one member of staff has used of the limits. */
export interface ClaimUsage {
  staffId: string
  deptIds: readonly string[]
  hiredOn: Day | null
  claimsToday: number
  claimsThisWeek: number
  /** Customers that count against the cap, and the cap. */
  counted: number
  cap: number
}
export interface ClaimCheck {
  refusal: ClaimRefusal
  /** When it becomes possible, where that is known. */
  from?: string
}

/** Claims a person may make on one day: more for newcomers. */
export function dailyLimit(usage: Pick<ClaimUsage, 'hiredOn'>, rules: CrmRules['crm.claim'], today: Day): number {
  const newcomer = usage.hiredOn !== null && addDays(usage.hiredOn, rules.newcomerDays) > today
  return newcomer ? rules.newcomerDaily : rules.dailyClaims
}

/** How many customers a person can still claim now: what is left of the day, the week and the holding cap. */
export function claimsLeft(usage: ClaimUsage, rules: CrmRules['crm.claim'], today: Day): number {
  const left = [
    dailyLimit(usage, rules, today) - usage.claimsToday,
    rules.weeklyClaims - usage.claimsThisWeek,
    usage.cap - usage.counted,
  ]
  return Math.max(0, Math.min(...left))
}

/** When a customer that enters the sea now can first be claimed: the next working day at the opening hour. */
export function claimableFrom(enteredAt: Date, rules: CrmRules['crm.claim'], timeZone: string): Date {
  return instantAt(nextWorkingDay(dayOf(enteredAt, timeZone)), rules.openHour, timeZone)
}

/** Until which day (inclusive) the previous owner, or anybody of his department, may not claim. */
export function coolDownUntil(
  stay: SeaStay,
  staff: Pick<ClaimUsage, 'staffId' | 'deptIds'>,
  rules: CrmRules['crm.coolDown'],
  timeZone: string,
): Day | null {
  if (!rules.reasons.includes(stay.reason)) return null
  const entered = dayOf(stay.enteredAt, timeZone)
  if (stay.lastOwnerId === staff.staffId) return addDays(entered, rules.ownerCoolDays)
  if (stay.lastOwnerDeptId && staff.deptIds.includes(stay.lastOwnerDeptId)) return addDays(entered, rules.deptCoolDays)
  return null
}

/** Checks one claim; null = possible. The first check that fails is the reason (CRM rules 9.3 to 9.5). */
export function checkClaim(
  holding: string,
  stay: SeaStay | null,
  usage: ClaimUsage,
  rules: { claim: CrmRules['crm.claim']; coolDown: CrmRules['crm.coolDown'] },
  now: Date,
  timeZone: string,
): ClaimCheck | null {
  const today = dayOf(now, timeZone)
  if (holding === 'frozen') return { refusal: 'frozen' }
  if (holding !== 'sea' || !stay) return { refusal: 'notInSea' }
  if (stay.claimableFrom && Date.parse(stay.claimableFrom) > now.getTime())
    return { refusal: 'notYetOpen', from: stay.claimableFrom }
  if (stay.recentStays >= rules.claim.managerOnlyAfterStays) return { refusal: 'managerOnly' }
  const cool = coolDownUntil(stay, usage, rules.coolDown, timeZone)
  if (cool && today <= cool) return { refusal: 'coolDown', from: cool }
  if (usage.claimsToday >= dailyLimit(usage, rules.claim, today)) return { refusal: 'dailyLimit' }
  if (usage.claimsThisWeek >= rules.claim.weeklyClaims) return { refusal: 'weeklyLimit' }
  if (usage.counted + 1 > usage.cap) return { refusal: 'capFull' }
  return null
}

const WORDS: Record<ClaimRefusal, { zh: (from: string) => string; en: (from: string) => string }> = {
  notInSea: { zh: () => '已被其他同事领取', en: () => 'Already claimed by somebody else' },
  frozen: { zh: () => '已冻结', en: () => 'Frozen' },
  notYetOpen: {
    zh: (from) => (from ? `${from} 起可领取` : '尚未开放领取'),
    en: (from) => (from ? `Claimable from ${from}` : 'Not yet open for claims'),
  },
  managerOnly: { zh: () => '多次入海，只能由主管分配', en: () => 'Too many stays: only a manager may assign it' },
  coolDown: {
    zh: (from) => (from ? `冷却期至 ${from}` : '冷却期内'),
    en: (from) => (from ? `Cool-down until ${from}` : 'Within the cool-down'),
  },
  dailyLimit: { zh: () => '今日领取次数已用完', en: () => 'Daily claims are used up' },
  weeklyLimit: { zh: () => '本周领取次数已用完', en: () => 'Weekly claims are used up' },
  capFull: { zh: () => '客户保有量已达上限', en: () => 'Holding cap is full' },
}

/** A code that stands with an attempt may be older than the rules. */
export function isClaimRefusal(code: string): code is ClaimRefusal {
  return Object.hasOwn(WORDS, code)
}

/** The reason as people read it. Instants are shown in the company's zone to the minute. */
export function claimRefusalText(check: ClaimCheck, locale: 'zh' | 'en', timeZone: string): string {
  const from = check.from ?? ''
  return WORDS[check.refusal][locale](from.includes('T') ? minuteAt(from, timeZone) : from)
}
