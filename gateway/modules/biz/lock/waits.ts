import { sql, type SQL } from 'drizzle-orm'
import { columnName } from '../../../../src/schema/entity'
import { openSql, tableOf } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { chargedSides } from '../../fin'

/**
 * `select account_id, day`: days of customers' accounts of which something is not posted or has no price, of either side; of the open
 * records alone. Null where no records are charged here.
 */
export async function openDays(db: Executor, accountIds?: readonly string[]): Promise<SQL | null> {
  const parts = (await chargedSides(db)).flatMap(({ charged, side }): SQL[] => {
    if (!charged.whose) return []
    const [account, day] = [charged.whose.account, charged.whose.day].map((name) => sql.raw(`r.${columnName(name)}`))
    return [
      sql`select ${account!} as account_id, ${day!} as day from ${sql.raw(tableOf(charged.entity))} r where ${openSql(charged, side.side, 'r')} and ${account!} ${accountIds ? sql`= any(${sql.param([...accountIds])}::text[])` : sql`is not null`}`,
    ]
  })
  return parts.length === 0 ? null : sql.join(parts, sql` union `)
}
