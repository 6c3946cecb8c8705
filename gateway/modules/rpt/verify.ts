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
    const made = sql`select hour_at, ${sql.raw(`row(${total(summed)})`)} as figures from (${hourRows(source, () => sql`true`, database.companyTimeZone)}) x(${sql.raw(hourColumns(source).join(', '))}) group by 1`
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
  const DAY = ['submitted', 'sent', 'delivered', 'units', 'uncosted', 'revenue', 'cost']
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
  drifts.push(await channelDrift(database, sources))
  drifts.push(await contentDrift(database, sources, fix))
  if (fix && drifts.some(({ drifted }) => drifted > 0))
    for (let more = true; more;) ({ more } = await database.transaction((tx) => buildFacts(tx, new Date())))
  return drifts
}

/**
 * What messages cost is what facts say by channel (quotes-traffic 7.2): each try on its own, a message without tries on its own. Asked of the records themselves, for the
 * hours that are not waiting to be made anew.
 */
async function channelDrift(database: Database, sources: readonly { fact: string }[]): Promise<FieldDrift> {
  const field = 'rpt.smsHour by channel = cost of messages and tries (R1)'
  if (!sources.some(({ fact }) => fact === 'rpt.smsHour')) return { field, rows: 0, drifted: 0 }
  const [records, tries, facts] = ['biz.smsRecord', 'biz.smsAttempt', 'rpt.smsHour'].map((entity) => sql.raw(tableOf(entity)))
  const settled = sql`not exists (select 1 from ${sql.raw(DIRTY_HOURS)} w where w.record = 'biz.smsRecord' and w.hour = x.hour)`
  const own = 'channel_id, cost_currency, cost_amount, segments'
  const { rows } = await database.query<{ rows: string; wrong: string }>(
    sql`with carried as (
        select date_trunc('hour', submitted_at, 'UTC') as hour, ${sql.raw(own)}, supplier_account_id from ${records}
        where deleted_at is null and customer_id is not null and not coalesce(test_flag, false) and not coalesce(cost_by_attempts, false)
        union all select date_trunc('hour', submitted_at, 'UTC'), ${sql.raw(own)}, supplier_account_id from ${tries} where deleted_at is null and submitted_at is not null
          and not coalesce(test_flag, false) and msg_id in (select r.msg_id from ${records} r where r.cost_by_attempts and r.deleted_at is null and r.customer_id is not null)),
      made as (select coalesce(channel_id, '') as channel, coalesce(cost_currency, '') as currency, coalesce(sum(cost_amount), 0) as cost, coalesce(sum(segments) filter (where cost_amount is null and supplier_account_id is not null), 0) as uncosted
        from carried x where ${settled} group by 1, 2),
      kept as (select coalesce(channel_id, '') as channel, coalesce(cost_currency, '') as currency, coalesce(sum(cost), 0) as cost, coalesce(sum(uncosted), 0) as uncosted from (select f.*, f.hour_at as hour from ${facts} f) x
        where deleted_at is null and not taken_over and ${settled} and hour >= coalesce((select date_trunc('hour', min(submitted_at), 'UTC') from ${records}), 'infinity') group by 1, 2)
      select count(*) as rows, count(*) filter (where coalesce(m.cost, 0) <> coalesce(k.cost, 0) or coalesce(m.uncosted, 0) <> coalesce(k.uncosted, 0)) as wrong
      from made m full join kept k using (channel, currency)`,
  )
  return { field, rows: Number(rows[0]?.rows ?? 0), drifted: Number(rows[0]?.wrong ?? 0) }
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
