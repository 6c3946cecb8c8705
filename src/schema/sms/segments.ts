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

/** Whether every character is in the basic table or the extension of GSM-7. */
export const isGsm = (text: string): boolean => [...text].every((one) => BASIC.has(one) || EXTENSION.has(one))

/** A text as it is parted, with the characters that keep it out of GSM-7. */
export interface Parted extends Segmented {
  /** What each part holds, and how many units of it. */
  parts: readonly { text: string; units: number }[]
  /** How many units a part holds at most. */
  limit: number
  /** Characters outside GSM-7, each once, in their order. */
  wide: readonly string[]
}

/**
 * Encoding, length and parts of a text (quotes-traffic 5.3). A pair, of the extension of GSM-7 or of surrogates, is never split:
 * its part is closed one short. An empty text is one empty part.
 */
export function partsOf(text: string): Parted {
  const characters = [...text]
  const wide = [...new Set(characters.filter((one) => !isGsm(one)))]
  const gsm = wide.length === 0
  const encoding = gsm ? 'gsm7' : 'ucs2'
  const size = (one: string): number => (gsm ? (EXTENSION.has(one) ? 2 : 1) : one.length)
  const units = characters.reduce((sum, one) => sum + size(one), 0)
  const { single, part } = LIMITS[encoding]
  if (units <= single) return { encoding, units, segments: 1, parts: [{ text, units }], limit: single, wide }
  const parts: { text: string; units: number }[] = []
  let [held, filled] = ['', 0]
  for (const one of characters) {
    if (filled + size(one) > part) {
      parts.push({ text: held, units: filled })
      ;[held, filled] = ['', 0]
    }
    held += one
    filled += size(one)
  }
  parts.push({ text: held, units: filled })
  return { encoding, units, segments: parts.length, parts, limit: part, wide }
}

/** Encoding, length and number of parts of a text. */
export function segmentsOf(text: string): Segmented {
  const { encoding, units, segments } = partsOf(text)
  return { encoding, units, segments }
}
