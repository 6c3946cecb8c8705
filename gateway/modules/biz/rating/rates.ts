import type { BillingMode } from './messages'
import { rateKeyOf, type Destination } from './rateKey'

/** How a rate charges, beside its price. */
export interface RateTerms {
  unit?: string
  billingMode?: BillingMode
  incFirst?: number
  incNext?: number
  graceSec?: number
  setupFee?: string
  /** What the bot's part of an AI call costs a minute. */
  aiPrice?: string
  prefix?: string
  destination?: string
}

/** A price or a cost over a span of time: half-open, in milliseconds since 1970. */
export interface Rate extends RateTerms {
  id: string
  rateKey: string
  /** The channel or gateway that it is the cost of; none where it holds for the whole account. */
  routeId?: string
  /** Decimal text; null where the destination is blocked. */
  price: string | null
  currency: string
  from: number
  /** Infinity while it is open. */
  until: number
}

/** A rate that has a price. */
export type PricedRate = Rate & { price: string }

/** What a message or a call is rated by. */
export interface RatedDestination {
  product: 'sms' | 'otpSms' | 'voice' | 'otpVoice' | 'aiVoice' | 'whatsapp' | 'mail'
  country?: string
  mccmnc?: string
  routeClass?: string
  /** Digits of the called number with its country code, of the voice family. */
  number?: string
  aiModel?: string
  waCategory?: string
  /** Of WhatsApp: the country of the business' number. */
  businessCountry?: string
  /** Of WhatsApp: messages of this key before it in its month, for rates from a volume on. */
  volume?: number
}

/** A step of the answer to "why this price". */
export interface RateStep {
  key: string
  result: 'none' | 'blocked' | 'found'
}
export type RateFound = { rate: PricedRate; steps: RateStep[] } | { refused: 'NO_RATE' | 'BLOCKED'; steps: RateStep[] }

/** The rates of one account, found by key, route and time. */
export class RateBook {
  private readonly rates = new Map<string, Rate[]>()

  constructor(rates: Iterable<Rate>) {
    for (const rate of rates) this.rates.set(rate.rateKey, [...(this.rates.get(rate.rateKey) ?? []), rate])
  }

  /**
   * The rate of a destination at a moment (quotes-traffic 5.2): of messages the network, then the default of the country; of calls the
   * longest prefix that has a rate. For each of these keys the row of the route comes first, then the row of the whole account (1.2): the account's
   * row of a network is nearer to a message than its channel's row of the country. The row of another route is never taken. A blocked row ends
   * the search: no row of the account, shorter prefix or default goes past it.
   * @param at milliseconds since 1970
   * @param routeId the channel or gateway that carries it; empty: only rows of the whole account count
   */
  find(destination: RatedDestination, at: number, routeId = ''): RateFound {
    const steps: RateStep[] = []
    for (const key of this.keysOf(destination)) {
      const live = this.rates.get(key)?.filter(({ from, until }) => from <= at && at < until)
      const of = (route: string): Rate | undefined => live?.find((one) => (one.routeId ?? '') === route)
      const rate = of(routeId) ?? of('')
      steps.push({ key, result: rate === undefined ? 'none' : rate.price === null ? 'blocked' : 'found' })
      if (rate === undefined) continue
      return rate.price === null ? { refused: 'BLOCKED', steps } : { rate: { ...rate, price: rate.price }, steps }
    }
    return { refused: 'NO_RATE', steps }
  }

  /** The keys under which a rate may stand, in the order in which they are tried. */
  private keysOf(destination: RatedDestination): string[] {
    const { product, mccmnc, aiModel } = destination
    switch (product) {
      case 'sms':
      case 'otpSms': {
        const country = rateKeyOf(product, { ...destination, mccmnc: '' })
        return mccmnc ? [rateKeyOf(product, destination), country] : [country]
      }
      case 'mail':
        return [rateKeyOf(product, {})]
      case 'whatsapp':
        return [
          ...(isAcrossBorders(destination) ? this.tiersOf({ ...destination, waCategory: 'authenticationInternational' }) : []),
          ...[destination.country, ''].flatMap((country) => this.tiersOf({ ...destination, country })),
        ]
      case 'aiVoice':
        return [...prefixesOf(destination), ''].flatMap((prefix) =>
          (aiModel ? [aiModel, ''] : ['']).map((model) => rateKeyOf(product, { prefix, aiModel: model })),
        )
      default:
        return prefixesOf(destination).map((prefix) => rateKeyOf(product, { ...destination, prefix }))
    }
  }

  /** The rates of a key from the largest volume that is reached down to that without one. */
  private tiersOf(destination: Destination & { volume?: number }): string[] {
    const plain = rateKeyOf('whatsapp', destination)
    if (!destination.volume) return [plain]
    const tiers = [...this.rates.keys()]
      .filter((key) => key.startsWith(`${plain}|`))
      .map((key) => Number(key.slice(plain.length + 1)))
      .filter((from) => from <= (destination.volume ?? 0))
      .sort((one, other) => other - one)
    return [...tiers.map((fromVolume) => rateKeyOf('whatsapp', { ...destination, fromVolume })), plain]
  }
}

/** The beginnings of a number, the longest first. */
const prefixesOf = ({ number = '' }: RatedDestination): string[] =>
  Array.from({ length: number.length }, (_, short) => number.slice(0, number.length - short))

/** Authentication of another country's business is priced by itself where the recipient's country has a rate for it (quotes-traffic 5.7). */
const isAcrossBorders = ({ waCategory, country, businessCountry }: RatedDestination): boolean =>
  waCategory === 'authentication' && Boolean(businessCountry) && businessCountry !== country
