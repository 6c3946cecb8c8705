import type { FieldKind, QueryCondition, QueryWhere } from './field'

/*
 * What the aggregate call of an entity takes and answers (docs/calls.md, "Questions about many rows").
 */

export type Bucket = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** What rows are grouped by: a field, or a path through references; a day or moment in buckets of the company's calendar. */
export interface AggregateDimension {
  /** Name in the answer; default: the field or path. */
  id?: string
  field?: string
  /** The same as `field`, for a path through references. */
  path?: string
  bucket?: Bucket
}

/** A figure of a group. Exactly one of count, distinct, sum, avg, min, max, median, ratio and difference says which. */
export interface AggregateMeasure {
  id: string
  count?: true
  distinct?: string
  sum?: string
  avg?: string
  min?: string
  max?: string
  median?: string
  /** With sum, avg, min, max or median of a day or moment: the days since this earlier one. */
  since?: string
  /** Two other measures of the call: the first divided by the second. */
  ratio?: readonly [string, string]
  /** Two other measures of the call: the first less the second, which counts as nothing where it is missing. */
  difference?: readonly [string, string]
  /** Only rows of the group that meet these. */
  where?: readonly QueryWhere[]
  /** `convert:USD`: amounts in one currency, by the rate of their day. Without it an amount is told for each currency. */
  currency?: string
  /** The field whose day chooses the rate; default: the field of the first bucket, else createdAt. */
  day?: string
}

export interface AggregateRequest {
  keyword?: string
  view?: string
  where?: readonly QueryWhere[]
  dimensions?: readonly AggregateDimension[]
  measures: readonly AggregateMeasure[]
  /** By dimensions and measures; default: the dimensions in their order. */
  sort?: readonly { by: string; order?: 'asc' | 'desc' }[]
  /** Groups of the answer, 1 to 10,000; default 1,000. */
  limit?: number
  /** Answers the figures of all rows, too. */
  totals?: boolean
  compare?: 'previousPeriod' | 'previousYear'
  /** The field of days that says what the period is; default: the field of the first bucket. */
  compareBy?: string
}

/**
 * A count or whole number; a decimal as text; an amount by currency, those without a currency under ''; null where there is nothing.
 */
export type AggregateValue = string | number | null | Readonly<Record<string, string>>

/** The figures of some rows. */
export interface AggregateFigures {
  measures: Readonly<Record<string, AggregateValue>>
  /** Amounts that a converted figure lacks, because there is no rate or no currency; measures without such amounts are left out. */
  unconverted?: Readonly<Record<string, number>>
}

export interface AggregateRow extends AggregateFigures {
  /** By dimension: the value, of a bucket its first day; null where rows have none. */
  key: Readonly<Record<string, string | number | boolean | null>>
  /** Added to the conditions of the answer (and of a measure) it shows in queryPage exactly the rows that were counted. */
  where: readonly QueryCondition[]
  /** The same group in the period before; null when it had no rows. */
  before?: (AggregateFigures & { where: readonly QueryCondition[] }) | null
}

export interface AggregateAnswer {
  dimensions: readonly { id: string; label: string; kind: FieldKind; bucket?: Bucket }[]
  measures: readonly { id: string; kind: FieldKind; currency?: string }[]
  rows: readonly AggregateRow[]
  /** There are more groups than the answer holds. */
  more: boolean
  /** Titles of the records that dimensions name, as in lists. */
  refs: Record<string, Record<string, { title: string }>>
  /** Labels of dictionary values by dimension, in the caller's language. */
  labels: Readonly<Record<string, Readonly<Record<string, string>>>>
  totals?: AggregateFigures
  compare?: {
    field: string
    from: string
    to: string
    /** The conditions of the call with the period before instead. */
    where: readonly QueryWhere[]
    totals?: AggregateFigures
    /** Groups that there were then and are not now. Left out when the answer holds not all groups. */
    gone?: readonly (AggregateFigures & Pick<AggregateRow, 'key' | 'where'>)[]
  }
}
