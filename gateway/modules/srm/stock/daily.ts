import { sql, type SQL } from 'drizzle-orm'
import { addDays, type Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'

const COUNTED = sql`('countGain', 'countLoss', 'opening')`

/**
 * What lay and moved in each warehouse, of each product, on each day: from the flows alone, so that it is always the same
 * (customers-suppliers 5 `srm.inventoryDaily`). Counts, openings and reversals of other days are adjustments; a reversal on the day
 * of its document takes back what that was. Days without stock and without flows have no row.
 */
const rowsOf = (from: Day, to: Day, timeZone: string): SQL => sql`
  with flow as (
    select f.id, f.doc_line_id, f.kind, f.warehouse_id, f.product_id, f.direction, f.qty, f.amount, (f.at at time zone ${timeZone})::date as day
    from srm_stock_flow f where f.deleted_at is null and f.at < (${addDays(to, 1)}::date)::timestamp at time zone ${timeZone}),
  placed as (
    select f.warehouse_id, f.product_id, f.day, f.qty, f.amount,
      case when f.kind <> 'reverse' then case when f.kind in ${COUNTED} then 'adjust' else f.direction end
        when o.day = f.day then case when o.kind in ${COUNTED} then 'adjust' else o.direction end else 'adjust' end as part
    from flow f left join flow o on f.kind = 'reverse' and o.doc_line_id = f.doc_line_id and o.kind <> 'reverse'),
  moved as (
    select warehouse_id, product_id, day,
      coalesce(sum(qty) filter (where part = 'in'), 0) as in_qty, -coalesce(sum(qty) filter (where part = 'out'), 0) as out_qty, coalesce(sum(qty) filter (where part = 'adjust'), 0) as adjust_qty,
      coalesce(sum(amount) filter (where part = 'in'), 0) as in_value, -coalesce(sum(amount) filter (where part = 'out'), 0) as out_value, coalesce(sum(amount) filter (where part = 'adjust'), 0) as adjust_value
    from placed group by 1, 2, 3),
  days as (
    select warehouse_id, product_id, generate_series(min(day)::timestamp, ${to}::date::timestamp, interval '1 day')::date as day from moved group by 1, 2),
  reached as (
    select d.warehouse_id, d.product_id, d.day, m.day is not null as moved,
      coalesce(m.in_qty, 0) as in_qty, coalesce(m.out_qty, 0) as out_qty, coalesce(m.adjust_qty, 0) as adjust_qty,
      coalesce(m.in_value, 0) as in_value, coalesce(m.out_value, 0) as out_value, coalesce(m.adjust_value, 0) as adjust_value,
      sum(coalesce(m.in_qty - m.out_qty + m.adjust_qty, 0)) over own as close_qty,
      sum(coalesce(m.in_value - m.out_value + m.adjust_value, 0)) over own as close_value
    from days d left join moved m on m.warehouse_id = d.warehouse_id and m.product_id = d.product_id and m.day = d.day
    window own as (partition by d.warehouse_id, d.product_id order by d.day))
  select md5(day || ' ' || warehouse_id || ' ' || product_id) as id, warehouse_id, product_id, day,
    close_qty - in_qty + out_qty - adjust_qty as open_qty, in_qty, out_qty, adjust_qty, close_qty,
    close_value - in_value + out_value - adjust_value as open_value, in_value, out_value, adjust_value, close_value
  from reached where day >= ${from}::date and (moved or close_qty <> 0)`

const FIGURES = ['open', 'in', 'out', 'adjust', 'close'].flatMap((part) => [`${part}_qty`, `${part}_value`])

/** Writes the days from the flows, and brings what differs to what they say. Answers how many rows were new, and how many differed. */
export async function writeDaily(
  tx: Executor,
  { from, to, now }: { from: Day; to: Day; now: Date },
): Promise<{ written: number; mended: number }> {
  const at = now.toISOString()
  const columns = sql.raw(FIGURES.join(', '))
  const { rows } = await tx.query<{ fresh: boolean }>(
    sql`insert into srm_inventory_daily as d (id, warehouse_id, product_id, day, ${columns}, created_at, updated_at, created_by, updated_by, version)
      select id, warehouse_id, product_id, day, ${columns}, ${at}::timestamptz, ${at}::timestamptz, '', '', 1 from (${rowsOf(from, to, tx.companyTimeZone)}) told
      on conflict (id) do update set ${sql.raw(FIGURES.map((name) => `${name} = excluded.${name}`).join(', '))}, updated_at = excluded.updated_at
        where (${sql.raw(FIGURES.map((name) => `d.${name}`).join(', '))}) is distinct from (${sql.raw(FIGURES.map((name) => `excluded.${name}`).join(', '))})
      returning created_at = ${at}::timestamptz as fresh`,
  )
  const written = rows.filter(({ fresh }) => fresh).length
  return { written, mended: rows.length - written }
}

/** Rows that differ from what the flows say, of all days that are written. */
export const dailyDrift = (to: Day, timeZone: string): SQL => sql`
  select coalesce(d.id, told.id) as id, (${sql.raw(FIGURES.map((name) => `d.${name}`).join(', '))}) is distinct from (${sql.raw(FIGURES.map((name) => `told.${name}`).join(', '))}) as wrong
  from srm_inventory_daily d full join (${rowsOf('2000-01-01', to, timeZone)}) told on told.id = d.id where d.deleted_at is null`
