import { sql } from 'drizzle-orm'
import { currencyDigits, Exact, roundedText, toExact } from '../../../src/schema/formats'
import type { Executor } from '../../platform/database'

/** The entity that holds the rates. */
export const RATES_ENTITY = 'sys.exchangeRate'
/** The currency that the rates of all others are given in: two others are converted across it. */
export const RATES_BASE = 'CNY'
/** The rate of the day; others are monthly averages, rates by hand and those that performance is counted with. */
export const DAILY_RATES = 'xe'

interface RateRow {
  kind: string
  base: string
  quote: string
  date: string
  rate: string
}

/** The rates of one pair, the newest first. */
type Series = readonly { date: string; rate: Exact }[]

/**
 * The exchange rates of the company, held in memory so that expressions find them at once. Whoever is about to calculate with them
 * calls `refresh` first, which reads them anew when they have changed, whoever changed them.
 */
export class ExchangeRates {
  private series: ReadonlyMap<string, Series> = new Map()
  private state: string | undefined

  /** Reads the rates when they are not as they were. Not inside a transaction that has changed rates: it may yet be undone. */
  async refresh(db: Executor): Promise<void> {
    const { rows } = await db.query<{ state: string }>(
      sql`select concat_ws('/', count(*), count(x.deleted_at), max(greatest(x.created_at, x.updated_at, x.deleted_at)), sum(x.version)) as "state" from sys_exchange_rate x`,
    )
    const state = rows[0]!.state
    if (state === this.state) return
    const found = await db.query<RateRow>(
      sql`select x.kind, x.base, x.quote, x.date::text as "date", x.rate::text as "rate" from sys_exchange_rate x where x.deleted_at is null and x.rate > 0 order by x.date desc`,
    )
    const series = new Map<string, { date: string; rate: Exact }[]>()
    for (const { kind, base, quote, date, rate } of found.rows) {
      const key = keyOf(kind, base, quote)
      const known = series.get(key) ?? []
      if (known.length === 0) series.set(key, known)
      known.push({ date, rate: toExact(rate)! })
    }
    this.series = series
    this.state = state
  }

  /**
   * What one unit of a currency is worth in another: the last rate of that kind up to the day, of the pair itself or else across the
   * base. Undefined where no rate says so.
   */
  rate(from: string, to: string, day: string, kind = DAILY_RATES): Exact | undefined {
    if (from === to) return new Exact(1)
    const direct = this.last(kind, from, to, day)
    if (direct) return direct
    const [first, second] = [this.inBase(kind, from, day), this.inBase(kind, to, day)]
    return first && second && !second.isZero() ? first.dividedBy(second) : undefined
  }

  /** An amount in another currency, rounded half up to its decimals; undefined without a rate. */
  convert(amount: string, from: string, to: string, day: string, kind = DAILY_RATES): string | undefined {
    const [value, rate] = [toExact(amount), this.rate(from, to, day, kind)]
    return value && rate ? roundedText(value.times(rate), currencyDigits(to)) : undefined
  }

  private inBase(kind: string, currency: string, day: string): Exact | undefined {
    return currency === RATES_BASE ? new Exact(1) : this.last(kind, currency, RATES_BASE, day)
  }

  private last(kind: string, base: string, quote: string, day: string): Exact | undefined {
    const series = this.series.get(keyOf(kind, base, quote)) ?? []
    let [low, high] = [0, series.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (series[middle]!.date <= day) high = middle
      else low = middle + 1
    }
    return series[low]?.rate
  }
}

const keyOf = (kind: string, base: string, quote: string): string => `${kind} ${base} ${quote}`
