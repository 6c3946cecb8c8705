import { sql } from 'drizzle-orm'
import { Exact, exactText } from '../../../../src/schema/formats'
import { tableOf } from '../../../entities'
import { dayOf, daysBetween } from '../../../platform/calendar'
import { newId, type Executor } from '../../../platform/database'
import type { Text } from '../../../platform/http'
import { ruleFor } from '../../../rules'
import { send, type Notice } from '../../../todos'
import { giftLeft, refundable } from '../ledger/rules'
import { zoneSql } from '../zones'
import { creditOf, type CreditFacts, type CreditStage, type CreditState } from './formula'

interface FactsRow {
  id: string
  code: string
  name: string
  customerId: string
  ownerId: string | null
  payMode: 'prepaid' | 'postpaid'
  product: string
  currency: string
  timezone: string
  gift: string
  graceDays: number | null
  balance: string
  unposted: string
  frozen: string
  limitPermanent: string
  limitTemporary: string
  openAmount: string
  overdueAmount: string
  oldestDue: string | null
  nextDue: string | null
  dailyUsage: string
  warnAmount: string | null
  stopAmount: string | null
  manualStop: boolean | null
  noSendingUntil: string | null
  whitelistUntil: string | null
  stage: CreditStage | null
  lastFlipAt: string | null
  stoppedAt: string | null
}

interface Refreshed {
  row: FactsRow
  state: CreditState
  today: string
  gift: string
  overdueDays: number
}

/**
 * Works out where customer accounts stand and keeps it: with the account what forms and lists read, with the credit control all of it
 * (money 2.2). Stops and their end go to the credit record; who looks after the customer is told of every step for the worse.
 * @param touched account id -> gifts that were credited just now
 */
export async function refreshCredit(tx: Executor, touched: ReadonlyMap<string, string>, now: Date): Promise<void> {
  if (touched.size === 0) return
  const rule = await ruleFor(tx, 'fin.credit', now)
  const rows = await factsOf(tx, [...touched.keys()], now)
  const refreshed = rows.map((row): Refreshed => {
    const today = dayOf(now, row.timezone)
    const gift = giftLeft(exactText(new Exact(row.gift).plus(touched.get(row.id) ?? '0')), row.balance)
    const overdueDays = row.oldestDue !== null && row.oldestDue < today ? daysBetween(row.oldestDue, today) : 0
    return { row, today, gift, overdueDays, state: creditOf(creditFacts(row, { today, overdueDays, now }), rule) }
  })
  await keep(tx, refreshed, now)
  await recordFlips(tx, refreshed, now)
  await warn(tx, refreshed, now)
}

function creditFacts(row: FactsRow, { today, overdueDays, now }: { today: string; overdueDays: number; now: Date }): CreditFacts {
  const { payMode, balance, unposted, frozen, limitPermanent, limitTemporary, overdueAmount, dailyUsage } = row
  return {
    ...{ payMode, balance, unposted, frozen, limitPermanent, limitTemporary, overdueAmount, dailyUsage, overdueDays },
    daysToDue: row.nextDue === null ? null : daysBetween(today, row.nextDue),
    graceDays: row.graceDays ?? 7,
    warnAmount: row.warnAmount,
    stopAmount: row.stopAmount ?? '0',
    manualStop: row.manualStop ?? false,
    keepsStop: row.noSendingUntil !== null && row.noSendingUntil >= today,
    receivablesOnly: row.product === 'device',
    whitelisted: row.whitelistUntil !== null && row.whitelistUntil >= today,
    before: row.stage ?? 'normal',
    minutesSinceFlip: row.lastFlipAt === null ? Number.MAX_SAFE_INTEGER : (now.getTime() - Date.parse(row.lastFlipAt)) / 60_000,
  }
}

