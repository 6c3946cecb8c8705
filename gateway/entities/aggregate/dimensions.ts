import { sql, type SQL } from 'drizzle-orm'
import type { AggregateDimension, Bucket, FieldKind, QueryCondition } from '../../../src/schema/model'
import { badRequest, shorten } from '../errors'
import type { ConditionPlace } from '../query/condition'
import type { Joins, PathValue } from '../query/joins'
import { operatorsOf } from '../query/operators'
import { storageOf } from '../storage'
import { refuseClosed } from './measures'
import { bucketDays } from './period'

export const BUCKETS: readonly Bucket[] = ['day', 'week', 'month', 'quarter', 'year']
/** Values that are read, not compared. */
const PROSE: ReadonlySet<FieldKind> = new Set(['text', 'richText', 'file'])

export type KeyValue = string | number | boolean | null

/** What rows are grouped by. */
export interface Dimension {
  readonly id: string
  readonly path: string
  readonly at: PathValue
  readonly bucket?: Bucket
  /** The value of a row's group; of a bucket its first day. */
  readonly value: SQL
  /** The condition that holds for the rows of a group and no other. */
  where(value: KeyValue): QueryCondition
}

/** @throws ServiceError 10010001 for what rows cannot be grouped by, or not by the caller */
export function readDimension(root: ConditionPlace, joins: Joins, asked: AggregateDimension): Dimension {
  const path = asked.path ?? asked.field
  const { bucket } = asked
  if (path === undefined || (asked.path !== undefined && asked.field !== undefined)) {
    throw badRequest(root.locale, {
      zh: '维度须写 field 或 path 之一。',
      en: 'A dimension says either a field or a path.',
    }, 'dimensions') // prettier-ignore
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
    value:
      bucket === undefined
        ? value
        : bucketSql(storage === 'date' ? sql`${value}::timestamp` : sql`${value} at time zone ${root.timeZone}`, bucket),
    where: (of) => {
      if (of === null) return { field: path, operator: 'empty' }
      if (bucket === undefined) return { field: path, operator: 'eq', value: of }
      const { from, to } = bucketDays(bucket, String(of))
      return { field: path, operator: 'between', value: [from, to] }
    },
  }
}

const bucketSql = (local: SQL, bucket: Bucket): SQL => sql`date_trunc('${sql.raw(bucket)}', ${local})::date`
