import { sql, type SQL } from 'drizzle-orm'
import { convertedSql, tableOf, thereIs } from '../../../entities'
import { newId, type Executor } from '../../../platform/database'
import { DIRTY_HOURS } from './guards'
import { FACT_SOURCES, type DayColumn, type FactSource } from './sources'

/** Hours that one go makes anew: what is left comes with the next. */
const AT_ONCE = 200
/** Days after which an hour that is made anew keeps its people: its day is locked, only late receipts are counted in it. */
const KEPT_DAYS = 5

/** Who the money of a fact is from and to. */
const SIDES: Readonly<Record<FactSource['sides'], readonly string[]>> = {
  both: [
    'bill_day',
    'customer_id',
    'account_id',
    'country',
    'currency',
    'cost_day',
    'supplier_id',
    'supplier_account_id',
    'cost_currency',
  ],
  customer: ['bill_day', 'customer_id', 'account_id', 'country', 'currency'],
}
const PEOPLE: Readonly<Record<FactSource['sides'], readonly string[]>> = {
  both: ['owner_id', 'buyer_id'],
  customer: ['owner_id'],
}
const MONEY: Readonly<Record<FactSource['sides'], Readonly<Record<string, string>>>> = {
  both: { revenue: 'coalesce(sum(r.revenue), 0)', cost: 'coalesce(sum(r.cost_amount), 0)' },
  customer: { revenue: 'coalesce(sum(r.revenue), 0)' },
}

const names = (some: Iterable<string>): SQL => sql.raw([...some].join(', '))
const stamp = (now: Date): SQL => sql`${now.toISOString()}::timestamptz`
const SYSTEM = 'id, created_at, updated_at, created_by, updated_by, version, taken_over'
const system = (now: Date, takenOver = false): SQL =>
  sql`${newId()} || '-' || row_number() over (), ${stamp(now)}, ${stamp(now)}, '', '', 1, ${takenOver}`

/** What a record, or a try of it, names of the supplier's side. */
const CARRIED = ['cost_day', 'supplier_id', 'supplier_account_id', 'cost_currency']

/** Some hours, as a condition over a moment. */
export type Hours = (moment: SQL) => SQL

/**
 * The records of some hours as rows of their fact, without what a row is kept with. A record counts on its own route; what is counted over its tries, and
 * their cost, on the route of each (quotes-traffic 7.2).
 * @param kept the rows stand beside `kept_owner` and `kept_buyer`, which say who had the customers and suppliers of some hours
 */
export function hourRows(source: SourceHere, hours: Hours, zone: string, kept = false): SQL {
  const { sides, keys, counters, tries } = source
  const own = groupedRows(source, 'r', hours, zone, kept)
  if (!tries) return own
  const grain = ['hour_at', 'day', ...SIDES[sides], ...PEOPLE[sides], ...Object.keys(keys)]
  const sums = [...Object.keys(counters), ...Object.keys(MONEY[sides])].map((name) => `sum(${name}) as ${name}`)
  return sql`select ${names([...grain, ...sums])} from (${own} union all ${groupedRows(source, 't', hours, zone, kept)}) p(${names(hourColumns(source))}) group by ${names(grain)}`
}

