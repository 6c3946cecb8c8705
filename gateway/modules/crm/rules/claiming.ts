import { dayOf, instantAt, nextWorkingDay } from './companyDay'
import type { RuleTypes } from '../../../rules'

/** When a customer that enters the sea now can first be claimed: the next working day at the opening hour. */
export function claimableFrom(enteredAt: Date, rules: RuleTypes['crm.claim'], timeZone: string): Date {
  return instantAt(nextWorkingDay(dayOf(enteredAt, timeZone)), rules.openHour, timeZone)
}
