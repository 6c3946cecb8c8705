import { sql, type SQL } from 'drizzle-orm'
import { DAILY_RATES, RATES_BASE } from './exchangeRates'

/** Expressions of SQL: an amount, its currency and the day of its rate. */
export interface Convertible {
  amount: SQL
  currency: SQL
  day: SQL
}

/** The rates of a currency and a day, as SQL; null where there is none. */
export interface RatesSql {
  /** Of the pair itself. */
  direct: SQL
  /** Of the currency in the base, and of the target in the base. */
  inBase: SQL
  targetInBase: SQL
}

/**
 * The last day up to a day on which a rate of the kind changed, null before the first: amounts of days that have the same one are converted by
 * the same rates, so that they can be added up first. The changes are read once for all rows.
 */
export function rateDaySql(day: SQL, kind = DAILY_RATES): SQL {
  const changes = sql`(select array_agg(distinct x.date order by x.date) from sys_exchange_rate x where x.kind = ${kind} and x.deleted_at is null and x.rate > 0)`
  return sql`(${changes})[width_bucket(${day}, ${changes})]`
}

/** Finds the last rates up to a day. */
export function ratesSql({ currency, day }: Omit<Convertible, 'amount'>, to: string, kind = DAILY_RATES): RatesSql {
  const last = (base: SQL, quote: SQL): SQL =>
    sql`(select x.rate from sys_exchange_rate x where x.kind = ${kind} and x.base = ${base} and x.quote = ${quote} and x.date <= ${day} and x.deleted_at is null and x.rate > 0 order by x.date desc limit 1)`
  const [base, target] = [sql`${RATES_BASE}::text`, sql`${to}::text`]
  return {
    direct: last(currency, target),
    inBase: sql`(case when ${currency} = ${base} then 1 else ${last(currency, base)} end)`,
    targetInBase: to === RATES_BASE ? sql`1` : last(target, base),
  }
}

/** An amount at given rates, as `convertedSql` tells it. */
export function atRatesSql(amount: SQL, currency: SQL, { direct, inBase, targetInBase }: RatesSql, to: string): SQL {
  const across = sql`${amount} * ${inBase}`
  const converted = to === RATES_BASE ? across : sql`coalesce(${amount} * ${direct}, ${across} / ${targetInBase})`
  return sql`(case when ${currency} = ${to}::text then ${amount} else ${converted} end)`
}

/**
 * An amount in another currency as `ExchangeRates.rate` converts it, but never rounded, so that sums and sums of groups agree: round
 * what is shown. Null without a rate or a currency; a sum over some of those has to say that it is not whole. It looks a rate up for
 * every row: over many rows add the amounts by currency and `rateDaySql` first and convert these sums (`ratesSql`, `atRatesSql`).
 */
export function convertedSql({ amount, currency, day }: Convertible, to: string, kind = DAILY_RATES): SQL {
  return atRatesSql(amount, currency, ratesSql({ currency, day }, to, kind), to)
}
