import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { newId, type SqlStep, type Transaction } from '../../../platform/database'
import { positions, type Position } from './agree'

/** Number of a row that was made of stored data. */
const CODE = `'TK' || to_char(now(), 'YYYYMMDD') || '-' || upper(right(md5(`

/**
 * Brings stored receivables to where they add up: every entry says the mode of its day, every allocation its source, every bill all of its lines. What an account's balance
 * differs by all the same is a row of its own: what it has from before its bills, or what it owes and no bill asks for.
 */
export const receivablesAddUp: SqlStep = {
  id: '2026-11-receivables-add-up',
  run: async (tx) => {
    await modesOfEntries(tx)
    await sourcesOfAllocations(tx)
    await linesOfBills(tx)
    await differences(tx)
  },
}

async function modesOfEntries(tx: Transaction): Promise<void> {
  await tx.query('alter table fin_ledger_entry disable trigger fin_ledger_entry_kept')
  await tx.query(
    sql`update fin_ledger_entry e set pay_mode = m.mode from (
        select d.account_id, d.service_day, fin_pay_mode_on(d.account_id, d.service_day, ${tx.companyTimeZone}) as mode
        from (select distinct account_id, service_day from fin_ledger_entry where account_kind = 'customer' and pay_mode is null) d) m
      where e.account_kind = 'customer' and e.pay_mode is null and e.account_id = m.account_id and e.service_day = m.service_day`,
  )
  // what was before the first period stands in the balance that the account came with
  await tx.query(
    `update fin_ledger_entry e set pay_mode = 'prepaid' from (
        select a.id, least(a.cycle_from, (select min(l.period_from) from fin_bill l where l.account_id = a.id and l.side = 'customer' and l.deleted_at is null)) as since
        from fin_customer_account a where a.pay_mode = 'postpaid' and not exists (select 1 from fin_account_change c where c.account_id = a.id and c.kind = 'modeChange' and c.status = 'done')) s
      where e.account_kind = 'customer' and e.account_id = s.id and e.bill_id is null and e.service_day < s.since`,
  )
  await tx.query('alter table fin_ledger_entry enable trigger fin_ledger_entry_kept')
}

async function sourcesOfAllocations(tx: Transaction): Promise<void> {
  // a note that names no bill is collected by the next one, and settles none besides
  await tx.query(
    `update fin_bill_refund r set unallocated = 0, amount = case when r.allocated_amount = 0 then r.amount else r.allocated_amount end, status = case when r.allocated_amount = 0 then 'reversed' else r.status end
      where r.kind = 'creditNote' and r.bill_id is null and r.status = 'posted'`,
  )
  await tx.query(
    `update fin_allocation x set collection_id = r.id from fin_bill_refund r
      where x.account_kind = 'customer' and x.posting_id is not null and r.posting_id = x.posting_id and r.account_id = x.account_id and r.kind <> 'refund'`,
  )
  await tx.query(
    `insert into fin_bill_refund (id, code, kind, account_id, customer_id, amount, allocated_amount, unallocated, currency, paid_at, adjustment_id, posting_id, status, created_at, updated_at, version)
      select 'before-' || md5(g.account_id || coalesce(g.posting_id, '')), ${CODE}g.account_id || coalesce(g.posting_id, '')), 6)), g.kind, g.account_id, a.customer_id, g.amount, g.amount, 0, a.currency, g.day, g.note, g.posting_id, 'posted', now(), now(), 1
      from (select x.account_id, x.posting_id, n.id as note, case when x.posting_id is null then 'balance' when n.id is not null then 'writeOff' else 'collection' end as kind,
          coalesce(sum(x.amount) filter (where x.status = 'live'), 0) as amount, min(x.at)::date as day
        from fin_allocation x left join fin_adjustment n on n.posting_id = x.posting_id and n.kind = 'writeOff' and n.deleted_at is null
        where x.account_kind = 'customer' and x.collection_id is null and x.deleted_at is null group by 1, 2, 3, 4) g
      join fin_customer_account a on a.id = g.account_id`,
  )
  await tx.query(
    `update fin_allocation x set collection_id = 'before-' || md5(x.account_id || coalesce(x.posting_id, '')) where x.account_kind = 'customer' and x.collection_id is null and x.deleted_at is null`,
  )
  await tx.query(
    `insert into fin_bill_refund (id, code, kind, account_id, customer_id, bill_id, amount, allocated_amount, unallocated, currency, paid_at, status, created_at, updated_at, version)
      select 'credit-' || l.id, ${CODE}l.id), 6)), 'billCredit', l.account_id, l.customer_id, l.id, -l.total, 0, -l.total, l.currency, coalesce(l.issued_at, l.period_to), 'posted', now(), now(), 1
      from fin_bill l where l.side = 'customer' and l.total < 0 and l.status not in ('draft', 'checking', 'void', 'corrected') and l.deleted_at is null`,
  )
}

