import { sql, type SQL } from 'drizzle-orm'
import type { FieldModel } from '../../../src/schema/entity'
import type { AggregateMeasure, FieldKind } from '../../../src/schema/model'
import type { Text } from '../../platform/http'
import { allOf, clauseSql } from '../clause'
import { badRequest, shorten, unknownName } from '../errors'
import type { QueriedTable } from '../query/condition'
import { convertedSql } from '../money/convertedSql'
import type { Joins, PathValue } from '../query/joins'
import { termSql } from '../query/where'
import { storageOf, type Storage } from '../storage'
import { columnSql } from '../tables'

/** The kind of rates that figures are converted with. */
export const PERFORMANCE_RATES = 'performance'

const FUNCTIONS = ['sum', 'avg', 'min', 'max', 'median'] as const
const DEEDS = ['count', 'distinct', ...FUNCTIONS, 'ratio', 'difference'] as const
type Deed = (typeof DEEDS)[number]

/** How far converted amounts are told; the last digit is rounded. */
const TOLD_DIGITS = 6

/** How far quotients are told; the last digit is rounded. */
const DIGITS = 10

/** A value of some rows of a group, and how those of several parts of it become one. */
export interface Part {
  sql: SQL
  merge: 'sum' | 'min' | 'max'
  /** Of amounts that are converted: how many of them there are, or how many have no rate, not what they are. */
  counts?: 'converted' | 'unconverted'
}

/** By which currency and day amounts are converted, and into what; equal keys are the same rates. */
export interface Rated {
  key: string
  currency: SQL
  day: SQL
  to: string
}

/** A measure as SQL over the rows of a group. */
export interface Figure {
  readonly id: string
  readonly kind: FieldKind
  /** Amounts are told in this currency. */
  readonly converted?: string
  /** Its parts are amounts as they stand: they are added up by currency and day before they are converted. */
  readonly rated?: Rated
  /** Amounts are told one by one for each of the currencies that this holds; equal keys are the same column. */
  readonly currency?: { key: string; sql: SQL }
  /** What parts of a group can tell, and the figure made of it. A figure that needs all rows at once has `direct` instead. */
  readonly parts?: readonly Part[]
  readonly formula: (columns: readonly SQL[]) => SQL
  readonly direct?: SQL
  /** Different values of the rows that meet a condition are counted. */
  readonly values?: { value: SQL; only: SQL }
  /** How many amounts the conversion left out. */
  readonly unconverted?: Part
  /** It is made of two other figures. */
  readonly made?: { how: 'ratio' | 'difference'; of: readonly [string, string] }
}

interface MeasureContext {
  root: QueriedTable
  joins: Joins
  /** The field of days by which amounts are converted. */
  day: string
}

/** Makes a figure of a measure. @throws ServiceError 10010001 for what cannot be measured, or not by the caller */
export function readMeasure(measured: MeasureContext, measure: AggregateMeasure): Figure {
  const { root } = measured
  const deeds = DEEDS.filter((deed) => measure[deed] !== undefined)
  const [deed] = deeds
  if (deed === undefined || deeds.length > 1) {
    throw refuse(root, measure, {
      zh: `度量“${shorten(measure.id)}”须恰好写一种：${DEEDS.join('、')}。`,
      en: `The measure "${shorten(measure.id)}" has to say exactly one of ${DEEDS.join(', ')}.`,
    })
  }
  if (measure.where !== undefined && (deed === 'ratio' || deed === 'difference')) {
    throw refuse(root, measure, {
      zh: `“${shorten(measure.id)}”由另外两个度量得出，条件请写在它们上。`,
      en: `"${shorten(measure.id)}" is made of two other measures: say the conditions there.`,
    })
  }
  const conditions = (measure.where ?? []).map((term) => termSql(root, term))
  const only: Only = (further) => {
    const clause = allOf(further ? [...conditions, further] : conditions)
    return clause === true ? sql`` : sql` filter (where ${clauseSql(clause)})`
  }
  const all = { id: measure.id, formula: first }
  if (deed === 'count')
    return { ...all, kind: 'integer', parts: [{ sql: sql`count(*)${only()}`, merge: 'sum' }], formula: counted }
  if (deed === 'ratio') return { ...all, kind: 'decimal', made: { how: deed, of: measure.ratio! } }
  if (deed === 'difference') return { ...all, kind: 'decimal', made: { how: deed, of: measure.difference! } }
  if (measure.since !== undefined && deed !== 'distinct')
    return { ...all, kind: 'decimal', ...calculated(deed, daysSince(measured, measure[deed]!, measure.since), only) }
  const path = measured.joins.at(measure[deed]!)
  checkMeasured(deed, path)
  if (deed === 'distinct') {
    return { ...all, kind: 'integer', values: { value: path.value, only: clauseSql(allOf(conditions)) } }
  }
  return { ...all, ...functionOf(measured, measure, deed, path, only) }
}

