import { sql, type SQL } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import type { BeforeCommit, Transaction } from '../../../platform/database'
import { ServiceError } from '../../../platform/http'
import type { CustomerAccount } from '../facts'
import { settleLedger } from '../ledger/settle'
import { CONSUMPTION } from './rules'

/** The kinds of consumption as a list of SQL. */
export const CONSUMED = sql.raw(CONSUMPTION.map((type) => `'${type}'`).join(', '))

/** A credit note that names a bill settles it like a receipt and is never collected (money 1.3); `e` is its entry, or that of its reversal. */
const NAMES_BILL = sql`e.type = 'adjustment' and exists (select 1 from fin_posting p join fin_adjustment n on n.posting_id in (p.id, p.reverses_id)
    where p.id = e.posting_id and n.kind = 'creditNote' and n.bill_id is not null and n.deleted_at is null)`

/** Entries `e` that a bill asks for: consumption of days on which the account was post-paid (money 2.4). */
export const ASKED: SQL = sql`e.account_kind = 'customer' and e.pay_mode = 'postpaid' and e.type in (${CONSUMED}) and e.source_type <> 'bill' and e.deleted_at is null and not (${NAMES_BILL})`

/** The day on which what entry `e` asks for was used. */
export const SERVICE_DAY: SQL = sql`e.service_day`

/**
 * What each customer account `a` has and owes, by id: `free` came in and is on no bill (below 0: paid out with no money behind it), `open` is asked for,
 * `owed` was used and is on no bill that was issued.
 * @param of the accounts
 */
export const positions = (
  of: SQL,
): SQL => sql`select a.id, a.pay_mode as mode, a.currency, coalesce(a.code, '') || ' ' || coalesce(a.name, '') as title,
    coalesce((select b.balance from fin_account_balance b where b.id = 'customer:' || a.id), 0) as balance,
    coalesce((select sum(r.unallocated) from fin_bill_refund r where r.account_id = a.id and r.status = 'posted' and r.deleted_at is null), 0) as free,
    coalesce((select sum(l.open_amount) from fin_bill l where l.account_id = a.id and l.side = 'customer' and l.status in ('issued', 'partPaid', 'disputed') and l.deleted_at is null), 0) as open,
    -coalesce((select sum(e.signed_amount) from fin_ledger_entry e where e.account_id = a.id and (e.bill_id is null or exists (select 1 from fin_bill l where l.id = e.bill_id and l.status in ('draft', 'checking'))) and ${ASKED}), 0) as owed
  from fin_customer_account a where ${of}`

export interface Position {
  id: string
  mode: 'prepaid' | 'postpaid'
  currency: string
  title: string
  balance: string
  free: string
  open: string
  owed: string
}

/** Where an account stands now; postings of this transaction count from its end on. */
export async function positionOf(tx: Transaction, accountId: string): Promise<Position> {
  const { rows } = await tx.query<Position>(
    sql`select id, mode, currency, title, balance::text, free::text, open::text, owed::text from (${positions(sql`a.id = ${accountId}`)}) x`,
  )
  return rows[0]!
}

/** What accounts used and is on no bill, and whether a billing cycle will bring it onto one. */
export async function withoutBill(
  db: Pick<Transaction, 'query'>,
): Promise<{ id: string; title: string; owed: string; currency: string; mode: string; cycle: boolean }[]> {
  const { rows } = await db.query<{ id: string; title: string; owed: string; currency: string; mode: string; cycle: boolean }>(
    sql`select a.id, coalesce(a.code, '') || ' ' || coalesce(a.name, '') as title, trim_scale(-sum(e.signed_amount))::text as owed, a.currency, a.pay_mode as mode, a.bill_cycle_id is not null as cycle
      from fin_ledger_entry e join fin_customer_account a on a.id = e.account_id where e.bill_id is null and ${ASKED} group by a.id having sum(e.signed_amount) <> 0 order by a.code, a.id`,
  )
  return rows
}

/**
 * How much of money for an account is noted with its bills: null for all of it, as with post-paid ones; of a prepaid one no more than its open bills and bad debt.
 */
export async function tracked(tx: Transaction, { id, record }: CustomerAccount): Promise<string | null> {
  if (record.payMode === 'postpaid') return null
  const { rows } = await tx.query<{ most: string }>(
    sql`select (coalesce((select sum(l.open_amount) from fin_bill l where l.account_id = ${id} and l.status in ('issued', 'partPaid', 'disputed') and l.deleted_at is null), 0)
        + coalesce((select sum(n.amount) from fin_adjustment n where n.account_id = ${id} and n.kind = 'writeOff' and n.status = 'posted' and n.deleted_at is null), 0)
        - coalesce((select sum(r.amount) from fin_bill_refund r where r.account_id = ${id} and r.kind = 'badDebt' and r.status = 'posted' and r.deleted_at is null), 0))::text as most`,
  )
  return rows[0]?.most ?? '0'
}

/** Post-paid accounts whose balance is not what came in and is free, less open bills, less what is on no bill; prepaid ones that have money and open bills. */
export const DISAGREEING = sql`(mode = 'postpaid' and balance <> free - open - owed) or (mode <> 'postpaid' and open > 0 and balance + open + owed - free > 0)`

/** The same looked at before the end of a transaction that touched the receivables of accounts. */
const receivablesAgree: BeforeCommit<string> = async (tx, accountIds) => {
  const { rows } = await tx.query<Position>(
    sql`select id, mode, currency, title, balance::text, free::text, open::text, owed::text from (${positions(sql`a.id = any(${sql.param([...new Set(accountIds)])}::text[]) and a.pay_mode = 'postpaid' and a.deleted_at is null`)}) x
      where ${DISAGREEING} order by id limit 1`,
  )
  const wrong = rows[0]
  if (!wrong) return
  const [balance, free, open, owed] = [wrong.balance, wrong.free, wrong.open, wrong.owed].map((one) => exactText(new Exact(one)))
  throw new ServiceError('factsChanged', {
    message: {
      zh: `账户 ${wrong.title} 的应收对不上：余额 ${balance} ${wrong.currency}，应为未核销款项 ${free} 减未收账单 ${open} 减未出账消费 ${owed}。本次操作已撤销，请把单据号告诉系统管理员。`,
      en: `The receivables of the account ${wrong.title} would not add up: its balance is ${balance} ${wrong.currency}, and should be ${free} unallocated less ${open} of open bills less ${owed} on no bill. Nothing was written; tell the administrator which document this was.`,
    },
    data: { field: 'balance', id: wrong.id, balance, free, open, owed },
  })
}

/** Looks at the end of the transaction whether the receivables of a customer account agree with its balance. @throws there ServiceError 10060059 when they do not */
export function agreeLast(tx: Transaction, accountId: string, now: Date): void {
  // its entries are placed first
  tx.beforeCommit(settleLedger, { refresh: accountId, now })
  tx.beforeCommit(receivablesAgree, accountId)
}