/** Everything that the stages of some accounts follow from; the accounts are held, in one order for everybody. */
async function factsOf(tx: Executor, ids: readonly string[], now: Date): Promise<FactsRow[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const zone = zoneSql('a', at, tx.companyTimeZone)
  const today = sql`(${at} at time zone ${zone})::date`
  const grants = (kind: string) =>
    sql`coalesce((select sum(g.amount) from fin_credit_grant g where g.account_id = a.id and g.kind = ${kind} and g.status = 'active' and g.deleted_at is null), 0)::text`
  const due = sql`coalesce(l.deferred_to, l.due_date)`
  const { rows } = await tx.query<FactsRow>(
    sql`select a.id, a.code, a.name, a.customer_id as "customerId", k.owner_id as "ownerId", a.pay_mode as "payMode", a.product, a.currency, ${zone} as timezone, coalesce(a.gift_balance, 0)::text as gift, coalesce(c.grace_days, a.grace_days) as "graceDays",
        coalesce(b.balance, 0)::text as balance, coalesce(b.unposted, 0)::text as unposted,
        (coalesce(b.frozen, 0) + coalesce((select sum(h.amount) from fin_hold h where h.account_kind = 'customer' and h.account_id = a.id and h.released_at is null and h.deleted_at is null), 0))::text as frozen,
        ${grants('permanent')} as "limitPermanent", ${grants('temporary')} as "limitTemporary",
        coalesce(o.open, 0)::text as "openAmount", coalesce(o.overdue, 0)::text as "overdueAmount", o.oldest::text as "oldestDue", o.next::text as "nextDue",
        coalesce(u.daily, 0)::text as "dailyUsage",
        c.warn_amount::text as "warnAmount", c.stop_amount::text as "stopAmount", c.sending = 'stopped' as "manualStop", c.no_sending_until::text as "noSendingUntil", c.whitelist_until::text as "whitelistUntil",
        c.stage, c.last_flip_at as "lastFlipAt", c.stopped_at as "stoppedAt"
      from fin_customer_account a
      left join ${sql.raw(tableOf('crm.customer'))} k on k.id = a.customer_id
      left join fin_account_balance b on b.id = 'customer:' || a.id
      left join fin_credit_control c on c.account_id = a.id and c.deleted_at is null
      left join lateral (
        select sum(l.open_amount) as open, sum(l.open_amount) filter (where ${due} < ${today}) as overdue, min(${due}) as oldest, min(${due}) filter (where ${due} >= ${today}) as next
        from fin_bill l where l.account_id = a.id and l.status in ('issued', 'partPaid') and l.open_amount > 0 and l.deleted_at is null) o on true
      left join lateral (
        select round(avg(d.used), 6) as daily from (
          select -sum(e.signed_amount) as used from fin_ledger_entry e where e.account_kind = 'customer' and e.account_id = a.id and e.type = 'usage' and e.deleted_at is null
          group by e.biz_date order by e.biz_date desc limit 7) d) u on true
      where a.id = any(${sql.param([...ids])}::text[]) order by a.id collate "C" for no key update of a`,
  )
  return rows
}

/**
 * Accounts whose stage may have changed with time alone: not worked out for an hour, on another day of their zone, by other thresholds,
 * or stopped until their pause is over. The longest waiting first.
 */
export async function staleAccounts(db: Executor, now: Date, most: number): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const zone = zoneSql('a', at, db.companyTimeZone)
  const { rows } = await db.query<{ id: string }>(
    sql`select a.id from fin_customer_account a left join fin_credit_control c on c.account_id = a.id and c.deleted_at is null
      where a.status <> 'closed' and a.deleted_at is null and (c.id is null or c.updated_at <= ${at} - interval '1 hour'
        or (c.updated_at at time zone ${zone})::date < (${at} at time zone ${zone})::date
        or c.updated_at < (select max(s.effective_from) from ${sql.raw(tableOf('sys.ruleSet'))} s where s.key = 'fin.credit' and s.effective_from <= ${at} and s.deleted_at is null)
        or (c.stage = 'stop' and c.last_flip_at > ${at} - interval '1 hour' and c.updated_at <= ${at} - interval '5 minutes'))
      order by c.updated_at nulls first, a.id limit ${most}`,
  )
  return rows.map(({ id }) => id)
}

const FLIPPED = (before: CreditStage | null, after: CreditStage): boolean => (before ?? 'normal') !== after
const stops = (stage: CreditStage | null): boolean => stage === 'stop' || stage === 'manualStop'

