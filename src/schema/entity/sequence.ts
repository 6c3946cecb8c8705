import type { EntityField } from '../generated/entity'

/**
 * Patterns of numbers that the server gives: `CU{yy}{n:5}` -> CU2600042. `{yy}`, `{yyyy}`, `{mm}`, `{dd}` are parts of the day,
 * `{n:digits}` counts; a counter longer than its digits simply grows. Each text before the counter has a counter of its own.
 */
export interface SequencePattern {
  /** Everything before the counter on that day, e.g. `CU26`; the counter is kept under it. */
  prefix: (day: string) => string
  /** The number itself. `day` is YYYY-MM-DD, `count` starts at 1. */
  format: (day: string, count: number) => string
}

const PART = /\{(yyyy|yy|mm|dd|n(?::(\d{1,2}))?)\}/g

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
  const parts: Readonly<Record<string, string>> = {
    yyyy: day.slice(0, 4),
    yy: day.slice(2, 4),
    mm: day.slice(5, 7),
    dd: day.slice(8, 10),
  }
  return text.replace(PART, (_, part: string) => parts[part]!)
}

type Defined = NonNullable<EntityField['x-sequence']>

/** How a field is numbered (`x-sequence`). */
export interface Sequence {
  readonly pattern: SequencePattern
  /** Fields of the record: each of their values has a series of its own. */
  readonly fields: readonly string[]
  /** The transition with which the number is given; without one, when the record is created. */
  readonly at?: string
  /** The number can be taken before anything is known of the record, and a gap is no harm. */
  readonly early: boolean
  /** What is counted together on that day; undefined while a field of the series is empty. */
  readonly series: (day: string, record: Readonly<Record<string, unknown>>) => string | undefined
}

/** Reads how a field is numbered; null when its pattern cannot be read. */
export function readSequence(defined: Defined): Sequence | null {
  const { pattern: text, per, gapless = false, at } = typeof defined === 'string' ? { pattern: defined } : defined
  const pattern = parseSequence(text)
  if (!pattern) return null
  const fields = (per ?? []).filter((part) => !PERIODS.has(part))
  return {
    pattern,
    fields,
    at,
    early: fields.length === 0 && !gapless && at === undefined,
    series: (day, record) => {
      if (!per) return pattern.prefix(day)
      const parts = per.map((part) => (PERIODS.get(part) ?? ((): unknown => record[part]))(day))
      if (parts.some((part) => part === null || part === undefined || part === '')) return undefined
      return per.map((part, index) => `${part}=${encodeURIComponent(String(parts[index]))}`).join('&')
    },
  }
}

/** Parts of a series that are no fields. */
export const PERIODS: ReadonlyMap<string, (day: string) => unknown> = new Map([
  ['year', (day) => day.slice(0, 4)],
  ['month', (day) => day.slice(0, 7)],
])
