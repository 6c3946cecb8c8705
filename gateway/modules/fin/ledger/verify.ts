import { sql, type SQL } from 'drizzle-orm'
import { tableOf, thereIs, type FieldDrift } from '../../../entities'
import { dayOf } from '../../../platform/calendar'
import type { Database, Executor } from '../../../platform/database'
import type { VerifyOptions } from '../../module'
import { ASKED, DISAGREEING, positions, SERVICE_DAY } from '../bills/agree'
import { CONSUMPTION } from '../bills/rules'
import { refreshCredit } from '../credit/refresh'
import { DOCUMENT_POSTINGS } from './documents'
import { customerMonthDrift, rewriteMonths } from './months'

/** Something of the ledger that follows from its entries. */
interface Check {
  /** entity.field */
  field: string
  /** An entity of a module that may not be there. */
  entity?: string
  /** Every row with `id` and whether it differs (`wrong`). */
  rows: SQL
  /** Brings it to what the entries say; entries themselves are never mended. */
  fix?: (tx: Executor, ids: readonly string[]) => Promise<unknown>
}

/** The balances that entries add up to; an account grows on its normal side. */
const SUMS = sql`select account_kind || ':' || account_id as id, sum(signed_amount) as balance, count(*) as entries,
    sum(case when (direction = 'credit') = (account_kind in ('customer', 'main') or (account_kind = 'system' and account_id ~ '^(REV|FEEI|TAX|SUS|OPN|RND)[:@]')) then base_amount else -base_amount end) as base
  from fin_ledger_entry group by 1`

/** The balance that an account shows, against the ledger's. */
const shown = (entity: string, kind: string): Check => ({
  field: `${entity}.balance`,
  entity,
  rows: sql`select a.id, a.balance is distinct from b.balance as wrong from ${sql.raw(tableOf(entity))} a join fin_account_balance b on b.id = ${`${kind}:`} || a.id`,
  fix: (tx, ids) =>
    tx.query(
      sql`update ${sql.raw(tableOf(entity))} a set balance = b.balance from fin_account_balance b where b.id = ${`${kind}:`} || a.id and a.id = any(${sql.param([...ids])}::text[])`,
    ),
})

/** Kinds of entries that are money of customers (dictionary `ledgerType`). */
const MONEY = [
  ...['recharge', 'allocate', 'transfer', 'gift', 'refund', 'rounding', 'tax', 'writeOff', 'hedge', 'suspense', 'opening'],
  ...['awsMeter', 'commission', 'fxRealised', 'fxRevalue', 'fxRounding'],
]

/** Days after which usage of the longest period is on a bill: 45, its receipts, and some for people. */
const LONGEST_WAIT = 60

/** Customer accounts are worked out anew as after a posting. */
const again = (tx: Executor, ids: readonly string[]): Promise<void> =>
  refreshCredit(tx, new Map(ids.map((id) => [id, '0'])), new Date())

/** Entities of a module that may not be there. */
const STOCK = { lies: 'srm.stock', left: 'srm.stockOut', arrives: 'srm.stockIn' }

