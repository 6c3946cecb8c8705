import { sql, type SQL } from 'drizzle-orm'
import { referenceOf, type EntityModel } from '../../../src/schema/entity'
import type { AggregateAnswer, AggregateFigures, AggregateRequest, AggregateRow, AggregateValue } from '../../../src/schema/model'
import { leavesOf, MOST_CONDITIONS } from '../../../src/schema/where'
import type { Executor } from '../../platform/database'
import type { RequestContext } from '../../platform/http'
import { clauseSql } from '../clause'
import type { Core } from '../core'
import { badRequest, shorten, unknownName } from '../errors'
import { Joins } from '../query/joins'
import { knowTexts } from '../query/keyword'
import { ALIAS, queriedTable } from '../query/queriedTable'
import { planQuery } from '../query/plan'
import { whole } from '../query/queryPage'
import { checkWhere } from '../query/where'
import type { Registry } from '../registry'
import { storageOf } from '../storage'
import { tableSql } from '../tables'
import { askedPeriod, daysNamed, inPeriod, type AskedPeriod } from './compare'
import { BUCKETS, readDimension, type Dimension, type KeyValue } from './dimensions'
import { partsOf, readMeasure, type Figure } from './measures'
import { withEdges } from './edges'
import { bucketsIn, periodBefore, type Period } from './period'
import {
  column,
  dimensionColumn,
  figureColumn,
  isMerged,
  mergedSql,
  separateSql,
  unconvertedColumn,
  type Question,
} from './statement'

const MOST_DIMENSIONS = 4
const MOST_MEASURES = 24
const MOST_GROUPS = 10_000

/** A request made ready for one caller and one period. */
interface Prepared {
  dimensions: readonly Dimension[]
  figures: readonly Figure[]
  question: Question
}

interface Found {
  rows: AggregateRow[]
  totals?: AggregateFigures
  more: boolean
}

/**
 * Counts and sums the rows of a selection by group, in the caller's row scope.
 * @throws ServiceError 10010001 for what cannot be asked, or not by the caller; 10010003 without the right to read
 */
export async function aggregate(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  request: AggregateRequest,
): Promise<AggregateAnswer> {
  const limit = whole(context, request.limit, 1, MOST_GROUPS, 'limit', 1_000)
  checkSize(context, request)
  await knowTexts(core.registry, db, request.keyword)
  const now = prepare(core.registry, context, model, request)
  const period = request.compare && askedPeriod(context, core.registry, model, request, now.dimensions)
  // the groups of two periods are laid side by side: all of them are needed
  const found = await read(db, now, period ? MOST_GROUPS : limit, request.totals === true)
  const compared = period && (await readBefore(core, db, context, model, request, period, found))
  const rows = found.rows.slice(0, limit)
  return {
    dimensions: now.dimensions.map(({ id, at, bucket }) => ({
      id,
      label: at.field.label[context.locale],
      kind: bucket === undefined ? at.field.kind : 'date',
      ...(bucket === undefined ? {} : { bucket }),
    })),
    measures: now.figures.map((figure) => {
      const currency = currencyOf(now.figures, figure)
      return { id: figure.id, kind: figure.kind, ...(currency === undefined ? {} : { currency }) }
    }),
    rows,
    more: found.more || found.rows.length > limit,
    ...(await namesOf(core, db, context, now.dimensions, [...rows, ...(compared?.gone ?? [])])),
    ...(found.totals ? { totals: found.totals } : {}),
    ...(compared ? { compare: compared } : {}),
  }
}

/** The one currency of a figure; of a difference that of what it is made of. */
const currencyOf = (figures: readonly Figure[], { converted, made }: Figure): string | undefined =>
  converted ?? (made?.how === 'difference' ? figures.find(({ id }) => id === made.of[0])?.converted : undefined)

function checkSize(context: RequestContext, { dimensions = [], measures, where = [] }: AggregateRequest): void {
  for (const terms of [where, ...measures.map((measure) => measure.where ?? [])]) checkWhere(context.locale, terms)
  const further = Math.max(0, ...measures.map((measure) => leavesOf(measure.where).length))
  const problem =
    dimensions.length > MOST_DIMENSIONS
      ? { zh: `维度最多 ${MOST_DIMENSIONS} 个。`, en: `At most ${MOST_DIMENSIONS} dimensions.` }
      : measures.length === 0 || measures.length > MOST_MEASURES
        ? { zh: `度量须为 1 至 ${MOST_MEASURES} 个。`, en: `There have to be 1 to ${MOST_MEASURES} measures.` }
        : leavesOf(where).length + dimensions.length + further > MOST_CONDITIONS
          ? // a list has to take the conditions of a figure, too
            {
              zh: `条件过多，连同维度最多 ${MOST_CONDITIONS} 个。`,
              en: `Too many conditions; with the dimensions at most ${MOST_CONDITIONS}.`,
            }
          : undefined
  if (problem) throw badRequest(context.locale, problem, 'where')
}

