import { sql, type SQL } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import type { Day } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'

/** Texts that were sent less often, in a day to a customer's receivers, may say who somebody is: they are counted without what they said. */
const LEAST = 5
/** Days that are looked back for records that changed: older ones are locked. */
const OPEN = 40
/** Characters that are kept of a text. */
const SHOWN = 200

/** A text without what tells one receiver from another: links, addresses, numbers. */
const template = (text: string): string =>
  `regexp_replace(regexp_replace(regexp_replace(${text}, 'https?://\\S+', '{link}', 'g'), '[[:alnum:]._%+-]+@[[:alnum:].-]+', '{email}', 'g'), '[0-9]+', '#', 'g')`

/** Messages of a day as rows of their fact. */
const dayContents = (day: SQL, zone: string): SQL => {
  const records = sql.raw(tableOf('biz.smsRecord'))
  const begin = (date: SQL): SQL => sql`(${date})::timestamp at time zone ${zone}`
  return sql`with texts as (
      select r.customer_id, r.country, r.traffic_type as category, ${sql.raw(template('r.content'))} as said, count(*) as messages, count(*) filter (where r.status = 'delivered') as delivered
      from ${records} r where r.submitted_at >= ${begin(sql`${day}::date`)} and r.submitted_at < ${begin(sql`${day}::date + 1`)} and r.deleted_at is null and not coalesce(r.test_flag, false) group by 1, 2, 3, 4),
    told as (select t.*, case when sum(messages) over (partition by customer_id, said) >= ${LEAST} then said end as shown from texts t)
    select ${day}::date as day, customer_id, country, category, md5(shown) as template_hash, left(shown, ${SHOWN}) as sample_text, sum(messages) as messages, sum(delivered) as delivered
    from told group by customer_id, country, category, shown`
}

/** Days before `today` whose hours were made anew since their texts were counted. */
export async function staleContents(tx: Executor, today: Day): Promise<readonly Day[]> {
  const hours = sql.raw(tableOf('rpt.smsHour'))
  const { rows } = await tx.query<{ day: Day }>(
    sql`select h.day::text as day from ${hours} h where not h.taken_over and h.deleted_at is null and h.day >= ${today}::date - ${OPEN}::int and h.day < ${today}::date
      group by h.day having max(h.created_at) > coalesce((select max(c.created_at) from ${sql.raw(tableOf('rpt.contentDay'))} c where c.day = h.day and not c.taken_over), '-infinity') order by h.day`,
  )
  return rows.map(({ day }) => day)
}

/** Counts the texts of a day anew from its records (quotes-traffic 7.2). */
export async function buildContents(tx: Executor, day: Day, now: Date): Promise<void> {
  const table = sql.raw(tableOf('rpt.contentDay'))
  const at = sql`${now.toISOString()}::timestamptz`
  await tx.query(sql`delete from ${table} where day = ${day}::date and not taken_over`)
  await tx.query(
    sql`insert into ${table} (id, created_at, updated_at, created_by, updated_by, version, taken_over, day, customer_id, country, category, template_hash, sample_text, messages, delivered)
      select ${newId()} || '-' || row_number() over (), ${at}, ${at}, '', '', 1, false, x.* from (${dayContents(sql`${day}`, tx.companyTimeZone)}) x`,
  )
}
