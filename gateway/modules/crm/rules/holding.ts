import { addDays, dayOf, type Day } from './companyDay'
import type { RuleTypes } from '../../../rules'

/** Positions with a cap of their own; everybody else has the default one. */
const MANAGER_POSITIONS = new Set(['salesLead', 'salesDirector', 'ceo'])
/** A salesman is senior after two years. */
const SENIOR_AFTER_DAYS = 730
const NEWCOMER_DAYS = 90

/** How many customers a person may hold (CRM rule 9.4). */
export function holdingCap(
  staff: { position: string; hiredOn: Day | null },
  rules: RuleTypes['crm.retention'],
  today: Day,
): number {
  if (MANAGER_POSITIONS.has(staff.position)) return rules.manager
  if (staff.hiredOn && addDays(staff.hiredOn, NEWCOMER_DAYS) > today) return rules.newcomer
  if (staff.hiredOn && addDays(staff.hiredOn, SENIOR_AFTER_DAYS) <= today) return rules.senior
  return rules.default
}

/** Whether an owned customer counts against the cap. */
export function countsAgainstCap(
  customer: { holding: string; level: string; stage: string; lastTrafficAt: string | null },
  rules: RuleTypes['crm.retention'],
  now: Date,
  timeZone: string,
): boolean {
  if (rules.excludeFrozen && customer.holding === 'frozen') return false
  if (rules.excludeLevelA && customer.level === 'a') return false
  const active =
    customer.lastTrafficAt !== null &&
    addDays(dayOf(customer.lastTrafficAt, timeZone), rules.dealtTrafficDays) >= dayOf(now, timeZone)
  return !(rules.excludeDealt && customer.stage === 'dealt' && active)
}
