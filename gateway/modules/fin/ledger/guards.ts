import type { SqlStep } from '../../../platform/database'

/**
 * What the database itself holds of the ledger: entries are neither changed nor deleted, but for the bill that takes them, until it is void (I6);
 * each posting balances by currency and in the base currency (I1, I2).
 */
export const ledgerGuards: readonly SqlStep[] = [
  {
    // how an account was paid on a day: by its changes, else as it is
    id: '2026-11-pay-mode-on-a-day',
    run: `create or replace function fin_pay_mode_on(of_account text, on_day date, company_zone text) returns text language sql stable as $$
  select coalesce(
    (select c.to_mode from fin_account_change c where c.account_id = a.id and c.kind = 'modeChange' and c.status = 'done' and c.deleted_at is null
      and (c.effective_from at time zone coalesce(a.timezone, company_zone))::date <= on_day order by c.effective_from desc, c.id desc limit 1),
    (select case c.to_mode when 'postpaid' then 'prepaid' else 'postpaid' end from fin_account_change c where c.account_id = a.id and c.kind = 'modeChange' and c.status = 'done' and c.deleted_at is null
      order by c.effective_from, c.id limit 1),
    a.pay_mode)
  from fin_customer_account a where a.id = of_account $$`,
  },
  {
    id: '2026-11-ledger-append-only-but-for-bills',
    run: `create or replace function fin_ledger_entry_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (old.bill_id is null or new.bill_id is null) and to_jsonb(new) - 'bill_id' = to_jsonb(old) - 'bill_id' then
    return new;
  end if;
  raise exception 'Entries of the ledger are never changed or deleted; reverse the posting instead.';
end $$;
drop trigger if exists fin_ledger_entry_kept on fin_ledger_entry;
create trigger fin_ledger_entry_kept before update or delete on fin_ledger_entry for each row execute function fin_ledger_entry_kept();
create or replace function fin_ledger_entry_balances() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select e.posting_id into wrong from fresh e group by e.posting_id, e.currency
    having sum(case e.direction when 'debit' then e.amount else -e.amount end) <> 0 limit 1;
  if wrong is null then
    select e.posting_id into wrong from fresh e group by e.posting_id
      having sum(case e.direction when 'debit' then e.base_amount else -e.base_amount end) <> 0 limit 1;
  end if;
  if wrong is not null then
    raise exception 'The posting % does not balance.', wrong;
  end if;
  return null;
end $$;
drop trigger if exists fin_ledger_entry_balances on fin_ledger_entry;
create trigger fin_ledger_entry_balances after insert on fin_ledger_entry referencing new table as fresh for each statement execute function fin_ledger_entry_balances();`,
  },
]
