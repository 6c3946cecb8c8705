import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf, thereIs, type EntityRecord, type LookupFunction } from '../../../entities'
import type { Executor } from '../../../platform/database'
import { vosDifference } from './rules'

/** An account whose books are compared with those of somebody else. */
export interface CheckedAccount {
  side: 'customer' | 'supplier' | 'bank'
  id: string
  currency: string
  companyEntityId: string | null
  /** Who buys from the supplier. */
  buyerId: string | null
  supplierId: string | null
}

/** An entity of a module that may not be there. */
export const SUPPLIER_ACCOUNT = 'srm.supplierAccount'

const idOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The account that each row names: a customer's, a supplier's, or one of our bank accounts. */
export async function checkedAccounts(db: Executor, rows: readonly EntityRecord[]): Promise<(CheckedAccount | null)[]> {
  const ids = (field: string): string[] => [...new Set(rows.map((row) => idOf(row[field])).filter((id) => id !== ''))]
  const found = new Map<string, CheckedAccount>()
  const read = async (side: CheckedAccount['side'], field: string, from: string): Promise<void> => {
    const wanted = ids(field)
    if (wanted.length === 0) return
    const { rows: accounts } = await db.query<Omit<CheckedAccount, 'side'>>(
      sql`select x.* from (${sql.raw(from)}) x where x.id = any(${sql.param(wanted)}::text[])`,
    )
    for (const account of accounts) found.set(`${side}:${account.id}`, { ...account, side })
  }
  const companies = tableOf('sys.companyEntity')
  await read(
    'customer',
    'accountId',
    `select id, currency, company_entity_id as "companyEntityId", null as "buyerId", null as "supplierId" from fin_customer_account`,
  )
  await read(
    'bank',
    'bankAccountId',
    `select id, currency, company_entity_id as "companyEntityId", null as "buyerId", null as "supplierId" from ${tableOf('sys.bankAccount')}`,
  )
  if (await thereIs(db, SUPPLIER_ACCOUNT))
    await read(
      'supplier',
      'supplierAccountId',
      `select a.id, a.currency, a.buyer_id as "buyerId", a.supplier_id as "supplierId", coalesce((select c.id from ${companies} c where c.code = a.our_company and c.deleted_at is null limit 1),
         (select c.id from ${companies} c where c.enabled and c.deleted_at is null order by c.sort_no limit 1)) as "companyEntityId" from ${tableOf(SUPPLIER_ACCOUNT)} a`,
    )
  return rows.map(
    ({ accountId, supplierAccountId, bankAccountId }) =>
      found.get(`supplier:${idOf(supplierAccountId)}`) ??
      found.get(`customer:${idOf(accountId)}`) ??
      found.get(`bank:${idOf(bankAccountId)}`) ??
      null,
  )
}

/** `fin.proofAccount`: currency, company entity, buyer and supplier of the account that a document names. */
export const proofAccount: LookupFunction = ({ db }, asked) => checkedAccounts(db, asked)

/** What the ledger says of an account on a day. */
interface LedgerDay {
  n: number
  ourOpening: string
  ourRecharge: string
  ourConsume: string
  ourClosing: string
}

/** `fin.vosCompared`: what the ledger has of the account on the day, and what a balance that VOS closes with differs by. */
export const vosCompared: LookupFunction = async ({ db }, asked) => {
  const accounts = await checkedAccounts(db, asked)
  const wanted = asked.flatMap(({ day }, n) => {
    const account = accounts[n]
    return account && day ? [{ n, kind: account.side, account: account.id, day }] : []
  })
  const days = new Map((await ledgerDays(db, wanted)).map((row) => [row.n, row]))
  return asked.map(({ vosClosing }, n) => {
    const [account, ours] = [accounts[n], days.get(n)]
    if (!account || !ours) return null
    const { n: _, ...figures } = ours
    return { side: account.side, currency: account.currency, ...figures, ...vosDifference(exact(vosClosing), ours.ourClosing) }
  })
}

const exact = (value: unknown): string => exactText(new Exact(String(value ?? '0')))

async function ledgerDays(db: Executor, wanted: readonly EntityRecord[]): Promise<LedgerDay[]> {
  if (wanted.length === 0) return []
  const { rows } = await db.query<LedgerDay>(
    sql`select g.n, coalesce(sum(e.signed_amount) filter (where e.biz_date < g.day), 0)::text as "ourOpening",
        coalesce(sum(e.signed_amount) filter (where e.biz_date = g.day and e.signed_amount > 0), 0)::text as "ourRecharge",
        coalesce(-sum(e.signed_amount) filter (where e.biz_date = g.day and e.signed_amount < 0), 0)::text as "ourConsume",
        coalesce(sum(e.signed_amount), 0)::text as "ourClosing"
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as g(n int, kind text, account text, day date)
        left join fin_ledger_entry e on e.account_kind = g.kind and e.account_id = g.account and e.biz_date <= g.day group by g.n`,
  )
  return rows.map(({ n, ...figures }) => ({
    n: Number(n),
    ourOpening: exact(figures.ourOpening),
    ourRecharge: exact(figures.ourRecharge),
    ourConsume: exact(figures.ourConsume),
    ourClosing: exact(figures.ourClosing),
  }))
}