/** The records `r` of hours in groups, or the tries `t` of such records. */
function groupedRows(source: SourceHere, counted: 'r' | 't', hours: Hours, zone: string, kept: boolean): SQL {
  const { record, at, sides, keys, counters, buyers, tries } = source
  const own = SIDES[sides].map((name) => `${CARRIED.includes(name) ? counted : 'r'}.${name}`)
  const grain = ['hour_at', 'day', ...SIDES[sides], ...PEOPLE[sides], ...Object.keys(keys)]
  const hour = `date_trunc('hour', r.${at}, 'UTC')`
  const person = (name: string, before: string, now: string): SQL =>
    sql.raw(kept ? `case when ${before}.hour_at is null then ${now} else ${before}.${name} end as ${name}` : `${now} as ${name}`)
  const grouped = [
    sql`${sql.raw(hour)} as hour_at`,
    sql`(${sql.raw(hour)} at time zone ${zone})::date as day`,
    ...own.map((column) => sql.raw(column)),
    person('owner_id', 'o', 'c.owner_id'),
    ...(sides === 'both' ? [buyers ? person('buyer_id', 'b', 's.buyer_id') : sql`null::text as buyer_id`] : []),
    ...Object.entries(keys).map(([name, value]) => sql.raw(`${(counted === 't' && tries?.keys[name]) || value} as ${name}`)),
  ]
  const figures =
    counted === 'r'
      ? { ...counters, ...MONEY[sides], ...(source.cost ? { cost: source.cost } : {}) }
      : {
          ...Object.fromEntries(Object.keys(counters).map((name) => [name, tries?.counters[name] ?? '0'])),
          ...{ revenue: '0', cost: 'coalesce(sum(t.cost_amount), 0)' },
        }
  const measured = Object.entries(figures).map(([name, value]) => sql.raw(`${value} as ${name}`))
  const supplier =
    sides === 'both' && buyers
      ? sql.raw(`left join ${tableOf('srm.supplierAccount')} s on s.id = ${counted}.supplier_account_id`)
      : sql``
  const before = kept
    ? sql.raw(
        `left join kept_owner o on o.hour_at = ${hour} and o.customer_id = r.customer_id${sides === 'both' && buyers ? ` left join kept_buyer b on b.hour_at = ${hour} and b.supplier_account_id = ${counted}.supplier_account_id` : ''}`,
      )
    : sql``
  const ofRecord =
    counted === 't' && tries
      ? sql`join ${sql.raw(tableOf(tries.record))} t on t.msg_id = r.msg_id and t.deleted_at is null and ${sql.raw(`t.${at} = r.${at}`)} and ${hours(sql.raw(`t.${at}`))}`
      : sql``
  return sql`select ${sql.join([...grouped, ...measured], sql`, `)} from ${sql.raw(tableOf(record))} r ${ofRecord} join ${sql.raw(tableOf('crm.customer'))} c on c.id = r.customer_id ${supplier} ${before}
    where ${hours(sql.raw(`r.${at}`))} and r.deleted_at is null and not coalesce(r.test_flag, false) ${counted === 't' ? sql`and r.cost_by_attempts` : sql``} group by ${names(grain.map((_, index) => String(index + 1)))}`
}

/** Who had the customers and the suppliers of hours, as their facts say it: a later transfer does not move what was achieved before. */
function keptPeople({ fact, sides }: SourceHere, hours: SQL): SQL {
  const of = (name: string, person: string, of: string): SQL =>
    sql`${sql.raw(name)} as (select distinct on (hour_at, ${sql.raw(of)}) hour_at, ${sql.raw(`${of}, ${person}`)} from ${sql.raw(tableOf(fact))}
      where ${hours} and not taken_over and deleted_at is null order by hour_at, ${sql.raw(of)}, id)`
  return sides === 'both'
    ? sql`${of('kept_owner', 'owner_id', 'customer_id')}, ${of('kept_buyer', 'buyer_id', 'supplier_account_id')}`
    : of('kept_owner', 'owner_id', 'customer_id')
}

/** The columns of a fact in the order of `hourRows`. */
export const hourColumns = ({ sides, keys, counters }: FactSource): readonly string[] => [
  'hour_at',
  'day',
  ...SIDES[sides],
  ...PEOPLE[sides],
  ...Object.keys(keys),
  ...Object.keys(counters),
  ...Object.keys(MONEY[sides]),
]

/** The columns of the facts of a day that rows are told apart by. */
const DAY_GRAIN = [
  'day',
  'bill_day',
  'cost_day',
  'customer_id',
  'account_id',
  'owner_id',
  'country',
  'currency',
  'supplier_id',
  'supplier_account_id',
  'buyer_id',
  'cost_currency',
] as const
const DAY_KEYS: readonly DayColumn[] = ['product', 'channel_id', 'gateway_id']
const DAY_COUNTERS: readonly DayColumn[] = [
  'submitted',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'rejected',
  'units',
  'cost_units',
  'uncosted',
]

