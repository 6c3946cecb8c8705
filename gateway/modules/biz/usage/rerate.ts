import { sql } from 'drizzle-orm'
import { columnName, type ChargeSideName, type EntityModel } from '../../../../src/schema/entity'
import { dueSql, openSql, tableOf, thereIs, type EntityEngine, type EntityRecord, type SaveHook } from '../../../entities'
import type { Database, Transaction } from '../../../platform/database'
import { systemContext } from '../../../platform/http'
import { chargedSides } from '../../fin'

/** Records that are rated anew in one transaction. */
const AT_ONCE = 500

/** Whose rates price a side. */
const RATES = {
  revenue: { entity: 'qm.customerRate', account: 'account_id' },
  cost: { entity: 'qm.supplierRate', account: 'supplier_account_id' },
} as const

/** What a rate says of a record, by side; everything else of it stays. */
export const RATED_FIELDS: Readonly<Record<ChargeSideName, readonly string[]>> = {
  revenue: ['price', 'rateId', 'billable', 'revenue', 'setupFee', 'billSec', 'prefix', 'destination'],
  cost: ['cost', 'costRateId', 'costBillable', 'costAmount', 'costBillSec'],
}

/**
 * Rates the records that have no price by the same code as when they came in, at the rates of their moment (quotes-traffic 5.2): those whose
 * account has a rate that was written since they were last tried. Answers how many have a price now.
 */
export async function rateAgain(engine: EntityEngine, database: Database, now: Date): Promise<number> {
  let rated = 0
  for (const { charged, side } of await chargedSides(database)) {
    const rates = RATES[side.side]
    const model = engine.model(charged.entity)
    const service = engine.service(model.document['x-service'] ?? '')
    if (side.posting !== null || !service?.bulk || !charged.by || !(await thereIs(database, rates.entity))) continue
    const [account, at] = [sql.raw(`r.${columnName(side.account)}`), sql.raw(`r.${columnName(charged.by)}`)]
    for (;;) {
      const { rows } = await database.query<{ id: string }>(
        sql`select r.id from ${sql.raw(tableOf(charged.entity))} r
          where ${openSql(charged, side.side, 'r')} and ${dueSql(charged, side.side, 'r')} is null and exists (
            select 1 from ${sql.raw(tableOf(rates.entity))} x where ${sql.raw(`x.${rates.account}`)} = ${account} and x.deleted_at is null and x.updated_at >= r.updated_at
              and r.updated_at < ${now.toISOString()}::timestamptz and x.effective_from <= ${at} and (x.effective_to is null or x.effective_to > ${at}))
          limit ${AT_ONCE}`,
      )
      if (rows.length === 0) break
      const ids = rows.map(({ id }) => id)
      rated += await engine.transaction(
        systemContext({ now }),
        (entities, tx) => rateSome({ engine, model, side: side.side }, { entities, tx, now }, ids),
        { retries: 3 },
      )
    }
  }
  return rated
}

async function rateSome(
  { engine, model, side }: { engine: EntityEngine; model: EntityModel; side: ChargeSideName },
  { entities, tx, now }: Pick<SaveHook, 'entities' | 'tx' | 'now'>,
  ids: readonly string[],
): Promise<number> {
  const where = [{ field: 'id', operator: 'in' as const, value: ids }]
  const stored = await entities.list(model.name, { where, limit: ids.length, lock: true })
  const work = engine.service(model.document['x-service'] ?? '')?.bulk?.()
  const hooks = stored.map((record): SaveHook => ({
    ...{ tx, context: systemContext({ now }), now, entities, model, before: null, record: { ...record } },
    ...{ given: new Set(), origin: 'service', checked: false, inputs: {}, fail: () => undefined, warn: () => undefined },
  }))
  await work?.prepare(hooks)
  const changes = new Map<string, EntityRecord>()
  for (const hook of hooks) {
    await work?.beforeSave(hook)
    const fields = RATED_FIELDS[side].filter((name) => model.fields.has(name))
    const amount = side === 'revenue' ? hook.record.revenue : hook.record.costAmount
    if (amount !== null && amount !== undefined)
      changes.set(String(hook.record.id), Object.fromEntries(fields.map((name) => [name, hook.record[name] ?? null])))
  }
  await entities.changeMany(model.name, changes)
  await triedNow(tx, model, ids, now)
  return changes.size
}

/** What was tried in vain waits for a rate that is written later. */
const triedNow = (tx: Transaction, model: EntityModel, ids: readonly string[], now: Date) =>
  tx.query(
    sql`update ${sql.raw(model.table)} set updated_at = ${now.toISOString()}::timestamptz where id = any(${sql.param([...ids])}::text[])`,
  )