async function linesOfBills(tx: Transaction): Promise<void> {
  await tx.query(
    `insert into fin_bill_line (id, bill_id, kind, product, units, amount, currency, created_at, updated_at, version)
      select md5(g.bill_id || g.kind || g.product), g.bill_id, g.kind, g.product, g.units, g.amount, g.currency, now(), now(), 1
      from (select e.bill_id, e.type as kind, coalesce(e.product, case a.product when 'otp' then 'otpSms' else a.product end) as product, l.currency,
          case when e.type in ('rounding', 'tax') then 0 else count(*) end as units, -sum(e.signed_amount) as amount
        from fin_ledger_entry e join fin_bill l on l.id = e.bill_id and l.status not in ('void', 'corrected') join fin_customer_account a on a.id = e.account_id
        where e.account_kind = 'customer' group by 1, 2, 3, 4) g
      where not exists (select 1 from fin_bill_line n where n.bill_id = g.bill_id and n.kind = g.kind and n.deleted_at is null)`,
  )
}

/** What is left over: money more than known is there from before bills; less takes what is free, the newest first, and is owed beyond that. */
async function differences(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<Position & { difference: string }>(
    sql`select *, (balance - free + open + owed)::text as difference from (${positions(sql`a.pay_mode = 'postpaid' and a.deleted_at is null`)}) x where balance <> free - open - owed`,
  )
  for (const { id, currency, difference } of rows) {
    const rowId = newId()
    const amount = new Exact(difference)
    const kind = amount.isNegative() ? 'toPrepaid' : 'balance'
    let left = amount.isNegative() ? amount.abs() : new Exact(0)
    await tx.query(
      sql`insert into fin_bill_refund (id, code, kind, account_id, customer_id, amount, allocated_amount, unallocated, currency, paid_at, status, created_at, updated_at, version)
        select ${rowId}, 'TK' || to_char(now(), 'YYYYMMDD') || '-' || ${rowId.slice(-6).toUpperCase()}, ${kind}, a.id, a.customer_id, ${exactText(amount.abs())}::numeric, 0, ${difference}::numeric, ${currency}, current_date, 'posted', now(), now(), 1
        from fin_customer_account a where a.id = ${id}`,
    )
    if (!left.gt(0)) continue
    const free = await tx.query<{ id: string; unallocated: string }>(
      sql`select id, unallocated::text from fin_bill_refund where account_id = ${id} and status = 'posted' and unallocated > 0 and deleted_at is null order by paid_at desc, id desc`,
    )
    for (const source of free.rows) {
      const part = left.gt(source.unallocated) ? new Exact(source.unallocated) : left
      if (!part.gt(0)) break
      left = left.minus(part)
      const taken = exactText(part)
      await tx.query(
        sql`insert into fin_refund_source (id, refund_id, collection_id, amount, currency, at, status, created_at, updated_at, version)
          values (${newId()}, ${rowId}, ${source.id}, ${taken}::numeric, ${currency}, now(), 'live', now(), now(), 1)`,
      )
      await tx.query(
        sql`update fin_bill_refund r set allocated_amount = r.allocated_amount + ${taken}::numeric, unallocated = r.unallocated + case when r.id = ${rowId} then 1 else -1 end * ${taken}::numeric where r.id in (${rowId}, ${source.id})`,
      )
    }
  }
}
