import { sql } from 'drizzle-orm'
import { columnName, type ChargedEntity } from '../../../../src/schema/entity'
import { CHARGED } from '../../../../src/schema/generated/charges'
import { tableOf, thereIs } from '../../../entities'
import type { SqlStep, Transaction } from '../../../platform/database'
import { RATED_FIELDS } from '../usage/rerate'

/** Which days of an account are locked: those up to `through`. Days before `begins` were over when the account was first locked here. */
export const DAY_LOCKS = 'biz_day_lock'

/** What counts of a record follow from, besides its money. Marks of posting, `late` and the moment of a receipt are not among it. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  'biz.smsRecord': ['submittedAt', 'sentAt', 'product', 'status', 'failReason', 'segments'],
  'biz.callRecord': ['startAt', 'answerAt', 'product', 'releaseCause'],
  'biz.waRecord': ['submittedAt', 'free'],
  'biz.mailRecord': ['submittedAt', 'status'],
  'biz.otpRecord': ['requestedAt', 'channel', 'status'],
  'biz.smsAttempt': ['submittedAt', 'channelId', 'product', 'status', 'segments'],
}
const ALWAYS = ['accountId', 'billDay', 'currency', 'testFlag', 'deletedAt', 'supplierAccountId', 'costDay', 'costCurrency']

/**
 * The database itself refuses what would move a day that is locked, of either side, and what would take a record of it away. Only updates
 * that change something of it ask: records that come in, and those that are posted, pay nothing. What had no price may still get one.
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
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end $$;`,
  },
  ...CHARGED.filter(({ whose }) => whose?.day === 'billDay').map((charged): SqlStep => ({
    id: `2026-12-biz-locked-${charged.entity}`,
    run: (tx) => guard(tx, charged),
  })),
]

async function guard(tx: Transaction, { entity, sides }: ChargedEntity): Promise<void> {
  if (!(await thereIs(tx, entity))) return
  const table = tableOf(entity)
  const { rows } = await tx.query<{ name: string }>(
    sql`select attname::text as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`,
  )
  const here = new Set(rows.map(({ name }) => name))
  const differs = (fields: readonly string[]): string => {
    const columns = fields.map(columnName).filter((name) => here.has(name))
    const row = (which: 'old' | 'new'): string => `row(${columns.map((name) => `${which}.${name}`).join(', ')})`
    return `${row('old')} is distinct from ${row('new')}`
  }
  const changes = [
    differs([...ALWAYS, ...(COUNTED[entity] ?? [])]),
    ...sides.map(({ side, amount }) => `(old.${columnName(amount)} is not null and ${differs(RATED_FIELDS[side])})`),
  ]
  await tx.query(
    sql.raw(
      `create or replace trigger biz_refuse_locked before update on ${table} for each row when (${changes.join(' or ')}) execute function biz_refuse_locked();
create or replace trigger biz_refuse_locked_delete before delete on ${table} for each row execute function biz_refuse_locked();`,
    ),
  )
}
