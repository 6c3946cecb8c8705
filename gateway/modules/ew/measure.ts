import type { AggregateAnswer, AggregateValue, QueryWhere } from '../../../src/schema/model'
import type { EntityEngine, EntityRecord } from '../../entities'
import { dayOf } from '../../platform/calendar'
import { systemContext } from '../../platform/http'
import { FIELD_OF, isDimension, SOURCES, type Dimension, type Source } from './sources'
import { windowStart } from './rules/windows'

/** Series of one configured indicator beyond this are an error: alarms of thousands help nobody. */
export const MOST_SERIES = 2_000

/** What a series is at a moment. */
export interface Measured {
  dims: Readonly<Record<string, string>>
  value: number
  samples: number
}

/** What a configured indicator says of how it is measured. */
export interface Configured extends EntityRecord {
  id: string
  code: string
  name: string
  groupBy: readonly string[] | null
  window: string
  every: string
  compare: string
  minSamples: number
}

/** Whether the records of an indicator are there. */
export const isConnected = (engine: EntityEngine, code: string): boolean =>
  SOURCES[code] !== undefined && engine.names().includes(SOURCES[code].entity)

/** Asks the aggregate engine for all series of a configured indicator at the end of a window. */
export async function measure(
  engine: EntityEngine,
  config: Configured,
  at: Date,
  timeZone: string,
): Promise<readonly Measured[]> {
  const source = SOURCES[config.code]
  if (!source) throw new Error(`The indicator ${config.code} is not connected.`)
  const dimensions = dimensionsOf(source, config)
  const answer = await engine.aggregate(source.entity, systemContext({ now: at }), {
    where: [...(source.where?.(at.toISOString()) ?? []), ...limits(source, config), ...windowOf(source, config, at, timeZone)],
    dimensions: dimensions.map((id) => ({ id, path: source.dimensions[id]! })),
    measures: source.measures,
    limit: MOST_SERIES + 1,
  })
  if (answer.rows.length > MOST_SERIES) throw new Error(`More than ${MOST_SERIES} series: narrow the dimensions or the filter.`)
  return answer.rows.flatMap((row) => measuredOf(source, dimensions, row, at))
}

export const dimensionsOf = (source: Source, { groupBy }: Pick<Configured, 'groupBy'>): readonly Dimension[] =>
  (groupBy ?? []).filter(isDimension).filter((name) => source.dimensions[name] !== undefined)

function windowOf(source: Source, { window }: Configured, at: Date, timeZone: string): QueryWhere[] {
  const { time } = source
  if (!time) return []
  const from = windowStart(at, window, timeZone)
  const last = new Date(at.getTime() - 1)
  const value = time.day ? [dayOf(from, timeZone), dayOf(last, timeZone)] : [from.toISOString(), last.toISOString()]
  return [{ field: time.field, operator: 'between', value }]
}

/** What a configured indicator is narrowed to; a dimension that the source lacks narrows nothing. */
function limits(source: Source, config: Configured): QueryWhere[] {
  const one = (dimension: Dimension, value: unknown): QueryWhere[] => {
    const field = source.dimensions[dimension]
    const given = Array.isArray(value) ? (value as unknown[]) : value ? [value] : []
    return field === undefined || given.length === 0 ? [] : [{ field, operator: 'in', value: given }]
  }
  return [
    ...one('country', config['countries']),
    ...(['customer', 'account', 'supplier', 'channel'] as const).flatMap((name) => one(name, config[FIELD_OF[name]])),
  ]
}

function measuredOf(
  source: Source,
  dimensions: readonly Dimension[],
  row: AggregateAnswer['rows'][number],
  at: Date,
): Measured[] {
  // rows that name nobody are no series of their own
  if (dimensions.some((name) => row.key[name] === null || row.key[name] === undefined)) return []
  const value = valueOf(source, row.measures, at)
  const samples = Number(row.measures[source.samples] ?? 0)
  if (value === null || (samples === 0 && source.time)) return []
  return [{ dims: Object.fromEntries(dimensions.map((name) => [name, String(row.key[name] ?? '')])), value, samples }]
}

/** A statistic, not a sum of money: amounts of one currency are divided, of several there is none. */
function valueOf({ value }: Source, measures: Readonly<Record<string, AggregateValue>>, at: Date): number | null {
  const found = value.of.map((id) => (value.as === 'minutesSince' ? minutesSince(measures[id], at) : numberOf(measures[id])))
  const known = found.filter((one) => one !== null)
  if (known.length === 0) return null
  if (value.as === 'largest') return Math.max(...known.map(Math.abs))
  const [first = 0] = known
  const under = value.per === undefined ? 1 : numberOf(measures[value.per])
  if (under === null || under === 0) return null
  return Math.round((first / under) * (value.times ?? 1) * 1e6) / 1e6
}

function numberOf(value: AggregateValue | undefined): number | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return Number(value)
  const amounts = Object.values(value)
  return amounts.length === 1 ? Number(amounts[0]) : null
}

function minutesSince(value: AggregateValue | undefined, at: Date): number | null {
  const then = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(then) ? null : Math.max(0, Math.floor((at.getTime() - then) / 60_000))
}

/** What tells series apart, the same for the same dimensions. */
export const keyOf = (dims: Readonly<Record<string, string>>): string =>
  Object.keys(dims)
    .sort()
    .map((name) => `${name}=${dims[name]}`)
    .join('|')

/** The fields of a sample or alarm that hold the dimensions of a series. */
export const fieldsOf = (dims: Readonly<Record<string, string>>): EntityRecord =>
  Object.fromEntries(Object.entries(dims).flatMap(([name, value]) => (isDimension(name) ? [[FIELD_OF[name], value]] : [])))