function prepare(registry: Registry, context: RequestContext, model: EntityModel, request: AggregateRequest): Prepared {
  const { keyword, view, where } = request
  const plan = planQuery(registry, context, model, { keyword, view, where })
  const root = queriedTable(registry, context, model, plan.view)
  const joins = new Joins(root)
  const dimensions = (request.dimensions ?? []).map((dimension) => {
    if (dimension.bucket === undefined || BUCKETS.includes(dimension.bucket)) return readDimension(root, joins, dimension)
    throw badRequest(context.locale, unknownName({ zh: '分段', en: 'bucket' }, shorten(dimension.bucket), BUCKETS), 'bucket')
  })
  const day = dimensions.find(({ bucket }) => bucket !== undefined)?.path ?? 'createdAt'
  const figures = request.measures.map((measure) => readMeasure({ root, joins, day }, measure))
  const byId = new Map(figures.map((figure) => [figure.id, figure]))
  for (const figure of figures) if (figure.made) partsOf(byId, figure, root)
  const ids = [...dimensions, ...figures].map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) {
    const name = shorten(twice)
    throw badRequest(context.locale, { zh: `标识“${name}”重复。`, en: `The id "${name}" is used twice.` }, name)
  }
  const rowsWith = (further: SQL): SQL =>
    sql`from ${tableSql(model, ALIAS)} ${joins.sql}${further} where ${clauseSql(plan.where)}`
  return {
    dimensions,
    figures,
    question: {
      rowsWith,
      rows: rowsWith(sql``),
      // beside a dimension of many values, groups by day would be nearly as many as the rows
      dimensions: dimensions.map(({ group: { fine, moments, ...group }, path }) => ({
        ...group,
        ...(fine && dimensions.every(({ few }) => few) ? { fine } : {}),
        ...(moments ? { moments: { ...moments, days: daysNamed(where ?? [], path) } } : {}),
      })),
      figures,
      order: orderOf(context, request, dimensions, figures),
      limit: MOST_GROUPS,
    },
  }
}

function orderOf(
  context: RequestContext,
  { sort = [] }: AggregateRequest,
  dimensions: readonly Dimension[],
  figures: readonly Figure[],
): Question['order'] {
  const asked = sort.map(({ by, order }) => {
    const dimension = dimensions.findIndex(({ id }) => id === by)
    if (dimension >= 0) return { column: column(dimensionColumn(dimension)), descending: order === 'desc' }
    const figure = figures.findIndex(({ id }) => id === by)
    if (figure < 0) {
      const known = [...dimensions, ...figures].map(({ id }) => id)
      throw badRequest(context.locale, unknownName({ zh: '维度或度量', en: 'dimension or measure' }, by, known), 'sort')
    }
    if (figures[figure]!.currency === undefined) return { column: column(figureColumn(figure)), descending: order === 'desc' }
    throw badRequest(
      context.locale,
      {
        zh: `“${by}”按币种分列，不能排序；请换算成一种币种。`,
        en: `"${by}" is told by currency and has no order; convert it to one currency.`,
      },
      'sort',
    )
  })
  // groups of equal figures keep their places
  return [...asked, ...dimensions.map((_, index) => ({ column: column(dimensionColumn(index)), descending: false }))]
}

type Row = Record<string, string | number | boolean | null | Record<string, string>>

async function read(db: Executor, { dimensions, figures, question }: Prepared, limit: number, totals: boolean): Promise<Found> {
  const asked = await withEdges(db, { ...question, limit: limit + 1 })
  const merged = isMerged(asked)
  const { rows } = await db.query<Row>(merged ? mergedSql(asked, totals) : separateSql(asked))
  const whole =
    !totals || merged
      ? rows.find(({ total }) => total === true)
      : (await db.query<Row>(separateSql({ ...asked, dimensions: [], order: [] }))).rows[0]
  const groups = rows.filter(({ total }) => total !== true)
  return {
    rows: groups.slice(0, limit).map((row) => {
      const values = dimensions.map(({ id }, index) => [id, (row[dimensionColumn(index)] ?? null) as KeyValue] as const)
      return {
        key: Object.fromEntries(values),
        ...figuresOf(figures, row),
        where: dimensions.map((dimension, index) => dimension.where(values[index]![1])),
      }
    }),
    ...(whole ? { totals: figuresOf(figures, whole) } : {}),
    more: groups.length > limit,
  }
}

