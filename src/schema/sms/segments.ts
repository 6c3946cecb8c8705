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

/**
 * Encoding, length and number of parts of a text (quotes-traffic 5.3). A pair, of the extension of GSM-7 or of surrogates, is never split:
 * its part is closed one short. An empty text is one empty part.
 */
export function segmentsOf(text: string): Segmented {
  const gsm = isGsm(text)
  const encoding = gsm ? 'gsm7' : 'ucs2'
  const sizes = [...text].map((one) => (gsm ? (EXTENSION.has(one) ? 2 : 1) : one.length))
  const units = sizes.reduce((sum, size) => sum + size, 0)
  const { single, part } = LIMITS[encoding]
  if (units <= single) return { encoding, units, segments: 1 }
  let [segments, filled] = [1, 0]
  for (const size of sizes) {
    if (filled + size > part) {
      segments += 1
      filled = 0
    }
    filled += size
  }
  return { encoding, units, segments }
}
