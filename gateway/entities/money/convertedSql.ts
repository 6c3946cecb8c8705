import { sql, type SQL } from 'drizzle-orm'
import { DAILY_RATES, RATES_BASE } from './exchangeRates'

/** Expressions of SQL: an amount, its currency and the day of its rate. */
export interface Convertible {
  amount: SQL
  currency: SQL
  day: SQL
}

/**
 * An amount in another currency as `ExchangeRates.rate` converts it, but never rounded, so that sums and sums of groups agree: round
 * what is shown. Null without a rate or a currency; a sum over some of those has to say that it is not whole. It looks a rate up for
 * every row: over many rows add the amounts by currency and day first and convert these sums.
 */
export function convertedSql({ amount, currency, day }: Convertible, to: string, kind = DAILY_RATES): SQL {
  const last = (base: SQL, quote: SQL): SQL =>
    sql`(select x.rate from sys_exchange_rate x where x.kind = ${kind} and x.base = ${base} and x.quote = ${quote} and x.date <= ${day} and x.deleted_at is null and x.rate > 0 order by x.date desc limit 1)`
  const [base, target] = [sql`${RATES_BASE}::text`, sql`${to}::text`]
  const inBase = sql`(case when ${currency} = ${base} then 1 else ${last(currency, base)} end)`
  const across = sql`${amount} * ${inBase}`
  const converted =
    to === RATES_BASE ? across : sql`coalesce(${amount} * ${last(currency, target)}, ${across} / ${last(target, base)})`
  return sql`(case when ${currency} = ${target} then ${amount} else ${converted} end)`
}