async function keep(tx: Executor, refreshed: readonly Refreshed[], now: Date): Promise<void> {
  const at = now.toISOString()
  const rows = refreshed.map(({ row, state, gift, overdueDays }) => ({
    id: row.id,
    control_id: newId(),
    customer_id: row.customerId,
    pay_mode: row.payMode,
    currency: row.currency,
    balance: row.balance,
    unposted: row.unposted,
    frozen: row.frozen,
    gift,
    available: state.available,
    refundable: refundable({ balance: row.balance, gift, frozen: row.frozen }, row.currency),
    limit_effective: state.limitEffective,
    limit_permanent: row.limitPermanent,
    limit_temporary: row.limitTemporary,
    used: state.used,
    usage_pct: state.usagePct,
    overdue_amount: row.overdueAmount,
    overdue_days: overdueDays,
    open_amount: row.openAmount,
    oldest_due: row.oldestDue,
    daily_usage: row.dailyUsage,
    grace_days: row.graceDays ?? 7,
    stage: state.stage,
    cause: state.cause,
    flipped: FLIPPED(row.stage, state.stage),
    stopped_at: stops(state.stage) ? (stops(row.stage) ? (row.stoppedAt ?? at) : at) : null,
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g(id text, control_id text, customer_id text, pay_mode text, currency text, balance numeric, unposted numeric, frozen numeric, gift numeric, available numeric, refundable numeric,
    limit_effective numeric, limit_permanent numeric, limit_temporary numeric, used numeric, usage_pct numeric, overdue_amount numeric, overdue_days bigint, open_amount numeric, oldest_due date, daily_usage numeric, grace_days bigint, stage text, cause text, flipped boolean, stopped_at timestamptz)`
  await tx.query(
    sql`update fin_customer_account a set balance = g.balance, unposted = g.unposted, frozen = g.frozen, gift_balance = g.gift, available = g.available, refundable = g.refundable, credit_limit = g.limit_effective,
        limit_permanent = g.limit_permanent, limit_temporary = g.limit_temporary, used = g.used, usage_pct = g.usage_pct, overdue_amount = g.overdue_amount, overdue_days = g.overdue_days, open_amount = g.open_amount, daily_usage = g.daily_usage, stage = g.stage
      from ${given} where a.id = g.id`,
  )
  await tx.query(
    sql`insert into fin_credit_control as c (id, account_id, customer_id, pay_mode, currency, limit_permanent, limit_temporary, limit_effective, used, usage_pct, available, frozen, overdue_amount, overdue_days, oldest_due, stage, stop_cause, stopped_at, stop_amount, grace_days, sending, last_flip_at, created_at, updated_at, version)
      select g.control_id, g.id, g.customer_id, g.pay_mode, g.currency, g.limit_permanent, g.limit_temporary, g.limit_effective, g.used, g.usage_pct, g.available, g.frozen, g.overdue_amount, g.overdue_days, g.oldest_due, g.stage, g.cause, g.stopped_at, 0, g.grace_days, 'allowed', case when g.flipped then ${at}::timestamptz end, ${at}::timestamptz, ${at}::timestamptz, 1
      from ${given}
      on conflict (account_id) where deleted_at is null do update set pay_mode = excluded.pay_mode, limit_permanent = excluded.limit_permanent, limit_temporary = excluded.limit_temporary, limit_effective = excluded.limit_effective,
        used = excluded.used, usage_pct = excluded.usage_pct, available = excluded.available, frozen = excluded.frozen, overdue_amount = excluded.overdue_amount, overdue_days = excluded.overdue_days, oldest_due = excluded.oldest_due,
        stage = excluded.stage, stop_cause = excluded.stop_cause, stopped_at = excluded.stopped_at, updated_at = excluded.updated_at, last_flip_at = coalesce(excluded.last_flip_at, c.last_flip_at)`,
  )
}

/** Adds stops and resumptions to the credit record (money 2.3), which nobody changes afterwards; neither says a limit. */
async function recordFlips(tx: Executor, refreshed: readonly Refreshed[], now: Date): Promise<void> {
  const at = now.toISOString()
  const rows = refreshed
    .filter(({ row, state }) => row.stage !== null && stops(row.stage) !== stops(state.stage))
    .map(({ row, state }) => ({
      ...{ id: newId(), at, account_id: row.id, customer_id: row.customerId, currency: row.currency },
      action: stops(state.stage) ? 'stop' : 'resume',
      before: row.stage ?? 'normal',
      after: state.cause === null ? state.stage : `${state.stage} (${state.cause})`,
      ...{ created_at: at, updated_at: at, version: 1 },
    }))
  if (rows.length === 0) return
  await tx.query(
    sql`insert into fin_credit_record select * from jsonb_populate_recordset(null::fin_credit_record, ${JSON.stringify(rows)}::jsonb)`,
  )
}

const ORDER: readonly CreditStage[] = ['normal', 'warn', 'urgent', 'stop', 'manualStop']
const WORDS: Readonly<Record<CreditStage, { zh: string; en: string }>> = {
  normal: { zh: '正常', en: 'is normal' },
  warn: { zh: '预警', en: 'is at its warning level' },
  urgent: { zh: '余额或额度紧张', en: 'is about to be stopped' },
  stop: { zh: '已停用', en: 'is stopped' },
  manualStop: { zh: '已人工停用', en: 'was stopped by hand' },
}

/** Whoever looks after the customer hears of each step for the worse once a day. */
async function warn(tx: Executor, refreshed: readonly Refreshed[], now: Date): Promise<void> {
  const notices = refreshed.flatMap(({ row, state, today }): Notice[] => {
    const worse = row.stage !== null && ORDER.indexOf(state.stage) > ORDER.indexOf(row.stage)
    if (!worse || row.ownerId === null) return []
    const { zh, en } = WORDS[state.stage]
    const money = `${state.available} ${row.currency}`
    const say = (account: string): Text => ({
      zh: `账户 ${account} ${zh}，可用 ${money}`,
      en: `The account ${account} ${en}: ${money} available`,
    })
    return [
      {
        staffId: row.ownerId,
        todo: false,
        type: '3',
        kind: 'notice',
        title: say(row.name),
        plain: { title: say(row.code) },
        subject: { entity: 'fin.customerAccount', id: row.id },
        key: `credit/${row.id}/${state.stage}/${today}`,
      },
    ]
  })
  await send(tx, notices, now)
}
