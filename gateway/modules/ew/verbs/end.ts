import type { ModuleVerb } from '../../module'

/** `ew.end`: an alarm is over: since when, and how long it lasted. */
export const verb: ModuleVerb = ({ now }, runs) => {
  for (const { subject } of runs) {
    const { record } = subject
    record['resolvedAt'] = now.toISOString()
    record['minutes'] = Math.max(0, Math.round((now.getTime() - Date.parse(String(record['firstAt']))) / 60_000))
  }
  return Promise.resolve()
}
