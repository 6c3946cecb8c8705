import { sql, type SQL } from 'drizzle-orm'
import type { Bucket } from '../../../src/schema/model'
import { atRatesSql, rateDaySql, ratesSql } from '../money/convertedSql'
import { PERFORMANCE_RATES, quotient, type Figure, type Part, type Rated } from './measures'
import type { Period } from './period'

/** What rows are grouped by. */
export interface GroupValue {
  readonly value: SQL
  /** What costs less for each row, and the value worked out of it once for all rows that have it. */
  readonly fine?: { value: SQL; whole: (fine: SQL) => SQL }
  /** Of moments: what they are, by which buckets, in which zone, and the days that the conditions name. */
  readonly moments?: { moment: SQL; bucket: Bucket; timeZone: string; days?: Partial<Period> }
}

/** What is counted: rows (`from … where …`), their groups, the figures of each, and which groups are answered in which order. */
export interface Question {
  /** `from … where …`, with further joins. */
  rowsWith: (joins: SQL) => SQL
  rows: SQL
  dimensions: readonly GroupValue[]
  figures: readonly Figure[]
  order: readonly { column: SQL; descending: boolean }[]
  limit: number
}

/** Names of the columns of an answer. */
export const dimensionColumn = (index: number): string => `d${index}`
export const figureColumn = (index: number): string => `m${index}`
export const unconvertedColumn = (index: number): string => `u${index}`
export const column = (name: string): SQL => sql`${sql.identifier(name)}`

/** Whether all figures can be worked out in one reading: parts by group and currency first, then the whole of them. */
export function isMerged({ figures }: Pick<Question, 'figures'>): boolean {
  return figures.every(({ parts, made }) => parts || made) && currenciesOf(figures).size <= 1
}

function currenciesOf(figures: readonly Figure[]): ReadonlyMap<string, SQL> {
  return new Map(figures.flatMap(({ currency }) => (currency ? [[currency.key, currency.sql] as const] : [])))
}

