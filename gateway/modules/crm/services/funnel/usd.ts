import { sql, type SQL } from 'drizzle-orm'

/** What one unit of a currency is worth in CNY for results: the performance rate of the day's month, else of the last before. */
const inCny = (currency: SQL, day: SQL): SQL =>
  sql`(case when ${currency} = 'CNY' then 1 else (select x.rate from sys_exchange_rate x where x.kind = 'performance' and x.quote = 'CNY' and x.base = ${currency}
    and x.date <= ${day} and x.deleted_at is null order by x.date desc limit 1) end)`

/** An amount of a row (under an alias with its currency) in USD, two decimals; null without a rate. */
export function usd(alias: string, amount: SQL, day: SQL): SQL {
  const currency = sql`${sql.identifier(alias)}.currency`
  return sql`(case when ${currency} = 'USD' then ${amount} else round(${amount} * ${inCny(currency, day)} / ${inCny(sql`'USD'`, day)}, 2) end)`
}
