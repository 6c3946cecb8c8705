/** Where a visit was started: degrees (WGS 84), metres of accuracy, and when the browser read it. */
interface VisitPosition {
  latitude: number
  longitude: number
  accuracy: number
  at: string
}

/** Six decimals are a tenth of a metre: nothing that a browser knows is lost. */
const DIGITS = 6
const round = (value: number): number => Number(value.toFixed(DIGITS))
const within = (value: unknown, most: number): value is number => typeof value === 'number' && Math.abs(value) <= most

/** What a browser sent as a position, without anything else that it may carry; null when it is none. Pure. */
export function positionOf(given: unknown): VisitPosition | null {
  if (typeof given !== 'object' || given === null) return null
  const { latitude, longitude, accuracy, at } = given as Partial<Record<keyof VisitPosition, unknown>>
  if (!within(latitude, 90) || !within(longitude, 180)) return null
  if (typeof accuracy !== 'number' || !(accuracy >= 0) || !Number.isFinite(accuracy)) return null
  const read = typeof at === 'string' ? Date.parse(at) : NaN
  if (Number.isNaN(read)) return null
  return {
    latitude: round(latitude),
    longitude: round(longitude),
    accuracy: Math.round(accuracy),
    at: new Date(read).toISOString(),
  }
}

/** About a metre, as the page shows it. */
const SHOWN_DIGITS = 5

/** A stored position as a file says it: "31.23040, 121.47370 ±12 m"; null when it is none. Pure. */
export function positionText(stored: unknown): string | null {
  const position = positionOf(stored)
  if (!position) return null
  const { latitude, longitude, accuracy } = position
  return `${latitude.toFixed(SHOWN_DIGITS)}, ${longitude.toFixed(SHOWN_DIGITS)} ±${accuracy} m`
}