const checksOf = (zone: string, today: string): readonly Check[] => [
  {
    field: 'fin.posting (I1, I2)',
    rows: sql`select posting_id as id, bool_or(amount <> 0) or sum(base) <> 0 as wrong from (
        select posting_id, sum(case direction when 'debit' then amount else -amount end) as amount, sum(case direction when 'debit' then base_amount else -base_amount end) as base
        from fin_ledger_entry group by posting_id, currency) x group by posting_id`,
  },
  { field: 'fin.posting (I10)', rows: DOCUMENT_POSTINGS },
  {
    // 0 moves the base balance alone (money 1.1)
    field: 'fin.ledgerEntry.amount',
    rows: sql`select id, amount < 0 or (amount = 0 and type not like 'fx%') as wrong from fin_ledger_entry`,
  },
  {
    // what was revalued at the end of a month is taken back in the next one (L7)
    field: 'fin.posting fxRevalue',
    rows: sql`select p.id, not exists (select 1 from fin_posting r where r.reverses_id = p.id and r.deleted_at is null) as wrong from fin_posting p
      where p.type = 'fxRevalue' and p.reverses_id is null and p.deleted_at is null`,
  },
  {
    field: 'fin.ledgerEntry.balanceAfter',
    rows: sql`select id, seq is distinct from account_seq or reached is distinct from balance_after as wrong from (
        select id, account_seq, balance_after, row_number() over own as seq, sum(signed_amount) over own as reached
        from fin_ledger_entry window own as (partition by account_kind, account_id order by account_seq)) x`,
  },
  {
    field: 'fin.accountBalance.balance',
    rows: sql`select b.id, b.balance is distinct from coalesce(s.balance, 0) or b.base is distinct from coalesce(s.base, 0) or b.last_seq is distinct from coalesce(s.entries, 0) as wrong
      from fin_account_balance b left join (${SUMS}) s on s.id = b.id`,
    fix: (tx, ids) =>
      tx.query(
        sql`update fin_account_balance b set balance = s.balance, base = s.base, last_seq = s.entries from (${SUMS}) s where s.id = b.id and b.id = any(${sql.param([...ids])}::text[])`,
      ),
  },
  {
    field: 'fin.accountBalance.base (I5)',
    rows: sql`select split_part(account_id, '@', 1) as id, sum(base) <> 0 as wrong from fin_account_balance where account_kind = 'system' and account_id ~ '^(FXC@|HDG:)' group by 1`,
  },
  { ...shown('fin.customerAccount', 'customer'), fix: again },
  shown('fin.mainAccount', 'main'),
  shown('srm.supplierAccount', 'supplier'),
  shown('srm.equipmentSupplier', 'supplier'),
  shown('sys.bankAccount', 'bank'),
  {
    field: 'fin.entityAccount.balance (I16)',
    rows: sql`select a.id, a.balance is distinct from coalesce(s.balance, 0) or a.buyer_balance is distinct from coalesce(b.balance, 0) or a.difference <> 0 or coalesce(s.balance, 0) + coalesce(b.balance, 0) <> 0 as wrong
      from fin_entity_account a left join fin_account_balance s on s.id = 'entity:' || a.id || ':seller' left join fin_account_balance b on b.id = 'entity:' || a.id || ':buyer' where a.deleted_at is null`,
    fix: (tx, ids) =>
      tx.query(
        sql`update fin_entity_account a set balance = coalesce((select s.balance from fin_account_balance s where s.id = 'entity:' || a.id || ':seller'), 0),
            buyer_balance = coalesce((select b.balance from fin_account_balance b where b.id = 'entity:' || a.id || ':buyer'), 0),
            difference = coalesce((select sum(x.balance) from fin_account_balance x where x.id in ('entity:' || a.id || ':seller', 'entity:' || a.id || ':buyer')), 0)
          where a.id = any(${sql.param([...ids])}::text[])`,
      ),
  },
  {
    field: 'fin.entitySettlement.total (both books)',
    rows: sql`select l.id, coalesce(s.amount, 0) is distinct from l.total or coalesce(b.amount, 0) is distinct from -l.total as wrong from fin_entity_settlement l
      left join (select posting_id, sum(signed_amount) as amount from fin_ledger_entry where account_kind = 'entity' group by 1) s on s.posting_id = l.seller_posting_id
      left join (select posting_id, sum(signed_amount) as amount from fin_ledger_entry where account_kind = 'entity' group by 1) b on b.posting_id = l.buyer_posting_id
      where l.status = 'posted' and l.deleted_at is null`,
  },
  {
    field: 'fin.proofread.diffAmount',
    rows: sql`select p.id, p.diff_amount is distinct from coalesce((select sum(l.diff_amount) from fin_proofread_line l where l.proofread_id = p.id and l.deleted_at is null), 0) as wrong
      from fin_proofread p where p.compared_at is not null and p.deleted_at is null`,
  },
  {
    field: 'fin.proofread.adjustAmount',
    rows: sql`select p.id, p.adjust_amount is distinct from -coalesce((select sum(e.signed_amount) from fin_ledger_entry e where e.posting_id = p.adjust_posting_id and e.account_kind = 'supplier'), 0) as wrong
      from fin_proofread p where p.adjust_posting_id is not null and p.deleted_at is null`,
  },
  {
    field: 'fin.bankOpening.amount',
    rows: sql`select o.id, o.amount is distinct from (select sum(e.signed_amount) from fin_ledger_entry e where e.posting_id = o.posting_id and e.account_kind = 'bank' and e.account_id = o.bank_account_id)
        or o.amount is distinct from (select b.opening_balance from ${sql.raw(tableOf('sys.bankAccount'))} b where b.id = o.bank_account_id) as wrong
      from fin_bank_opening o where o.status = 'posted' and o.deleted_at is null`,
  },
  {
    // what nobody claimed, by company entity and currency (money 1.3 `suspense`)
    field: 'fin.accountBalance SUS = fin.unclaimedReceipt.openAmount',
    rows: sql`select coalesce(b.entity, r.entity) || ' ' || coalesce(b.currency, r.currency) as id, coalesce(b.balance, 0) is distinct from coalesce(r.open, 0) as wrong
      from (select company_entity_id as entity, currency, sum(balance) as balance from fin_account_balance where account_kind = 'system' and account_id like 'SUS@%' group by 1, 2) b
      full join (select company_entity_id as entity, bank_currency as currency, sum(open_amount) as open from fin_unclaimed_receipt where status = 'posted' and deleted_at is null group by 1, 2) r
        on r.entity = b.entity and r.currency = b.currency`,
  },
  {
    field: 'fin.paymentRefund.amount',
    rows: sql`select r.id, r.amount is distinct from -(select sum(e.signed_amount) from fin_ledger_entry e where e.posting_id = r.posting_id and e.account_kind = 'supplier' and e.account_id = r.supplier_account_id) as wrong
      from fin_payment_refund r where r.status = 'posted' and r.deleted_at is null`,
  },
  {
    // no more came back of a payment than it paid, and bills have no more of it than it left there
    field: 'fin.payment.returnedAmount',
    rows: sql`select p.id, coalesce(p.returned_amount, 0) is distinct from r.amount or r.amount > p.amount
          or p.amount - r.amount < (select coalesce(sum(x.amount), 0) from fin_allocation x where x.posting_id = p.posting_id and x.account_kind = 'supplier' and x.status = 'live' and x.deleted_at is null) as wrong
      from fin_payment p, lateral (select coalesce(sum(f.amount), 0) as amount from fin_payment_refund f where f.payment_id = p.id and f.status = 'posted' and f.deleted_at is null) r
      where p.status = 'posted' and p.deleted_at is null`,
  },
  {
    field: 'fin.accountBalance STK = srm.stock.value',
    entity: STOCK.lies,
    rows: sql`select 'STK' as id, coalesce((select sum(balance) from fin_account_balance where account_kind = 'system' and account_id like 'STK@%'), 0)
      is distinct from coalesce((select sum(value) from ${sql.raw(tableOf(STOCK.lies))} where deleted_at is null), 0)
        + coalesce((select sum(o.total_cost) from ${sql.raw(tableOf(STOCK.left))} o join ${sql.raw(tableOf(STOCK.arrives))} i on i.transfer_out_id = o.id and i.status = 'draft' and i.deleted_at is null where o.status = 'posted' and o.deleted_at is null), 0) as wrong`,
  },
  {
    field: 'fin.customerAccount.limitPermanent',
    rows: sql`select a.id, coalesce(a.limit_permanent, 0) is distinct from coalesce((select sum(g.amount) from fin_credit_grant g where g.account_id = a.id and g.kind = 'permanent' and g.status = 'active' and g.deleted_at is null), 0) as wrong
      from fin_customer_account a where a.deleted_at is null`,
    fix: again,
  },
  {
    field: 'fin.customerAccount.frozen',
    rows: sql`select a.id, coalesce(a.frozen, 0) is distinct from coalesce(b.frozen, 0) + coalesce((select sum(h.amount) from fin_hold h where h.account_kind = 'customer' and h.account_id = a.id and h.released_at is null and h.deleted_at is null), 0) as wrong
      from fin_customer_account a left join fin_account_balance b on b.id = 'customer:' || a.id where a.deleted_at is null`,
    fix: again,
  },
  {
    field: 'fin.usage.amount (I7)',
    rows: sql`select coalesce(u.account_id, e.account_id) || ' ' || coalesce(u.day, e.day) as id, u.amount is distinct from e.amount as wrong
      from (select account_id, day, sum(amount) as amount from fin_usage where posting_id is not null and deleted_at is null group by 1, 2) u
      full join (select e.account_id, coalesce(e.service_day, e.biz_date) as day, -sum(e.signed_amount) as amount from fin_ledger_entry e join fin_posting p on p.id = e.posting_id
        where p.idem_key like 'usageLine:%' and e.account_kind = 'customer' group by 1, 2) e on e.account_id = u.account_id and e.day = u.day`,
  },
  {
    field: 'fin.bill.total (I8)',
    rows: sql`select l.id, l.total is distinct from s.total as wrong from fin_bill l
      join (select bill_id, -sum(signed_amount) as total from fin_ledger_entry where bill_id is not null group by bill_id) s on s.bill_id = l.id where l.status not in ('draft', 'checking') and l.deleted_at is null`,
  },
  {
    // ledger = bill lines by account, bill and product; a bill that is not issued has not posted its rounding and tax yet
    field: 'fin.billLine.amount',
    rows: sql`with entries as (select e.bill_id as bill, e.type as kind, coalesce(e.product, case a.product when 'otp' then 'otpSms' else a.product end) as product, -sum(e.signed_amount) as amount
          from fin_ledger_entry e join fin_customer_account a on a.id = e.account_id where e.account_kind = 'customer' and e.bill_id is not null group by 1, 2, 3),
        lines as (select n.bill_id as bill, n.kind, n.product, sum(n.amount) as amount from fin_bill_line n join fin_bill l on l.id = n.bill_id and l.side = 'customer' and l.status not in ('void', 'corrected') and l.deleted_at is null
          where (l.status not in ('draft', 'checking') or n.kind not in ('rounding', 'tax')) and n.deleted_at is null group by 1, 2, 3)
      select concat_ws(' ', coalesce(e.bill, n.bill), coalesce(e.kind, n.kind), coalesce(e.product, n.product)) as id, e.amount is distinct from n.amount as wrong
      from entries e full join lines n on n.bill = e.bill and n.kind = e.kind and n.product = e.product`,
  },
  {
    // whatever moves a customer's account is money or asked for; another kind is asked for by nobody
    field: 'fin.ledgerEntry.type',
    rows: sql`select e.type as id, not (e.type = any(${sql.param([...CONSUMPTION, ...MONEY])}::text[])) or bool_or(e.bill_id is not null and not (e.type = any(${sql.param([...CONSUMPTION, 'rounding', 'tax'])}::text[]))) as wrong
      from fin_ledger_entry e where e.account_kind = 'customer' group by 1`,
  },
  {
    // usage without a bill is of a period that runs or was just over, or of an account without a cycle
    field: 'fin.ledgerEntry.billId (usage without a bill)',
    rows: sql`select e.account_id as id, bool_or(a.status = 'closed' or (a.bill_cycle_id is not null and (greatest(${SERVICE_DAY}, e.posted_at::date) < ${today}::date - ${LONGEST_WAIT}::int
          or exists (select 1 from fin_bill l where l.account_id = a.id and l.status not in ('void', 'corrected') and l.deleted_at is null and l.period_to >= ${SERVICE_DAY} and l.created_at > e.posted_at
            and l.created_at > coalesce((select max(v.updated_at) from fin_bill v where v.account_id = a.id and v.status in ('void', 'corrected') and v.deleted_at is null), '-infinity'))))) as wrong
      from fin_ledger_entry e join fin_customer_account a on a.id = e.account_id where e.bill_id is null and ${ASKED} group by 1`,
  },
  {
    field: 'fin.customerAccount.balance (receivables)',
    rows: sql`select id, ${DISAGREEING} as wrong from (${positions(sql`a.deleted_at is null`)}) x`,
  },
  {
    field: 'fin.billRefund.unallocated',
    rows: sql`select r.id, r.allocated_amount <> coalesce((select sum(x.amount) from fin_allocation x where x.collection_id = r.id and x.status = 'live' and x.deleted_at is null), 0)
          + coalesce((select sum(s.amount) from fin_refund_source s where s.status = 'live' and s.deleted_at is null and r.id in (s.collection_id, s.refund_id)), 0)
        or (r.status = 'posted' and r.amount <> r.allocated_amount + abs(r.unallocated) and (r.kind = 'toPrepaid' or r.allocated_amount <> 0 or r.unallocated <> 0)) as wrong
      from fin_bill_refund r where r.deleted_at is null`,
  },
  {
    field: 'fin.allocation.collectionId',
    rows: sql`select x.id, x.collection_id is null as wrong from fin_allocation x where x.account_kind = 'customer' and x.status = 'live' and x.deleted_at is null`,
  },
  {
    field: 'fin.bill.periodFrom (I17)',
    rows: sql`select id, period_from <= before as wrong from (
        select id, period_from, max(period_to) over (partition by account_id order by period_from rows between unbounded preceding and 1 preceding) as before
        from fin_bill where side = 'customer' and status not in ('void', 'corrected') and deleted_at is null) x where before is not null`,
  },
  {
    field: 'fin.bill.openAmount',
    rows: sql`select l.id, l.open_amount is distinct from greatest(l.total, 0) - coalesce((select sum(x.amount) from fin_allocation x where x.bill_id = l.id and x.status = 'live' and x.deleted_at is null), 0) as wrong
      from fin_bill l where l.status not in ('draft', 'checking', 'void', 'corrected') and l.deleted_at is null`,
  },
  {
    // of each bank account and month what documents say that it moved by is what its entries say (money 6)
    field: 'fin.kingdeeDoc.bankAmount',
    rows: sql`with documented as (select d.posting_id as id, d.bank_account_id as bank, sum(d.bank_amount) as amount from fin_kingdee_doc d where d.bank_account_id is not null and d.posting_id is not null and d.deleted_at is null group by 1, 2),
        reversed as (select p.id, d.id as of, d.bank from documented d join fin_posting p on p.reverses_id = d.id and p.deleted_at is null),
        moved as (select posting_id as id, account_id as bank, sum(signed_amount) as amount, min(date_trunc('month', biz_date)) as month from fin_ledger_entry where account_kind = 'bank' group by 1, 2)
      select m.bank || ' ' || m.month::date as id, sum(m.amount) is distinct from sum(d.amount) as wrong
      from moved m join documented d on d.id = m.id and d.bank = m.bank where not exists (select 1 from reversed r where r.of = d.id) and not exists (select 1 from reversed r where r.id = d.id) group by 1
      union all
      select r.id, -sum(m.amount) is distinct from (select sum(o.amount) from moved o where o.id = r.of and o.bank = r.bank) as wrong
      from reversed r join moved m on m.id = r.id and m.bank = r.bank group by r.id, r.of, r.bank`,
  },
  {
    // whatever moved a bank account since the first document has one (money 6)
    field: 'fin.kingdeeDoc.postingId',
    rows: sql`select p.id, not exists (select 1 from fin_kingdee_doc d where d.posting_id = p.id and d.deleted_at is null) as wrong from fin_posting p
      where p.type in ('recharge', 'suspense', 'refund', 'payment', 'paymentRefund', 'tvsPayout') and p.reverses_id is null and p.deleted_at is null
        and p.created_at >= (select min(created_at) from fin_kingdee_doc)
        and exists (select 1 from fin_ledger_entry e where e.posting_id = p.id and e.account_kind = 'bank')`,
  },
  {
    field: 'fin.customerMonth.revenue',
    rows: customerMonthDrift(zone),
    fix: (tx, ids) => rewriteMonths(tx, ids, new Date()),
  },
]

/**
 * Compares what the ledger keeps with its entries: balances, numbers, what accounts show, frozen money, limits and open bills (money
 * 1.7: I1 to I5, I7, I8, I10, I11, I15 to I17). With `fix` what follows from entries is brought to what they say; entries are never touched.
 */
export async function verifyLedger(
  database: Database,
  { fix = false, now = new Date() }: Partial<VerifyOptions> = {},
): Promise<FieldDrift[]> {
  const drifts: FieldDrift[] = []
  for (const check of checksOf(database.companyTimeZone, dayOf(now, database.companyTimeZone))) {
    if (check.entity !== undefined && !(await thereIs(database, check.entity))) continue
    const { rows } = await database.query<{ rows: number; wrong: string[] | null }>(
      sql`select count(*) as rows, array_agg(id) filter (where wrong) as wrong from (${check.rows}) checked`,
    )
    const wrong = rows[0]?.wrong ?? []
    drifts.push({ field: check.field, rows: Number(rows[0]?.rows ?? 0), drifted: wrong.length })
    if (fix && check.fix && wrong.length > 0) await database.transaction((tx) => check.fix!(tx, wrong))
  }
  return drifts
}
