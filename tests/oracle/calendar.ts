import type { CycleKind, Day, Moment } from './model'

const HOUR = 3_600_000

const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** The civil day of a moment in a zone (quotes-traffic 7.1). */
export function dayIn(zone: string, at: Moment | number): Day {
  const format =
    FORMATS.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  FORMATS.set(zone, format)
  return format.format(new Date(at))
}

/** The first moment of a civil day in a zone, in milliseconds. */
export function startOfDay(zone: string, day: Day): number {
  // Zones lie within 14 hours of UTC and change at most once a day: halving finds the moment whatever the clocks do.
  let low = Date.parse(`${day}T00:00:00Z`) - 16 * HOUR
  let high = low + 32 * HOUR
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (dayIn(zone, middle) < day) low = middle
    else high = middle
  }
  return high
}

/** The moment from which a day, or a period that ends with it, may lock or close: its end and what receipts may take. */
export function closable(zone: string, day: Day, waitHours: number): number {
  return startOfDay(zone, plusDays(day, 1)) + waitHours * HOUR
}

export function plusDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10)
}

export function daysInMonth(day: Day): number {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate()
}

export function lastOfMonth(month: string): Day {
  return `${month}-${String(daysInMonth(`${month}-01`)).padStart(2, '0')}`
}

export function firstOfNextMonth(day: Day): Day {
  return plusDays(lastOfMonth(day.slice(0, 7)), 1)
}

/** Last day of the period of a cycle that `day` lies in; a first period is short (money 8.4). Weeks begin on Monday (money 2.5). */
export function periodEnd(kind: CycleKind, day: Day): Day {
  if (kind === 'weekly') return plusDays(day, (7 - new Date(`${day}T00:00:00Z`).getUTCDay()) % 7)
  const date = Number(day.slice(8))
  if (kind === 'halfMonth' && date <= 15) return `${day.slice(0, 8)}15`
  return lastOfMonth(day.slice(0, 7))
}