/** The hours of some days as facts of these days. `days`: a condition over the hour `h`. */
export function dayRows(sources: readonly FactSource[], days: SQL): SQL {
  const parts = sources.flatMap(({ fact, sides, day }) => {
    if (!day) return []
    const grain = DAY_GRAIN.map((name) =>
      sides === 'both' || SIDES.customer.includes(name) || ['day', 'owner_id'].includes(name)
        ? `h.${name}`
        : `null::${name === 'cost_day' ? 'date' : 'text'} as ${name}`,
    )
    const own = [...DAY_KEYS, ...DAY_COUNTERS].map((name) => `${day[name]} as ${name}`)
    return [
      sql`select ${names([...grain, ...own, 'h.revenue', sides === 'both' ? 'h.cost' : '0 as cost'])} from ${sql.raw(tableOf(fact))} h where ${days} and h.deleted_at is null`,
    ]
  })
  const grain = [...DAY_GRAIN, ...DAY_KEYS]
  const sums = [...DAY_COUNTERS, 'revenue', 'cost'].map((name) => `sum(${name}) as ${name}`)
  return sql`select ${names([...grain, ...sums])} from (${sql.join(parts, sql` union all `)}) h group by ${names(grain)}`
}

const DAY_COLUMNS = [...DAY_GRAIN, ...DAY_KEYS, ...DAY_COUNTERS, 'revenue', 'cost']

/** A source whose records are kept here, and whether accounts at suppliers are, which tell the buyer. */
export interface SourceHere extends FactSource {
  buyers: boolean
}

/** Sources whose records are kept here: modules may be left out. */
export async function sourcesHere(db: Executor): Promise<readonly SourceHere[]> {
  const buyers = await thereIs(db, 'srm.supplierAccount')
  const { rows } = await db.query<{ record: string }>(
    sql`select record from jsonb_to_recordset(${JSON.stringify(FACT_SOURCES.map(({ record, fact }) => ({ record, own: tableOf(record), fact: tableOf(fact) })))}::jsonb) as g(record text, own text, fact text)
      where to_regclass(own) is not null and to_regclass(fact) is not null`,
  )
  const here = new Set(rows.map(({ record }) => record))
  return FACT_SOURCES.filter(({ record }) => here.has(record)).map((source) => ({ ...source, buyers }))
}

/** Whether there are hours whose records changed. */
export async function factsWait(db: Executor): Promise<boolean> {
  const { rows } = await db.query<{ waits: boolean }>(sql`select exists (select 1 from ${sql.raw(DIRTY_HOURS)}) as waits`)
  return rows[0]?.waits ?? false
}

/** What a go made: hours by record, and the days that changed. */
export interface Built {
  hours: number
  days: readonly string[]
  /** There are further hours. */
  more: boolean
}

/**
 * Makes the facts of marked hours anew from their records and those of their days from the hours, in one transaction: rows of an hour are replaced, never added to, so that the
 * same again changes nothing. Records of locked days change no more but for late receipts: their hours keep the people that they were counted for.
 */
