import { sql } from 'drizzle-orm'
import { tableOf } from '../../entities'
import type { Executor } from '../../platform/database'

const RECORD = sql.raw(tableOf('biz.smsRecord'))
const CHANNEL = sql.raw(tableOf('biz.channel'))
const EVENT = sql.raw(tableOf('biz.channelEvent'))

/** How a channel did, over all destinations. */
export interface ChannelQuality {
  id: string
  status: string
  routeClass: string
  trafficTypes: readonly string[]
  /** Per cent as decimal text; null without messages. */
  delivery7d: string | null
  delivery24h: string | null
  sample24h: number
  p50: number | null
  /** How often it became faulty in 7 days. */
  faults: number
}

/** What the records of the last 7 days say of channels, and of each of their countries and kinds of traffic. */
export interface Quality {
  channels: readonly ChannelQuality[]
  /** Delivery in per cent by channel, country and kind of traffic. */
  delivery: ReadonlyMap<string, string>
}

export const qualityKey = (channelId: string, country: string, trafficType: string): string =>
  `${channelId} ${country} ${trafficType}`

const RATE = sql.raw(`round(100.0 * count(*) filter (where r.status = 'delivered') / nullif(count(*), 0), 2)`)

/** Reads what the records say; messages that we rejected or that are under way say nothing of a channel. */
export async function readQuality(db: Executor, now: Date): Promise<Quality> {
  const until = now.toISOString()
  const recent = sql`r.submitted_at > ${until}::timestamptz - interval '7 days' and r.submitted_at <= ${until}::timestamptz
    and r.channel_id is not null and r.status in ('delivered', 'failed', 'expired', 'unknown')`
  const { rows: channels } = await db.query<
    Omit<ChannelQuality, 'sample24h' | 'faults' | 'p50'> & Record<'sample24h' | 'faults', string> & { p50: string | null }
  >(
    sql`select c.id, c.status, c.route_class as "routeClass", coalesce(to_json(c.traffic_types), '[]'::json) as "trafficTypes",
        q.delivery::text as "delivery7d", d.delivery::text as "delivery24h", coalesce(d.sample, 0)::text as "sample24h", q.p50::text as p50,
        (select count(*) from ${EVENT} e where e.channel_id = c.id and e.to_status = 'faulty' and e.deleted_at is null
          and e.at > ${until}::timestamptz - interval '7 days')::text as faults
      from ${CHANNEL} c
        left join (select r.channel_id, ${RATE} as delivery, round(percentile_cont(0.5) within group (order by r.latency)) as p50
          from ${RECORD} r where ${recent} group by 1) q on q.channel_id = c.id
        left join (select r.channel_id, ${RATE} as delivery, count(*) as sample
          from ${RECORD} r where ${recent} and r.submitted_at > ${until}::timestamptz - interval '24 hours' group by 1) d on d.channel_id = c.id
      where c.deleted_at is null`,
  )
  const { rows } = await db.query<{ id: string; country: string; trafficType: string; delivery: string }>(
    sql`select r.channel_id as id, r.country, coalesce(r.traffic_type, '') as "trafficType", ${RATE}::text as delivery
      from ${RECORD} r where ${recent} group by 1, 2, 3`,
  )
  return {
    channels: channels.map(({ sample24h, faults, p50, ...channel }) => ({
      ...channel,
      sample24h: Number(sample24h),
      faults: Number(faults),
      p50: p50 === null ? null : Number(p50),
    })),
    delivery: new Map(rows.map(({ id, country, trafficType, delivery }) => [qualityKey(id, country, trafficType), delivery])),
  }
}
