import type { EntityEngine, EntityRecord, Entities } from '../../entities'
import { newId, type Executor } from '../../platform/database'
import { fieldsOf, keyOf, measure, type Configured, type Measured } from './measure'
import { baseOf, boundaryOf, nextBoundary, windowStart, type Sample } from './rules/windows'

/** Fine samples are kept for 30 days, those of a full hour for a year. */
const [FINE_DAYS, HOURLY_DAYS] = [30, 366]
const DAY = 86_400_000
/** Records of the last minute before a boundary are waited for. */
export const GRACE = 60_000

/** A series with its samples, oldest first, the one of now last. */
export interface Series {
  dimKey: string
  dims: Readonly<Record<string, string>>
  samples: readonly Sample[]
}

export interface Taken {
  config: Configured
  at: Date
  series: readonly Series[]
  error?: string
}

/** Configured indicators that are due, the longest first. */
export async function dueNow(db: Executor, now: Date, limit: number): Promise<readonly Configured[]> {
  const { rows } = await db.query<EntityRecord>(
    `select c.id, c.name, i.code, c.group_by as "groupBy", c."window", c.every, c.compare, c.min_samples as "minSamples", i.direction,
       c.countries, c.customer_id as "customerId", c.account_id as "accountId", c.supplier_id as "supplierId", c.channel_id as "channelId"
     from ew_configured c join ew_indicator i on i.id = c.indicator_id
     where c.status = 'active' and c.deleted_at is null and (c.next_at is null or c.next_at <= $1) order by c.next_at nulls first, c.id limit $2`,
    [new Date(now.getTime() - GRACE).toISOString(), limit],
  )
  return rows as Configured[]
}

/** The samples of some series of an indicator before a moment, oldest first, by key. */
export async function historyOf(db: Executor, configuredId: string, from: Date, before: Date): Promise<Map<string, Sample[]>> {
  const { rows } = await db.query<{
    key: string
    at: string
    value: string
    base: string | null
    samples: number
    quality: Sample['quality']
  }>(
    `select dim_key as key, at, value, base, samples, quality from ew_sample
     where configured_id = $1 and at >= $2 and at < $3 and deleted_at is null order by at`,
    [configuredId, from.toISOString(), before.toISOString()],
  )
  const found = new Map<string, Sample[]>()
  for (const { key, at, value, base, samples, quality } of rows) {
    const list = found.get(key) ?? []
    list.push({ at: Date.parse(at), value: Number(value), base: base === null ? null : Number(base), samples, quality })
    found.set(key, list)
  }
  return found
}

/** Measures an indicator at its last boundary and writes the samples; once a boundary, however often it is asked. */
export async function take(
  { engine, entities, tx, timeZone }: { engine: EntityEngine; entities: Entities; tx: Executor; timeZone: string },
  config: Configured,
  now: Date,
): Promise<Taken> {
  const at = boundaryOf(new Date(now.getTime() - GRACE), config.every, timeZone)
  const nextAt = nextBoundary(at, config.every, timeZone).toISOString()
  let measured: readonly Measured[]
  try {
    measured = await measure(engine, config, at, timeZone)
  } catch (error) {
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300)
    await entities.changeMany('ew.configured', new Map([[config.id, { lastError, nextAt }]]), { keepTime: true })
    return { config, at, series: [], error: lastError }
  }
  const history = await historyOf(
    tx,
    config.id,
    windowStart(at, '7d', timeZone).getTime() < at.getTime() ? new Date(at.getTime() - 8 * DAY) : at,
    at,
  )
  const { rows: stored } = await tx.query<{ key: string }>(
    'select dim_key as key from ew_sample where configured_id = $1 and at = $2',
    [config.id, at.toISOString()],
  )
  const known = new Set(stored.map(({ key }) => key))
  const keepUntil = new Date(at.getTime() + (at.getUTCMinutes() === 0 ? HOURLY_DAYS : FINE_DAYS) * DAY).toISOString()
  const series = measured.map(({ dims, value, samples }): Series => {
    const dimKey = keyOf(dims)
    const before = history.get(dimKey) ?? []
    const quality = samples < (config.minSamples ?? 0) ? 'low' : 'ok'
    return {
      dimKey,
      dims,
      samples: [...before, { at: at.getTime(), value, base: baseOf(before, at, config, timeZone), samples, quality }],
    }
  })
  await entities.insertMany(
    'ew.sample',
    series
      .filter(({ dimKey }) => !known.has(dimKey))
      .map(({ dimKey, dims, samples }) => ({
        ...{ id: newId(now.getTime()), createdAt: now.toISOString(), createdBy: '', configuredId: config.id, dimKey, keepUntil },
        ...sampleFields(samples.at(-1)!),
        ...fieldsOf(dims),
      })),
  )
  const values = series.map(({ samples }) => samples.at(-1)!.value)
  const worst = values.length === 0 ? null : config['direction'] === 'lowBad' ? Math.min(...values) : Math.max(...values)
  const last = {
    lastAt: at.toISOString(),
    lastValue: worst === null ? null : String(worst),
    seriesCount: series.length,
    lastError: null,
    nextAt,
  }
  await entities.changeMany('ew.configured', new Map([[config.id, last]]), { keepTime: true })
  return { config, at, series }
}

const sampleFields = ({ at, value, base, samples, quality }: Sample): EntityRecord => ({
  ...{ at: new Date(at).toISOString(), value: String(value), base: base === null ? null : base.toFixed(6), samples, quality },
})
