/** What a rate, or a line of a sheet, says of its destination (quotes 5.1). */
export interface Destination {
  product?: unknown
  country?: unknown
  mccmnc?: unknown
  prefix?: unknown
  routeClass?: unknown
  numberType?: unknown
  waCategory?: unknown
}

const ANY = '*'
const textOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : ANY)

/** The parts of a destination that tell one rate of a product from another, in their order. */
const PARTS: Readonly<Record<string, readonly (keyof Destination)[]>> = {
  sms: ['country', 'mccmnc', 'routeClass'],
  otpSms: ['country', 'mccmnc'],
  voice: ['prefix', 'routeClass'],
  otpVoice: ['prefix'],
  aiVoice: ['prefix'],
  number: ['country', 'numberType'],
  whatsapp: ['country', 'waCategory'],
  mail: [],
}

/** The key under which a destination is rated: `sms|US|310260|direct`; what is not said is `*` (quotes 5.1). */
export function rateKeyOf(product: string, destination: Destination): string {
  const parts = PARTS[product] ?? ['country', 'prefix']
  return [product, ...(parts.length === 0 ? [ANY] : parts.map((part) => textOf(destination[part])))].join('|')
}
