import { sql, type SQL } from 'drizzle-orm'
import type { Bucket } from '../../../src/schema/model'
import { quotient, type Figure } from './measures'
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

/**
 * One reading: the rows become parts by group (and currency), the parts become groups and, with `totals`, one row for all (`total`).
 */
export function mergedSql(question: Question, totals: boolean): SQL {
  const { rows, dimensions, figures } = question
  const [currency] = currenciesOf(figures).values()
  const names = dimensions.map((_, index) => dimensionColumn(index))
  const parts = figures.flatMap((figure, index) => [
    ...(figure.parts ?? []).map((part, position) => ({ ...part, name: `p${index}_${position}` })),
    ...(figure.unconverted ? [{ ...figure.unconverted, name: `p${index}_u` }] : []),
  ])
  const keysOf = (value: (dimension: GroupValue, name: string) => SQL, code: SQL): SQL[] => [
    ...dimensions.map((dimension, index) => named(value(dimension, names[index]!), names[index]!)),
    ...(currency ? [named(code, 'c')] : []),
  ]
  const keys = keysOf(({ value, fine }) => fine?.value ?? value, currency ?? sql``)
  const inner = [...keys, ...parts.map((part) => named(part.sql, part.name))]
  const merged = (part: (typeof parts)[number]): SQL => sql`${sql.raw(part.merge)}(${column(part.name)})`
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
  const coarse = [
    ...keysOf((dimension, name) => dimension.fine?.whole(column(name)) ?? column(name), column('c')),
    ...parts.map((part) => named(merged(part), part.name)),
  ]
  const parted = dimensions.some((dimension) => dimension.fine)
    ? sql`with g as (select ${list(coarse)} from (${fine}) as f${grouped(keys.length)})`
    : sql`with g as (${fine})`
  const groups = names.length === 0 ? sql`` : sql` group by ${list(names.map(column))}`
  const found = sql`select ${list([named(sql`false`, 'total'), ...names.map(column), ...answers])} from g${groups} ${ordered(question)}`
  if (!totals) return sql`${parted} ${found}`
  // each currency stands in many groups: it is added up before it is told
  const all = sql`select ${list([...(currency ? [column('c')] : []), ...parts.map((part) => named(merged(part), part.name))])} from g${currency ? sql` group by c` : sql``}`
  const total = sql`select ${list([sql`true`, ...names.map(() => sql`null`), ...answers])} from (${all}) as g`
  return sql`${parted} (${found}) union all (${total})`
}

/** Several readings, joined by their groups: one for plain figures, one for each column of currencies, one for each count of values. */
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
    ...indexesOf(({ currency, values, made }) => !currency && !values && !made).map(direct),
    ...figures.flatMap(({ unconverted }, index) => (unconverted ? [named(unconverted.sql, unconvertedColumn(index))] : [])),
    named(sql`count(*)`, 'n'),
  ]
  const amounts = [...currenciesOf(figures)].map(([name, currency]) => {
    const mine = indexesOf((figure) => figure.currency?.key === name)
    const parts = sql`select ${list([...keys, named(currency, 'c'), ...mine.map(direct)])} ${rows}${grouped(keys.length + 1)}`
    const folded = mine.map((index) => named(byCurrency(column('c'), column(figureColumn(index))), figureColumn(index)))
    return sql`select k, ${list(folded)} from (select *, ${key} from (${parts}) as x) as y group by k`
  })
  // each value once, then their number: a count of distinct values would sort all rows
  const counts = indexesOf(({ values }) => values !== undefined).map((index) => {
    const { value, only } = figures[index]!.values!
    const values = sql`select ${list([...keys, named(value, 'v')])} ${rows} and (${only})${grouped(keys.length + 1)}`
    const counted = sql`select ${list([...names.map(column), named(sql`count(v)`, figureColumn(index))])} from (${values}) as x${grouped(names.length)}`
    return sql`select ${key}, ${column(figureColumn(index))} from (${counted}) as y`
  })
  const readings = [...amounts, ...counts].map(
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
