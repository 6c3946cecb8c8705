import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf, thereIs, type LookupFunction } from '../../../entities'
import type { Executor } from '../../../platform/database'

/** What a supplier has with us, counted. */
export interface Business {
  /** Accounts that are neither closed nor moved. */
  accounts: number
  contacts: number
  /** Rates in force or to come. */
  rates: number
  /** Bills with something open, and those that are disputed. */
  bills: number
  disputes: number
  /** Leads that became this supplier. */
  clues: number
  applications: number
  /** Balances of all accounts by currency, as text. */
  balances: string
  /** Whether an account has a balance. */
  owing: boolean
}

/** One count of rows by supplier, of an entity whose module may be absent. */
interface Counted {
  id: keyof Business
  entity: string
  supplier: string
  where: string
}

const COUNTED: readonly Counted[] = [
  { id: 'accounts', entity: 'srm.supplierAccount', supplier: 'supplier_id', where: `status <> 'closed' and moved_to_id is null` },
  { id: 'contacts', entity: 'srm.supplierContact', supplier: 'supplier_id', where: 'left_at is null' },
  { id: 'rates', entity: 'qm.supplierRate', supplier: 'supplier_id', where: `status in ('pending', 'held', 'active')` },
  {
    id: 'bills',
    entity: 'fin.bill',
    supplier: 'supplier_id',
    where: `side = 'supplier' and open_amount > 0 and status not in ('void', 'corrected')`,
  },
  { id: 'disputes', entity: 'fin.bill', supplier: 'supplier_id', where: `side = 'supplier' and status = 'disputed'` },
  { id: 'clues', entity: 'srm.clue', supplier: 'supplier_id', where: 'true' },
  { id: 'applications', entity: 'wf.instance', supplier: 'biz_id', where: `status in ('running', 'returned')` },
]

/** What suppliers have, by id: counted by one statement a kind, however many suppliers. */
export async function businessOf(db: Executor, supplierIds: readonly string[]): Promise<ReadonlyMap<string, Business>> {
  const found = new Map<string, Business>()
  for (const id of supplierIds)
    found.set(id, {
      accounts: 0,
      contacts: 0,
      rates: 0,
      bills: 0,
      disputes: 0,
      clues: 0,
      applications: 0,
      balances: '',
      owing: false,
    })
  const ids = [...found.keys()]
  for (const counted of COUNTED) await count(db, ids, counted, found)
  const { rows } = await db.query<{ supplierId: string; currency: string; balance: string; owing: boolean }>(
    sql`select supplier_id as "supplierId", currency, sum(coalesce(balance, 0))::text as balance, bool_or(coalesce(balance, 0) <> 0) as owing
      from ${sql.raw(tableOf('srm.supplierAccount'))} where supplier_id = any(${sql.param(ids)}::text[]) and deleted_at is null group by 1, 2 order by 1, 2`,
  )
  for (const { supplierId, currency, balance, owing } of rows) {
    const business = found.get(supplierId)!
    business.owing ||= owing
    if (owing) business.balances = [business.balances, `${exactText(new Exact(balance))} ${currency}`].filter(Boolean).join(' · ')
  }
  return found
}

async function count(
  db: Executor,
  ids: readonly string[],
  { id, entity, supplier, where }: Counted,
  found: ReadonlyMap<string, Business>,
): Promise<void> {
  if (!(await thereIs(db, entity))) return
  const { rows } = await db.query<{ supplierId: string; n: number }>(
    sql`select ${sql.raw(supplier)} as "supplierId", count(*)::int as n from ${sql.raw(tableOf(entity))}
      where ${sql.raw(supplier)} = any(${sql.param([...ids])}::text[]) and ${sql.raw(where)} and deleted_at is null group by 1`,
  )
  for (const { supplierId, n } of rows) Object.assign(found.get(supplierId)!, { [id]: n })
}

/** `srm.businessOf`: what the supplier `supplierId` has. */
export const businessLookup: LookupFunction = async ({ db }, asked) => {
  const ids = asked.map(({ supplierId }) => String(supplierId ?? ''))
  const found = await businessOf(db, ids)
  return ids.map((id) => found.get(id) ?? null)
}
