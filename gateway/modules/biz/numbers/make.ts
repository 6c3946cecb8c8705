import { sql, type SQL } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf, thereIs, type EntityRecord } from '../../../entities'
import { dayOf, type Day } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'
import { ruleFor } from '../../../rules'
import { accountDays } from '../../fin'
import { feeAmount, feesDue, monthOf, releaseRefund, type FeeKind, type Rent } from '../rating/numbers'
import { textOf } from '../text'

const FEES = sql.raw(tableOf('biz.numberFee'))

/** The customer's side of a fee, and the supplier's. */
const SIDES = {
  revenue: { mrc: 'mrc', nrc: 'nrc', account: 'accountId', currency: 'currency', entity: 'fin.customerAccount' },
  cost: { mrc: 'costMrc', nrc: 'costNrc', account: 'supplierAccountId', currency: 'costCurrency', entity: 'srm.supplierAccount' },
} as const
export type FeeSide = keyof typeof SIDES
type Side = (typeof SIDES)[FeeSide]

/** States in which a customer has the number, or had it until the release. */
const RENTED: ReadonlySet<string> = new Set(['assigned', 'suspended', 'released', 'quarantine'])

/** What is charged to one side of a row. `price` null: there was none, and the row waits for it. */
interface Charge {
  assetId: string
  kind: FeeKind
  month: Day
  day: Day
  accountId: string
  price: string | null
  amount: string | null
  currency: string
}

/** Whether a side of a row is there, and with its price. */
type Charged = 'priced' | 'unpriced' | null

/** What a number was charged before, by month and kind; the price of a side is what was asked then. */
interface Known extends Record<FeeSide, Charged> {
  assetId: string
  month: Day
  kind: FeeKind
  price: string | null
  costPrice: string | null
}

/**
 * Writes what numbers have come to by now as rows of `biz.numberFee`, once a number, month and kind, at the prices that they have (quotes-traffic 5.6). Before a number
 * changes it is called with the number as it was, so that the prices of a day are those of that day whenever the job runs. Answers how many rows were made or completed.
 */
export async function makeFees(db: Executor, assets: readonly EntityRecord[], now: Date): Promise<number> {
  return write(db, await missingFees(db, assets, now), now)
}

/** What numbers have come to by a moment and is no row of `biz.numberFee` yet. */
export async function missingFees(
  db: Executor,
  assets: readonly EntityRecord[],
  now: Date,
): Promise<Readonly<Record<FeeSide, readonly Charge[]>>> {
  const charges: Record<FeeSide, Charge[]> = { revenue: [], cost: [] }
  if (assets.length === 0) return charges
  const known = await knownFees(db, assets)
  for (const side of ['revenue', 'cost'] as const) {
    const { account, entity }: Side = SIDES[side]
    const days = await accountDays(
      db,
      entity,
      assets.map((asset) => textOf(asset[account])),
    )
    for (const asset of assets) {
      const own = known.get(textOf(asset.id)) ?? []
      charges[side].push(
        ...(await chargesOf(db, asset, { side, known: own, dayAt: (instant) => days(textOf(asset[account]), instant), now })),
      )
    }
  }
  return charges
}

/** The day of the account of a side at an instant. */
type DayAt = (instant: Date) => Day

/** How long a side is charged for a number; null: not at all. The supplier is paid as long as a customer has it, or from `costFrom` until it is given back. */
function rentOf(asset: EntityRecord, side: FeeSide, dayAt: DayAt): Rent | null {
  const [activated, released] = [textOf(asset.activatedAt), textOf(asset.releasedAt)]
  const costFrom = textOf(asset.costFrom)
  if (side === 'cost' && costFrom !== '') return { from: costFrom, to: textOf(asset.costTo) || null }
  if (activated === '' || textOf(asset.accountId) === '' || !RENTED.has(textOf(asset.status))) return null
  return { from: dayAt(new Date(activated)), to: released === '' ? null : dayAt(new Date(released)) }
}

