import { rateKeyOf } from './rateKey'

/** A price or a cost over a span of time: half-open, in milliseconds since 1970. */
export interface Rate {
  id: string
  rateKey: string
  /** Decimal text; null where the destination is blocked. */
  price: string | null
  currency: string
  from: number
  /** Infinity while it is open. */
  until: number
}

/** What a message or a call is rated by. */
export interface RatedDestination {
  product: 'sms' | 'otpSms' | 'voice' | 'otpVoice'
  country?: string
  mccmnc?: string
  routeClass?: string
  /** Digits of the called number with its country code, of the voice family. */
  number?: string
}

/** A step of the answer to "why this price". */
export interface RateStep {
  key: string
  result: 'none' | 'blocked' | 'found'
}
export type RateFound = { rate: Rate; steps: RateStep[] } | { refused: 'NO_RATE' | 'BLOCKED'; steps: RateStep[] }

/** The rates of one account (or of one channel), found by key and time. */
export class RateBook {
  private readonly rates = new Map<string, Rate[]>()

  constructor(rates: Iterable<Rate>) {
    for (const rate of rates) this.rates.set(rate.rateKey, [...(this.rates.get(rate.rateKey) ?? []), rate])
  }

  /**
   * The rate of a destination at a moment (quotes-traffic 5.2): of messages the network, then the default of the country; of calls the
   * longest prefix that has a rate. A blocked row ends the search: no shorter prefix or default goes past it.
   * @param at milliseconds since 1970
   */
  find(destination: RatedDestination, at: number): RateFound {
    const steps: RateStep[] = []
    for (const key of keysOf(destination)) {
      const rate = this.rates.get(key)?.find(({ from, until }) => from <= at && at < until)
      steps.push({ key, result: rate === undefined ? 'none' : rate.price === null ? 'blocked' : 'found' })
      if (rate?.price === null) return { refused: 'BLOCKED', steps }
      if (rate) return { rate, steps }
    }
    return { refused: 'NO_RATE', steps }
  }
}

/** The keys under which a rate may stand, in the order in which they are tried. */
function keysOf(destination: RatedDestination): string[] {
  const { product, mccmnc, number = '' } = destination
  if (product === 'sms' || product === 'otpSms') {
    const country = rateKeyOf(product, { ...destination, mccmnc: '' })
    return mccmnc ? [rateKeyOf(product, destination), country] : [country]
  }
  return Array.from({ length: number.length }, (_, short) =>
    rateKeyOf(product, { ...destination, prefix: number.slice(0, number.length - short) }),
  )
}
