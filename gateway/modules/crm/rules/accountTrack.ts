import { addDays, type Day } from './companyDay'

/** Days without traffic after which an account is silent, and days in which a new one counts as started. */
export const SILENT_DAYS = 30
export const STARTING_DAYS = 60

export type AccountTrack = 'opened' | 'tested' | 'started' | 'growing' | 'falling' | 'silent'

/** What is known of an account; days in the company's zone. */
export interface AccountFacts {
  firstTest: Day | null
  firstTraffic: Day | null
  lastTraffic: Day | null
  /** Volume of the last 30 full days and of the 30 before. */
  volume30: number
  volumeBefore30: number
}

/**
 * Where an account stands in its life: opened, tested, started (first traffic within 60 days, so that there is no month to compare
 * with), growing (the last 30 days carry at least as much as the 30 before), falling, or silent (no traffic for 30 days).
 */
export function trackOf(facts: AccountFacts, today: Day): AccountTrack {
  if (facts.firstTraffic === null) return facts.firstTest === null ? 'opened' : 'tested'
  if (facts.lastTraffic === null || facts.lastTraffic < addDays(today, -SILENT_DAYS)) return 'silent'
  if (facts.firstTraffic >= addDays(today, -STARTING_DAYS)) return 'started'
  return facts.volume30 >= facts.volumeBefore30 ? 'growing' : 'falling'
}

/** Change against the 30 days before in percent, two decimals; null without anything to compare with. */
export function changeOf(volume30: number, volumeBefore30: number): string | null {
  return volumeBefore30 === 0 ? null : (((volume30 - volumeBefore30) / volumeBefore30) * 100).toFixed(2)
}