const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `)
const named = (value: SQL, name: string): SQL => sql`${value} as ${column(name)}`
const numbers = (count: number): SQL[] => Array.from({ length: count }, (_, index) => sql.raw(String(index + 1)))
const grouped = (count: number): SQL => (count === 0 ? sql`` : sql` group by ${list(numbers(count))}`)
/** Amounts by currency; decimals as text, because JSON has only floating point. */
const byCurrency = (currency: SQL, value: SQL): SQL =>
  sql`coalesce(jsonb_object_agg(${currency}, (${value})::text) filter (where ${value} is not null), '{}')`

function ordered({ order, limit }: Question): SQL {
  const parts = order.map((by) => sql`${by.column} ${sql.raw(by.descending ? 'desc' : 'asc')} nulls last`)
  return sql`${parts.length > 0 ? sql`order by ${list(parts)} ` : sql``}limit ${limit}`
}

/** The figures as columns, some made of the others. `whole` says the SQL of a figure that is made of rows. */
function figureColumns(figures: readonly Figure[], whole: (figure: Figure) => SQL): SQL[] {
  const byId = new Map(figures.map((figure) => [figure.id, figure]))
  const told = (figure: Figure): SQL => {
    if (!figure.made) return whole(figure)
    const [one, other] = figure.made.of.map((id) => told(byId.get(id)!)) as [SQL, SQL]
    return figure.made.how === 'ratio' ? quotient(one, other) : sql`(${one} - coalesce(${other}, 0))`
  }
  return figures.map((figure, index) => named(told(figure), figureColumn(index)))
}

/** By which rates amounts are converted, with the columns of their currency and day, and the name of the rates. */
type NamedRates = Rated & { name: string; c: SQL; d: SQL }

function ratesOf(figures: readonly Figure[]): ReadonlyMap<string, NamedRates> {
  const found = new Map(figures.flatMap(({ rated }) => (rated ? [[rated.key, rated] as const] : [])))
  const entries = [...found].map(([key, rated], index) => {
    const name = `x${index}`
    return [key, { ...rated, name, c: column(`${name}c`), d: column(`${name}d`) }] as const
  })
  return new Map(entries)
}

/** The rates of each currency and day that stands in the parts `f`, looked up once. */
function lookedUp({ name, c, d, to }: NamedRates): SQL {
  const { direct, inBase, targetInBase } = ratesSql({ currency: sql`q.currency`, day: sql`q.day` }, to, PERFORMANCE_RATES)
  const pairs = sql`select distinct ${c} as currency, ${d} as day from f where ${c} <> ${to}::text and ${d} is not null`
  return sql`${column(name)} as materialized (select q.currency, q.day, ${direct} as direct, ${inBase} as base, ${targetInBase} as target from (${pairs}) as q)`
}

/** A part of amounts by currency and day in the currency that is told: what has no rate is null, or counted. */
function convertedPart(part: Part, value: SQL, { name, c, to }: NamedRates): SQL {
  const of = (rate: string): SQL => sql`${column(name)}.${column(rate)}`
  const rates = { direct: of('direct'), inBase: of('base'), targetInBase: of('target') }
  if (!part.counts) return atRatesSql(value, c, rates, to)
  const none = sql`${atRatesSql(sql`1`, c, rates, to)} is null`
  return part.counts === 'unconverted'
    ? sql`(case when ${none} then ${value} end)`
    : sql`(case when ${none} then null else ${value} end)`
}

/** The parts of groups as `with … g`, and the groups made of them as `from g`. */
interface Groups {
  parted: SQL
  columns: readonly SQL[]
  /** The same columns of all groups at once. */
  total: SQL
}

/** The rows become parts by group (and currency, and day of its rate), these are converted, and become groups. */
function groupsOf({ rows, dimensions, figures }: Pick<Question, 'rows' | 'dimensions' | 'figures'>): Groups {
  const [currency] = currenciesOf(figures).values()
  const rates = ratesOf(figures)
  const names = dimensions.map((_, index) => dimensionColumn(index))
  const parts = figures.flatMap((figure, index) => [
    ...(figure.parts ?? []).map((part, position) => ({ ...part, rated: figure.rated, name: `p${index}_${position}` })),
    ...(figure.unconverted ? [{ ...figure.unconverted, rated: figure.rated, name: `p${index}_u` }] : []),
  ])
  const keysOf = (value: (dimension: GroupValue, name: string) => SQL, code: SQL): SQL[] => [
    ...dimensions.map((dimension, index) => named(value(dimension, names[index]!), names[index]!)),
    ...(currency ? [named(code, 'c')] : []),
  ]
  const keys = [
    ...keysOf(({ value, fine }) => fine?.value ?? value, currency ?? sql``),
    ...[...rates.values()].flatMap((rated) => [
      named(rated.currency, `${rated.name}c`),
      named(rateDaySql(rated.day, PERFORMANCE_RATES), `${rated.name}d`),
    ]),
  ]
  const inner = [...keys, ...parts.map((part) => named(part.sql, part.name))]
  const merge = (part: Part, value: SQL): SQL => sql`${sql.raw(part.merge)}(${value})`
  const merged = (part: (typeof parts)[number]): SQL => merge(part, column(part.name))
  const indexes = new Map(figures.map((figure, index) => [figure, index]))
  const whole = (figure: Figure): SQL => {
    const mine = figure.parts!.map((_, position) => parts.find(({ name }) => name === `p${indexes.get(figure)}_${position}`)!)
    return figure.currency
      ? byCurrency(column('c'), figure.formula(mine.map(({ name }) => column(name))))
      : figure.formula(mine.map(merged))
  }
  const answers = [
    ...figureColumns(figures, whole),
    ...figures.flatMap(({ unconverted }, index) =>
      unconverted ? [named(merged(parts.find(({ name }) => name === `p${index}_u`)!), unconvertedColumn(index))] : [],
    ),
  ]
  const fine = sql`select ${list(inner)} ${rows}${grouped(keys.length)}`
  const coarseKeys = keysOf((dimension, name) => dimension.fine?.whole(column(name)) ?? column(name), column('c'))
  const coarse = parts.map((part) => {
    const rated = part.rated && rates.get(part.rated.key)
    return named(merge(part, rated ? convertedPart(part, column(part.name), rated) : column(part.name)), part.name)
  })
  const joins = [...rates.values()].map(({ name, c, d }) => {
    const rate = column(name)
    return sql` left join ${rate} on ${rate}.currency = ${c} and ${rate}.day = ${d}`
  })
  const again = sql`g as (select ${list([...coarseKeys, ...coarse])} from f${sql.join(joins, sql``)}${grouped(coarseKeys.length)})`
  // each currency stands in many groups: it is added up before it is told
  const all = sql`select ${list([...(currency ? [column('c')] : []), ...parts.map((part) => named(merged(part), part.name))])} from g${currency ? sql` group by c` : sql``}`
  return {
    parted:
      rates.size > 0 || dimensions.some((dimension) => dimension.fine)
        ? sql`with ${list([sql`f as (${fine})`, ...[...rates.values()].map(lookedUp), again])}`
        : sql`with g as (${fine})`,
    columns: [...names.map(column), ...answers],
    total: sql`select ${list([sql`true`, ...names.map(() => sql`null`), ...answers])} from (${all}) as g`,
  }
}

const groupedBy = (dimensions: readonly GroupValue[]): SQL =>
  dimensions.length === 0 ? sql`` : sql` group by ${list(dimensions.map((_, index) => column(dimensionColumn(index))))}`

/**
 * One reading: the rows become parts by group (and currency), the parts become groups and, with `totals`, one row for all (`total`).
 */
export function mergedSql(question: Question, totals: boolean): SQL {
  const { parted, columns, total } = groupsOf(question)
  const found = sql`select ${list([named(sql`false`, 'total'), ...columns])} from g${groupedBy(question.dimensions)} ${ordered(question)}`
  return totals ? sql`${parted} (${found}) union all (${total})` : sql`${parted} ${found}`
}

/**
 * Several readings, joined by their groups: one for plain figures, one for each column of currencies, one for converted amounts, one for
 * each count of values.
 */
export function separateSql(question: Question): SQL {
  const { rows, dimensions, figures } = question
  const names = dimensions.map((_, index) => dimensionColumn(index))
  const keys = dimensions.map(({ value }, index) => named(value, names[index]!))
  const key = named(sql`jsonb_build_array(${list(names.map(column))})`, 'k')
  const direct = (index: number): SQL => {
    const { direct: whole, formula, parts = [] } = figures[index]!
    return named(whole ?? formula(parts.map((part) => part.sql)), figureColumn(index))
  }
  const indexesOf = (holds: (figure: Figure) => boolean): number[] =>
    figures.flatMap((figure, index) => (holds(figure) ? [index] : []))
  const plain = [
    ...indexesOf(({ currency, values, made, rated }) => !currency && !values && !made && !rated).map(direct),
    ...figures.flatMap(({ unconverted, rated }, index) =>
      unconverted && !rated ? [named(unconverted.sql, unconvertedColumn(index))] : [],
    ),
    named(sql`count(*)`, 'n'),
  ]
  const convertedReading = (indexes: readonly number[]): SQL => {
    const { parted, columns } = groupsOf({ rows, dimensions, figures: indexes.map((index) => figures[index]!) })
    const told = indexes.flatMap((index, place) => [
      named(column(figureColumn(place)), figureColumn(index)),
      named(column(unconvertedColumn(place)), unconvertedColumn(index)),
    ])
    return sql`select ${list([key, ...told])} from (${parted} select ${list(columns)} from g${groupedBy(dimensions)}) as y`
  }
  const amounts = [...currenciesOf(figures)].map(([name, currency]) => {
    const mine = indexesOf((figure) => figure.currency?.key === name)
    const parts = sql`select ${list([...keys, named(currency, 'c'), ...mine.map(direct)])} ${rows}${grouped(keys.length + 1)}`
    const folded = mine.map((index) => named(byCurrency(column('c'), column(figureColumn(index))), figureColumn(index)))
    return sql`select k, ${list(folded)} from (select *, ${key} from (${parts}) as x) as y group by k`
  })
  const rated = indexesOf((figure) => figure.rated !== undefined)
  const converted = rated.length === 0 ? [] : [convertedReading(rated)]
  // each value once, then their number: a count of distinct values would sort all rows
  const counts = indexesOf(({ values }) => values !== undefined).map((index) => {
    const { value, only } = figures[index]!.values!
    const values = sql`select ${list([...keys, named(value, 'v')])} ${rows} and (${only})${grouped(keys.length + 1)}`
    const counted = sql`select ${list([...names.map(column), named(sql`count(v)`, figureColumn(index))])} from (${values}) as x${grouped(names.length)}`
    return sql`select ${key}, ${column(figureColumn(index))} from (${counted}) as y`
  })
  const readings = [...amounts, ...converted, ...counts].map(
    (reading, index) => sql` left join (${reading}) as ${column(`r${index}`)} using (k)`,
  )
  const groups = sql`select *, ${key} from (select ${list([...keys, ...plain])} ${rows}${grouped(keys.length)}) as s`
  const told = figureColumns(figures, (figure) => {
    const name = column(figureColumn(figures.indexOf(figure)))
    return figure.values ? sql`coalesce(${name}, 0)` : name
  })
  const missing = figures.flatMap(({ unconverted }, index) => (unconverted ? [column(unconvertedColumn(index))] : []))
  const answers = list([...names.map(column), ...told, ...missing])
  return sql`select ${answers} from (${groups}) as s${sql.join(readings, sql``)} ${ordered(question)}`
}
