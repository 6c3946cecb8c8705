import { sql, type SQL } from 'drizzle-orm'
import { columnName, type ChargedEntity } from '../../../../src/schema/entity'
import { CHARGED } from '../../../../src/schema/generated/charges'
import { openSql, tableOf, type DaysKeeper } from '../../../entities'
import type { SqlStep, Transaction } from '../../../platform/database'
import { productSql, recordColumn } from './open'

/** What charged records that are not kept any more had come to, by side, account, day and product. */
export const PURGED_CHARGES = 'fin_purged_charge'

export const purgedCharges: SqlStep = {
  id: '2026-11-purged-charges',
  run: `create table if not exists ${PURGED_CHARGES} (
  entity text not null, side text not null, account_id text not null, day date not null, product text not null,
  records bigint not null, amount numeric not null, primary key (entity, side, account_id, day, product));`,
}

/**
 * Charged records that are dropped leave their sums, so that the ledger can be compared with what it was posted from for ever. The day of
 * the first record that is not posted as it stands, or has no price, stays, and those after it.
 */
export const chargedDays: DaysKeeper = {
  async leave({ tx, model, before }) {
    const charged = CHARGED.find(({ entity }) => entity === model.name)
    if (!charged?.by) return before
    const stays = Math.min(before, (await firstOpen(tx, charged, charged.by)) ?? before)
    await keepSums(tx, charged, sql`${recordColumn(charged.by)} < ${startOf(stays)}`)
    return stays
  },
}

const DAY = 86_400_000
/** Records are kept in tables of days of UTC. */
const startOf = (at: number): SQL => sql`${new Date(Math.floor(at / DAY) * DAY).toISOString()}::timestamptz`

async function firstOpen(tx: Transaction, charged: ChargedEntity, by: string): Promise<number | undefined> {
  const table = sql.raw(tableOf(charged.entity))
  const parts = charged.sides.map(
    ({ side }) => sql`select min(${recordColumn(by)}) as at from ${table} r where ${openSql(charged, side, 'r')}`,
  )
  const { rows } = await tx.query<{ at: string | null }>(
    sql`select to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from (${sql.join(parts, sql` union all `)}) x`,
  )
  return rows[0]?.at ? Date.parse(rows[0].at) : undefined
}

async function keepSums(tx: Transaction, charged: ChargedEntity, which: SQL): Promise<void> {
  for (const { side, account, day, posted } of charged.sides) {
    const amount = sql.raw(`coalesce(r.${columnName(posted)}, 0)`)
    await tx.query(
      sql`insert into ${sql.raw(PURGED_CHARGES)} as k (entity, side, account_id, day, product, records, amount)
        select ${charged.entity}, ${side}, ${recordColumn(account)}, ${recordColumn(day)}, ${productSql(charged)}, count(*), sum(${amount})
        from ${sql.raw(tableOf(charged.entity))} r where ${which} and ${amount} <> 0 and ${recordColumn(account)} is not null and ${recordColumn(day)} is not null group by 3, 4, 5
        on conflict (entity, side, account_id, day, product) do update set records = k.records + excluded.records, amount = k.amount + excluded.amount`,
    )
  }
}