/** The condition of a measure, with a further one, to stand behind an aggregate function. */
type Only = (further?: SQL) => SQL

const first = ([only]: readonly SQL[]): SQL => only!
const counted = ([count]: readonly SQL[]): SQL => sql`coalesce(${count}, 0)::bigint`

function functionOf(
  measured: MeasureContext,
  measure: AggregateMeasure,
  deed: (typeof FUNCTIONS)[number],
  path: PathValue,
  only: Only,
): Omit<Figure, 'id'> {
  const { field } = path
  if (field.kind !== 'money') {
    if (measure.currency !== undefined) {
      throw refuse(measured.root, measure, {
        zh: `“${field.label.zh}”不是金额，不能换算币种。`,
        en: `"${field.label.en}" is no amount and cannot be converted.`,
      })
    }
    return { kind: kindOf(deed, field), ...calculated(deed, path.value, only) }
  }
  const currency = currencyOf(path)
  if (measure.currency === undefined) return { kind: 'money', currency, ...calculated(deed, path.value, only) }
  const to = /^convert:([A-Z]{3})$/.exec(measure.currency)?.[1]
  if (to === undefined) {
    throw refuse(measured.root, measure, {
      zh: `换算“${shorten(measure.currency)}”须写成 convert:USD。`,
      en: `The conversion "${shorten(measure.currency)}" has to be written as convert:USD.`,
    })
  }
  const name = measure.day ?? measured.day
  const rated = { key: `${currency.key} ${name} ${to}`, currency: currency.sql, day: dayOf(measured, name), to }
  // rounded is what is told, never what is added up (quotes-traffic 5.8)
  const rounded = (value: SQL): SQL => sql`trim_scale(round(${value}, ${sql.raw(String(TOLD_DIGITS))}))`
  const told = ({ formula, direct, ...figure }: ReturnType<typeof calculated>) => ({
    ...{ kind: 'money' as const, converted: to, ...figure, ...(direct ? { direct: rounded(direct) } : {}) },
    formula: (columns: readonly SQL[]) => rounded(formula(columns)),
  })
  if (deed === 'median') {
    const value = convertedSql({ amount: path.value, ...rated }, to, PERFORMANCE_RATES)
    const missing = sql`count(*)${only(sql`${path.value} is not null and ${value} is null`)}`
    return { ...told(calculated(deed, value, only)), unconverted: { sql: missing, merge: 'sum' } }
  }
  const given: Part = { sql: sql`count(${path.value})${only()}`, merge: 'sum', counts: 'unconverted' }
  return { ...told(calculated(deed, path.value, only)), rated, unconverted: given }
}

/** The days between two moments, with their fractions; null where one of them is missing. */
function daysSince({ root, joins }: MeasureContext, name: string, since: string): SQL {
  const [later, earlier] = [joins.at(name), joins.at(since)].map((path) => {
    refuseClosed(path)
    const storage = storageOf(path.field)
    if (storage === 'timestamp') return path.value
    if (storage === 'date') return sql`(${path.value}::timestamp at time zone ${root.timeZone})`
    throw refuse(
      root,
      { id: path.field.name },
      {
        zh: `“${path.field.label.zh}”不是日期，不能计算天数。`,
        en: `"${path.field.label.en}" is no day, so no days can be counted.`,
      },
    )
  })
  return sql`(extract(epoch from ${later!} - ${earlier!}) / 86400)`
}

/** The company's day of a field of the rows. */
function dayOf({ root, joins }: MeasureContext, name: string): SQL {
  const { field, value } = joins.at(name)
  const storage = storageOf(field)
  if (storage === 'date') return value
  if (storage === 'timestamp') return sql`(${value} at time zone ${root.timeZone})::date`
  throw refuse(
    root,
    { id: name },
    {
      zh: `“${field.label.zh}”不是日期，不能决定汇率。`,
      en: `"${field.label.en}" is no day and chooses no rate.`,
    },
  )
}

/** The currency of an amount: a code, or what another field of its record says, where the caller may read it. */
function currencyOf({ field, queried }: PathValue): { key: string; sql: SQL } {
  const named = field.field['x-money']
  if (named === undefined) return { key: '', sql: sql`''::text` }
  if (/^[A-Z]{3}$/.test(named)) return { key: named, sql: sql`${named}::text` }
  const holder = queried.model.fields.get(named)
  if (!holder || !queried.searchable(named)) {
    throw badRequest(
      queried.locale,
      { zh: `您看不到“${field.label.zh}”的币种。`, en: `You do not see the currency of "${field.label.en}".` },
      field.name,
    )
  }
  return { key: `${queried.alias}.${named}`, sql: sql`coalesce(${columnSql(queried.alias, holder)}, '')` }
}

