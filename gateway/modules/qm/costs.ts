import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../src/schema/formats'
import { tableOf, type EntityRecord } from '../../entities'
import type { Executor } from '../../platform/database'

const RATES = sql.raw(tableOf('qm.supplierRate'))
const EXCHANGE = sql.raw(tableOf('sys.exchangeRate'))
const BASE = 'CNY'
/** Decimals of a price, or a cost, a unit. */
const SCALE = 6

/** The key of the whole country beside that of a network (quotes 5.2). */
export function countryKey(rateKey: string): string {
  const [product, country, ...rest] = rateKey.split('|')
  return (product === 'sms' || product === 'otpSms') && rest.length > 0
    ? [product, country, '*', ...rest.slice(1)].join('|')
    : rateKey
}

/** What one unit of each currency is worth in CNY by the last daily rate up to a day. */
export class Worth {
  private constructor(private readonly rates: ReadonlyMap<string, Exact>) {}

  static async of(db: Executor, now: Date): Promise<Worth> {
    const { rows } = await db.query<{ base: string; rate: string }>(
      sql`select distinct on (x.base) x.base, x.rate::text as rate from ${EXCHANGE} x
        where x.kind = 'xe' and x.quote = ${BASE} and x.date <= ${now.toISOString()}::date and x.rate > 0 and x.deleted_at is null order by x.base, x.date desc`,
    )
    return new Worth(new Map([[BASE, new Exact(1)], ...rows.map(({ base, rate }) => [base, new Exact(rate)] as const)]))
  }

  /** An amount in another currency; undefined where no rate says what it is. */
  convert(amount: Exact, from: string, to: string): Exact | undefined {
    if (from === to) return amount
    const [one, other] = [this.rates.get(from), this.rates.get(to)]
    return one && other ? amount.times(one).dividedBy(other) : undefined
  }
}

/** The supplier rates in force of some destinations: what each costs in its currency, the cheapest of a currency only. */
export class Costs {
  private constructor(
    private readonly byKey: ReadonlyMap<string, readonly { currency: string; cost: Exact }[]>,
    readonly worth: Worth,
  ) {}

  static async of(db: Executor, now: Date, rateKeys: Iterable<string>): Promise<Costs> {
    const keys = [...new Set([...rateKeys].flatMap((key) => [key, countryKey(key)]))]
    const { rows } = await db.query<{ rateKey: string; currency: string; cost: string }>(
      sql`select r.rate_key as "rateKey", r.currency, min(r.price)::text as cost from ${RATES} r
        where r.rate_key = any(${sql.param(keys)}::text[]) and r.status = 'active' and r.price is not null and r.deleted_at is null group by 1, 2`,
    )
    const byKey = new Map<string, { currency: string; cost: Exact }[]>()
    for (const { rateKey, currency, cost } of rows) {
      const own = byKey.get(rateKey) ?? []
      byKey.set(rateKey, own)
      own.push({ currency, cost: new Exact(cost) })
    }
    return new Costs(byKey, await Worth.of(db, now))
  }

  /** The lowest cost of a destination, else that of its country, in a currency. */
  lowest(rateKey: string, currency: string): Exact | undefined {
    const found = this.byKey.get(rateKey) ?? this.byKey.get(countryKey(rateKey)) ?? []
    const costs = found.flatMap(({ currency: from, cost }) => this.worth.convert(cost, from, currency) ?? [])
    return costs.length === 0 ? undefined : costs.reduce((least, cost) => (cost.lt(least) ? cost : least))
  }
}

/** A cost as it is kept and shown. */
export const costText = (cost: Exact): string => exactText(cost.toDecimalPlaces(SCALE))

/** The destinations of some records. */
export const keysOf = (records: readonly EntityRecord[]): string[] =>
  records.flatMap(({ rateKey }) => (typeof rateKey === 'string' && rateKey !== '' ? [rateKey] : []))
