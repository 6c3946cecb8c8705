import { sql, type SQL } from 'drizzle-orm'
import { tableOf } from '../../../entities'
import { addDays, type Day } from '../../../platform/calendar'
import type { Executor } from '../../../platform/database'
import { firstOpenDay, post, type LedgerContext } from './post'
import { ratesOn } from './rates'
import { mirrored, priced, revalued } from './rules'
import type { AccountKind } from './types'

/** An account whose base balance at the end of a month is not its balance at the rate of the last day. */
export interface Unvalued {
  kind: AccountKind
  /** As the ledger knows it. */
  accountId: string
  currency: string
  companyEntityId: string
  customerId: string | null
  supplierId: string | null
  /** First day of the month. */
  month: Day
  /** Both at the end of the month, positive on the account's normal side; `base` in CNY. */
  balance: string
  base: string
  /** CNY for one unit on the last day; none when there is no rate up to it. */
  rate: string | null
  /** What this revaluation of the account and month is: the first, or a further one after later entries of the month. */
  nth: number
}

/** Kinds of accounts that are money or are settled in money; of system accounts the receivable from AWS and what nobody claimed. */
const MONETARY = sql`e.account_kind in ('customer', 'main', 'supplier', 'bank', 'entity') or (e.account_kind = 'system' and e.account_id ~ '^(AWS|SUS)@')`
const CREDIT_SIDE = sql`e.account_kind in ('customer', 'main') or e.account_id like 'SUS@%'`

/** First day of the month after. */
export const monthAfter = (month: Day): Day => `${addDays(month, 31).slice(0, 7)}-01`

/**
 * What is to be revalued at the end of months that are over (money 1.3 `fxRevalue`: monetary accounts only), the oldest month first;
 * closed months stay as they are.
 * @param from, through first days of the first and the last month
 */
export async function unvalued(
  db: Executor,
  { from, through, companyEntityId }: { from: Day; through: Day; companyEntityId?: string },
): Promise<Unvalued[]> {
  const of: SQL = companyEntityId === undefined ? sql`true` : sql`b.company_entity_id = ${companyEntityId}`
  const { rows } = await db.query<Unvalued>(
    sql`with months as (select g::date as month, (g + interval '1 month')::date as next from generate_series(${from}::date, ${through}::date, interval '1 month') g),
        moved as (select e.account_kind, e.account_id, e.currency, max(e.customer_id) as customer_id, max(e.supplier_id) as supplier_id, greatest(date_trunc('month', e.biz_date)::date, ${from}::date) as month,
            sum(e.signed_amount) as amount, sum(case when (e.direction = 'credit') = (${CREDIT_SIDE}) then e.base_amount else -e.base_amount end) as base
          from fin_ledger_entry e where e.currency <> 'CNY' and (${MONETARY}) and e.biz_date < ${monthAfter(through)}::date group by 1, 2, 3, 6),
        reached as (select m.month, m.next, x.account_kind, x.account_id, x.currency, max(x.customer_id) as customer_id, max(x.supplier_id) as supplier_id, sum(x.amount) as balance, sum(x.base) as base
          from months m join moved x on x.month <= m.month group by 1, 2, 3, 4, 5)
      select r.account_kind as kind, r.account_id as "accountId", r.currency, b.company_entity_id as "companyEntityId", r.customer_id as "customerId", r.supplier_id as "supplierId", r.month::text, r.balance::text, r.base::text, x.rate::text,
          1 + (select count(*)::int from fin_posting p where p.type = 'fxRevalue' and p.source_id = r.account_id and p.source_code = to_char(r.month, 'YYYY-MM') and p.reverses_id is null and p.deleted_at is null) as nth
        from reached r join fin_account_balance b on b.id = r.account_kind || ':' || r.account_id
          left join lateral (select x.rate from ${sql.raw(tableOf('sys.exchangeRate'))} x where x.kind = 'xe' and x.quote = 'CNY' and x.base = r.currency and x.date < r.next and x.deleted_at is null and x.rate > 0 order by x.date desc limit 1) x on true
        where ${of} and (r.balance <> 0 or r.base <> 0) and round(r.balance * x.rate, 6) is distinct from r.base
          and not exists (select 1 from fin_period p where p.company_entity_id = b.company_entity_id and p.month = r.month and p.status = 'closed' and p.deleted_at is null)
        order by r.month, r.account_kind, r.account_id`,
  )
  return rows
}

/** The first month that was ever revalued: those after it are caught up with; null when none was. */
export async function firstRevalued(db: Executor): Promise<Day | null> {
  const { rows } = await db.query<{ month: Day | null }>(
    `select date_trunc('month', min(biz_date))::date::text as month from fin_posting where type = 'fxRevalue' and reverses_id is null and deleted_at is null`,
  )
  return rows[0]?.month ?? null
}

/**
 * Brings the base balance of an account at the end of a month to its balance at the rate of the last day, against the exchange
 * difference, and takes it back on the first day of the next one (example L7); in a closed month on the first open day. Amounts in the
 * account's own currency do not move. Once an account and month, and again for what was dated into the month since. Answers the change
 * in CNY. @throws ServiceError as `post`, also without a rate
 */
export async function revalue(ledger: LedgerContext, found: Unvalued): Promise<string> {
  const { kind, currency, companyEntityId, customerId, supplierId, month, balance, base, nth } = found
  const next = monthAfter(month)
  const bizDate = addDays(next, -1)
  const rates = await ratesOn(ledger.tx, [currency], bizDate)
  const id = kind === 'system' ? found.accountId.split('@', 1)[0]! : found.accountId
  const legs = priced(revalued({ kind, id, currency, customerId, supplierId }, balance, base, rates.get(currency)!), rates)
  if (legs.length === 0) return '0'
  const key = `fxrev:${found.accountId}:${month.slice(0, 7).replace('-', '')}${nth > 1 ? `:${nth}` : ''}`
  const draft = {
    ...{ type: 'fxRevalue', companyEntityId, sourceType: 'fx', sourceId: found.accountId, sourceCode: month.slice(0, 7) },
    memo: `${currency} ${rates.get(currency)}`,
  }
  const { postingId } = await post(ledger, { ...draft, bizDate, idemKey: key, legs })
  const back = await firstOpenDay(ledger.tx, companyEntityId, next)
  await post(ledger, { ...draft, bizDate: back, idemKey: `${key}:rev`, reversesId: postingId, legs: mirrored(legs) })
  return legs[0]!.direction === 'debit' ? legs[0]!.base : `-${legs[0]!.base}`
}
