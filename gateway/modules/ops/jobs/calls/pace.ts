/** What a group call task allows at a moment. */
export interface Pace {
  concurrency: number
  cps: number
  /** Hours of the callees' day, the last one excluded. */
  callFrom: number
  callUntil: number
  timeZone: string
}

/** How many calls a task may begin in the next `seconds`, with `dialing` under way: none outside the callees' hours. */
export function roomOf(
  { concurrency, cps, callFrom, callUntil, timeZone }: Pace,
  now: Date,
  dialing: number,
  seconds: number,
): number {
  const hour = Number(new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(now))
  if (hour < callFrom || hour >= callUntil) return 0
  return Math.max(0, Math.min(concurrency - dialing, cps * seconds))
}