async function chargesOf(
  db: Executor,
  asset: EntityRecord,
  { side, known, dayAt, now }: { side: FeeSide; known: readonly Known[]; dayAt: DayAt; now: Date },
): Promise<Charge[]> {
  const { mrc, nrc, account, currency } = SIDES[side]
  const rent = rentOf(asset, side, dayAt)
  const accountId = textOf(asset[account])
  if (!rent || accountId === '') return []
  const given = { assetId: textOf(asset.id), accountId, currency: textOf(asset[currency]) }
  const feesFrom = textOf(asset.feesFrom)
  const charges: Charge[] = []
  for (const due of feesDue(rent, dayAt(now))) {
    const same = known.find(({ month, kind }) => month === due.month && kind === due.kind)
    if (same?.[side] === 'priced' || due.day < feesFrom) continue
    // the supplier takes a set-up fee once a number, whoever rents it afterwards
    if (side === 'cost' && due.kind === 'nrc' && known.some(({ kind, cost }) => kind === 'nrc' && cost !== null)) continue
    const price = due.kind === 'nrc' ? textOf(asset[nrc]) || '0' : textOf(asset[mrc]) || null
    if (price === null && same?.[side]) continue
    charges.push({ ...given, ...due, price, amount: price === null ? null : feeAmount(due, price) })
  }
  const refund = await refundOf(db, asset, { side, known, rent, charges, now })
  return refund ? [...charges, { ...given, ...refund }] : charges
}

/** What goes back of the month of a release, once the release cannot be taken back any more and where it was agreed on that day. */
async function refundOf(
  db: Executor,
  asset: EntityRecord,
  {
    side,
    known,
    rent,
    charges,
    now,
  }: { side: FeeSide; known: readonly Known[]; rent: Rent; charges: readonly Charge[]; now: Date },
): Promise<Pick<Charge, 'kind' | 'month' | 'day' | 'price' | 'amount'> | null> {
  const day = rent.to
  if (day === null || day > dayOf(now, db.companyTimeZone) || textOf(asset.status) !== 'quarantine') return null
  if (side === 'cost' && textOf(asset.costFrom) !== '') return null
  const month = monthOf(day)
  if (known.some((one) => one.month === month && one.kind === 'refund' && one[side])) return null
  const rules = await ruleFor(db, 'fin.billing', new Date(textOf(asset.releasedAt)))
  const paid = known.find((one) => one.month === month && one.kind === 'mrc' && one[side] === 'priced')
  const price = paid
    ? paid[side === 'cost' ? 'costPrice' : 'price']
    : (charges.find((one) => one.month === month && one.kind === 'mrc')?.price ?? null)
  if (price === null) return null
  const back = releaseRefund(price, day, side === 'cost' ? rules.costRefundOnRelease : rules.refundOnRelease)
  if (new Exact(back).isZero()) return null
  return { kind: 'refund', month, day, price, amount: exactText(new Exact(0).minus(back)) }
}

/** Numbers that may be charged, as `makeFees` takes them; of `ids`, held until the transaction ends. */
export async function chargedNumbers(db: Executor, ids?: readonly string[]): Promise<EntityRecord[]> {
  const moment = (column: string): SQL => sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  const { rows } = await db.query<EntityRecord>(
    sql`select id, status, account_id as "accountId", supplier_account_id as "supplierAccountId", ${moment('activated_at')} as "activatedAt", ${moment('released_at')} as "releasedAt",
        mrc::text, nrc::text, currency, cost_mrc::text as "costMrc", cost_nrc::text as "costNrc", cost_currency as "costCurrency", cost_from::text as "costFrom", cost_to::text as "costTo", fees_from::text as "feesFrom"
      from ${sql.raw(tableOf('biz.numberAsset'))} where (status = any(${sql.param([...RENTED])}::text[]) or cost_from is not null) and deleted_at is null
        ${ids ? sql`and id = any(${sql.param([...ids])}::text[]) order by id for update` : sql`order by id`}`,
  )
  return rows
}

