import { Exact, exactText, toExact } from '../../schema/formats'
import type { QueryWhere, ReportMeasureModel } from '../../schema/model'
import type { Row } from '../row'

/** A number of a group; money of several currencies is told one by one. */
export interface Amount {
  /** Exact decimal text, or a day or moment. */
  value: string
  currency?: string
}

export type Figures = Readonly<Record<string, readonly Amount[]>>

/** What a report tells of the rows with the same dimensions. */
export interface Group {
  /** Values of the dimensions, in order. */
  keys: readonly unknown[]
  /** Names of the values that the answer brought along, e.g. of the records that are referred to. */
  names?: readonly (string | undefined)[]
  /** By measure; none: no row of the group has a value. */
  figures: Figures
  /** The same in the period before; absent when nothing is compared. */
  before?: Figures
  /** What a drill-down reads: the first row of a source, or the values of the dimensions. */
  row: Row
  /** By measure the list that shows the rows which were counted. */
  leads?: Readonly<Record<string, Lead | undefined>>
}

/** Conditions under which a list shows what was counted. */
export interface Lead {
  /** A list that has all rows of the question; null when the viewer may open none. */
  list: string | null
  where: readonly QueryWhere[]
}

/** The group is of a day, a moment or a bucket of days. */
export const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}(-|$)/.test(value)

/** Exact sum of a member of the rows; undefined when none of them has a value. */
const sumOf = (rows: readonly Row[], name: string): string | undefined => {
  const values = rows.flatMap((row) => toExact(row[name]) ?? [])
  return values.length === 0 ? undefined : exactText(values.reduce((sum, value) => sum.plus(value), new Exact(0)))
}

/** The sum of a measure over rows, by currency where a member of the row says it. */
const amountsOf = (rows: readonly Row[], { id, currency, currencyFrom }: ReportMeasureModel): Amount[] => {
  const parts: [string | undefined, readonly Row[]][] =
    currencyFrom === undefined ? [[currency, rows]] : partsBy(rows, currencyFrom)
  return parts.flatMap(([of, own]) => {
    const value = sumOf(own, id)
    return value === undefined ? [] : [{ value, ...(of ? { currency: of } : {}) }]
  })
}

/** Groups rows of a source by dimensions and adds the measures up exactly; groups keep the order in which they first appear. */
export const groupRows = (
  rows: readonly Row[],
  dimensions: readonly string[],
  measures: readonly ReportMeasureModel[],
): Group[] => {
  const groups = new Map<string, { keys: readonly unknown[]; rows: Row[] }>()
  for (const row of rows) {
    const keys = dimensions.map((name) => row[name] ?? null)
    const id = JSON.stringify(keys)
    const group = groups.get(id)
    if (group) group.rows.push(row)
    else groups.set(id, { keys, rows: [row] })
  }
  return [...groups.values()].map(({ keys, rows: own }) => ({
    keys,
    row: own[0] ?? {},
    figures: Object.fromEntries(measures.map((measure) => [measure.id, amountsOf(own, measure)])),
  }))
}

/** The members of a list of rows by the value of one of them, in order of appearance. */
const partsBy = (rows: readonly Row[], name: string): [string, Row[]][] => {
  const parts = new Map<string, Row[]>()
  for (const row of rows) {
    const value = row[name]
    const key = typeof value === 'string' ? value : ''
    parts.set(key, [...(parts.get(key) ?? []), row])
  }
  return [...parts]
}
