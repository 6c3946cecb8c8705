import type { EntityEngine, EntityRecord, Entities } from '../../entities'
import { newId, type Executor } from '../../platform/database'
import { fieldsOf, keyOf, measure, type Configured, type Measured } from './measure'
import { baseOf, boundaryOf, nextBoundary, type Sample } from './rules/windows'

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

/** What an indicator said at its last boundary, or why it said nothing. */
export interface Reading {
  config: Configured
  at: Date
  measured: readonly Measured[]
  error?: string
}

/** Asks for the series of an indicator. Outside of any transaction: the embedded database has one connection. */
export async function readNow(engine: EntityEngine, config: Configured, now: Date, timeZone: string): Promise<Reading> {
  const at = boundaryOf(new Date(now.getTime() - GRACE), config.every, timeZone)
  try {
    return { config, at, measured: await measure(engine, config, at, timeZone) }
  } catch (error) {
    return { config, at, measured: [], error: (error instanceof Error ? error.message : String(error)).slice(0, 300) }
  }
}

/** Writes the samples of a reading; once a boundary, however often it was read. */
export async function keep(
  { entities, tx, now, timeZone }: { entities: Entities; tx: Executor; now: Date; timeZone: string },
  { config, at, measured, error }: Reading,
): Promise<Taken> {
  const history = await historyOf(tx, config.id, new Date(at.getTime() - 8 * DAY), at)
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
    const base = baseOf(before, at, config, timeZone)
    return { dimKey, dims, samples: [...before, { at: at.getTime(), value, base, samples, quality }] }
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
  // neither a version nor history: nobody changed the indicator, and a form that is open on it stays good
  await tx.query(
    `update ew_configured set next_at = $2, last_error = $3, last_at = case when $3::text is null then $4 else last_at end,
       last_value = case when $3::text is null then $5::numeric else last_value end, series_count = case when $3::text is null then $6::int else series_count end
     where id = $1`,
    [config.id, nextBoundary(at, config.every, timeZone).toISOString(), error ?? null, at.toISOString(), worst, series.length],
  )
  return { config, at, series, ...(error === undefined ? {} : { error }) }
}

const sampleFields = ({ at, value, base, samples, quality }: Sample): EntityRecord => ({
  ...{ at: new Date(at).toISOString(), value: String(value), base: base === null ? null : base.toFixed(6), samples, quality },
})
