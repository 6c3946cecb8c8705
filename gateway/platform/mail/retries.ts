/** Minutes after which a refusal for the moment is tried again. */
const RETRIES = [1, 5, 30, 120, 360, 1_440] as const

/** When a mail is tried again after so many attempts; null: no more. */
export function nextTry(attempts: number, now: Date): Date | null {
  const minutes = RETRIES[attempts - 1]
  return minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000)
}
