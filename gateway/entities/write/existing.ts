import type { WriteContext } from '../core'
import { sql } from 'drizzle-orm'
import { ServiceError } from '../../platform/http'
import type { EntityRecord } from '../calls'
import { clauseSql, textArray, type Clause } from '../clause'
import { RowScope } from '../query/scope'
import { recordRefusal } from '../refusalTexts'
import { storedColumns } from '../read/record'
import { columnSql, tableSql } from '../tables'

/** Holds the rows of `t` against other changes. Who refers to them need not wait: ids never change. */
export const FOR_CHANGE = sql`for no key update of t`
/** Holds them against new references too. */
export const FOR_DELETION = sql`for update of t`

/** The stored row, locked, when the caller may change it. @throws 10010004 outside the scope, 10010003 without the right. */
export async function existing(
  write: WriteContext,
  id: string,
  trusted: boolean,
  lock: { deletion?: boolean; deleted?: boolean } = {},
): Promise<EntityRecord> {
  const { model } = write
  const row = await lockRow(write, id, trusted ? { readable: true, writable: true } : undefined, lock)
  if (row['$write'] !== true) {
    throw new ServiceError('noPermission', { message: recordRefusal(model, 'write') })
  }
  delete row['$write']
  return row
}

/** Locks rows that the caller may read, in the order of their ids; `$write` says whether he may change them. */
export async function lockRows(
  write: WriteContext,
  ids: readonly string[],
  rights?: { readable: Clause; writable: Clause },
): Promise<EntityRecord[]> {
  const { core, tx, context, model } = write
  const scope = new RowScope(core.registry, context)
  const readable = rights?.readable ?? scope.readable(model, 't')
  const writable = rights?.writable ?? scope.writable(model, 't')
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')}, ${clauseSql(writable)} as "$write" from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = any(${textArray(ids)}) and ${columnSql('t', { column: 'deleted_at' })} is null and ${clauseSql(readable)} order by ${columnSql('t', { column: 'id' })} ${FOR_CHANGE}`,
  )
  return rows
}

/** Locks a row that the caller may read; `$write` says whether he may change it. For a deletion nobody may refer to it meanwhile. */
export async function lockRow(
  write: WriteContext,
  id: string,
  rights?: { readable: Clause; writable: Clause },
  { deletion = false, deleted = false }: { deletion?: boolean; deleted?: boolean } = {},
): Promise<EntityRecord> {
  const { core, tx, context, model } = write
  const scope = new RowScope(core.registry, context)
  const readable = rights?.readable ?? scope.readable(model, 't')
  const writable = rights?.writable ?? scope.writable(model, 't')
  const live = sql`${columnSql('t', { column: 'deleted_at' })} is ${sql.raw(deleted ? 'not null' : 'null')}`
  const { rows } = await tx.query<EntityRecord>(
    sql`select ${storedColumns(model, 't')}, ${clauseSql(writable)} as "$write" from ${tableSql(model, 't')} where ${columnSql('t', { column: 'id' })} = ${id} and ${live} and ${clauseSql(readable)} ${deletion ? FOR_DELETION : FOR_CHANGE}`,
  )
  const [row] = rows
  if (!row) throw new ServiceError('notFound')
  return row
}
