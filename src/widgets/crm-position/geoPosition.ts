/** Where the browser was: degrees north and east (WGS 84), metres of accuracy, and when. */
export interface GeoPosition {
  latitude: number
  longitude: number
  accuracy: number
  at: string
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** A stored value as a position; null for anything else. */
export const readPosition = (value: unknown): GeoPosition | null => {
  if (typeof value !== 'object' || value === null) return null
  const { latitude, longitude, accuracy, at } = value as Partial<Record<keyof GeoPosition, unknown>>
  return isNumber(latitude) && isNumber(longitude) && isNumber(accuracy) && typeof at === 'string'
    ? { latitude, longitude, accuracy, at }
    : null
}

/** About a metre. */
const DIGITS = 5

/** Both coordinates as maps take them when they are pasted. */
export const coordinates = ({ latitude, longitude }: GeoPosition): string =>
  `${latitude.toFixed(DIGITS)}, ${longitude.toFixed(DIGITS)}`

/** The address that opens the maps of a phone (RFC 5870): `u` is the uncertainty in metres. */
export const geoAddress = ({ latitude, longitude, accuracy }: GeoPosition): string =>
  `geo:${latitude.toFixed(DIGITS)},${longitude.toFixed(DIGITS)};u=${Math.round(accuracy)}`

export type Refusal = 'unsupported' | 'denied' | 'unavailable' | 'timeout'

/** Milliseconds that a position may take, and its greatest age. */
const PATIENCE = 15_000
const GREATEST_AGE = 60_000
/** Codes of GeolocationPositionError. */
const REFUSALS: Readonly<Record<number, Refusal>> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' }

/** Asks the browser once; the browser asks the person. */
export const askPosition = (): Promise<GeoPosition | Refusal> =>
  new Promise((resolve) => {
    // without https the browser has the interface and always refuses, as if the person had
    if (!('geolocation' in navigator) || !window.isSecureContext) return resolve('unsupported')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy }, timestamp }) =>
        resolve({ latitude, longitude, accuracy: Math.round(accuracy), at: new Date(timestamp).toISOString() }),
      ({ code }) => resolve(REFUSALS[code] ?? 'unavailable'),
      { enableHighAccuracy: true, timeout: PATIENCE, maximumAge: GREATEST_AGE },
    )
  })