async function knownFees(db: Executor, assets: readonly EntityRecord[]): Promise<ReadonlyMap<string, readonly Known[]>> {
  const { rows } = await db.query<Known>(
    sql`select asset_id as "assetId", month::text, kind, case when amount is not null then 'priced' when day is not null then 'unpriced' end as revenue, case when cost_amount is not null then 'priced' when cost_day is not null then 'unpriced' end as cost, price::text, cost_price::text as "costPrice"
      from ${FEES} where asset_id = any(${sql.param(assets.map(({ id }) => textOf(id)))}::text[]) and deleted_at is null`,
  )
  const known = new Map<string, Known[]>()
  for (const row of rows) known.set(row.assetId, [...(known.get(row.assetId) ?? []), row])
  return known
}

async function write(db: Executor, charges: Readonly<Record<FeeSide, readonly Charge[]>>, now: Date): Promise<number> {
  const rows = new Map<string, EntityRecord>()
  const keyOf = ({ assetId, month, kind }: Charge): string => `${assetId} ${month} ${kind}`
  for (const side of ['revenue', 'cost'] as const)
    for (const charge of charges[side]) {
      const { assetId, month, kind, day, accountId, price, amount, currency } = charge
      const own =
        side === 'revenue'
          ? { account_id: accountId, day, price, amount, currency }
          : { supplier_account_id: accountId, cost_day: day, cost_price: price, cost_amount: amount, cost_currency: currency }
      const known = rows.get(keyOf(charge)) ?? { id: newId(now.getTime()), asset_id: assetId, month, kind }
      rows.set(keyOf(charge), { ...known, ...own })
    }
  if (rows.size === 0) return 0
  const own = ['account_id', 'customer_id', 'day', 'price', 'amount', 'currency']
  const theirs = ['supplier_account_id', 'supplier_id', 'cost_day', 'cost_price', 'cost_amount', 'cost_currency']
  const kept = (column: string): SQL => sql.raw(`${column} = coalesce(f.${column}, excluded.${column})`)
  const at = sql`${now.toISOString()}::timestamptz`
  const { rowCount } = await db.query(
    sql`insert into ${FEES} as f (id, asset_id, month, kind, account_id, customer_id, day, price, amount, currency, supplier_account_id, supplier_id, cost_day, cost_price, cost_amount, cost_currency, created_at, updated_at, created_by, updated_by, version)
      select g.id, g.asset_id, g.month, g.kind, g.account_id, ${await partyOf(db, 'revenue')}, g.day, g.price, g.amount, g.currency, g.supplier_account_id, ${await partyOf(db, 'cost')}, g.cost_day, g.cost_price, g.cost_amount, g.cost_currency, ${at}, ${at}, '', '', 1
      from jsonb_to_recordset(${JSON.stringify([...rows.values()])}::jsonb) as g(id text, asset_id text, month date, kind text, account_id text, day date, price numeric, amount numeric, currency text, supplier_account_id text, cost_day date, cost_price numeric, cost_amount numeric, cost_currency text)
      order by g.asset_id, g.month, g.kind
      on conflict (asset_id, month, kind) where deleted_at is null do update set ${sql.join([...own, ...theirs].map(kept), sql`, `)}, updated_at = excluded.updated_at, version = f.version + 1`,
  )
  return rowCount
}

/** Customer or supplier of the account of a side. */
async function partyOf(db: Executor, side: FeeSide): Promise<SQL> {
  const { entity } = SIDES[side]
  const [party, account] = side === 'revenue' ? ['customer_id', 'account_id'] : ['supplier_id', 'supplier_account_id']
  if (!(await thereIs(db, entity))) return sql`null`
  return sql`(select ${sql.raw(`a.${party}`)} from ${sql.raw(tableOf(entity))} a where a.id = ${sql.raw(`g.${account}`)})`
}
