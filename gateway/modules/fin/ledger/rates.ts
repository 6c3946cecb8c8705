import { sql } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { Transaction } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'

export const CNY_ALONE: ReadonlyMap<string, string> = new Map([['CNY', '1']])

const noRate = (currency: string, day: string, last: string | null): ServiceError =>
  new ServiceError('limitRefused', {
    message: last
      ? {
          zh: `${day} 没有 ${currency} 对 CNY 的汇率，最近的是 ${last} 的，已过允许沿用的天数，无法记账。请先在汇率设置中录入。`,
          en: `There is no rate of ${currency} in CNY for ${day}: the last one, of ${last}, is older than a rate may be, so nothing can be posted. Add one in the exchange rates first.`,
        }
      : {
          zh: `${day} 没有 ${currency} 对 CNY 的汇率，无法记账。请先在汇率设置中维护。`,
          en: `There is no rate of ${currency} in CNY for ${day}, so nothing can be posted. Add it in the exchange rates first.`,
        },
    data: { reason: 'noRate', currency, day },
  })

/**
 * CNY for one unit of each currency: the last daily rate up to a day.
 * @throws ServiceError 10030002 naming the currency that has none
 */
export async function ratesOn(tx: Transaction, currencies: readonly string[], day: string): Promise<ReadonlyMap<string, string>> {
  const found = await ratesOfDays(
    tx,
    currencies.map((currency) => ({ currency, day })),
  )
  return found.get(day) ?? CNY_ALONE
}

/**
 * The same for several days at once. `maxAgeDays`: how much older than the day its rate may be (quotes-traffic 5.8); left out it may be of any age, and
 * of the same currency and day the last one that is asked counts.
 * @throws as `ratesOn`, also for a currency whose last rate is too old
 */
export async function ratesOfDays(
  tx: Transaction,
  asked: readonly { currency: string; day: string; maxAgeDays?: number | undefined }[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const pairs = [...new Map(asked.map((one) => [`${one.day} ${one.currency}`, one])).values()].filter(
    ({ currency }) => currency !== 'CNY',
  )
  const found = new Map(asked.map(({ day }) => [day, new Map(CNY_ALONE)] as const))
  if (pairs.length === 0) return found
  const { rows } = await tx.query<{ currency: string; day: string; rate: string | null; of: string | null; old: boolean }>(
    sql`select g.currency, g.day::text, r.rate::text as rate, r.date::text as of, coalesce(g.day - r.date > g."maxAgeDays", false) as old from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as g(currency text, day date, "maxAgeDays" int)
      left join lateral (
        select x.rate, x.date from ${sql.raw(tableOf('sys.exchangeRate'))} x
        where x.kind = 'xe' and x.quote = 'CNY' and x.base = g.currency and x.date <= g.day and x.deleted_at is null and x.rate > 0
        order by x.date desc limit 1) r on true`,
  )
  for (const { currency, day, rate, of, old } of rows)
    if (rate === null || old) throw noRate(currency, day, of)
    else found.get(day)!.set(currency, rate)
  return found
}
