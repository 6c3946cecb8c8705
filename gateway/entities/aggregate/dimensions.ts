import { sql, type SQL } from 'drizzle-orm'
import type { AggregateDimension, Bucket, FieldKind, QueryCondition } from '../../../src/schema/model'
import { badRequest, shorten } from '../errors'
import type { QueriedTable } from '../query/condition'
import type { Joins, PathValue } from '../query/joins'
import { operatorsOf } from '../query/operators'
import { storageOf } from '../storage'
import { refuseClosed } from './measures'
import { bucketDays } from './period'
import type { GroupValue } from './statement'

export const BUCKETS: readonly Bucket[] = ['day', 'week', 'month', 'quarter', 'year']
/** Values that are read, not compared. */
const PROSE: ReadonlySet<FieldKind> = new Set(['text', 'richText', 'file'])

/** Kinds of values of which there are some dozens at most. */
const FEW: ReadonlySet<FieldKind> = new Set(['dictionary', 'boolean', 'country', 'currency'])

export type KeyValue = string | number | boolean | null

/** What rows are grouped by. */
export interface Dimension {
  readonly id: string
  readonly path: string
  readonly at: PathValue
  readonly bucket?: Bucket
  /** Of a bucket its first day. */
  readonly group: GroupValue
  /** Has few values, whatever the number of rows. */
  readonly few: boolean
  /** The condition that holds for the rows of a group and no other. */
  where(value: KeyValue): QueryCondition
}

/** @throws ServiceError 10010001 for what rows cannot be grouped by, or not by the caller */
export function readDimension(root: QueriedTable, joins: Joins, asked: AggregateDimension): Dimension {
  const path = asked.path ?? asked.field
  const { bucket } = asked
  if (path === undefined || (asked.path !== undefined && asked.field !== undefined)) {
    throw badRequest(
      root.locale,
      {
        zh: '维度须写 field 或 path 之一。',
        en: 'A dimension says either a field or a path.',
      },
      'dimensions',
    )
  }
  const at = joins.at(path)
  const { field, value } = at
  refuseClosed(at)
  const storage = storageOf(field)
  const timely = storage === 'date' || storage === 'timestamp'
  if (!operatorsOf(field).includes('eq') || storage === 'json' || PROSE.has(field.kind) || (bucket !== undefined && !timely)) {
    throw badRequest(
      root.locale,
      bucket !== undefined && !timely
        ? {
            zh: `“${field.label.zh}”不是日期，不能按“${shorten(bucket)}”分段。`,
            en: `"${field.label.en}" is no day and has no ${shorten(bucket)}.`,
          }
        : { zh: `不能按“${field.label.zh}”分组。`, en: `Rows cannot be grouped by "${field.label.en}".` },
      path,
    )
  }
  return {
    id: asked.id ?? path,
    path,
    at,
    bucket,
    few: bucket !== undefined || FEW.has(field.kind),
    group: bucket === undefined ? { value } : bucketed(value, bucket, storage === 'date' ? undefined : root.timeZone),
    where: (of) => {
      if (of === null) return { field: path, operator: 'empty' }
      if (bucket === undefined) return { field: path, operator: 'eq', value: of }
      const { from, to } = bucketDays(bucket, String(of))
      return { field: path, operator: 'between', value: [from, to] }
    },
  }
}

/** Days, or moments in a zone, by the first day of their bucket. Days become buckets only after the rows of each are together. */
function bucketed(value: SQL, bucket: Bucket, timeZone: string | undefined): GroupValue {
  const start = (local: SQL): SQL => sql`date_trunc('${sql.raw(bucket)}', ${local})::date`
  if (timeZone !== undefined)
    return { value: start(sql`${value} at time zone ${timeZone}`), moments: { moment: value, bucket, timeZone } }
  const whole = (day: SQL): SQL => start(sql`${day}::timestamp`)
  return { value: whole(value), fine: { value, whole } }
}
