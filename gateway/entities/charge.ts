import { sql, type SQL } from 'drizzle-orm'
import { columnName, type ChargedEntity, type ChargeSideName } from '../../src/schema/entity'

const sideOf = ({ sides }: ChargedEntity, name: ChargeSideName) => sides.find(({ side }) => side === name)!

/**
 * What one side of a charged record comes to: nothing where it is deleted, a test, or charged by another record; null where it has no
 * price yet. Columns of the alias, or as they stand.
 */
export function dueSql(charged: ChargedEntity, side: ChargeSideName, alias?: string): SQL {
  const column = columnOf(alias)
  const { amount, unless } = sideOf(charged, side)
  const nothing = [
    sql`${column('deletedAt')} is not null`,
    ...(charged.test === null ? [] : [sql`coalesce(${column(charged.test)}, false)`]),
    ...(unless === null ? [] : [sql`coalesce(${column(unless)}, false)`]),
  ]
  return sql`case when ${sql.join(nothing, sql` or `)} then 0::numeric else ${column(amount)} end`
}

/**
 * Whether one side of a charged record is not in the ledger as it stands: not posted, posted otherwise, or without a price. Each side has
 * an index of these records alone, by account and day, so that looking for them reads no others: a question has to use these words.
 */
export function openSql(charged: ChargedEntity, side: ChargeSideName, alias?: string): SQL {
  const column = columnOf(alias)
  const { account, posted, posting } = sideOf(charged, side)
  if (posting !== null)
    return sql`${column(account)} is not null and ${column(posting)} is null and ${dueSql(charged, side, alias)} is distinct from 0::numeric`
  return sql`${column(account)} is not null and ${dueSql(charged, side, alias)} is distinct from coalesce(${column(posted)}, 0::numeric)`
}

const columnOf =
  (alias?: string) =>
  (name: string): SQL =>
    sql.raw(alias === undefined ? columnName(name) : `${alias}.${columnName(name)}`)
