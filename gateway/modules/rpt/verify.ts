import { sql, type SQL } from 'drizzle-orm'
import { tableOf, type FieldDrift } from '../../entities'
import type { Database } from '../../platform/database'
import { buildFacts, dayRows, hourColumns, hourRows, sourcesHere } from './facts/build'
import { buildContents } from './facts/contents'
import { DIRTY_HOURS } from './facts/guards'

const total = (columns: readonly string[]): string => columns.map((name) => `coalesce(sum(${name}), 0)`).join(', ')

/**
 * Reports equal facts equal sums of records (quotes-traffic 7.6, R1): of each hour that is not waiting to be made anew the counters of its facts are those of its records, and of each
 * day those of its hours. With `fix` the hours that differ are made anew.
 */
export async function verifyFacts(database: Database, { fix = false }: { fix?: boolean } = {}): Promise<FieldDrift[]> {
  const drifts: FieldDrift[] = []
  const sources = await sourcesHere(database)
  const waits = (record: string, hour: SQL): SQL =>
    sql`exists (select 1 from ${sql.raw(DIRTY_HOURS)} w where w.record = ${record} and w.hour = ${hour})`
  for (const source of sources) {
    const summed = [...Object.keys(source.counters), 'revenue', ...(source.sides === 'both' ? ['cost'] : [])]
    const facts = sql.raw(tableOf(source.fact))
    const kept = sql`select hour_at, ${sql.raw(`row(${total(summed)})`)} as figures from ${facts} where deleted_at is null and not taken_over and hour_at >= coalesce((select date_trunc('hour', min(${sql.raw(source.at)}), 'UTC') from ${sql.raw(tableOf(source.record))}), 'infinity') group by 1`
    const made = sql`select hour_at, ${sql.raw(`row(${total(summed)})`)} as figures from (${hourRows(source, sql`true`, database.companyTimeZone)}) x(${sql.raw(hourColumns(source).join(', '))}) group by 1`
    const { rows } = await database.query<{ rows: number; wrong: string[] | null }>(
      sql`select count(*) as rows, array_agg(hour_at::text) filter (where f is distinct from m) as wrong from (
        select hour_at, k.figures::text as f, m.figures::text as m from (${kept}) k full join (${made}) m using (hour_at)) x where not ${waits(source.record, sql`x.hour_at`)}`,
    )
    const wrong = rows[0]?.wrong ?? []
    drifts.push({ field: `${source.fact} = ${source.record} (R1)`, rows: Number(rows[0]?.rows ?? 0), drifted: wrong.length })
    if (fix && wrong.length > 0)
      await database.query(
        sql`insert into ${sql.raw(DIRTY_HOURS)} (record, hour) select ${source.record}, x from unnest(${sql.param(wrong)}::timestamptz[]) x on conflict do nothing`,
      )
  }
  const DAY = ['submitted', 'sent', 'delivered', 'units', 'revenue', 'cost']
  const figures = sql.raw(`row(${total(DAY)})::text`)
  const { rows } = await database.query<{ rows: number; wrong: number }>(
    sql`select count(*) as rows, count(*) filter (where f is distinct from m) as wrong from (
      select d.figures as f, m.figures as m from (select day, ${figures} as figures from ${sql.raw(tableOf('rpt.trafficDay'))} where deleted_at is null and not taken_over group by 1) d
      full join (select day, ${figures} as figures from (${dayRows(sources, sql`not h.taken_over`)}) x group by 1) m using (day)) x`,
  )
  drifts.push({
    field: 'rpt.trafficDay = hours (R4, R6)',
    rows: Number(rows[0]?.rows ?? 0),
    drifted: Number(rows[0]?.wrong ?? 0),
  })
  drifts.push(await contentDrift(database, sources, fix))
  if (fix && drifts.some(({ drifted }) => drifted > 0))
    for (let more = true; more;) ({ more } = await database.transaction((tx) => buildFacts(tx, new Date())))
  return drifts
}

/** Days whose texts are counted have as many messages as their hours, unless these were made anew since; `fix` counts those that differ again. */
async function contentDrift(database: Database, sources: readonly { fact: string }[], fix: boolean): Promise<FieldDrift> {
  const field = 'rpt.contentDay = rpt.smsHour (R1)'
  if (!sources.some(({ fact }) => fact === 'rpt.smsHour')) return { field, rows: 0, drifted: 0 }
  const { rows } = await database.query<{ day: string; same: boolean }>(
    sql`select c.day::text as day, c.messages = h.submitted as same from
      (select day, sum(messages) as messages, max(created_at) as made from ${sql.raw(tableOf('rpt.contentDay'))} where deleted_at is null and not taken_over group by 1) c
      left join (select day, sum(submitted) as submitted, max(created_at) as made from ${sql.raw(tableOf('rpt.smsHour'))} where deleted_at is null and not taken_over group by 1) h using (day)
      where h.made is null or h.made <= c.made`,
  )
  const wrong = rows.filter(({ same }) => !same)
  if (fix) for (const { day } of wrong) await database.transaction((tx) => buildContents(tx, day, new Date()))
  return { field, rows: rows.length, drifted: wrong.length }
}
