/** What a rate, or a line of a sheet, says of its destination (quotes 5.1). */
export interface Destination {
  product?: unknown
  country?: unknown
  mccmnc?: unknown
  prefix?: unknown
  routeClass?: unknown
  numberType?: unknown
  /** Capabilities of a number, in any order. */
  numberCaps?: unknown
  waCategory?: unknown
  /** From how many messages of a month on it holds. */
  fromVolume?: unknown
  aiModel?: unknown
}

const ANY = '*'

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? ANY : value.map(String).sort().join('+')
  return typeof value === 'string' && value !== '' ? value : ANY
}

/** The parts of a destination that tell one rate of a product from another, in their order. */
const PARTS: Readonly<Record<string, readonly (keyof Destination)[]>> = {
  sms: ['country', 'mccmnc', 'routeClass'],
  otpSms: ['country', 'mccmnc'],
  voice: ['prefix', 'routeClass'],
  otpVoice: ['prefix'],
  aiVoice: ['prefix', 'aiModel'],
  number: ['country', 'numberType', 'numberCaps'],
  whatsapp: ['country', 'waCategory'],
  mail: [],
}

/** The key under which a destination is rated: `sms|US|310260|direct`; what is not said is `*` (quotes 5.1). */
export function rateKeyOf(product: string, destination: Destination): string {
  const parts = PARTS[product] ?? ['country', 'prefix']
  const key = [product, ...(parts.length === 0 ? [ANY] : parts.map((part) => textOf(destination[part])))].join('|')
  const volume = product === 'whatsapp' ? Number(destination.fromVolume ?? 0) : 0
  return volume > 0 ? `${key}|${volume}` : key
}
