/**
 * Patterns of numbers that the server gives: `CU{yy}{n:5}` -> CU2600042. `{yy}`, `{yyyy}`, `{mm}` are parts of the day,
 * `{n:digits}` counts; a counter longer than its digits simply grows. Each text before the counter has a counter of its own.
 */
export interface SequencePattern {
  /** Everything before the counter on that day, e.g. `CU26`; the counter is kept under it. */
  prefix: (day: string) => string
  /** The number itself. `day` is YYYY-MM-DD, `count` starts at 1. */
  format: (day: string, count: number) => string
}

const PART = /\{(yyyy|yy|mm|n(?::(\d{1,2}))?)\}/g

/** Reads a pattern; null when it has not exactly one counter or a part that is not known. */
export function parseSequence(pattern: string): SequencePattern | null {
  const counters = [...pattern.matchAll(PART)].filter((part) => part[1]!.startsWith('n'))
  const [counter] = counters
  if (!counter || counters.length !== 1 || /[{}]/.test(pattern.replace(PART, ''))) return null
  const before = pattern.slice(0, counter.index)
  const after = pattern.slice(counter.index + counter[0].length)
  const digits = Number(counter[2] ?? 1)
  return {
    prefix: (day) => dated(before, day),
    format: (day, count) => dated(before, day) + String(count).padStart(digits, '0') + dated(after, day),
  }
}

function dated(text: string, day: string): string {
  return text.replace(PART, (_, part: string) =>
    part === 'yyyy' ? day.slice(0, 4) : part === 'yy' ? day.slice(2, 4) : day.slice(5, 7),
  )
}