export async function buildFacts(tx: Executor, now: Date): Promise<Built> {
  const zone = tx.companyTimeZone
  const sources = await sourcesHere(tx)
  const { rows: marked } = await tx.query<{ record: string; hour: string }>(
    sql`delete from ${sql.raw(DIRTY_HOURS)} d using (select record, hour from ${sql.raw(DIRTY_HOURS)} order by hour limit ${AT_ONCE} for update skip locked) x
      where d.record = x.record and d.hour = x.hour returning d.record, d.hour::text as hour`,
  )
  const days = new Set<string>()
  for (const source of sources) {
    const hours = marked.filter(({ record }) => record === source.record).map(({ hour }) => hour)
    if (hours.length === 0) continue
    const asked = sql.param(hours)
    const table = sql.raw(tableOf(source.fact))
    // (a range for the partitions, then the hours themselves)
    const within: Hours = (moment) =>
      sql`${moment} >= (select min(x) from unnest(${asked}::timestamptz[]) x) and ${moment} < (select max(x) from unnest(${asked}::timestamptz[]) x) + interval '1 hour'
      and date_trunc('hour', ${moment}, 'UTC') = any(${asked}::timestamptz[])`
    const columns = names(hourColumns(source))
    await tx.query(
      sql`with gone as (delete from ${table} where hour_at = any(${asked}::timestamptz[]) and not taken_over),
          ${keptPeople(source, sql`hour_at = any(${asked}::timestamptz[]) and hour_at < ${stamp(new Date(now.getTime() - KEPT_DAYS * 86_400_000))}`)}
        insert into ${table} (${sql.raw(SYSTEM)}, ${columns}) select ${system(now)}, x.* from (${hourRows(source, within, zone, true)}) x`,
    )
    const { rows } = await tx.query<{ day: string }>(
      sql`select distinct (x at time zone ${zone})::date::text as day from unnest(${asked}::timestamptz[]) x`,
    )
    for (const { day } of rows) days.add(day)
  }
  await buildDays(tx, sources, [...days], now)
  return { hours: marked.length, days: [...days].sort(), more: marked.length === AT_ONCE }
}

async function buildDays(tx: Executor, sources: readonly FactSource[], days: readonly string[], now: Date): Promise<void> {
  if (days.length === 0) return
  const asked = sql.param([...days])
  const table = sql.raw(tableOf('rpt.trafficDay'))
  await tx.query(sql`delete from ${table} where day = any(${asked}::date[]) and not taken_over`)
  await tx.query(
    sql`insert into ${table} (${sql.raw(SYSTEM)}, ${names(DAY_COLUMNS)}) select ${system(now)}, x.* from (${dayRows(sources, sql`h.day = any(${asked}::date[]) and not h.taken_over`)}) x`,
  )
  await writeAccountDays(tx, days, now)
}

/** Makes the facts of days of hours that were taken over from the platform before this one: they change no more. */
export async function buildTakenOverDays(tx: Executor, now: Date): Promise<void> {
  const sources = await sourcesHere(tx)
  const table = sql.raw(tableOf('rpt.trafficDay'))
  await tx.query(sql`delete from ${table} where taken_over`)
  await tx.query(
    sql`insert into ${table} (${sql.raw(SYSTEM)}, ${names(DAY_COLUMNS)}) select ${system(now, true)}, x.* from (${dayRows(sources, sql`h.taken_over`)}) x`,
  )
}

/** What CRM reads of an account's day (`fin.accountDay`): volume, and money in USD. */
async function writeAccountDays(tx: Executor, days: readonly string[], now: Date): Promise<void> {
  const usd = (amount: string, currency: string): SQL => {
    const converted = convertedSql({ amount: sql.raw(amount), currency: sql.raw(currency), day: sql`f.day` }, 'USD')
    return sql`coalesce(round(sum(${converted}), 6), 0)`
  }
  const table = sql.raw(tableOf('fin.accountDay'))
  await tx.query(
    sql`insert into ${table} as d (id, created_at, updated_at, created_by, updated_by, version, account_id, day, test, volume, currency, revenue, cost)
      select ${newId()} || '-' || row_number() over (), ${stamp(now)}, ${stamp(now)}, '', '', 1, x.* from (
        select f.account_id, f.day, false, sum(f.units), 'USD', ${usd('f.revenue', 'f.currency')}, ${usd('f.cost', 'f.cost_currency')}
        from ${sql.raw(tableOf('rpt.trafficDay'))} f where f.day = any(${sql.param([...days])}::date[]) and not f.taken_over group by f.account_id, f.day) x
      on conflict (account_id, day, test) where deleted_at is null do update set volume = excluded.volume, revenue = excluded.revenue, cost = excluded.cost, updated_at = excluded.updated_at, version = d.version + 1`,
  )
}
