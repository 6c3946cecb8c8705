import { sql, type SQL } from 'drizzle-orm'
import type { Day } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'

/** Accounts as their entries have them at the end of a day; the hash is over the entries of the day in their order. */
const closings = (
  day: SQL,
): SQL => sql`select e.account_kind as side, e.account_kind || ':' || e.account_id as ledger_id, e.account_id, min(e.currency) as currency,
    coalesce(sum(e.signed_amount) filter (where e.biz_date < ${day}), 0) as opening,
    coalesce(sum(e.signed_amount) filter (where e.biz_date = ${day} and e.type <> 'adjustment' and e.signed_amount > 0), 0) as added,
    coalesce(-sum(e.signed_amount) filter (where e.biz_date = ${day} and e.type <> 'adjustment' and e.signed_amount < 0), 0) as taken,
    coalesce(sum(e.signed_amount) filter (where e.biz_date = ${day} and e.type = 'adjustment'), 0) as adjusted,
    sum(e.signed_amount) as closing,
    sum(case when (e.direction = 'credit') = (e.account_kind in ('customer', 'main')) then e.base_amount else -e.base_amount end) as base,
    count(*) filter (where e.biz_date = ${day}) as entry_count,
    encode(sha256(convert_to(coalesce(string_agg(e.id || ' ' || e.signed_amount::text, ',' order by e.account_seq) filter (where e.biz_date = ${day}), ''), 'UTF8')), 'hex') as hash
  from fin_ledger_entry e where e.account_kind <> 'system' and e.biz_date <= ${day} group by 1, 2, 3`

/** Writes what every account has at the end of a day (money 4.2); a day is written once. Answers how many accounts. */
export async function writeSnapshots(tx: Executor, day: Day, now: Date): Promise<number> {
  const at = now.toISOString()
  const { rows } = await tx.query<{ id: string }>(
    sql`insert into fin_account_snapshot (id, day, side, ledger_id, account_id, supplier_account_id, currency, opening, added, taken, adjusted, closing, frozen, credit_limit, base, entry_count, hash, differs, created_at, updated_at, version)
      select ${newId()} || '-' || row_number() over (order by c.ledger_id), ${day}::date, c.side, c.ledger_id, case when c.side = 'customer' then c.account_id end, case when c.side = 'supplier' then c.account_id end,
        c.currency, c.opening, c.added, c.taken, c.adjusted, c.closing, coalesce(b.frozen, 0), a.credit_limit, c.base, c.entry_count, c.hash, false, ${at}::timestamptz, ${at}::timestamptz, 1
      from (${closings(sql`${day}::date`)}) c left join fin_account_balance b on b.id = c.ledger_id left join fin_customer_account a on c.side = 'customer' and a.id = c.account_id
      where not exists (select 1 from fin_account_snapshot s where s.day = ${day}::date and s.deleted_at is null) returning id`,
  )
  return rows.length
}

/** Works a day's snapshots out again and marks those whose entries have changed since. Answers how many differ. */
export async function verifySnapshots(tx: Executor, day: Day, now: Date): Promise<number> {
  const { rows } = await tx.query<{ differs: boolean }>(
    sql`update fin_account_snapshot s set hash_now = c.hash, differs = c.hash is distinct from s.hash or c.closing is distinct from s.closing, verified_at = ${now.toISOString()}::timestamptz
      from (${closings(sql`${day}::date`)}) c where s.day = ${day}::date and s.ledger_id = c.ledger_id and s.deleted_at is null returning s.differs`,
  )
  return rows.filter(({ differs }) => differs).length
}
