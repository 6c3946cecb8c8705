import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../src/schema/formats'
import { tableOf, thereIs } from '../../entities'
import type { Executor } from '../../platform/database'
import { rateKeyOf } from './rating/rateKey'

const RATE = sql.raw(tableOf('qm.supplierRate'))
const CHANNEL = sql.raw(tableOf('biz.channel'))
const EXCHANGE = sql.raw(tableOf('sys.exchangeRate'))

/** A destination that a channel has an active cost for, in USD a segment. */
export interface ChannelCost {
  channelId: string
  routeClass: string
  country: string
  /** Empty: the default of the country. */
  mccmnc: string
  cost: string
}

/**
 * What channels cost now, in USD, as their traffic is rated (`RateBook.find`): for each key the active rate of the channel, else that of its whole
 * supplier account. A blocked one has no cost, and leaves none to what comes after it.
 */
export class ChannelCosts {
  /** Destinations that have a cost. */
  readonly all: readonly ChannelCost[]
  private readonly byKey: ReadonlyMap<string, string | null>

  private constructor(
    rows: readonly (Omit<ChannelCost, 'cost'> & { cost: string | null })[],
    private readonly toUsd: ReadonlyMap<string, string>,
  ) {
    this.byKey = new Map(rows.map(({ channelId, country, mccmnc, cost }) => [keyOf(channelId, country, mccmnc), cost]))
    this.all = rows.flatMap(({ cost, ...row }) => (cost === null ? [] : [{ ...row, cost }]))
  }

  /** Reads the costs of some channels, or of all; `day` is that of the exchange rates. */
  static async read(db: Executor, day: string, channelIds?: readonly string[]): Promise<ChannelCosts> {
    // who buys without rates has no costs to compare
    if (!(await thereIs(db, 'qm.supplierRate'))) return new ChannelCosts([], new Map([['USD', '1']]))
    const { rows } = await db.query<Omit<ChannelCost, 'cost'> & { cost: string | null; currency: string; rateKey: string }>(
      sql`select distinct on (c.id, r.rate_key) c.id as "channelId", c.route_class as "routeClass", r.country, coalesce(r.mccmnc, '') as mccmnc,
          r.price::text as cost, r.currency, r.rate_key as "rateKey"
        from ${CHANNEL} c join ${RATE} r on r.supplier_account_id = c.supplier_account_id and r.product = 'sms' and r.status = 'active'
          and r.deleted_at is null and coalesce(r.channel_id, c.id) = c.id and r.gateway_id is null
        where c.deleted_at is null and r.country is not null ${channelIds ? sql`and c.id = any(${sql.param([...channelIds])}::text[])` : sql``}
        order by c.id, r.rate_key, r.channel_id nulls last, r.effective_from desc`,
    )
    const toUsd = await dollars(db, day)
    return new ChannelCosts(
      rows.flatMap(({ channelId, routeClass, country, mccmnc, cost, currency, rateKey }) => {
        const rate = toUsd.get(currency)
        const isMeant = rateKey === rateKeyOf('sms', { country, mccmnc, routeClass })
        return rate !== undefined && isMeant
          ? [{ channelId, routeClass, country, mccmnc, cost: cost === null ? null : exactText(new Exact(cost).times(rate)) }]
          : []
      }),
      toUsd,
    )
  }

  /** What a segment costs over a channel: by the network, else by the country; null without a cost, and where it is blocked. */
  of(channelId: string, country: string, mccmnc: string): string | null {
    const network = this.byKey.get(keyOf(channelId, country, mccmnc))
    return network === undefined ? (this.byKey.get(keyOf(channelId, country, '')) ?? null) : network
  }

  /** The lowest cost of the channels of a class for a destination; null without one. */
  lowest(routeClass: string, country: string, mccmnc: string): string | null {
    const channels = this.all.filter((one) => one.routeClass === routeClass && one.country === country)
    const costs = channels.flatMap(({ channelId }) => this.of(channelId, country, mccmnc) ?? [])
    return costs.reduce<string | null>((least, cost) => (least === null || new Exact(cost).lt(least) ? cost : least), null)
  }

  /** An amount of USD in another currency, not rounded; null without a rate. */
  inCurrency(usd: string, currency: string): string | null {
    const rate = this.toUsd.get(currency)
    return rate === undefined ? null : exactText(new Exact(usd).dividedBy(rate))
  }
}

const keyOf = (channelId: string, country: string, mccmnc: string): string => `${channelId} ${country} ${mccmnc}`

/** USD for one unit of each currency: the last daily rates up to the day, across CNY. */
async function dollars(db: Executor, day: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ base: string; rate: string }>(
    sql`select distinct on (base) base, rate::text as rate from ${EXCHANGE} where kind = 'xe' and quote = 'CNY' and deleted_at is null
      and rate > 0 and date <= ${day}::date order by base, date desc`,
  )
  const inCny = new Map([...rows.map(({ base, rate }) => [base, rate] as const), ['CNY', '1'] as const])
  const dollar = inCny.get('USD')
  const known = new Map<string, string>([['USD', '1']])
  if (dollar !== undefined)
    for (const [base, rate] of inCny) if (base !== 'USD') known.set(base, exactText(new Exact(rate).dividedBy(dollar)))
  return known
}
