/** How a text goes over the air (3GPP TS 23.038, 23.040): its character set, its length, and how many parts it takes. */
export interface Segmented {
  encoding: 'gsm7' | 'ucs2'
  /** Septets of GSM-7 (characters of the extension count two), units of UTF-16 of UCS-2. */
  units: number
  segments: number
}

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const EXTENSION = new Set('^€{}[]~|\\\f')

const LIMITS = { gsm7: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const

/**
 * The text of each part as it goes over the air (quotes-traffic 5.3): the whole text where it fits one message. A pair, of the extension
 * of GSM-7 or of surrogates, is never split: its part is closed one short. An empty text is one empty part.
 */
export function partsOf(text: string): string[] {
  return measure(text).parts
}

/** Encoding, length and number of parts of a text (quotes-traffic 5.3). */
export function segmentsOf(text: string): Segmented {
  const { encoding, units, parts } = measure(text)
  return { encoding, units, segments: parts.length }
}

function measure(text: string): { encoding: Segmented['encoding']; units: number; parts: string[] } {
  const characters = [...text]
  const isGsm = characters.every((one) => BASIC.has(one) || EXTENSION.has(one))
  const encoding = isGsm ? 'gsm7' : 'ucs2'
  const sizeOf = (one: string): number => (isGsm ? (EXTENSION.has(one) ? 2 : 1) : one.length)
  const units = characters.reduce((sum, one) => sum + sizeOf(one), 0)
  const { single, part } = LIMITS[encoding]
  if (units <= single) return { encoding, units, parts: [text] }
  const parts: string[] = []
  let [current, filled] = ['', 0]
  for (const one of characters) {
    const size = sizeOf(one)
    if (filled + size > part) {
      parts.push(current)
      current = ''
      filled = 0
    }
    current += one
    filled += size
  }
  parts.push(current)
  return { encoding, units, parts }
}
