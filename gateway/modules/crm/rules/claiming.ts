import { dayOf, instantAt, nextWorkingDay } from './companyDay'
import type { CrmRules } from './ruleSets'

/** When a customer that enters the sea now can first be claimed: the next working day at the opening hour. */
export function claimableFrom(enteredAt: Date, rules: CrmRules['crm.claim'], timeZone: string): Date {
  return instantAt(nextWorkingDay(dayOf(enteredAt, timeZone)), rules.openHour, timeZone)
}
