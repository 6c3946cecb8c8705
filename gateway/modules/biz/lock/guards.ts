import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import type { SqlStep } from '../../../platform/database'

/** Which days of an account are locked: those up to `through`. Days before `begins` were over when the account was first locked here. */
export const DAY_LOCKS = 'biz_day_lock'

/** What money, counts and day of a record follow from. Marks of posting, `late` and the moment of a receipt are not among it. */
const ALL = ['account_id', 'bill_day', 'currency', 'price', 'revenue', 'billable', 'test_flag', 'deleted_at']
const COST = ['supplier_account_id', 'cost_day', 'cost_currency', 'cost', 'cost_amount', 'cost_billable']
const FROZEN: Readonly<Record<string, readonly string[]>> = {
  'biz.smsRecord': [...ALL, ...COST, 'submitted_at', 'sent_at', 'product', 'status', 'fail_reason', 'segments'],
  'biz.callRecord': [...ALL, ...COST, 'start_at', 'answer_at', 'product', 'release_cause', 'bill_sec', 'cost_bill_sec'],
  'biz.waRecord': [...ALL, ...COST, 'submitted_at', 'category', 'free'],
  'biz.mailRecord': [...ALL, 'submitted_at'],
  'biz.smsAttempt': [
    'account_id',
    'bill_day',
    ...COST,
    'submitted_at',
    'channel_id',
    'product',
    'status',
    'segments',
    'test_flag',
    'deleted_at',
  ],
}

/**
 * The database itself refuses what would move a day that is locked. Only updates that change something of it ask: records that come in, and
 * those that are posted, pay nothing.
 */
export const lockGuards: readonly SqlStep[] = [
  {
    id: '2026-11-biz-day-locks',
    run: `create table if not exists ${DAY_LOCKS} (account_id text primary key, begins date not null, through date not null);
create or replace function biz_refuse_locked() returns trigger language plpgsql as $$
declare
  locked date;
begin
  select through into locked from ${DAY_LOCKS} where account_id = old.account_id;
  if old.bill_day <= locked then
    raise exception 'The day % of the account % is locked; its records do not change any more.', old.bill_day, old.account_id;
  end if;
  return new;
end $$;`,
  },
  ...Object.entries(FROZEN).map(([record, columns]): SqlStep => ({
    id: `2026-11-biz-locked-${record}`,
    run: async (tx) => {
      if (!(await thereIs(tx, record))) return
      const row = (which: 'old' | 'new'): string => `row(${columns.map((column) => `${which}.${column}`).join(', ')})`
      await tx.query(
        sql.raw(
          `create or replace trigger biz_refuse_locked before update on ${tableOf(record)} for each row when (${row('old')} is distinct from ${row('new')}) execute function biz_refuse_locked();`,
        ),
      )
    },
  })),
]
