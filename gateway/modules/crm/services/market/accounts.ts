import { sql, type SQL } from 'drizzle-orm'
import type { Executor } from '../../../../platform/database'

/** Life of accounts: figures, states, opening by month and product. `mine` is the row scope of the caller over accounts, alias t. */
export async function accountReport(db: Executor, mine: SQL, timeZone: string): Promise<Record<string, object[]>> {
  const chosen = sql`with mine as materialized (select t.product, t.track, t.opened_at, t.first_test_at, t.first_traffic_at ${mine})`
  const share = (part: SQL): SQL => sql`case when count(*) > 0 then round(100.0 * ${part} / count(*), 2)::text end`
  const days = sql`percentile_cont(0.5) within group (order by extract(epoch from m.first_traffic_at - m.opened_at) / 86400) filter (where m.first_traffic_at is not null and m.opened_at is not null)`
  const never = sql`count(*) filter (where m.first_traffic_at is null)`
  const facts = sql`count(*)::int as accounts, ${never}::int as "neverStarted", ${share(never)} as "neverShare", round((${days})::numeric, 1)::text as "medianDays"`
  const read = async (statement: SQL): Promise<object[]> => (await db.query(statement)).rows
  return {
    totals: await read(sql`${chosen} select ${facts} from mine m having count(*) > 0`),
    steps:
      await read(sql`${chosen} select s.step, case s.step when 'opened' then count(*) when 'tested' then count(*) filter (where m.first_test_at is not null)
        else count(*) filter (where m.first_traffic_at is not null) end::int as reached
      from mine m cross join (values ('opened', 1), ('tested', 2), ('started', 3)) as s(step, place) group by s.step, s.place order by s.place`),
    states: await read(sql`${chosen} select m.track, count(*)::int as "inState" from mine m group by 1
      order by array_position(array['opened', 'tested', 'started', 'growing', 'falling', 'silent'], m.track)`),
    months: await read(sql`${chosen} select to_char(m.opened_at at time zone ${timeZone}, 'YYYY-MM') as month,
        to_char(date_trunc('month', m.opened_at at time zone ${timeZone}), 'YYYY-MM-DD') as "from",
        to_char(date_trunc('month', m.opened_at at time zone ${timeZone}) + interval '1 month' - interval '1 day', 'YYYY-MM-DD') as "to",
        count(*)::int as "openedInMonth", count(*) filter (where m.first_traffic_at is not null)::int as "startedOfMonth"
      from mine m where m.opened_at is not null group by 1, 2, 3 order by 1`),
    products: await read(sql`${chosen} select m.product, ${facts} from mine m group by 1 order by 2 desc, 1`),
  }
}