function figuresOf(figures: readonly Figure[], row: Row): AggregateFigures {
  const missing = figures.flatMap(({ id }, index) => {
    const count = Number(row[unconvertedColumn(index)] ?? 0)
    return count > 0 ? [[id, count] as const] : []
  })
  return {
    measures: Object.fromEntries(figures.map((figure, index) => [figure.id, valueOf(figure, row[figureColumn(index)] ?? null)])),
    ...(missing.length > 0 ? { unconverted: Object.fromEntries(missing) } : {}),
  }
}

function valueOf({ kind, currency }: Figure, value: Row[string]): AggregateValue {
  if (currency) return (value ?? {}) as Record<string, string>
  if (kind !== 'integer' || value === null) return value as AggregateValue
  // a sum of whole numbers stays a text where a number would lie
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value as string)
}

/** Lays the groups of the period before beside those that were found. */
async function readBefore(
  core: Core,
  db: Executor,
  context: RequestContext,
  model: EntityModel,
  request: AggregateRequest,
  asked: AskedPeriod,
  found: Found,
): Promise<NonNullable<AggregateAnswer['compare']>> {
  const period = periodBefore(request.compare!, asked.period)
  const where = inPeriod(request.where ?? [], asked.field, period)
  const before = prepare(core.registry, context, model, { ...request, where })
  const then = await read(db, before, MOST_GROUPS, request.totals === true)
  const moved = movedBuckets(before.dimensions, asked, period)
  const keyOf = (key: AggregateRow['key']): string => JSON.stringify(before.dimensions.map(({ id }) => key[id]))
  const aligned = ({ key }: AggregateRow): string =>
    keyOf(Object.fromEntries(before.dimensions.map(({ id }) => [id, moved.get(id)?.get(key[id] as string) ?? key[id] ?? null])))
  const known = new Map(then.rows.map((row) => [aligned(row), row]))
  for (const row of found.rows) {
    const same = known.get(keyOf(row.key))
    known.delete(keyOf(row.key))
    const { key: _, ...figures } = same ?? { key: {} }
    row.before = same ? (figures as AggregateRow['before']) : null
  }
  return {
    field: asked.field,
    ...period,
    where,
    ...(then.totals ? { totals: then.totals } : {}),
    ...(found.more || then.more ? {} : { gone: [...known.values()] }),
  }
}

/** By dimension in buckets of the compared field: which bucket of the period stands where one of the period before stood. */
function movedBuckets(
  dimensions: readonly Dimension[],
  { field, period }: AskedPeriod,
  before: Period,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    dimensions.flatMap(({ id, path, bucket }) => {
      if (path !== field || bucket === undefined) return []
      const now = bucketsIn(bucket, period, MOST_GROUPS)
      const pairs = bucketsIn(bucket, before, MOST_GROUPS).flatMap((start, index) =>
        now[index] ? [[start, now[index]] as const] : [],
      )
      return [[id, new Map(pairs)] as const]
    }),
  )
}

/** Titles of records and labels of dictionary values that stand in the keys. */
async function namesOf(
  core: Core,
  db: Executor,
  context: RequestContext,
  dimensions: readonly Dimension[],
  rows: readonly Pick<AggregateRow, 'key'>[],
): Promise<Pick<AggregateAnswer, 'refs' | 'labels'>> {
  const wanted = new Map<string, Set<string>>()
  const labels: Record<string, Record<string, string>> = {}
  for (const { id, at, bucket } of dimensions) {
    const values = [...new Set(rows.map(({ key }) => key[id]))].filter((value): value is string => typeof value === 'string')
    const entity = referenceOf(at.field)
    if (entity !== undefined && core.registry.find(entity))
      wanted.set(entity, new Set([...(wanted.get(entity) ?? []), ...values]))
    const dictionary = at.field.field['x-dictionary']
    if (dictionary === undefined || bucket !== undefined || storageOf(at.field) !== 'text') continue
    const items = new Map(core.registry.dictionary(dictionary)?.items.map(({ code, label }) => [code, label[context.locale]]))
    labels[id] = Object.fromEntries(values.map((value) => [value, items.get(value) ?? value]))
  }
  return { refs: await core.references.titles(db, context, wanted), labels }
}
