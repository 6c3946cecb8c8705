import { sql } from 'drizzle-orm'
import { tableOf, thereIs, type HookContext } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { postFeeCosts, postFees, type AssetFee } from '../../fin'
import type { FeeKind } from '../rating/numbers'
import type { FeeSide } from './make'

const FEES = sql.raw(tableOf('biz.numberFee'))
const COLUMNS = {
  revenue: { account: 'account_id', day: 'day', amount: 'amount', currency: 'currency', posting: 'posting_id' },
  cost: {
    account: 'supplier_account_id',
    day: 'cost_day',
    amount: 'cost_amount',
    currency: 'cost_currency',
    posting: 'cost_posting_id',
  },
} as const satisfies Readonly<Record<FeeSide, object>>

const at = (name: string) => sql.raw(`f.${name}`)

/** What of a side is to be posted. */
const unposted = (side: FeeSide) =>
  sql`${at(COLUMNS[side].posting)} is null and ${at(COLUMNS[side].amount)} <> 0 and f.deleted_at is null`

/** Accounts with fees of numbers that are not posted. */
export async function accountsDue(db: Executor): Promise<readonly { side: FeeSide; accountId: string; title: string }[]> {
  const found: { side: FeeSide; accountId: string; title: string }[] = []
  for (const [side, entity] of [
    ['revenue', 'fin.customerAccount'],
    ['cost', 'srm.supplierAccount'],
  ] as const) {
    if (!(await thereIs(db, 'fin.posting')) || !(await thereIs(db, entity))) continue
    const { rows } = await db.query<{ accountId: string; title: string }>(
      sql`select a.id as "accountId", concat_ws(' ', a.code, a.name) as title from ${sql.raw(tableOf(entity))} a
        where exists (select 1 from ${FEES} f where ${at(COLUMNS[side].account)} = a.id and ${unposted(side)}) order by a.id`,
    )
    found.push(...rows.map((row) => ({ side, ...row })))
  }
  return found
}

/** Numbers with fees that nobody knows the price of, and since when. */
export async function unpricedFees(db: Executor): Promise<readonly { number: string; side: FeeSide; since: string }[]> {
  const { rows } = await db.query<{ number: string; side: FeeSide; since: string }>(
    sql`select n.number, x.side, min(x.day)::text as since from (
        select f.asset_id, 'revenue' as side, f.day from ${FEES} f where f.day is not null and f.amount is null and f.deleted_at is null
        union all select f.asset_id, 'cost', f.cost_day from ${FEES} f where f.cost_day is not null and f.cost_amount is null and f.deleted_at is null) x
      join ${sql.raw(tableOf('biz.numberAsset'))} n on n.id = x.asset_id group by 1, 2 order by 3, 1, 2`,
  )
  return rows
}

const KEYS: Readonly<Record<FeeSide, string>> = { revenue: 'fee', cost: 'feeCost' }

/** `fee:{assetId}:{yyyymm}` of a month (money 1.4), with its kind of another charge. */
const keyOf = (side: FeeSide, { assetId, month, kind }: { assetId: string; month: string; kind: FeeKind }): string =>
  `${KEYS[side]}:${assetId}:${month.slice(0, 4)}${month.slice(5, 7)}${kind === 'mrc' ? '' : `:${kind}`}`

/** Posts the fees of numbers on one account, each once; answers how many. @throws ServiceError when the account refuses, and nothing is posted then */
export async function postAccountFees(
  given: Pick<HookContext, 'tx' | 'context' | 'now' | 'entities'>,
  { side, accountId }: { side: FeeSide; accountId: string },
): Promise<number> {
  const { account, day, amount, currency, posting } = COLUMNS[side]
  const { rows } = await given.tx.query<Omit<AssetFee, 'key' | 'product'> & { id: string; month: string; kind: FeeKind }>(
    sql`select f.id, f.asset_id as "assetId", n.number as code, f.month::text, f.kind, ${at(day)}::text as day, ${at(amount)}::text as amount, ${at(currency)} as currency
      from ${FEES} f join ${sql.raw(tableOf('biz.numberAsset'))} n on n.id = f.asset_id
      where ${at(account)} = ${accountId} and ${unposted(side)} order by ${at(day)}, n.number, f.kind for update of f`,
  )
  const fees = rows.map((row): AssetFee => ({ ...row, product: 'number', key: keyOf(side, row) }))
  const posted = await (side === 'revenue' ? postFees : postFeeCosts)(given, accountId, fees)
  const marks = rows.map(({ id }, index) => ({ id, posting: posted[index]!.postingId }))
  await given.tx.query(
    sql`update ${FEES} f set ${sql.raw(posting)} = g.posting from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as g(id text, posting text) where f.id = g.id`,
  )
  return rows.length
}
