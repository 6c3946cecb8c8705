import { sql } from 'drizzle-orm'
import { columnName } from '../../../../src/schema/entity'
import { openSql, tableOf, type FieldDrift } from '../../../entities'
import type { Database } from '../../../platform/database'
import { chargedSides } from '../../fin'
import { isLocked } from '../lock/lock'

/**
 * Whatever is rated is in the ledger (quotes-traffic 7.6 R2): counts of each side the records that are not there as they stand, or have no
 * price; on a locked day there are none.
 */
export async function verifyCharges(database: Database): Promise<FieldDrift[]> {
  const drifts: FieldDrift[] = []
  for (const { charged, side } of await chargedSides(database)) {
    const column = (name: string) => sql.raw(`r.${columnName(name)}`)
    const { whose } = charged
    const locked = whose ? isLocked(column(whose.account), column(whose.day)) : sql`false`
    const { rows } = await database.query<{ rows: number; wrong: number }>(
      sql`select count(*)::int as rows, count(*) filter (where ${locked})::int as wrong from ${sql.raw(tableOf(charged.entity))} r where ${openSql(charged, side.side, 'r')}`,
    )
    drifts.push({
      field: `${charged.entity} ${side.side} = ledger, or open`,
      rows: rows[0]?.rows ?? 0,
      drifted: rows[0]?.wrong ?? 0,
    })
  }
  return drifts
}
