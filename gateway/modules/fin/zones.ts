import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs, type EntityRecord, type EntityService, type SaveHook } from '../../entities'
import { addDays, dayOf, daysBetween, startOfDay, type Day } from '../../platform/calendar'
import type { Executor } from '../../platform/database'

/** A zone of an account and the instant from which it applies (milliseconds; the first one since ever). */
interface Zone {
  zone: string
  from: number
}

/** What an account's zones are kept in; an account without a zone has the company's. */
export type Zoned = Readonly<{ timezone?: unknown; zoneFrom?: unknown; zonesBefore?: unknown }>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The zones of an account one after the other, each until the next one begins. */
function zonesOf({ timezone, zoneFrom, zonesBefore }: Zoned, companyZone: string): Zone[] {
  const known = Array.isArray(zonesBefore) ? (zonesBefore as EntityRecord[]) : []
  return [...known.map((row) => ({ timezone: row.timezone, from: row.from })), { timezone, from: zoneFrom }].map((row) => ({
    zone: textOf(row.timezone) || companyZone,
    from: (row.from instanceof Date ? row.from.getTime() : Date.parse(textOf(row.from))) || -Infinity,
  }))
}

/** The zone of an account at an instant (IANA name). */
export const zoneAt = (account: Zoned, instant: Date, companyZone: string): string =>
  zonesOf(account, companyZone).findLast(({ from }) => from <= instant.getTime())!.zone

/** The day of a customer's or supplier's account at an instant: its `billDay` or `costDay`, whatever zone it gets later. */
export const accountDay = (account: Zoned, instant: Date, companyZone: string): Day =>
  dayOf(instant, zoneAt(account, instant, companyZone))

/** The instant at which a day of an account begins. */
export function accountDayBegins(account: Zoned, day: Day, companyZone: string): string {
  const zones = zonesOf(account, companyZone)
  const starts = zones.flatMap(({ zone, from }, index) => {
    const start = startOfDay(day, zone)
    const at = Date.parse(start)
    return at >= from && at < (zones[index + 1]?.from ?? Infinity) ? [start] : []
  })
  return starts[0] ?? startOfDay(day, zones.at(-1)!.zone)
}

/**
 * From when a new zone applies: from the first day that begins in it when the running day of the old zone is over, so that every instant
 * lies in one day and no day is left out. The day at the change is as long as both make it. Null for zones more than a day apart, between
 * which a day would come twice or not at all.
 */
export function zoneChange(before: string, after: string, now: Date): Date | null {
  const ends = Date.parse(startOfDay(addDays(dayOf(now, before), 1), before))
  let day = dayOf(new Date(ends), after)
  if (Date.parse(startOfDay(day, after)) < ends) day = addDays(day, 1)
  const cut = new Date(startOfDay(day, after))
  const passed = daysBetween(dayOf(new Date(cut.getTime() - 1), before), day)
  return passed === 0 || passed === 1 ? cut : null
}

/**
 * The days of some accounts of an entity: `accountDay` of an account's id at an instant. An account that is not there has the company's zone.
 */
export async function accountDays(
  db: Executor,
  entity: 'fin.customerAccount' | 'srm.supplierAccount',
  ids: readonly string[],
): Promise<(accountId: string, instant: Date) => Day> {
  const { rows } = (await thereIs(db, entity))
    ? await db.query<Zoned & { id: string }>(
        sql`select id, timezone, to_char(zone_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "zoneFrom", zones_before as "zonesBefore" from ${sql.raw(tableOf(entity))} where id = any(${sql.param([...new Set(ids)])}::text[])`,
      )
    : { rows: [] }
  const accounts = new Map(rows.map((row) => [row.id, row]))
  return (accountId, instant) => accountDay(accounts.get(accountId) ?? {}, instant, db.companyTimeZone)
}

/** The zone of the account `alias` at an instant, in SQL. */
export function zoneSql(alias: string, instant: SQL, companyZone: string): SQL {
  const of = (column: string): SQL => sql.raw(`${alias}.${column}`)
  return sql`coalesce(nullif(case when ${of('zone_from')} > ${instant} then
      (select z.row ->> 'timezone' from jsonb_array_elements(${of('zones_before')}) with ordinality z(row, nth) where coalesce((z.row ->> 'from')::timestamptz, '-infinity') <= ${instant} order by z.nth desc limit 1)
    else ${of('timezone')} end, ''), ${companyZone})`
}

/** Another zone of an account applies from a day on; one that was still to come gives way to it. */
export const zoneHooks: EntityService<'fin.customerAccount' | 'srm.supplierAccount'> = {
  beforeSave({ before, record, now, tx, fail }: SaveHook<'fin.customerAccount' | 'srm.supplierAccount'>) {
    if (!before || textOf(record.timezone) === textOf(before.timezone)) return
    const list = Array.isArray(before.zonesBefore) ? (before.zonesBefore as EntityRecord[]) : []
    const known = [...list, { timezone: textOf(before.timezone), from: before.zoneFrom ?? null }]
    const past = known.filter(({ from }) => (Date.parse(textOf(from)) || -Infinity) <= now.getTime())
    const running = past.at(-1)!
    const zone = (value: unknown): string => textOf(value) || tx.companyTimeZone
    if (zone(running.timezone) === zone(record.timezone)) {
      Object.assign(record, { zoneFrom: running.from, zonesBefore: past.slice(0, -1) })
      return
    }
    const cut = zoneChange(zone(running.timezone), zone(record.timezone), now)
    if (cut) Object.assign(record, { zoneFrom: cut.toISOString(), zonesBefore: past })
    else
      fail({
        field: 'timezone',
        message: {
          zh: `${zone(running.timezone)} 与 ${zone(record.timezone)} 相差超过一天，会丢失或重复一天。请先改为两者之间的时区。`,
          en: `${zone(running.timezone)} and ${zone(record.timezone)} are more than a day apart: a day would come twice or not at all. Change to a zone between them first.`,
        },
      })
  },
}
