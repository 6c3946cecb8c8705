/** States in which an alarm is open. */
export const OPEN = ['firing', 'acknowledged', 'snoozed'] as const

const MINUTE = 60_000
/** Minutes after its end in which an alarm that fires again is the same one. */
const REOPEN = 30
/** Alarms of a rule in an hour beyond which it mutes itself. */
const MOST_AN_HOUR = 6

/** How a condition went, oldest first: n of the last m, the last one among them. */
export function fires(met: readonly boolean[], forTimes: number, ofTimes: number): boolean {
  return met.at(-1) === true && met.slice(-ofTimes).filter(Boolean).length >= forTimes
}

/** The condition of the end held so many times in a row. */
export const isOver = (met: readonly boolean[], times: number): boolean => met.length >= times && met.slice(-times).every(Boolean)

/** The last alarm of a series. */
export interface LastAlarm {
  status: string
  severity: string
  resolvedAt: number | null
}

export type Step = 'open' | 'reopen' | 'raise' | 'again' | 'recover' | 'none'

/** What follows from an evaluation for the alarm of a series. A severity is worse when it comes first in the alphabet: P1 before P2. */
export function stepOf(
  last: LastAlarm | undefined,
  found: { fires: boolean; over: boolean; severity: string; requireAck: boolean },
  now: number,
): Step {
  const open = last !== undefined && OPEN.some((state) => state === last.status)
  if (!open) {
    if (!found.fires) return 'none'
    const recently = last?.status === 'resolved' && last.resolvedAt !== null && now - last.resolvedAt <= REOPEN * MINUTE
    return recently ? 'reopen' : 'open'
  }
  if (found.fires) return found.severity < last.severity ? 'raise' : 'again'
  return found.over && !(found.requireAck && last.status === 'firing') ? 'recover' : 'none'
}

/** How many steps of an escalation are due for an alarm that nobody acknowledged. */
export const stepsDue = (steps: readonly { afterMin: number }[], firstAt: number, now: number): number =>
  steps.filter(({ afterMin }) => now - firstAt >= afterMin * MINUTE).length

/** Whether a rule fired too often of late, this time included. */
export const flaps = (firedAt: readonly number[], now: number): boolean =>
  firedAt.filter((at) => now - at < 60 * MINUTE).length > MOST_AN_HOUR