function calculated(deed: (typeof FUNCTIONS)[number], value: SQL, only: Only): Pick<Figure, 'direct' | 'parts' | 'formula'> {
  const sum: Part = { sql: sql`sum(${value})${only()}`, merge: 'sum' }
  switch (deed) {
    case 'sum':
      return { parts: [sum], formula: first }
    case 'avg':
      return {
        parts: [sum, { sql: sql`count(${value})${only()}`, merge: 'sum', counts: 'converted' }],
        formula: ([total, count]) => quotient(total!, count!),
      }
    case 'min':
    case 'max':
      return { parts: [{ sql: sql`${sql.raw(deed)}(${value})${only()}`, merge: deed }], formula: first }
    case 'median': {
      // between the two in the middle; percentile_cont would calculate in floating point
      const middle = (order: string) =>
        sql`percentile_disc(0.5) within group (order by (${value})::numeric ${sql.raw(order)})${only()}`
      return { direct: sql`trim_scale((${middle('asc')} + ${middle('desc')}) / 2)`, formula: first }
    }
  }
}

/** A quotient with its last digit rounded; the zeros give the division enough digits. */
export function quotient(over: SQL, under: SQL): SQL {
  return sql`trim_scale(round((${over} + ${sql.raw(`0.${'0'.repeat(DIGITS + 4)}`)}) / nullif(${under}, 0), ${sql.raw(String(DIGITS))}))`
}

function kindOf(deed: Deed, { kind }: FieldModel): FieldKind {
  return deed === 'avg' || deed === 'median' ? 'decimal' : kind
}

const MEASURED: Readonly<Record<Exclude<Deed, 'count' | 'ratio' | 'difference'>, readonly Storage[]>> = {
  distinct: ['text', 'integer', 'numeric', 'boolean', 'date', 'timestamp'],
  sum: ['integer', 'numeric'],
  avg: ['integer', 'numeric'],
  median: ['integer', 'numeric'],
  min: ['integer', 'numeric', 'date', 'timestamp'],
  max: ['integer', 'numeric', 'date', 'timestamp'],
}

function checkMeasured(deed: keyof typeof MEASURED, path: PathValue): void {
  const { field, queried } = path
  refuseClosed(path)
  if (MEASURED[deed].includes(storageOf(field))) return
  throw badRequest(
    queried.locale,
    { zh: `不能对“${field.label.zh}”计算 ${deed}。`, en: `"${field.label.en}" has no ${deed}.` },
    field.name,
  )
}

/** Values of which every reading is logged, and titles that are masked by rows, are told in lists alone. */
export function refuseClosed({ field, queried }: PathValue): void {
  const logged = field.field['x-viewLogged'] === true && !queried.internal
  if (!logged && queried.only?.(field.name) === undefined) return
  throw badRequest(
    queried.locale,
    { zh: `“${field.label.zh}”不能用于统计。`, en: `"${field.label.en}" cannot be counted or grouped by.` },
    field.name,
  )
}

/** How deep figures may be made of figures: a share of a difference. */
const DEEPEST = 2

/** The two measures that a figure is made of, each of them a single number. */
export function partsOf(
  figures: ReadonlyMap<string, Figure>,
  { id, made }: Figure,
  queried: QueriedTable,
  depth = 1,
): [Figure, Figure] {
  const [over, under] = (made?.of ?? []).map((name) => {
    const figure = figures.get(name)
    if (!figure) throw badRequest(queried.locale, unknownName({ zh: '度量', en: 'measure' }, name, figures.keys()), id)
    const single = figure.currency === undefined && ['integer', 'decimal', 'money', 'percent'].includes(figure.kind)
    const whole = figure.made?.how !== 'ratio' && (figure.made === undefined || depth < DEEPEST)
    if (single && whole) {
      if (figure.made) partsOf(figures, figure, queried, depth + 1)
      return figure
    }
    throw badRequest(
      queried.locale,
      {
        zh: `“${id}”不能使用“${name}”：它须是单个数字（金额请换算成一种币种）。`,
        en: `"${id}" cannot be made of "${name}": it has to be a single number (convert amounts to one currency).`,
      },
      id,
    )
  })
  return [over!, under!]
}

function refuse(queried: QueriedTable, { id }: Pick<AggregateMeasure, 'id'>, message: Text): Error {
  return badRequest(queried.locale, message, id)
}
