import { sql, type SQL } from 'drizzle-orm'
import type { FieldDrift } from '../../../entities'
import type { Database } from '../../../platform/database'
import { dailyDrift } from './daily'

/** What stock keeps, against the flows that made it; nothing here is mended: a difference is a fault to be looked into. */
const CHECKS: readonly { field: string; rows: SQL }[] = [
  {
    field: 'srm.stock = srm.stockFlow',
    rows: sql`select s.id, s.qty is distinct from coalesce(f.qty, 0) or s.value is distinct from coalesce(f.value, 0) or s.qty < 0 or (s.qty = 0) <> (s.value = 0) as wrong
      from srm_stock s left join (select warehouse_id, product_id, sum(qty) as qty, sum(amount) as value from srm_stock_flow where deleted_at is null group by 1, 2) f
        on f.warehouse_id = s.warehouse_id and f.product_id = s.product_id where s.deleted_at is null`,
  },
  {
    field: 'srm.deviceUnit in stock = srm.stock.qty',
    rows: sql`select s.id, s.qty is distinct from coalesce(u.pieces, 0) as wrong
      from srm_stock s join srm_product p on p.id = s.product_id and p.serialised
        left join (select warehouse_id, product_id, count(*) as pieces from srm_device_unit where status = 'inStock' and deleted_at is null group by 1, 2) u
        on u.warehouse_id = s.warehouse_id and u.product_id = s.product_id where s.deleted_at is null`,
  },
]

/** Compares stock with its flows, and the pieces that are there with it (customers-suppliers 10, invariants). */
export async function verifyStock(database: Database): Promise<readonly FieldDrift[]> {
  const drifts: FieldDrift[] = []
  const { rows: written } = await database.query<{ last: string | null }>(
    sql`select max(day)::text as last from srm_inventory_daily where deleted_at is null`,
  )
  const last = written[0]?.last
  const checks = last
    ? [...CHECKS, { field: 'srm.inventoryDaily = srm.stockFlow', rows: dailyDrift(last, database.companyTimeZone) }]
    : CHECKS
  for (const { field, rows: checked } of checks) {
    const { rows } = await database.query<{ rows: number; drifted: number }>(
      sql`select count(*) as rows, count(*) filter (where wrong) as drifted from (${checked}) checked`,
    )
    drifts.push({ field, rows: Number(rows[0]?.rows ?? 0), drifted: Number(rows[0]?.drifted ?? 0) })
  }
  return drifts
}
