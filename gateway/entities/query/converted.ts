import { sql, type SQL } from 'drizzle-orm'

/** What one unit of a currency is worth in CNY on a day: the performance rate in force then. */
const inCny = (currency: SQL, day: SQL): SQL =>
  sql`(case when ${currency} = 'CNY' then 1 else (select x."rate" from "sys_exchange_rate" x where x."kind" = 'performance' and x."quote" = 'CNY'
    and x."base" = ${currency} and x."date" <= ${day} and x."deleted_at" is null order by x."date" desc limit 1) end)`

/** An amount of a row in another currency by the rate of its day; null where it has no currency, or there is no rate. */
export function convertedSql(amount: SQL, currency: SQL, day: SQL, to: string): SQL {
  const aim = sql`${to}::text`
  return sql`(case when ${currency} = ${aim} then ${amount} else round(${amount} * ${inCny(currency, day)} / ${inCny(aim, day)}, 2) end)`
}
